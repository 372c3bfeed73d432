//! The claims of the specs: none is safe from the numbers. Each fails on some altered ones and, unless it asks for printed
//! values, holds on others. Numbers that cannot be do not count: nothing that is measured is below zero, and the mean of the K
//! largest never rises with K.

use super::*;
use crate::lab::Observation;
use crate::report::figure::FigureNames;
use crate::report::metrics::Metrics;
use crate::report::observations::{Observations, is_cost};
use crate::report::value::Value;
use crate::run::{Answer, Entry, Key, Limits, PlannedCell, Status};
use crate::sources::DataLocations;
use crate::spec::reference::ReferenceValue;
use crate::spec::select::Where;
use crate::spec::{Plan, PlanOptions, ReadingChoice, Spec, plan};
use indexmap::{IndexMap, IndexSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How the numbers of a figure go with one of its columns.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Same,
    Rising,
    Falling,
    Exploding,
    Vanishing,
}

const SHAPES: [Shape; 5] = [Shape::Same, Shape::Rising, Shape::Falling, Shape::Exploding, Shape::Vanishing];
const SCALES: [f64; 5] = [1e-9, 1e12, 0.5, 1.0, 1e3];

/// Metrics whose measure lets them move one way alone along its own axis.
const CUMULATIVE: [(&str, Shape); 3] = [
    ("d_individual_largest", Shape::Falling),
    ("d_individual_smallest", Shape::Rising),
    ("difference", Shape::Falling),
];

impl Shape {
    fn value(self, rank: usize) -> f64 {
        let rank = rank as f64;
        match self {
            Self::Same => 1.0,
            Self::Rising => 1.0 + rank,
            Self::Falling => 1.0 / (1.0 + rank),
            Self::Exploding => 1e4f64.powf(rank),
            Self::Vanishing => 1e4f64.powf(-rank),
        }
    }
}

/// Places along a measure's own axis that a claim can see.
fn places(claim: &Claim, reference: &[ReferenceValue], x_is_at: bool) -> Vec<Option<String>> {
    let named = |only: &Where| -> Vec<String> {
        only.get("at").into_iter().flat_map(|values| values.iter().map(|value| value.to_string())).collect()
    };
    let mut places: IndexSet<String> = named(&claim.only).into_iter().collect();
    for other in [&claim.minus, &claim.over].into_iter().flatten() {
        places.extend(named(&other.only));
    }
    for printed in reference.iter().filter(|printed| printed.metric == claim.metric) {
        places.extend(named(&printed.only));
        if x_is_at {
            places.extend(printed.x.iter().map(|x| x.to_string()));
        }
    }
    if claim.columns().contains(&"at") && places.len() < 2 {
        places.extend(["1", "2", "3"].map(String::from));
    }
    if places.is_empty() { vec![None] } else { places.into_iter().map(Some).collect() }
}

/// What stands in a column of a cell: `algorithm`, `dataset`, a parameter.
fn column_of(cell: &PlannedCell, column: &str) -> String {
    match column {
        "dataset" => cell.cell.dataset_name.clone(),
        "algorithm" => cell.cell.algorithm.as_ref().map_or(String::new(), |algorithm| algorithm.name.clone()),
        parameter => cell.column(parameter).map_or(String::new(), |value| Value::from(value).to_string()),
    }
}

struct Altered<'a> {
    claim: &'a Claim,
    cells: &'a [&'a PlannedCell],
    metrics: BTreeSet<&'a str>,
    places: Vec<Option<String>>,
}

impl Altered<'_> {
    /// Numbers that go with a column in a shape, the steeper the higher the rank in a second one, where there is one.
    fn entries(&self, columns: (&str, Option<&str>), shape: Shape, scale: f64) -> IndexMap<Key, Entry> {
        let ranks = self.ranks(columns.0);
        let steepness = columns.1.map(|column| self.ranks(column));
        let rank = |cell: usize, metric, place| {
            ranks(cell, metric, place) * steepness.as_ref().map_or(1, |steepness| steepness(cell, metric, place))
        };
        let answer = |cell: usize| {
            let number = |metric, place| scale * shape.value(rank(cell, metric, place));
            let mut answer = Answer::without_result(Status::Ok, "");
            for (m, metric) in self.metrics.iter().enumerate() {
                if is_cost(metric) {
                    answer.costs.metrics.push((metric.to_string().into(), number(m, 0)));
                    continue;
                }
                let mut numbers: Vec<f64> = (0..self.places.len()).map(|place| number(m, place)).collect();
                if let Some((_, direction)) = CUMULATIVE.iter().find(|(cumulative, _)| cumulative == metric) {
                    self.move_one_way(&mut numbers, *direction);
                }
                answer.observations.extend(self.places.iter().zip(numbers).map(|(at, value)| Observation {
                    metric: metric.to_string().into(),
                    at: at.clone(),
                    value,
                }));
            }
            answer
        };
        let entry = |answer| Entry {
            key_fields: IndexMap::new(),
            answer,
            limits: Limits::default(),
            alone: false,
            machine: "m".into(),
            samples: Vec::new(),
        };
        self.cells.iter().enumerate().map(|(i, cell)| (cell.key.clone(), entry(answer(i)))).collect()
    }

    /// The same numbers, in the order in which they may stand along the places.
    fn move_one_way(&self, numbers: &mut [f64], direction: Shape) {
        let place = |place: usize| self.places[place].as_ref().and_then(|at| at.parse::<f64>().ok()).unwrap_or(0.0);
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|&a, &b| place(a).total_cmp(&place(b)));
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        if direction == Shape::Falling {
            sorted.reverse();
        }
        for (place, number) in order.into_iter().zip(sorted) {
            numbers[place] = number;
        }
    }

    /// Cell, metric and place to the rank in a column; `metric` and `at` are columns, too, and `of`: whether the claim is about the
    /// cell's algorithm.
    fn ranks(&self, column: &str) -> impl Fn(usize, usize, usize) -> usize {
        let of_cell = |cell: &&PlannedCell| match column {
            "of" => self.claim.of.iter().any(|algorithm| *algorithm == column_of(cell, "algorithm")).to_string(),
            column => column_of(cell, column),
        };
        let of_cells: Vec<String> = self.cells.iter().map(of_cell).collect();
        let mut values = of_cells.clone();
        values.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.total_cmp(&b),
            _ => a.cmp(b),
        });
        values.dedup();
        let ranks: Vec<usize> =
            of_cells.iter().map(|value| values.iter().position(|other| other == value).unwrap_or(0)).collect();
        let column = column.to_string();
        move |cell, metric, place| match column.as_str() {
            "metric" => metric,
            "at" => place,
            _ => ranks[cell],
        }
    }
}

