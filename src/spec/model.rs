//! What a user writes. Wire types only: `plan` turns them into cells.

use super::claim::Claim;
use super::draw::Draw;
use super::reading::Reading;
use super::reference::ReferenceValue;
use super::samples::SamplesGiven;
use super::sharing::Sharing;
use super::sweep::Sweep;
use crate::release::ReleaseKind;
use crate::run::Limits;
use crate::sources::DatasetDefinition;
use crate::sources::definition::Names;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// An experiment: datasets, algorithms, measures, and figures that combine them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecFile {
    /// The version of this format: 1.
    pub anonlab: u32,
    /// What the report calls the experiment.
    pub title: String,
    /// A few sentences for the report: what is tested, and what differs from the paper.
    #[serde(default)]
    pub about: String,
    /// The paper whose figures these are.
    #[serde(default)]
    pub paper: Option<Paper>,
    /// The root of all randomness; `--seed` overrides it.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How many seeds everything random is drawn with, from `seed` on: samples, private items, random orders, draws of
    /// algorithms, workloads. `--seeds` overrides it.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub seeds: u32,
    /// Takes so long that `reproduce` runs it under `--thorough` alone, with its own number of seeds.
    #[serde(default)]
    pub thorough: bool,
    /// Questions that the paper leaves open, with their answers. Figures name those that matter to them.
    #[serde(default)]
    pub readings: IndexMap<String, Reading>,
    /// Whose the results are and what others may do with them, for capsules (`anonlab bundle`).
    #[serde(default)]
    pub results: Sharing,
    /// Data in its roles, by a name of your choice.
    pub datasets: IndexMap<String, DatasetDefinition>,
    /// Publishers with parameters, by a name of your choice. A built-in publisher with its defaults needs no entry.
    #[serde(default)]
    pub algorithms: IndexMap<String, AlgorithmUse>,
    /// Measures with parameters, by a name of your choice. A measure with its defaults needs no entry.
    #[serde(default)]
    pub measures: IndexMap<String, MeasureUse>,
    /// Names to show in every figure instead of the ones in the data: of columns, metrics, datasets or any other value
    /// (`l: ℓ`, `dim: number of quasi-identifiers in the query`), of attributes, and of options of readings
    /// (`order=frequency: items by frequency`). A figure's own `labels` come first.
    #[serde(default)]
    pub labels: IndexMap<String, String>,
    /// Limits of every cell, unless its figure has its own.
    #[serde(default)]
    pub limits: Limits,
    /// Tables and figures, in the order of the report.
    pub figures: IndexMap<String, Figure>,
}

impl SpecFile {
    /// What things are called in every figure.
    pub fn all_labels(&self) -> IndexMap<String, String> {
        let own = |(name, entry): (&String, &AlgorithmUse)| Some((name.clone(), entry.label.clone()?));
        self.labels.clone().into_iter().chain(self.algorithms.iter().filter_map(own)).collect()
    }
}

fn default_seed() -> u64 {
    1
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    pub title: String,
    pub authors: String,
    pub venue: String,
    pub year: u32,
    #[serde(default)]
    pub link: Option<String>,
}

/// A publisher with its parameters: a built-in one, or a program of your own (`docs/external-algorithms.md`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AlgorithmUse {
    /// What figures call it, instead of the name of this entry.
    pub label: Option<String>,
    /// The publisher, when it is not the name of this entry.
    pub publisher: Option<String>,
    /// A program and its arguments; runs only under `--allow-external`. Arguments that name files beside the spec mean
    /// those files.
    pub command: Option<Vec<String>>,
    /// What the program gives.
    pub release: Option<ReleaseKind>,
    /// What its release is held to, where there is a choice: of buckets `diversity` or `matching-diversity`, of generalized
    /// tables `k-anonymity`, `l-diversity`, `t-closeness` and others.
    pub guarantee: Option<String>,
    /// The program's version, instead of what it says under `--version`.
    pub version: Option<String>,
    /// Of a program: further files it reads (modules, models). Without a `command`: the directory or file of a finished release,
    /// whose kind is then `release`; of `given-groups`, a file with the group of each row. When their bytes change, cells run again.
    pub files: Names,
    /// What the program counts, so that figures may show it.
    pub counters: Vec<String>,
    /// Whether repetitions of the program differ; true unless it is said otherwise.
    pub randomized: Option<bool>,
    /// Compute this entry by itself, even where another one means the same work: two entries that differ in nothing but
    /// this are an A/A test of times.
    pub distinct: bool,
    /// Those the guarantee depends on, and those of the program's own.
    pub parameters: Map<String, Value>,
}

