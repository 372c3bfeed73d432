//! The same series under other readings, faintly behind a panel.

use super::canvas::{Canvas, Slot};
use super::series::dashes;
use crate::report::palette::{COLOURS, Style};
use crate::report::plot::data;
use crate::report::plot::ghosts::Shade;
use crate::report::plot::scales::is_categorical;
use crate::report::plot::svg::{escape, place, shorten};
use crate::spec::draw::DrawKind;
use std::fmt::Write;

impl Canvas<'_> {
    /// The same series under other readings: thin and pale, without markers.
    pub(super) fn ghosts(&self, shades: &[Shade], styles: &[Style]) -> String {
        let mut svg = String::new();
        for shade in shades {
            let Some(style) = styles.get(shade.series) else { continue };
            let slot = Slot::of(self, shade.series, styles.len());
            let mut path = String::new();
            let mut joined = false;
            for (x, y) in &shade.points {
                let (at, y) = (slot.x(self, x), place(self.height_of(*y)));
                if self.figure.kind == DrawKind::Line && shade.points.len() > 1 {
                    let _ = write!(path, "{}{} {y}", if joined { "L" } else { "M" }, place(at));
                    joined = true;
                } else {
                    let half = (slot.width / 2.0).max(5.0);
                    let _ = write!(path, "M{} {y}H{}", place(at - half), place(at + half));
                }
            }
            let places: Vec<String> = shade
                .points
                .iter()
                .filter_map(|(x, y)| Some(data::pair(self.figure.place(x, is_categorical(self.figure))?, *y)))
                .collect();
            let name = &self.figure.series[shade.series].name;
            let _ = write!(
                svg,
                r#"<g class="ghost c{}" data-series="{}" data-reading="{}" data-points="{}" color="{}" stroke="currentColor"><title>{}</title><path fill="none" stroke-width="1.3" stroke-opacity="0.4"{} d="{path}"/></g>"#,
                style.colour,
                shade.series,
                shade.reading,
                places.join(" "),
                COLOURS[style.colour],
                escape(&shorten(&format!("{name}, if read so: {}", shade.name), 240)),
                dashes(style),
            );
        }
        svg
    }
}
