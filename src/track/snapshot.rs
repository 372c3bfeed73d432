//! What is compared: the cells of a run, under names that another version of the code gives them too.

use super::rules::{Lane, rule};
use crate::run::{Answer, Entry, Key, PlannedCell, Status, release_start};
use crate::statistics::{mean, median};
use indexmap::IndexMap;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;

/// The fields of a cell's key that say what was asked. The others say of which data and by which code, which are just
/// what may differ between two runs of a cell.
const ASKED: [&str; 6] = ["dataset", "publisher", "parameters", "measures", "repetition", "seed"];

/// A cell, whatever the version of the code. Written `experiment/digest`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId {
    pub experiment: String,
    pub digest: String,
}

impl CellId {
    pub fn of(experiment: &str, cell: &PlannedCell) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("anonlab 1 tracked cell");
        let fields = cell.key_fields();
        for name in ASKED {
            let value = fields.get(name).map_or("", String::as_str);
            hasher.update(&(value.len() as u64).to_le_bytes());
            hasher.update(value.as_bytes());
        }
        // Two entries that mean the same work are two cells where the spec asks for it.
        hasher.update(fields.get("distinct").map_or("", String::as_str).as_bytes());
        Self { experiment: experiment.to_string(), digest: hasher.finalize().to_hex()[..12].to_string() }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (experiment, digest) = text.split_once('/')?;
        Some(Self { experiment: experiment.to_string(), digest: digest.to_string() })
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.experiment, self.digest)
    }
}

/// What people call a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellName {
    pub title: String,
    pub algorithm: String,
}

impl CellName {
    pub fn of(cell: &PlannedCell) -> Self {
        let algorithm = cell.cell.algorithm.as_ref().map_or("no algorithm", |algorithm| &algorithm.name);
        Self { title: cell.title(), algorithm: algorithm.to_string() }
    }
}

/// A run, or what is remembered of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    pub experiments: BTreeMap<String, CostConditions>,
    pub cells: BTreeMap<CellId, Record>,
}

/// What exact and noisy costs of an experiment depend on besides the code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CostConditions {
    /// The compiler; empty when it is not known.
    pub build: String,
    /// The fingerprint of the machine.
    pub machine: String,
}

/// What one cell came to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    pub title: String,
    pub figures: Vec<String>,
    /// The files behind the dataset, with a digest of them all.
    pub data: String,
    /// None where a baseline does not say.
    pub status: Option<Status>,
    pub reason: String,
    /// The start of the digest of the release.
    pub release: String,
    /// What the verifier held the release to.
    pub verified: String,
    /// (metric, at) → value
    pub metrics: BTreeMap<(String, String), f64>,
    /// Exact costs have one value, noisy ones a value a sample.
    pub costs: BTreeMap<String, Vec<f64>>,
    /// Of the repetitions of a randomized algorithm, which are one sample. A baseline need not remember it: the cell it is
    /// compared with knows.
    pub group: Option<RepetitionGroup>,
}

/// The cells that differ in nothing but the repetition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepetitionGroup {
    pub digest: String,
    pub title: String,
}

impl RepetitionGroup {
    /// None for a cell whose repetitions are all the same, or each the same again: draws of the data are not the algorithm's.
    fn of(cell: &PlannedCell) -> Option<Self> {
        cell.randomized.then(|| {
            let mut first = cell.clone();
            first.cell.repetition = 0;
            Self { digest: CellId::of("", &first).digest, title: first.title() }
        })
    }
}

impl Snapshot {
    /// Adds what a run of an experiment came to; noisy costs are left to those who measure them more than once.
    pub fn add(&mut self, experiment: &str, cells: &[PlannedCell], entries: &IndexMap<Key, Entry>) {
        for cell in cells {
            let Some(entry) = entries.get(&cell.key) else { continue };
            let about = self.experiments.entry(experiment.to_string()).or_default();
            if let Some(build) = &entry.answer.build {
                about.build.clone_from(build);
            }
            about.machine.clone_from(&entry.machine);
            let record =
                self.cells.entry(CellId::of(experiment, cell)).or_insert_with(|| Record::of(cell, &entry.answer));
            if !record.figures.contains(&cell.figure) {
                record.figures.push(cell.figure.clone());
            }
        }
    }