/// A measure with its parameters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureUse {
    /// The measure, when it is not the name of this entry.
    pub measure: Option<String>,
    pub parameters: Map<String, Value>,
}

/// A figure or table: datasets × algorithms × a sweep, what to measure, how to draw it, what should come out.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub title: String,
    /// In our own words: what the reader sees.
    #[serde(default)]
    pub caption: String,
    pub datasets: Vec<String>,
    /// None: the measures look at the original data alone.
    #[serde(default)]
    pub algorithms: Vec<String>,
    /// Adds the two ends of every comparison of tables: the table as it is (`identity`) and the table without its
    /// quasi-identifiers (`everything-generalized`).
    #[serde(default)]
    pub baselines: bool,
    #[serde(default)]
    pub measures: Vec<String>,
    #[serde(default)]
    pub sweep: Sweep,
    /// Runs of every randomized algorithm (of every algorithm on data with `redraw`, and where the figure plots costs).
    #[serde(default = "one")]
    pub repetitions: u32,
    /// The readings (of the spec's `readings`) that matter here: the figure is drawn and judged under each.
    #[serde(default)]
    pub readings: Vec<String>,
    /// Where the figure plots or judges times: how often the same work is timed. Samples live in `costs.csv`, not in
    /// `measurements.csv`; with them, repetitions are draws alone: of randomized algorithms, and of data with `redraw`.
    #[serde(default)]
    pub samples: Option<SamplesGiven>,
    #[serde(default)]
    pub limits: Option<Limits>,
    /// What `--quick` runs instead.
    #[serde(default)]
    pub quick: Option<Quick>,
    pub draw: Draw,
    /// Values the paper printed.
    #[serde(default)]
    pub reference: Vec<ReferenceValue>,
    /// What should be true of the numbers.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Where there are no claims: why none is possible.
    #[serde(default)]
    pub unclaimed: String,
}

fn one() -> u32 {
    1
}

/// A smaller variant of a figure: what is not given stays as it is.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Quick {
    pub datasets: Option<Vec<String>>,
    pub algorithms: Option<Vec<String>>,
    pub sweep: Option<Sweep>,
    pub repetitions: Option<u32>,
    pub samples: Option<SamplesGiven>,
    pub limits: Option<Limits>,
}

/// What `baselines: true` adds.
const BASELINES: [&str; 2] = ["identity", "everything-generalized"];

impl SpecFile {
    /// Gives every program without a version the known one of its command, or else an empty one: then nobody asks it.
    pub(super) fn give_versions(&mut self, known: &BTreeMap<Vec<String>, String>) {
        for entry in self.algorithms.values_mut().filter(|entry| entry.version.is_none()) {
            if let Some(command) = &entry.command {
                entry.version = Some(known.get(command).cloned().unwrap_or_default());
            }
        }
    }

    /// Puts the algorithms that `baselines: true` stands for into the figures that have it.
    pub(super) fn add_baselines(&mut self) {
        for figure in self.figures.values_mut().filter(|figure| figure.baselines) {
            let quick = figure.quick.as_mut().and_then(|quick| quick.algorithms.as_mut());
            for algorithms in std::iter::once(&mut figure.algorithms).chain(quick) {
                for baseline in BASELINES {
                    if !algorithms.iter().any(|name| name == baseline) {
                        algorithms.push(baseline.to_string());
                    }
                }
            }
        }
    }
}

impl Figure {
    /// The figure as `--quick` runs it.
    pub fn quick(&self) -> Self {
        let mut figure = self.clone();
        let quick = figure.quick.take().unwrap_or_default();
        figure.datasets = quick.datasets.unwrap_or(figure.datasets);
        figure.algorithms = quick.algorithms.unwrap_or(figure.algorithms);
        figure.sweep = quick.sweep.unwrap_or(figure.sweep);
        figure.repetitions = quick.repetitions.unwrap_or(figure.repetitions);
        figure.samples = quick.samples.or(figure.samples);
        figure.limits = quick.limits.or(figure.limits);
        figure
    }
}
