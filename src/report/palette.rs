//! Colours, markers and dashes: the same for an algorithm on every figure of a report, different for algorithms that share
//! a figure, and told apart without colour.

use super::figure::DrawnFigure;
use std::collections::BTreeMap;

/// After Okabe and Ito, with the light ones darkened until they stand out from white at 3 : 1. Dark pages override them
/// in their style sheet, through the classes `c0` to `c6`.
pub const COLOURS: [&str; 7] = ["#0072B2", "#C65102", "#00805E", "#AD4B86", "#4A4A4A", "#8F6400", "#2583BD"];

/// For lines; the first is solid.
const DASHES: [&str; 7] = ["", "7 3", "2 2.5", "8 3 2 3", "4 2.5", "10 3 2 3 2 3", "1.5 4"];

pub const SHAPES: usize = 8;

/// How one series looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub colour: usize,
    pub shape: usize,
    pub dash: &'static str,
    /// Which of the series of the same colour it is; bars are paler by it.
    pub shade: usize,
}

/// Algorithm → colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Palette(BTreeMap<String, usize>);

impl Palette {
    /// Algorithms in order of appearance take the first colour that no algorithm has with which they share a figure; while
    /// there is one. Algorithms that never meet may share a colour, so that every figure has the colours that are told
    /// apart best.
    pub fn assign<'a>(figures: impl Iterator<Item = &'a DrawnFigure> + Clone) -> Self {
        let algorithms =
            |figure: &'a DrawnFigure| figure.series.iter().filter_map(|series| series.algorithm.as_deref());
        let mut colours: BTreeMap<String, usize> = BTreeMap::new();
        for name in figures.clone().flat_map(algorithms) {
            if colours.contains_key(name) {
                continue;
            }
            let beside: Vec<usize> = figures
                .clone()
                .filter(|figure| algorithms(figure).any(|other| other == name))
                .flat_map(algorithms)
                .filter_map(|other| colours.get(other).copied())
                .collect();
            let taken = |colour: usize| beside.iter().filter(|&&other| other == colour).count();
            let best = (0..COLOURS.len()).min_by_key(|&colour| (taken(colour), colour));
            colours.insert(name.to_string(), best.unwrap_or(0));
        }
        Self(colours)
    }

    fn colour(&self, algorithm: Option<&str>) -> usize {
        algorithm.and_then(|name| self.0.get(name)).copied().unwrap_or(0)
    }

    /// One style a series, no two the same. Where a figure compares algorithms, colour is the algorithm's; where it shows
    /// one algorithm in several ways, the ways get colours, from the algorithm's own onwards.
    pub fn styles(&self, figure: &DrawnFigure) -> Vec<Style> {
        let first = figure.series.first().and_then(|series| series.algorithm.as_deref());
        let compares = figure.series.iter().any(|series| series.algorithm.as_deref() != first);
        let mut styles: Vec<Style> = Vec::new();
        for (index, series) in figure.series.iter().enumerate() {
            let own = self.colour(series.algorithm.as_deref());
            let colour = if compares { own } else { (own + index) % COLOURS.len() };
            let shade = styles.iter().filter(|style| style.colour == colour).count();
            // Where there are more series than shapes, one that no series of this colour has.
            let uses = |shape: usize| {
                let alike = styles.iter().filter(|style| style.shape == shape);
                (alike.clone().filter(|style| style.colour == colour).count(), alike.count())
            };
            let shapes = (0..SHAPES).map(|next| (colour + next) % SHAPES);
            let shape = shapes.min_by_key(|&shape| uses(shape)).unwrap_or(colour % SHAPES);
            styles.push(Style { colour, shape, dash: DASHES[(colour + shade) % DASHES.len()], shade });
        }
        styles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::contest::{Front, FrontPoint};
    use crate::report::fronts;
    use crate::report::metrics::MetricSide;
    use crate::report::plot::plot;

    fn front(contenders: usize) -> DrawnFigure {
        let point = |index: usize| FrontPoint {
            contender: format!("c{index}"),
            at: Default::default(),
            values: vec![index as f64, (contenders - index) as f64],
            on_front: index > 0,
            beaten_by: (index == 0).then(|| "c1".to_string()),
        };
        let axes = [(MetricSide::Utility, "x".to_string()), (MetricSide::Cost, "y".to_string())];
        let front = Front {
            dataset: "data".to_string(),
            guarantee: Default::default(),
            axes: axes.into_iter().collect(),
            points: (0..contenders).map(point).collect(),
        };
        fronts::figures(&[&front], &|_| String::new(), &str::to_string).remove(0)
    }

    #[test]
    fn no_two_series_look_the_same() {
        let figure = front(30);
        let styles = Palette::assign(std::iter::once(&figure)).styles(&figure);
        for (index, style) in styles.iter().enumerate() {
            let twin = styles[..index].iter().find(|other| (other.colour, other.shape) == (style.colour, style.shape));
            assert_eq!(twin, None, "series {index}");
        }
    }

    #[test]
    fn who_is_beaten_looks_as_on_the_front_but_hollow() {
        let figure = front(3);
        assert_eq!(figure.series.len(), 3, "whether it is beaten makes no series");
        let drawn = plot(&figure, &Palette::assign(std::iter::once(&figure)).styles(&figure), &[]).unwrap();
        let names: Vec<&str> = drawn.legend.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["c0", "c1", "c2", "beaten"]);
        assert_eq!(drawn.panels[0].content.matches(r#"class="hollow""#).count(), 1);
        assert!(drawn.panels[0].content.contains("<title>c0, beaten"));
    }
}