    /// The cells of these experiments alone.
    pub fn restricted_to(mut self, experiments: &[String]) -> Self {
        self.experiments.retain(|experiment, _| experiments.contains(experiment));
        self.cells.retain(|id, _| experiments.contains(&id.experiment));
        self
    }
}

/// A metric of a cell as one number, with the ends of its samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summed {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Summed {
    fn exactly(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    fn of_samples(samples: &[f64]) -> Self {
        let end = |pick: fn(f64, f64) -> f64| samples.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        Self { value: median(samples), low: end(f64::min), high: end(f64::max) }
    }
}

impl Record {
    fn of(cell: &PlannedCell, answer: &Answer) -> Self {
        let mut metrics = BTreeMap::new();
        for observation in &answer.observations {
            let at = observation.at.clone().unwrap_or_default();
            // Two measures of one kind report the same metric: the second has a place of its own.
            let mut key = (observation.metric.to_string(), at.clone());
            let mut again = 1;
            while metrics.contains_key(&key) {
                again += 1;
                key.1 = format!("{at} ({again})").trim().to_string();
            }
            metrics.insert(key, observation.value);
        }
        let exact = answer.costs.metrics.iter().filter(|(name, _)| rule(name).lane == Lane::Exact);
        Self {
            title: cell.title(),
            figures: Vec::new(),
            data: data(cell),
            status: Some(answer.status),
            reason: answer.reason.clone(),
            release: answer.release_digest.as_deref().map_or("", release_start).to_string(),
            verified: answer.verified.clone().unwrap_or_default(),
            metrics,
            costs: exact.map(|(name, value)| (name.to_string(), vec![*value])).collect(),
            group: RepetitionGroup::of(cell),
        }
    }

    /// One number a metric: a curve is its mean, samples are their median.
    pub fn summed(&self) -> BTreeMap<String, Summed> {
        let mut curves: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for ((metric, _), value) in &self.metrics {
            curves.entry(metric).or_default().push(*value);
        }
        let curves = curves.into_iter().map(|(metric, values)| (metric, Summed::exactly(mean(&values))));
        let costs = self.costs.iter().map(|(metric, values)| (metric.as_str(), Summed::of_samples(values)));
        curves.chain(costs).map(|(metric, summed)| (metric.to_string(), summed)).collect()
    }

    pub fn is_ok(&self) -> bool {
        self.status == Some(Status::Ok)
    }

    /// As in measurements.csv; empty where it is not known.
    pub fn status_word(&self) -> &'static str {
        self.status.map_or("", Status::name)
    }

    /// "fig4a, fig5: anatomy on adult, l=6"
    pub fn place(&self) -> String {
        format!("{}: {}", self.figures.join(", "), self.title)
    }
}

/// "adult.data and 2 more, 5b00264637db": the files behind the dataset, and a digest of all of theirs.
fn data(cell: &PlannedCell) -> String {
    let digest = &blake3::hash(json!(cell.data).to_string().as_bytes()).to_hex()[..12];
    match &cell.data[..] {
        [] => String::new(),
        [(file, _)] => format!("{file}, {digest}"),
        [(file, _), others @ ..] => format!("{file} and {} more, {digest}", others.len()),
    }
}

/// Whether a cell is the same as another but for its repetition, which changes nothing exact: a deterministic
/// algorithm's times were to be measured more than once.
pub fn only_repeats(cell: &PlannedCell) -> bool {
    cell.cell.repetition > 0 && !cell.randomized && !cell.cell.dataset.redraws()
}
