//! The label of the x axis, which takes a second line where one has no room for it.

use crate::report::plot::svg::{fitting, width};

/// The size of titles and labels of axes.
pub(super) const TITLE_SIZE: f64 = 12.0;

/// From one line of a label to the next.
pub(super) const LINE: f64 = 15.0;

/// The label of x, which stands around `middle` of a panel `whole` wide, on the one or two lines that it takes.
pub(super) fn x_label_lines(label: &str, middle: f64, whole: f64) -> Vec<String> {
    let room = 2.0 * middle.min(whole - middle) - 6.0;
    if width(label, TITLE_SIZE) <= room {
        return vec![fitting(label, TITLE_SIZE, room)];
    }
    // Lines of about the same length; the first has room in any case.
    let breaks = label.char_indices().filter(|(_, character)| *character == ' ').map(|(at, _)| at);
    let fits = breaks.filter(|&at| width(&label[..at], TITLE_SIZE) <= room);
    let longer = |&at: &usize| width(&label[..at], TITLE_SIZE).max(width(&label[at + 1..], TITLE_SIZE));
    match fits.min_by(|a, b| longer(a).total_cmp(&longer(b))) {
        Some(at) => vec![label[..at].to_string(), fitting(&label[at + 1..], TITLE_SIZE, room)],
        None => vec![fitting(label, TITLE_SIZE, room)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: f64 = 380.0;

    #[test]
    fn a_long_label_takes_a_second_line() {
        assert_eq!(x_label_lines("rows", 200.0, WIDTH), ["rows"]);
        assert_eq!(
            x_label_lines("largest part of an attribute's values that a query admits", 200.0, WIDTH),
            ["largest part of an attribute's", "values that a query admits"]
        );
        assert_eq!(x_label_lines("", 200.0, WIDTH), [""]);
        assert_eq!(x_label_lines(&"x".repeat(10_000), 200.0, WIDTH).len(), 1);
    }
}
