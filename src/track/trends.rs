//! From a history to what its page shows: costs of every algorithm over the revisions, and every series that changed.

use super::change_points::{Change, change_points};
use super::history::History;
use super::rules::rule;
use super::snapshot::{CellId, CellName};
use crate::lab::Cost;
use crate::report::metric_title;
use crate::report::number::percent;
use crate::report::trends::{LevelChange, TrendLine, TrendPlot, Trends};
use std::collections::BTreeMap;

/// The costs that the overview of each experiment shows.
const OVERVIEW: [Cost; 3] = [Cost::CpuSeconds, Cost::PeakHeapBytes, Cost::Allocations];
/// More plots than this nobody looks at; the table has the rest.
const MOST_PLOTS: usize = 40;
/// Revisions that fit into a plot; earlier ones are in the file.
const MOST_REVISIONS: usize = 200;

/// What to show of the cells that people still run.
pub fn trends(history: &History, names: &BTreeMap<CellId, CellName>, machine: &str) -> Trends {
    let revisions = history.revisions();
    let revisions = &revisions[revisions.len().saturating_sub(MOST_REVISIONS)..];
    let series: BTreeMap<(CellId, String), Vec<Option<f64>>> =
        history.series(revisions, machine).into_iter().filter(|((cell, _), _)| names.contains_key(cell)).collect();
    let mut page = Trends {
        revisions: revisions.iter().map(|revision| revision.to_string()).collect(),
        overview: overview(&series, names),
        changed: Vec::new(),
        levels: Vec::new(),
    };
    let mut changed: Vec<(f64, TrendPlot)> = Vec::new();
    for ((cell, metric), values) in &series {
        let (places, present): (Vec<usize>, Vec<f64>) =
            values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))).unzip();
        let changes = change_points(&present, rule(metric).lane);
        if changes.is_empty() {
            continue;
        }
        let levels: Vec<LevelChange> = changes
            .iter()
            .map(|change| level(change, places[change.at], revisions, cell, &names[cell], metric))
            .collect();
        let size = changes.iter().map(|change| (change.after / change.before).ln().abs()).fold(0.0, f64::max);
        changed.push((
            size,
            TrendPlot {
                id: format!("{}-{}-{}", cell.experiment, cell.digest, metric.replace(['.', ' '], "-")),
                title: format!("{}: {}", cell.experiment, metric_title(metric)),
                about: names[cell].title.clone(),
                y_label: metric_title(metric),
                unit: rule(metric).unit.to_string(),
                lines: vec![TrendLine { name: names[cell].algorithm.clone(), values: values.clone() }],
                changes: levels.clone(),
            },
        ));
        page.levels.extend(levels);
    }
    changed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    page.changed = changed.into_iter().take(MOST_PLOTS).map(|(_, trend)| trend).collect();
    page.levels.sort_by(|a, b| (b.at, &a.place, &a.metric).cmp(&(a.at, &b.place, &b.metric)));
    page
}

fn level(change: &Change, at: usize, revisions: &[&str], cell: &CellId, name: &CellName, metric: &str) -> LevelChange {
    LevelChange {
        at,
        revision: revisions[at].to_string(),
        place: format!("{}: {}", cell.experiment, name.title),
        metric: metric.to_string(),
        unit: rule(metric).unit.to_string(),
        before: change.before,
        after: change.after,
        change: percent(change.after / change.before - 1.0),
    }
}

/// One plot an experiment and cost: for each algorithm the geometric mean over its cells, in percent of the first
/// revision that has them all.
fn overview(
    series: &BTreeMap<(CellId, String), Vec<Option<f64>>>,
    names: &BTreeMap<CellId, CellName>,
) -> Vec<TrendPlot> {
    let mut trends = Vec::new();
    let mut experiments: Vec<&str> = series.keys().map(|(cell, _)| cell.experiment.as_str()).collect();
    experiments.dedup();
    for experiment in experiments {
        for cost in OVERVIEW {
            let (metric, title) = (cost.name(), cost.title());
            let mut algorithms: BTreeMap<&str, Vec<&Vec<Option<f64>>>> = BTreeMap::new();
            for ((cell, name), values) in series {
                if cell.experiment == experiment && name == metric {
                    algorithms.entry(&names[cell].algorithm).or_default().push(values);
                }
            }
            let lines: Vec<TrendLine> = algorithms
                .into_iter()
                .map(|(algorithm, cells)| TrendLine { name: algorithm.to_string(), values: index(&cells) })
                .filter(|line| line.values.iter().flatten().count() > 1)
                .collect();
            if !lines.is_empty() {
                trends.push(TrendPlot {
                    id: format!("{experiment}-{metric}"),
                    title: format!("{experiment}: {title}"),
                    about: "geometric mean over the cells of each algorithm".to_string(),
                    y_label: format!("{title}, % of the first"),
                    unit: "%".to_string(),
                    lines,
                    changes: Vec::new(),
                });
            }
        }
    }
    trends
}

/// Percent of the first revision that has a value of every cell; none where a cell has none, or one that is not
/// positive.
fn index(cells: &[&Vec<Option<f64>>]) -> Vec<Option<f64>> {
    let revisions = cells.first().map_or(0, |values| values.len());
    let mean = |revision: usize| -> Option<f64> {
        let logs: Option<Vec<f64>> = cells.iter().map(|values| values[revision].map(f64::ln)).collect();
        let mean = crate::statistics::mean(&logs?);
        mean.is_finite().then(|| mean.exp())
    };
    let means: Vec<Option<f64>> = (0..revisions).map(mean).collect();
    let first = means.iter().flatten().next().copied();
    means.iter().map(|mean| Some(100.0 * (*mean)? / first?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::exact::tests::snapshot;

    #[test]
    fn a_page_has_an_overview_and_what_changed() {
        let mut history = History::default();
        for (run, bytes) in [1e6, 1e6, 2e6].into_iter().enumerate() {
            let mut snapshot = snapshot();
            snapshot.cells.values_mut().next().unwrap().costs.insert("peak_heap_bytes".into(), vec![bytes]);
            history.append(&format!("r{run}"), "m1", &snapshot);
        }
        let name = |title: &String| CellName { title: title.clone(), algorithm: "anatomy".into() };
        let names = snapshot().cells.iter().map(|(id, record)| (id.clone(), name(&record.title))).collect();
        let page = trends(&history, &names, "m1");
        assert_eq!(page.revisions, ["r0", "r1", "r2"]);
        let heap = page.overview.iter().find(|trend| trend.id == "e-peak_heap_bytes").unwrap();
        let rounded: Vec<i64> = heap.lines[0].values.iter().flatten().map(|value| value.round() as i64).collect();
        assert_eq!(rounded, [100, 100, 141], "one of two cells doubled");
        assert_eq!(page.changed.len(), 1);
        assert_eq!((page.levels[0].revision.as_str(), page.levels[0].change.as_str()), ("r2", "+100\u{a0}%"));
    }
}
