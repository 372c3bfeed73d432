//! Marks of the data, as SVG fragments in the colour of their group (`currentColor`).

use super::svg::place;
use crate::report::palette::SHAPES;
use crate::spec::reference::Wording;

/// A filled marker: circle, square, triangle, diamond, reversed triangle, plus, cross, pentagon.
pub fn marker(shape: usize, x: f64, y: f64, size: f64) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let points: Vec<String> =
            corners.iter().map(|(dx, dy)| format!("{},{}", place(x + dx * size), place(y + dy * size))).collect();
        format!(r#"<polygon class="mark" points="{}"/>"#, points.join(" "))
    };
    let plus: [(f64, f64); 12] = [
        (-0.35, -1.1),
        (0.35, -1.1),
        (0.35, -0.35),
        (1.1, -0.35),
        (1.1, 0.35),
        (0.35, 0.35),
        (0.35, 1.1),
        (-0.35, 1.1),
        (-0.35, 0.35),
        (-1.1, 0.35),
        (-1.1, -0.35),
        (-0.35, -0.35),
    ];
    match shape % SHAPES {
        0 => format!(r#"<circle class="mark" cx="{}" cy="{}" r="{}"/>"#, place(x), place(y), place(size)),
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.2), (1.1, 0.85), (-1.1, 0.85)]),
        3 => polygon(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
        4 => polygon(&[(0.0, 1.2), (1.1, -0.85), (-1.1, -0.85)]),
        5 => polygon(&plus),
        6 => polygon(&plus.map(|(dx, dy)| ((dx - dy) * 0.74, (dx + dy) * 0.74))),
        _ => polygon(&[(0.0, -1.15), (1.1, -0.3), (0.68, 1.0), (-0.68, 1.0), (-1.1, -0.3)]),
    }
}

/// A marker that is drawn as its outline.
pub fn hollow(marker: &str) -> String {
    format!(r##"<g class="hollow" fill="#FFFFFF">{marker}</g>"##)
}

/// A value printed in the paper: a hollow diamond, larger than any marker it may stand upon; with an arrow to the side on
/// which values are, where a bound is printed.
pub fn printed(x: f64, y: f64, wording: Wording) -> String {
    let (w, h) = (6.0, 7.5);
    let up = match wording {
        Wording::Exactly | Wording::About => 0.0,
        Wording::MoreThan | Wording::AtLeast => -1.0,
        Wording::LessThan | Wording::AtMost => 1.0,
    };
    let arrow = match up {
        0.0 => String::new(),
        up => format!(
            "M{x} {}V{tip}M{} {head}L{x} {tip}L{} {head}",
            place(y + up * h),
            place(x - 3.0),
            place(x + 3.0),
            x = place(x),
            tip = place(y + up * (h + 9.0)),
            head = place(y + up * (h + 5.0)),
        ),
    };
    format!(
        r#"<path class="printed" fill="none" stroke-width="1.6" d="M{} {}L{} {}L{} {}L{} {}Z{arrow}"/>"#,
        place(x),
        place(y - h),
        place(x + w),
        place(y),
        place(x),
        place(y + h),
        place(x - w),
        place(y)
    )
}

/// A cell stopped at a limit of what is measured: an arrow that points beyond it.
pub fn stopped(x: f64, y: f64) -> String {
    format!(
        r#"<path class="stopped" fill="none" stroke-width="1.8" d="M{} {}V{}M{} {}L{} {}L{} {}"/>"#,
        place(x),
        place(y + 10.0),
        place(y),
        place(x - 4.0),
        place(y + 5.0),
        place(x),
        place(y),
        place(x + 4.0),
        place(y + 5.0)
    )
}

/// A change of level: a line from top to bottom, with a wedge at its head.
pub fn change(x: f64, top: f64, bottom: f64) -> String {
    let (left, right, tip) = (place(x - 4.0), place(x + 4.0), place(top + 7.0));
    let (x, top, bottom) = (place(x), place(top), place(bottom));
    format!(
        r##"<g class="over" color="#1A1A1A" stroke="currentColor" fill="currentColor"><path fill="none" stroke-width="1.2" stroke-dasharray="2 2" d="M{x} {top}V{bottom}"/><polygon stroke="none" points="{left},{top} {right},{top} {x},{tip}"/></g>"##
    )
}

/// A cell without a value.
pub fn missing(x: f64, y: f64) -> String {
    let d = 3.8;
    format!(
        r#"<path class="missing" fill="none" stroke-width="2" d="M{} {}L{} {}M{} {}L{} {}"/>"#,
        place(x - d),
        place(y - d),
        place(x + d),
        place(y + d),
        place(x - d),
        place(y + d),
        place(x + d),
        place(y - d)
    )
}

/// From the low to the high end of the spread, with caps.
pub fn error_bar(x: f64, low: f64, high: f64) -> String {
    let (left, right) = (place(x - 3.5), place(x + 3.5));
    let (x, low, high) = (place(x), place(low), place(high));
    format!(
        r#"<path class="spread" fill="none" stroke-width="1.2" d="M{x} {low}V{high}M{left} {low}H{right}M{left} {high}H{right}"/>"#
    )
}
