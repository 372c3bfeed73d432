//! What the comparison page shows of a figure: the contest of each of its metrics, and every point.

use super::contest::{PointTable, Sheet, below, direction_word, metric_contest, point_table};
use super::figure::Names;
use super::metrics::Metrics;
use super::results::FigureResult;
use crate::lab::Better;
use serde::Serialize;

/// One metric of one figure.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Where it stands on its page: the figure's id, with the metric's number after the first.
    pub anchor: String,
    pub figure: String,
    pub figure_title: String,
    pub about: String,
    /// "lower".
    pub better: &'static str,
    /// The same tables and notes as `anonlab compare` prints for these points.
    pub sheets: Vec<Sheet>,
    pub beside: Vec<String>,
    pub points: PointTable,
}

/// Every metric of the figure that has a better and a worse, where two contenders or more report it.
pub fn comparisons(result: &FigureResult, metrics: Metrics) -> Vec<Comparison> {
    let mut drawn: Vec<&str> = result.draw.metrics().collect();
    drawn.dedup();
    let mut found: Vec<Comparison> =
        drawn.into_iter().filter_map(|metric| comparison(result, metrics, metric)).collect();
    for (index, comparison) in found.iter_mut().enumerate().skip(1) {
        comparison.anchor = format!("{}--{}", comparison.figure, index + 1);
    }
    found
}

fn comparison(result: &FigureResult, metrics: Metrics, metric: &str) -> Option<Comparison> {
    let observations = &result.observations;
    // Of several machines: the figure says so.
    if metrics.better(metric) == Better::Neither || observations.machines_of(metric) > 1 {
        return None;
    }
    let contest = metric_contest(&[observations], metric, metrics, &["dataset".to_string()], None)?;
    Some(Comparison {
        anchor: result.id.clone(),
        figure: result.id.clone(),
        figure_title: result.title.clone(),
        about: contest.about.clone(),
        better: direction_word(contest.better),
        sheets: below(&contest),
        beside: contest.beside,
        points: point_table(observations, metric, &Names::new(&result.draw, metrics)),
    })
}
