//! The titles of a panel and of its axes, and the labels of categories that do not fit side by side.

use super::canvas::{Canvas, SLANT, SLANTED_ROOM, WIDTH};
use super::x_label::{LINE, TITLE_SIZE, x_label_lines};
use crate::report::plot::frame::TICK_SIZE;
use crate::report::plot::svg::{escape, fitting, fitting_around, place};
use std::fmt::Write;

impl Canvas<'_> {
    pub(super) fn titles(&self) -> String {
        let panel = &self.figure.panels[self.index];
        let mut text = String::new();
        if let Some(title) = &panel.title {
            let title = escape(&fitting_around(title, TITLE_SIZE * 1.06, WIDTH - 6.0));
            let _ = write!(
                text,
                r##"<text class="ink strong" x="2" y="15" font-size="{TITLE_SIZE}" font-weight="600" fill="#1A1A1A">{title}</text>"##
            );
        }
        let label = escape(&fitting(&panel.y_label, TITLE_SIZE, WIDTH - 6.0));
        let base = self.label_base;
        let _ = write!(
            text,
            r##"<text class="ink" x="2" y="{base}" font-size="{TITLE_SIZE}" fill="#333333">{label}</text>"##
        );
        let middle = (self.frame.left + self.frame.right) / 2.0;
        let lines = x_label_lines(&self.figure.x.label, middle, WIDTH);
        let last = lines.len().saturating_sub(1);
        let middle = place(middle);
        for (index, line) in lines.iter().enumerate() {
            let base = self.height - 5.0 - LINE * (last - index) as f64;
            let _ = write!(
                text,
                r##"<text class="ink" x="{middle}" y="{base}" text-anchor="middle" font-size="{TITLE_SIZE}" fill="#333333">{}</text>"##,
                escape(line)
            );
        }
        text
    }

    pub(super) fn category_labels(&self) -> String {
        if !self.slanted {
            return String::new();
        }
        let mut text = String::new();
        for (at, name) in &self.x.ticks {
            let (x, y) = (self.frame.x(&self.x, *at) + 4.0, self.frame.bottom + 15.0);
            let name = escape(&fitting(name, TICK_SIZE, SLANTED_ROOM.min((x - 2.0) / SLANT.cos())));
            let (x, y, angle) = (place(x), place(y), SLANT.to_degrees().round());
            let _ = write!(
                text,
                r##"<text class="ink" x="{x}" y="{y}" text-anchor="end" transform="rotate(-{angle} {x} {y})" font-size="{TICK_SIZE}" fill="#333333">{name}</text>"##
            );
        }
        text
    }
}
