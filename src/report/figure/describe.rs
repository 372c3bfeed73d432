//! The figure in words, for those who cannot see it.

use super::{DrawnFigure, DrawnPoint};
use crate::lab::counted;
use crate::spec::draw::DrawKind;

/// "Line plot of query error (%) along ℓ. Anatomy: 0.21 at 3 to 0.35 at 6. …"
pub fn describe(figure: &DrawnFigure, panel: usize) -> String {
    let kind = match figure.kind {
        DrawKind::Line => "Line plot",
        DrawKind::Bar => "Bar chart",
        DrawKind::Scatter => "Scatter plot",
        DrawKind::Table => "Table",
    };
    let shown = &figure.panels[panel];
    let along = if figure.x.label.is_empty() { String::new() } else { format!(" along {}", figure.x.label) };
    let title = shown.title.as_ref().map(|title| format!(", {title}")).unwrap_or_default();
    let mut text = format!("{kind} of {}{along}{title}.", shown.y_label);
    for (index, series) in figure.series.iter().enumerate() {
        let points: Vec<&DrawnPoint> =
            figure.points.iter().filter(|point| point.panel == panel && point.series == index).collect();
        let measured: Vec<&&DrawnPoint> = points.iter().filter(|point| point.y.is_some()).collect();
        let value = |point: &DrawnPoint| shown.unit.show(point.y.map_or(f64::NAN, |y| y.value));
        let place = |point: &DrawnPoint| if point.x.is_none() { "all x".to_string() } else { figure.x.name(&point.x) };
        match (measured.first(), measured.last()) {
            (Some(first), Some(last)) if measured.len() > 1 => {
                text += &format!(
                    " {}: {} at {} to {} at {}.",
                    series.name,
                    value(first),
                    place(first),
                    value(last),
                    place(last)
                );
            }
            (Some(only), _) => text += &format!(" {}: {} at {}.", series.name, value(only), place(only)),
            _ => {}
        }
    }
    match figure.points.iter().filter(|point| point.panel == panel && point.y.is_none()).count() {
        0 => {}
        1 => text += " 1 point has no value.",
        n => text += &format!(" {n} points have no value."),
    }
    match figure.printed.iter().filter(|printed| printed.panel == panel).count() {
        0 => {}
        n => text += &format!(" {} printed in the paper.", counted(n, "value")),
    }
    text
}
