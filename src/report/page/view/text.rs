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
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(index, part)| escape(&if index % 2 == 0 { typeset(part) } else { part.to_string() }))
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
