//! The comparison of an experiment's algorithms: one matrix of contenders, metrics and data, the ranks, the fronts.

use super::text::{prose, told};
use super::words::{Labels, labelled};
use crate::lab::{Better, Cost, counted};
use crate::report::ReportError;
use crate::report::contest::{
    BlockGroup, ContenderStanding, Contest, Duel, DuelVerdict, Front, HoleCount, MetricContest, are, direction_word,
    fixed_along, probability,
};
use crate::report::figure::{self, DrawnFigure};
use crate::report::fronts;
use crate::report::number::{DisplayUnit, all, number, percent, with_unit};
use crate::report::palette::Palette;
use crate::report::plot::{inline, plot, ranks};
use serde::Serialize;

/// Contenders beside each other; more are parted into tables below each other.
const ABREAST: usize = 8;

#[derive(Debug, Clone, Serialize)]
pub struct ContestPage {
    pub matrices: Vec<Matrix>,
    /// To filter by.
    pub metrics: Vec<String>,
    pub datasets: Vec<String>,
    pub ranks: Vec<Ranks>,
    pub fronts: Vec<Fronts>,
    pub holes: Vec<ContestHoleView>,
    /// HTML.
    pub notes: Vec<String>,
}

/// Rows that the same contenders have.
#[derive(Debug, Clone, Serialize)]
pub struct Matrix {
    pub contenders: Vec<String>,
    pub metrics: Vec<MetricRows>,
}

#[derive(Debug, Clone, Serialize)]
pub struct MetricRows {
    pub anchor: String,
    /// In words, with its unit.
    pub metric: String,
    /// As specs and `compare` call it.
    pub name: String,
    /// HTML.
    pub about: String,
    pub rows: Vec<MatrixRow>,
}