#[test]
fn every_claim_can_fail() {
    let mut wrong = Vec::new();
    for paper in ["injector", "anatomy", "km-anonymity", "cohesion", "maxent", "tables", "scale"] {
        let planned = planned(paper);
        for figure in &planned.figures {
            let cells: Vec<&PlannedCell> = planned.cells.iter().filter(|cell| cell.figure == figure.id).collect();
            for claim in &figure.figure.claims {
                // How often times are taken is a matter of the machine, not of the numbers.
                let claim = Claim { repetitions: Some(1), ..claim.clone() };
                let verdicts = verdicts(&claim, &figure.figure, &cells);
                let place = format!("{paper} {}: {}", figure.id, claim.says);
                if !verdicts.contains(&Verdict::Fails) {
                    wrong.push(format!("never fails: {place}"));
                }
                if !verdicts.contains(&Verdict::Holds) && !is_printed(&claim) {
                    wrong.push(format!("never holds: {place}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn planned(experiment: &str) -> Plan {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let spec = Spec::read(&experiments.join(format!("{experiment}.yaml"))).unwrap();
    let options = PlanOptions { readings: ReadingChoice::None, ..PlanOptions::of(&DataLocations::new(None)) };
    plan(&spec, &options).unwrap()
}

#[test]
fn a_claim_that_no_number_contradicts_is_found() {
    let planned = planned("maxent");
    let figure = planned.figures.iter().find(|figure| figure.id == "fig7a-others").unwrap();
    let cells: Vec<&PlannedCell> = planned.cells.iter().filter(|cell| cell.figure == figure.id).collect();
    let fails = |claim: &str| {
        let claim: Claim = serde_yaml::from_str(&format!("{{says: s, {claim}}}")).unwrap();
        verdicts(&claim, &figure.figure, &cells).contains(&Verdict::Fails)
    };
    // A mean of the K largest falls with K, of the smallest it rises; a distance is not negative.
    assert!(!fails("metric: d_individual_largest, is: {falling: {along: at}}"));
    assert!(!fails("metric: d_individual_smallest, is: {rising: {along: at}}"));
    assert!(!fails("metric: d_overall, is: {at_least: 0}"));
    assert!(fails("metric: d_individual_largest, is: {falling: {along: at, strictly: true}}"));
    assert!(fails("metric: d_individual_largest, is: {rising: {along: at}}"));
    assert!(fails("metric: d_overall, is: {at_least: 0.001}"));
}

fn verdicts(claim: &Claim, figure: &crate::spec::Figure, cells: &[&PlannedCell]) -> BTreeSet<Verdict> {
    let altered = Altered {
        claim,
        cells,
        metrics: claim.metrics().into_iter().collect(),
        places: places(claim, &figure.reference, figure.draw.x.as_deref() == Some("at")),
    };
    let parameters: IndexSet<&str> = cells.iter().flat_map(|cell| cell.columns.keys().map(String::as_str)).collect();
    let columns: Vec<&str> = ["algorithm", "of", "dataset", "metric", "at"].into_iter().chain(parameters).collect();
    let alone = columns.iter().map(|&column| (column, None));
    let pairs = columns.iter().flat_map(|&a| columns.iter().filter(move |b| **b != a).map(move |&b| (a, Some(b))));
    let none = BTreeMap::new();
    let asked = match claim.is {
        Test::Equals(value) => Some(value),
        Test::Within(ref within) => Some(within.value),
        _ => None,
    };
    let mut found = BTreeSet::new();
    let judged = |entries: &IndexMap<Key, Entry>| {
        let observations = Observations::of_cells(cells, entries);
        let case = Case {
            observations: &observations,
            reference: &figure.reference,
            limits: Limits::default(),
            names: FigureNames::new(&figure.draw, Metrics(&none)),
        };
        judge(claim, &case).verdict
    };
    // No number says that there is none.
    if let Test::Answered(_) = claim.is {
        let mut entries = altered.entries(("metric", None), Shape::Same, 1.0);
        for entry in entries.values_mut() {
            entry.answer = Answer::without_result(Status::Timeout, "");
        }
        found.insert(judged(&entries));
    }
    for columns in alone.chain(pairs) {
        for shape in SHAPES {
            for scale in SCALES.into_iter().chain(asked) {
                if found.contains(&Verdict::Fails) && (found.contains(&Verdict::Holds) || is_printed(claim)) {
                    return found;
                }
                found.insert(judged(&altered.entries(columns, shape, scale)));
            }
        }
    }
    found
}

/// Made-up numbers do not happen to be the printed ones.
fn is_printed(claim: &Claim) -> bool {
    matches!(claim.is, Test::Reference(_))
}
