//! Numbers in sentences.

use std::fmt::Display;

/// "1 row", "2 rows", "2 batches".
pub fn counted(count: impl Display, what: &str) -> String {
    let count = count.to_string();
    match what.strip_suffix('y') {
        _ if count == "1" => format!("1 {what}"),
        _ if ["s", "x", "ch", "sh"].iter().any(|hiss| what.ends_with(hiss)) => format!("{count} {what}es"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// "46,033".
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|run| std::str::from_utf8(run).ok()).collect();
    groups.join(",")
}

/// The beginning of a text from somewhere else, for a message.
pub fn shortened(text: &str) -> String {
    const CHARACTERS: usize = 80;
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text.to_string(),
    }
}

/// Whole numbers in full, others with four significant digits: enough to recognize what a file has with all of them.
pub fn concise(value: f64) -> String {
    if !value.is_finite() || value == value.trunc() {
        return value.to_string();
    }
    // Of a number below 1, zeros behind the point do not count.
    let with_exponent = format!("{value:.3e}");
    let exponent: i32 = with_exponent.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let text = format!("{value:.*}", (3 - exponent).max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "row")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!([1, 2].map(|count| counted(count, "batch")), ["1 batch", "2 batches"]);
        assert_eq!([1, 2].map(|count| counted(count, "entry")), ["1 entry", "2 entries"]);
        assert_eq!(counted(2, "day"), "2 days");
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!([0, 999, 1000, 46_033, 1_234_567].map(thousands), ["0", "999", "1,000", "46,033", "1,234,567"]);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened("flu"), "flu");
        assert_eq!(shortened(&"é".repeat(81)), "é".repeat(80) + "… (81 characters)");
    }

    #[test]
    fn few_digits_are_shown() {
        let shown =
            [2.0 / 3.0, 2.0, 0.5, 1234.56, 1e-5 / 3.0, -1.0 / 3.0, 0.0, f64::INFINITY, 99.9999, 123456.7].map(concise);
        let expected = ["0.6667", "2", "0.5", "1235", "0.000003333", "-0.3333", "0", "inf", "100", "123457"];
        assert_eq!(shown, expected);
    }
}
