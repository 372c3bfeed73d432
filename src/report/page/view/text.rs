//! Prose of specs, and the length of what is shown.

use crate::report::plot::svg::escape;
use crate::report::typeset::typeset;

/// Names longer than this are cut on pages; files keep them.
pub(super) const NAME: usize = 160;

/// Code up to this long fits on a line of any width.
const SHORT: usize = 16;

/// Blank lines part paragraphs.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).map(prose).collect()
}

/// Prose that ends with a full stop.
pub(super) fn sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    prose(text) + stop
}

/// Prose of a spec as HTML: what is between backticks is code, and lines do not break within what is read as one.
pub fn prose(text: &str) -> String {
    with_code(text, |plain| unbroken(&escape(&typeset(plain))))
}

/// A sentence about data as HTML: what is between backticks is code, and the rest as it is.
pub fn told(text: &str) -> String {
    with_code(text, escape)
}

/// `plain` gives the HTML of what is no code.
fn with_code(text: &str, plain: impl Fn(&str) -> String) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(index, part)| if index % 2 == 0 { plain(part) } else { escape(part) })
        .collect();
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let part = |(index, part): (usize, &String)| match index % 2 {
        0 => part.clone(),
        // "--thorough" is not broken behind its hyphens.
        _ if part.chars().count() <= SHORT => format!(r#"<code class="whole">{part}</code>"#),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// What stands behind a number, and is read with it.
const UNITS: [&str; 9] = ["%", "s", "ms", "µs", "ns", "B", "KB", "MB", "GB"];

/// Of HTML without tags, where lines may break: a number keeps its unit ("[10.8, 10.9] ms"), a name its value ("p = 3"), and a
/// name in capitals its hyphens ("CO-ITEM").
fn unbroken(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut before = "";
    for (index, word) in text.split(' ').enumerate() {
        let end = |last: char| matches!(last, '.' | ',' | ';' | ':' | ')' | '”');
        let name = word.trim_end_matches(end).trim_start_matches(['(', '“']);
        let is_number = |c: char| c.is_ascii_digit() || c == ']';
        let is_unit = before.ends_with(is_number) && UNITS.contains(&name);
        let is_value = before == "=" && word.starts_with(|c: char| c.is_ascii_digit());
        let is_equal = word == "=" && !before.is_empty();
        if index > 0 {
            // A line may end behind `|D|`, whatever space follows.
            let joined = if before.ends_with('|') { "\u{2060}\u{a0}" } else { "\u{a0}" };
            kept += if is_unit || is_value || is_equal { joined } else { " " };
        }
        match is_capital(name) {
            true => kept += &word.replacen(name, &format!(r#"<span class="whole">{name}</span>"#), 1),
            false => kept += word,
        }
        before = word;
    }
    kept
}

/// "CO-ITEM", "VI-B": short enough to stand on a line of any width.
fn is_capital(name: &str) -> bool {
    let (first, rest) = name.split_once('-').unwrap_or((name, ""));
    let is_plain = |c: char| c == '-' || c.is_ascii_alphanumeric();
    let is_upper = first.len() > 1 && first.chars().all(|c| c.is_ascii_uppercase());
    is_upper && !rest.is_empty() && rest.chars().all(is_plain) && name.len() <= 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_units_and_names_their_hyphens() {
        assert_eq!(unbroken("against 100 % (equal)"), "against 100\u{a0}% (equal)");
        assert_eq!(unbroken("[10.8, 10.9] ms, asked"), "[10.8, 10.9]\u{a0}ms, asked");
        assert_eq!(unbroken("worst at p = 3, k = few"), "worst at p\u{a0}=\u{a0}3, k\u{a0}= few");
        assert_eq!(unbroken("(CO-ITEM;"), r#"(<span class="whole">CO-ITEM</span>;"#);
        assert_eq!(unbroken("a-CO, A-B, CO- and CO-&lt;b"), "a-CO, A-B, CO- and CO-&lt;b");
        assert_eq!(unbroken("of 5 s as is;  two  spaces"), "of 5\u{a0}s as is;  two  spaces");
        assert_eq!(unbroken("at |D| = 5"), "at |D|\u{2060}\u{a0}=\u{a0}5");
        assert_eq!(unbroken("a-word stays = 5"), "a-word stays\u{a0}=\u{a0}5");
    }

    #[test]
    fn backticks_are_code_where_they_come_in_pairs() {
        assert_eq!(told("row 3 has `a<b`"), "row 3 has <code class=\"whole\">a&lt;b</code>");
        assert_eq!(told("one ` alone & <b>"), "one ` alone &amp; &lt;b&gt;");
        assert_eq!(told("k^m stays"), "k^m stays");
        assert_ne!(prose("k^m is set"), "k^m is set");
    }
}
