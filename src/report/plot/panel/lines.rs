//! Lines through a panel: changes along x, and limits that cells ran into.

use super::canvas::Canvas;
use super::tooltip::with_name;
use crate::report::plot::svg::{escape, place, shorten};
use crate::report::plot::{data, marks};
use std::fmt::Write;

impl Canvas<'_> {
    pub(super) fn change_lines(&self) -> String {
        let mine = self.figure.changes.iter().filter(|change| change.panel == self.index);
        mine.map(|change| {
            let title = escape(&shorten(&change.title, 200));
            let x = self.along(&change.x);
            let at = self.at(&change.x, None);
            format!(r#"<g{at}><title>{title}</title>{}</g>"#, marks::change(x, self.frame.top, self.frame.bottom))
        })
        .collect()
    }

    pub(super) fn limit_lines(&self) -> String {
        let mine = self.figure.points.iter().filter(|point| point.panel == self.index && point.y.is_none());
        let mut limits: Vec<f64> = mine.filter_map(|point| point.missing.as_ref().and_then(|m| m.limit)).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let unit = &self.figure.panels[self.index].unit;
        let mut svg = String::new();
        for limit in limits.into_iter().filter(|&limit| self.holds(limit)) {
            let y = self.height_of(limit);
            // Nothing is drawn beyond a limit; below it a bar may stand in the way.
            let base = if y - self.frame.top > 14.0 { y - 4.0 } else { y + 11.0 };
            let label = escape(&format!("limit {}", with_name(&unit.show(limit), &unit.name)));
            let _ = write!(
                svg,
                r##"<g class="bound"{}><path class="rule" stroke="#767676" stroke-dasharray="3 3" fill="none" d="M{} {y}H{}"/><text class="ink" x="{}" y="{}" font-size="10" fill="#333333">{label}</text></g>"##,
                data::limit(Some(limit)),
                place(self.frame.left),
                place(self.frame.right),
                place(self.frame.left + 4.0),
                place(base),
                y = place(y)
            );
        }
        svg
    }
}
