//! The page of trends: how numbers moved over the revisions that a history knows, with changes of level marked.

use super::ReportError;
use super::figure::{ChangeMark, DrawnFigure, DrawnPoint, Panel, Series, Spot, XAxis};
use super::files::{create_folder, write as write_file};
use super::number::{DisplayUnit, with_unit};
use super::page::Pages;
use super::page::view::{Swatch, swatch};
use super::palette::Palette;
use super::plot::{inline, plot};
use super::value::Value;
use crate::spec::draw::{DrawKind, Spread, XScale, YScale};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The page's name, beside the report's index.
pub const FILE: &str = "trends.html";

/// What the page shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Trends {
    /// Along every x axis, oldest first.
    pub revisions: Vec<String>,
    /// Costs of every algorithm.
    pub overview: Vec<TrendPlot>,
    /// Series that changed their level.
    pub changed: Vec<TrendPlot>,
    /// Every change, latest first.
    pub levels: Vec<LevelChange>,
}

/// One plot.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendPlot {
    pub id: String,
    pub title: String,
    pub about: String,
    pub y_label: String,
    pub unit: String,
    pub lines: Vec<TrendLine>,
    pub changes: Vec<LevelChange>,
}

/// Values at each revision.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendLine {
    pub name: String,
    pub values: Vec<Option<f64>>,
}

/// A change of level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelChange {
    /// Among the revisions.
    pub at: usize,
    pub revision: String,
    pub place: String,
    pub metric: String,
    pub unit: String,
    pub before: f64,
    pub after: f64,
    pub change: String,
}

/// What the template takes.
#[derive(Debug, Serialize)]
struct TrendsPage {
    revisions: usize,
    first: String,
    last: String,
    overview: Vec<Article>,
    changed: Vec<Article>,
    levels: Vec<LevelRow>,
    has_index: bool,
}

#[derive(Debug, Serialize)]
struct Article {
    id: String,
    title: String,
    about: String,
    legend: Vec<Swatch>,
    svg: String,
}

#[derive(Debug, Serialize)]
struct LevelRow {
    revision: String,
    place: String,
    metric: String,
    before: String,
    after: String,
    change: String,
}

/// Writes the page into the folder of a report and gives its path.
pub fn write_trends(trends: &Trends, dir: &Path) -> Result<PathBuf, ReportError> {
    create_folder(dir)?;
    let page = TrendsPage {
        revisions: trends.revisions.len(),
        first: trends.revisions.first().cloned().unwrap_or_default(),
        last: trends.revisions.last().cloned().unwrap_or_default(),
        overview: trends.overview.iter().map(|trend| article(trend, &trends.revisions)).collect::<Result<_, _>>()?,
        changed: trends.changed.iter().map(|trend| article(trend, &trends.revisions)).collect::<Result<_, _>>()?,
        levels: trends
            .levels
            .iter()
            .map(|level| LevelRow {
                revision: level.revision.clone(),
                place: level.place.clone(),
                metric: level.metric.clone(),
                before: with_unit(level.before, &level.unit),
                after: with_unit(level.after, &level.unit),
                change: level.change.clone(),
            })
            .collect(),
        has_index: dir.join("index.html").is_file(),
    };
    let path = dir.join(FILE);
    write_file(&path, Pages::new()?.trends(&page)?.as_bytes())?;
    Ok(path)
}

fn article(trend: &TrendPlot, revisions: &[String]) -> Result<Article, ReportError> {
    let figure = figure(trend, revisions);
    let styles = Palette::assign(std::iter::once(&figure)).styles(&figure);
    let plot = plot(&figure, &styles, &[])?;
    let svg = inline(&figure, &plot, 0);
    let legend = plot.legend.iter().map(swatch).collect();
    Ok(Article { id: trend.id.clone(), title: trend.title.clone(), about: trend.about.clone(), legend, svg })
}

fn figure(trend: &TrendPlot, revisions: &[String]) -> DrawnFigure {
    let largest =
        trend.lines.iter().flat_map(|line| line.values.iter().flatten()).fold(0.0, |a: f64, b| a.max(b.abs()));
    let unit = DisplayUnit::fitting(&trend.unit, largest);
    let named = match unit.name.as_str() {
        "" | "%" => trend.y_label.clone(),
        name => format!("{} ({name})", trend.y_label),
    };
    let x = |place: usize| Value::Number(place as f64 + 1.0);
    let point = |series: usize, place: usize, value: Option<f64>| DrawnPoint {
        panel: 0,
        series,
        metric: trend.y_label.clone(),
        x: x(place),
        y: value.map(|value| Spot { value, low: value, high: value, repetitions: 1 }),
        missing: None,
        beaten: false,
    };
    let points = trend.lines.iter().enumerate().flat_map(|(series, line)| {
        line.values.iter().enumerate().map(move |(place, value)| point(series, place, *value))
    });
    DrawnFigure {
        kind: DrawKind::Line,
        x_scale: XScale::Auto,
        y_scale: YScale::Linear,
        zero: None,
        y_range: None,
        spread: Spread::None,
        x: XAxis {
            label: "revision, oldest first".to_string(),
            values: (0..revisions.len()).map(x).collect(),
            names: revisions.iter().map(|revision| revision.chars().take(7).collect()).collect(),
            is_metric: false,
            unit: DisplayUnit::fitting("", 0.0),
        },
        panel_column: None,
        panels: vec![Panel {
            title: None,
            group: 0,
            y_label: named,
            unit,
            metrics: vec![trend.y_label.clone()],
            key: None,
        }],
        series: trend
            .lines
            .iter()
            .map(|line| {
                let name = line.name.clone();
                Series { algorithm: Some(name.clone()), name, key: Vec::new(), label: None }
            })
            .collect(),
        points: points.collect(),
        printed: Vec::new(),
        changes: trend
            .changes
            .iter()
            .map(|level| ChangeMark {
                panel: 0,
                x: x(level.at),
                title: format!("{}: {}", level.revision, level.change),
            })
            .collect(),
    }
}