/// One metric on one data set.
#[derive(Debug, Clone, Serialize)]
pub struct MatrixRow {
    pub metric: String,
    /// The metric in words.
    pub words: String,
    pub dataset: String,
    /// Where rows of the metric differ in it.
    pub unit: String,
    /// Who the others are compared with, over how much.
    pub basis: String,
    pub cells: Vec<MatrixCell>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct MatrixCell {
    pub contender: String,
    pub value: String,
    pub best: bool,
    /// "+12 % (0.5 to 0.8)"; without an interval where there are too few points.
    pub by: String,
    /// "worse, p 0.003, ".
    pub test: String,
    /// Points won, tied and lost: "1–0–11".
    pub record: String,
    /// "no value at 2 points".
    pub missing: String,
    /// A class: best, better, worse or nothing.
    pub class: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct Ranks {
    pub metric: String,
    /// The metric in words.
    pub words: String,
    pub svg: String,
    pub note: String,
    /// "injector (2.50)", the best first: what the diagram says, where it has no room to.
    pub contenders: Vec<String>,
}

/// Fronts over the same axes.
#[derive(Debug, Clone, Serialize)]
pub struct Fronts {
    pub heading: String,
    pub legend: Vec<super::Swatch>,
    pub panels: Vec<String>,
    pub axes: Vec<String>,
    /// Those that the drawing does not have: it has two.
    pub undrawn: Vec<String>,
    pub rows: Vec<FrontRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct FrontRow {
    pub place: String,
    pub contender: String,
    /// Axis and value.
    pub values: Vec<(String, String)>,
    pub on_front: bool,
    pub beaten_by: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct ContestHoleView {
    pub algorithm: String,
    pub status: &'static str,
    pub cells: usize,
    pub reason: String,
}

/// The id of a metric's rows.
pub fn anchor(metric: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    format!("metric-{}", metric.chars().map(plain).collect::<String>())
}

/// In the words of the spec, as far as it has some.
pub fn contest(contest: &Contest, labels: &Labels) -> Result<ContestPage, ReportError> {
    let contest = &labelled(contest, labels);
    let mut metrics: Vec<String> = Vec::new();
    let mut datasets: Vec<String> = Vec::new();
    for metric in &contest.metrics {
        metrics.push(metric.metric.clone());
        for dataset in metric.groups.iter().map(place) {
            if !datasets.contains(&dataset) {
                datasets.push(dataset);
            }
        }
    }
    let hole = |hole: &HoleCount| ContestHoleView {
        algorithm: hole.algorithm.clone(),
        status: hole.status.in_words(),
        cells: hole.cells,
        reason: told(&hole.reason),
    };
    Ok(ContestPage {
        matrices: matrices(&contest.metrics, labels),
        ranks: contest.metrics.iter().filter_map(|metric| ranked(metric, labels)).collect(),
        fronts: fronts(contest, labels)?,
        holes: contest.holes.iter().map(hole).collect(),
        notes: fixed_along(&contest.metrics, |column| labels.name(column)).iter().map(|note| prose(note)).collect(),
        metrics,
        datasets,
    })
}

fn place(group: &BlockGroup) -> String {
    group.keys.values().cloned().collect::<Vec<_>>().join(", ")
}

/// One matrix for all rows whose contenders are among those of its widest row, so that hardly a cell is empty; wide ones in parts.
/// Where a contender is alone there is nothing to compare, and no row.
fn matrices(metrics: &[MetricContest], labels: &Labels) -> Vec<Matrix> {
    let sets = widest(metrics);
    let mut anchored: Vec<&str> = Vec::new();
    let mut matrices = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        let belongs = |group: &BlockGroup| {
            let own = contenders(group);
            own.len() > 1 && sets.iter().position(|other| has_room_for(other, &own)) == Some(index)
        };
        let parts = set.len().div_ceil(ABREAST);
        for part in set.chunks(set.len().div_ceil(parts.max(1)).max(1)) {
            let mut shown = Vec::new();
            for metric in metrics {
                let competes = |group: &&BlockGroup| contenders(group).iter().any(|name| part.contains(name));
                let groups: Vec<&BlockGroup> =
                    metric.groups.iter().filter(|group| belongs(group)).filter(competes).collect();
                if !groups.is_empty() {
                    let is_first = !anchored.contains(&metric.metric.as_str());
                    anchored.push(&metric.metric);
                    shown.push(metric_rows(metric, &groups, part, labels, is_first));
                }
            }
            matrices.push(Matrix { contenders: part.iter().map(ToString::to_string).collect(), metrics: shown });
        }
    }
    matrices
}

/// Who stands in a row.
fn contenders(group: &BlockGroup) -> Vec<&str> {
    group.standings.iter().map(|standing| standing.contender.as_str()).collect()
}

fn is_among(few: &[&str], many: &[&str]) -> bool {
    few.iter().all(|name| many.contains(name))
}

/// Whether a row of these contenders stands in the table of those. A table in parts would tear it from whom it is compared with,
/// unless it has them all.
fn has_room_for(many: &[&str], few: &[&str]) -> bool {
    is_among(few, many) && (many.len() <= ABREAST || many.len() == few.len())
}

/// The contenders of rows that have no room in the table of another row; each in the order of the metric.
fn widest(metrics: &[MetricContest]) -> Vec<Vec<&str>> {
    let mut sets: Vec<Vec<&str>> = Vec::new();
    for metric in metrics {
        for group in &metric.groups {
            let own = contenders(group);
            let own: Vec<&str> =
                metric.contenders.iter().map(String::as_str).filter(|name| own.contains(name)).collect();
            if own.len() > 1 && !sets.iter().any(|set| has_room_for(set, &own)) {
                // It stands where the first of those stood that it takes in.
                let at = sets.iter().position(|set| has_room_for(&own, set)).unwrap_or(sets.len());
                sets.retain(|set| !has_room_for(&own, set));
                sets.insert(at, own);
            }
        }
    }
    sets
}

fn metric_rows(
    metric: &MetricContest,
    groups: &[&BlockGroup],
    part: &[&str],
    labels: &Labels,
    is_first: bool,
) -> MetricRows {
    // Times and sizes of data sets differ by orders of magnitude: each row has the unit that suits it.
    let of = |group: &BlockGroup| {
        let medians = group.standings.iter().map(|standing| standing.median.abs());
        DisplayUnit::fitting(&metric.unit, medians.fold(0.0, f64::max))
    };
    let is_one = groups.iter().all(|group| of(group) == of(groups[0]));
    let unit = of(groups[0]).name;
    let words = in_words(metric, labels);
    let is_said = figure::with_unit(&words, &unit) == words;
    let named = if is_one && !is_said { format!(", {unit}") } else { String::new() };
    let row = |group: &&BlockGroup| MatrixRow {
        metric: metric.metric.clone(),
        words: words.clone(),
        dataset: place(group),
        unit: if is_one { String::new() } else { of(group).name },
        basis: basis(group),
        cells: part.iter().map(|contender| cell(group, contender, metric, &of(group))).collect(),
    };
    MetricRows {
        anchor: if is_first { anchor(&metric.metric) } else { String::new() },
        metric: format!("{words}{named}"),
        name: metric.metric.clone(),
        about: match (metric.about.as_str(), direction_word(metric.better)) {
            ("", word) => format!("{word} is better"),
            (about, word) => prose(&format!("{about}; {word} is better")),
        },
        rows: groups.iter().map(row).collect(),
    }
}

/// Its unit stands beside it, or nowhere.
fn in_words(metric: &MetricContest, labels: &Labels) -> String {
    figure::without_unit(&labels.metric(&metric.metric), &metric.unit).to_string()
}

fn basis(group: &BlockGroup) -> String {
    let duels = group.standings.iter().filter_map(|standing| standing.duel.as_ref());
    let Some(duel) = duels.max_by_key(|duel| duel.units) else { return String::new() };
    let few = match (group.too_few().min_by_key(|few| few.1), group.needed) {
        (Some((unit, units)), Some(needed)) if (unit, units) == (duel.unit, duel.units) => {
            format!("; too few to tell, {} would be needed", unit.count(needed))
        }
        // Of some contenders less is known than of others.
        (Some((unit, units)), Some(needed)) => {
            format!("; {} too few to tell, {needed} would be needed", are(&unit.count(units), units))
        }
        _ => String::new(),
    };
    let apart = if group.common_blocks == 0 { "; no point that all have: medians are of their own points" } else { "" };
    format!("against {} over {}{few}{apart}", duel.opponent, duel.unit.count(duel.units))
}

fn cell(group: &BlockGroup, contender: &str, metric: &MetricContest, unit: &DisplayUnit) -> MatrixCell {
    let named = MatrixCell { contender: contender.to_string(), ..MatrixCell::default() };
    let Some(standing) = group.standings.iter().find(|standing| standing.contender == contender) else { return named };
    let class = match standing.duel.as_ref().map(|duel| duel.verdict) {
        _ if standing.best && has_loser(group, metric.better) => "best",
        Some(DuelVerdict::Worse) => "worse",
        Some(DuelVerdict::Better) => "better",
        _ => "",
    };
    let duel = standing.duel.as_ref();
    MatrixCell {
        value: unit.show(standing.median),
        best: class == "best",
        by: duel.map(|duel| by(standing, duel, unit)).unwrap_or_default(),
        test: duel.map(test).unwrap_or_default(),
        record: duel.map(|duel| format!("{}–{}–{}", duel.wins, duel.ties, duel.losses)).unwrap_or_default(),
        missing: if standing.missing > 0 {
            format!("no value at {}", counted(standing.missing, "point"))
        } else {
            String::new()
        },
        class,
        ..named
    }
}

/// Where all are the same there is nobody to praise.
fn has_loser(group: &BlockGroup, better: Better) -> bool {
    let first = group.standings.first().map(|standing| standing.median);
    better != Better::Neither && group.standings.iter().any(|standing| Some(standing.median) != first)
}

fn by(standing: &ContenderStanding, duel: &Duel, unit: &DisplayUnit) -> String {
    // Beside almost nothing every distance is beyond all measure: the interval says it, or the medians alone.
    let relative = standing.relative.filter(|share| share.abs() < 1e4).map(percent);
    match (relative, duel.low, duel.high) {
        _ if duel.verdict == DuelVerdict::Same => String::new(),
        (Some(relative), Some(low), Some(high)) => {
            format!("{relative} ({} to {})", unit.difference(low), unit.difference(high))
        }
        (None, Some(low), Some(high)) => format!("{} to {}", unit.difference(low), unit.difference(high)),
        (relative, ..) => relative.unwrap_or_default(),
    }
}

/// That there are too few points to tell stands beside the row.
fn test(duel: &Duel) -> String {
    match (duel.verdict, duel.p_adjusted) {
        (DuelVerdict::TooFew, _) => String::new(),
        (DuelVerdict::Same, _) | (_, None) => format!("{}, ", duel.verdict.name()),
        (verdict, Some(p)) => format!("{}, p {}, ", verdict.name(), probability(p)),
    }
}

fn ranked(metric: &MetricContest, labels: &Labels) -> Option<Ranks> {
    let ranking = metric.ranking.as_ref()?;
    let critical = match ranking.critical_difference {
        Some(critical) => {
            format!("; critical difference at 5\u{a0}%:\u{a0}{}", number((critical * 100.0).round() / 100.0))
        }
        None => String::new(),
    };
    Some(Ranks {
        metric: metric.metric.clone(),
        words: in_words(metric, labels),
        svg: ranks::diagram(ranking),
        contenders: ranking.ranks.iter().map(|rank| format!("{} ({:.2})", rank.contender, rank.mean_rank)).collect(),
        note: format!(
            "Over {} data sets; {} equally good: p\u{a0}=\u{a0}{}{critical}.",
            ranking.datasets,
            all(ranking.ranks.len()),
            probability(ranking.p)
        ),
    })
}

/// Fronts of the same axes in one figure, a panel each, and in one table.
fn fronts(contest: &Contest, labels: &Labels) -> Result<Vec<Fronts>, ReportError> {
    let all = &contest.fronts;
    let unit_of = |metric: &str| match contest.metrics.iter().find(|known| known.metric == metric) {
        Some(known) => known.unit.clone(),
        None => Cost::of(metric).map_or(String::new(), |(cost, _)| cost.unit().to_string()),
    };
    let mut shown: Vec<Fronts> = Vec::new();
    let mut done: Vec<&Front> = Vec::new();
    for first in all {
        if done.iter().any(|front| front.axes == first.axes) {
            continue;
        }
        let same: Vec<&Front> = all.iter().filter(|front| front.axes == first.axes).collect();
        let figures: Vec<DrawnFigure> = fronts::figures(&same, &unit_of, &|metric: &str| labels.metric(metric));
        let palette = Palette::assign(figures.iter());
        let mut panels = Vec::new();
        let mut legend = Vec::new();
        for figure in &figures {
            let drawn = plot(figure, &palette.styles(figure), &[])?;
            panels.extend((0..drawn.panels.len()).map(|panel| inline(figure, &drawn, panel)));
            // They differ in what no series is: somebody is beaten in some of them.
            if drawn.legend.len() >= legend.len() {
                legend = drawn.legend.iter().map(super::swatch).collect();
            }
        }
        let axes: Vec<String> =
            first.axes.iter().map(|(side, metric)| format!("{} ({})", side.name(), labels.metric(metric))).collect();
        let row = |front: &&Front| -> Vec<FrontRow> {
            let row = |point: &crate::report::contest::FrontPoint| FrontRow {
                place: fronts::place(front),
                contender: point.name(),
                values: (axes.iter().zip(first.axes.values()).zip(&point.values))
                    .map(|((axis, metric), value)| (axis.clone(), with_unit(*value, &unit_of(metric))))
                    .collect(),
                on_front: point.on_front,
                beaten_by: point.beaten_by.clone().unwrap_or_default(),
            };
            front.points.iter().map(row).collect()
        };
        shown.push(Fronts {
            heading: axes.join(" against "),
            panels,
            legend,
            rows: same.iter().flat_map(row).collect(),
            undrawn: axes.iter().skip(2).cloned().collect(),
            axes,
        });
        done.push(first);
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::contest::{DuelUnit, FixedAlong};
    use indexmap::IndexMap;

    fn metric(name: &str, contenders: &[&str]) -> MetricContest {
        let standing = |contender: &&str| ContenderStanding {
            contender: contender.to_string(),
            median: 1.0,
            relative: None,
            missing: 0,
            best: false,
            duel: None,
        };
        let standings = contenders.iter().map(standing).collect();
        MetricContest {
            metric: name.into(),
            unit: name.into(),
            better: Better::Lower,
            about: String::new(),
            contenders: contenders.iter().map(ToString::to_string).collect(),
            beside: Vec::new(),
            groups: vec![BlockGroup { keys: [].into(), common_blocks: 1, needed: None, standings }],
            ranking: None,
        }
    }

    #[test]
    fn a_row_is_not_torn_from_whom_it_is_compared_with() {
        let all: Vec<String> = (0..12).map(|index| format!("c{index}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        // Of `few` four would stand in the first part of the table of all, and four in the second.
        let shown = matrices(
            &[metric("many", &all), metric("few", &all[2..10]), metric("fewer", &all[3..5])],
            &Labels::default(),
        );
        let widths: Vec<usize> = shown.iter().map(|matrix| matrix.contenders.len()).collect();
        assert_eq!(widths, [6, 6, 8]);
        let names: Vec<&str> = shown[2].metrics.iter().map(|rows| rows.metric.as_str()).collect();
        assert_eq!(names, ["few", "fewer"], "and what has room in a table stands in it; a unit is not said twice");
        let mut suppressed = metric("items_suppressed", &["a", "b"]);
        suppressed.unit = "items".into();
        assert_eq!(matrices(&[suppressed], &Labels::default())[0].metrics[0].metric, "items suppressed");
        let labels = [("tree".to_string(), "largest tree, nodes".to_string())].into();
        let labels = Labels::of_all(std::iter::once(&labels));
        let mut tree = metric("tree", &["a", "b"]);
        tree.unit = "nodes".into();
        assert_eq!(in_words(&tree, &labels), "largest tree");
        assert_eq!(matrices(&[tree], &labels)[0].metrics[0].metric, "largest tree, nodes");
    }

    #[test]
    fn too_few_points_of_some_are_not_said_of_all() {
        let duel = |unit, units, verdict| Duel {
            opponent: "a".to_string(),
            pairs: units,
            unit,
            units,
            wins: 0,
            ties: 0,
            losses: units,
            difference: 1.0,
            low: None,
            high: None,
            p: None,
            p_adjusted: None,
            verdict,
        };
        let told = |duels: [Duel; 2]| {
            let mut group = metric("seconds", &["a", "b", "c"]).groups.remove(0);
            group.needed = Some(9);
            for (standing, duel) in group.standings[1..].iter_mut().zip(duels) {
                standing.duel = Some(duel);
            }
            basis(&group)
        };
        let few = duel(DuelUnit::Point, 2, DuelVerdict::TooFew);
        assert_eq!(
            told([few.clone(), duel(DuelUnit::Round, 10, DuelVerdict::Worse)]),
            "against a over 10 rounds; 2 points are too few to tell, 9 would be needed"
        );
        assert_eq!(told([few.clone(), few]), "against a over 2 points; too few to tell, 9 points would be needed");
    }

    #[test]
    fn names_are_those_of_the_spec() {
        let mut found = metric("d_overall", &["a", "b", "c"]);
        let fixed = |name: &str| FixedAlong { contender: name.to_string(), columns: vec!["k_prime".to_string()] };
        found.beside = ["a", "b"].map(fixed).to_vec();
        let contest =
            Contest { over: Vec::new(), baseline: None, metrics: vec![found], fronts: Vec::new(), holes: Vec::new() };
        let names = [("d_overall", "divergence"), ("a", "AA"), ("b", "borders"), ("k_prime", "k'")];
        let names: IndexMap<String, String> =
            names.iter().map(|(name, label)| (name.to_string(), label.to_string())).collect();
        let page = super::contest(&contest, &Labels::of_all(std::iter::once(&names))).unwrap();
        assert_eq!(page.matrices[0].contenders, ["AA", "borders", "c"]);
        assert!(page.matrices[0].metrics[0].metric.starts_with("divergence"));
        assert_eq!(page.matrices[0].metrics[0].name, "d_overall", "as specs and `compare` call it");
        let told = "AA; borders do not vary with k&#39;: they stand beside every value that others have there";
        assert_eq!(page.notes.len(), 1);
        assert_eq!(page.notes[0].replace("&#x27;", "&#39;").replace('\'', "&#39;"), told);
    }
}
