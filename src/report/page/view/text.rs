//! Prose of specs, and the length of what is shown.

use crate::report::plot::svg::escape;
use crate::report::typeset::typeset;

/// Names longer than this are cut on pages; files keep them.
pub(super) const NAME: usize = 160;

/// Blank lines part paragraphs.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).map(prose).collect()
}

/// Prose that ends with a full stop.
pub(super) fn sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    prose(text) + stop
}

/// Prose of a spec as HTML: what is between backticks is code.
pub fn prose(text: &str) -> String {
    with_code(text, typeset)
}

/// A sentence about data as HTML: what is between backticks is code, and the rest as it is.
pub fn told(text: &str) -> String {
    with_code(text, str::to_string)
}

fn with_code(text: &str, plain: impl Fn(&str) -> String) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(index, part)| escape(&if index % 2 == 0 { plain(part) } else { part.to_string() }))
        .collect();
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let part = |(index, part): (usize, &String)| match index % 2 {
        0 => part.clone(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_are_code_where_they_come_in_pairs() {
        assert_eq!(told("row 3 has `a<b`"), "row 3 has <code>a&lt;b</code>");
        assert_eq!(told("one ` alone & <b>"), "one ` alone &amp; &lt;b&gt;");
        assert_eq!(told("k^m stays"), "k^m stays");
        assert_ne!(prose("k^m is set"), "k^m is set");
    }
}
