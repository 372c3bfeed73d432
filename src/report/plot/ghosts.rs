//! A figure under other readings, drawn faintly behind the default: what of it has a place there.

use crate::report::figure::{DrawnFigure, DrawnPoint};
use crate::report::value::Value;
use crate::spec::draw::YScale;

/// A figure under another reading.
#[derive(Debug, Clone, Copy)]
pub struct Ghost<'a> {
    /// Its place in the figure's switch between readings; the default is 0.
    pub reading: usize,
    pub name: &'a str,
    pub figure: &'a DrawnFigure,
}

/// One series of a panel as another reading has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shade {
    pub reading: usize,
    pub name: String,
    pub series: usize,
    pub points: Vec<(Value, f64)>,
}

/// The default keeps at least this share of its axis.
const KEPT: f64 = 0.4;

impl Ghost<'_> {
    /// What a panel of the default shows of it: series that differ from the default's, where they do not flatten it.
    pub fn shades(&self, figure: &DrawnFigure, panel: usize) -> Vec<Shade> {
        match self.fits(figure, panel) {
            true => self.differing(figure, panel),
            false => Vec::new(),
        }
    }

    /// Whether everything that differs is shown in the default's panels, so that a reader need not open another page.
    pub fn is_shown_whole(&self, figure: &DrawnFigure) -> bool {
        let names = |figure: &DrawnFigure| figure.series.iter().map(|series| series.name.clone()).collect::<Vec<_>>();
        let measured =
            |point: &DrawnPoint| point.y.is_some() && (point.x.is_none() || self.has_place(figure, &point.x));
        figure.panels.len() == self.figure.panels.len()
            && names(figure) == names(self.figure)
            && self.figure.points.iter().all(measured)
            && (0..figure.panels.len()).all(|panel| self.fits(figure, panel))
    }

    fn has_place(&self, figure: &DrawnFigure, x: &Value) -> bool {
        figure.x.rank(x).is_some()
    }

    fn differing(&self, figure: &DrawnFigure, panel: usize) -> Vec<Shade> {
        let Some(theirs) = self.panel(figure, panel) else { return Vec::new() };
        let mut shades = Vec::new();
        for (series, known) in figure.series.iter().enumerate() {
            let Some(other) = self.figure.series.iter().position(|other| other.name == known.name) else { continue };
            let points = measured(self.figure, theirs, other).filter(|(x, _)| self.has_place(figure, x));
            let points: Vec<(Value, f64)> = points.collect();
            if !points.is_empty() && points != measured(figure, panel, series).collect::<Vec<_>>() {
                shades.push(Shade { reading: self.reading, name: self.name.to_string(), series, points });
            }
        }
        shades
    }

    fn panel(&self, figure: &DrawnFigure, panel: usize) -> Option<usize> {
        let wanted = &figure.panels[panel];
        self.figure.panels.iter().position(|known| known.title == wanted.title && known.metrics == wanted.metrics)
    }

    fn fits(&self, figure: &DrawnFigure, panel: usize) -> bool {
        let log = figure.y_scale == YScale::Log;
        let along = |value: f64| if log { value.log10() } else { value };
        let ours: Vec<f64> = own(figure, panel).filter(|value| !log || *value > 0.0).map(along).collect();
        let theirs = self.differing(figure, panel).into_iter().flat_map(|shade| shade.points);
        let theirs: Vec<f64> = theirs.map(|point| point.1).collect();
        if ours.is_empty() || figure.y_range.is_some() || theirs.iter().any(|value| log && *value <= 0.0) {
            return theirs.is_empty();
        }
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (low, high) = ends(&mut ours.iter().copied());
        let (least, most) = ends(&mut ours.iter().copied().chain(theirs.into_iter().map(along)));
        // An axis is rounded outwards, and one that comes near zero shows it.
        let span = match log {
            true => (high - low).max(1.0),
            false => (high - low).max(0.5 * high.abs()),
        };
        span >= KEPT * (most - least)
    }
}

/// The points of a series that have a place along x and a value.
fn measured(figure: &DrawnFigure, panel: usize, series: usize) -> impl Iterator<Item = (Value, f64)> {
    let mine = move |point: &&DrawnPoint| point.panel == panel && point.series == series && !point.x.is_none();
    figure.points.iter().filter(mine).filter_map(|point| Some((point.x.clone(), point.y?.value)))
}

fn own(figure: &DrawnFigure, panel: usize) -> impl Iterator<Item = f64> {
    let spots = figure.points.iter().filter(move |point| point.panel == panel).filter_map(|point| point.y);
    spots.flat_map(|spot| [spot.low, spot.value, spot.high])
}
