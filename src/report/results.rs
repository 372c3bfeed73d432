//! What a report is made from: one [`ExperimentResult`] a spec, built from the store by whoever ran it.

use super::claims::{Case, Judgement, Trial, judge};
use super::figure::FigureNames;
use super::metrics::{MetricInfo, Metrics};
use super::observations::Observations;
use super::reading_names::ReadingNames;
use super::typeset::typeset;
use crate::data::Origin;
use crate::run::{Limits, Machine};
use crate::sources::Description;
use crate::spec::claim::Claim;
use crate::spec::draw::Draw;
use crate::spec::reference::ReferenceValue;
use crate::spec::{Paper, Reading, Statement, Variant};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct ExperimentResult {
    /// The spec's name; a folder and an address: letters, digits, `-`, `_` and `.` only.
    pub id: String,
    pub title: String,
    pub paper: Option<Paper>,
    /// What the experiment is about, in prose; blank lines part paragraphs.
    pub about: String,
    /// The questions that the paper leaves open.
    pub readings: IndexMap<String, Reading>,
    /// The statements of the paper by their ids, in its order; empty where there is no register of them.
    pub statements: IndexMap<String, Statement>,
    /// In the paper's order.
    pub figures: Vec<FigureResult>,
    /// What each metric is; costs need no entry.
    pub metrics: BTreeMap<String, MetricInfo>,
    pub provenance: Provenance,
}

impl ExperimentResult {
    /// What the options of its readings are called.
    pub fn reading_names(&self) -> ReadingNames {
        ReadingNames::of(&self.readings, self.figures.iter().map(|figure| &figure.draw.labels))
    }

    /// Says another path of the spec in the commands that its figures recommend.
    pub fn call_spec(&mut self, path: &str, called: &str) {
        for figure in &mut self.figures {
            figure.command = figure.command.replace(path, called);
            for (_, other) in &mut figure.others {
                other.command = other.command.replace(path, called);
            }
        }
    }
}

/// A figure's record, too: `figures/<id>.json`, from which a later run of other figures shows it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FigureResult {
    /// As in the spec; a file name: letters, digits, `-`, `_` and `.` only.
    pub id: String,
    pub title: String,
    pub caption: String,
    pub draw: Draw,
    pub reference: Vec<ReferenceValue>,
    pub claims: Vec<Claim>,
    /// Why there are none.
    #[serde(default)]
    pub unclaimed: String,
    /// What its cells found and cost, as the spec stands, over all seeds.
    #[serde(skip)]
    pub observations: Observations,
    /// Its claims under every reading and seed, the default reading and the first seed first. Evidence is kept for that one
    /// alone. Empty: `observations` are all there is.
    pub trials: Vec<Trial>,
    /// The same figure under other readings; none where there are too many to draw.
    pub others: Vec<(Variant, FigureResult)>,
    pub limits: Limits,
    pub repetitions: usize,
    pub seed: u64,
    /// With how many seeds its cells were run, from that one on.
    #[serde(default = "one")]
    pub seeds: usize,
    /// The parameters that are the same in every cell.
    pub parameters: IndexMap<String, String>,
    /// What a reader of its numbers must know: a measure that looks for something else than the release promises.
    pub notes: Vec<String>,
    /// The command that reruns this figure alone.
    pub command: String,
    /// Whether it is the small variant.
    pub quick: bool,
    /// Of the spec and of the code that it was measured with.
    pub spec_digest: String,
    pub code_digest: String,
    /// Where it is kept from an earlier run that was another: in what.
    #[serde(skip)]
    pub kept: Option<String>,
}

fn one() -> usize {
    1
}

impl FigureResult {
    /// The verdicts of its claims on observations of one reading and seed.
    pub fn judge(&self, observations: &Observations, metrics: &BTreeMap<String, MetricInfo>) -> Vec<Judgement> {
        let names = FigureNames::new(&self.draw, Metrics(metrics));
        let case = Case { observations, reference: &self.reference, limits: self.limits, names };
        self.claims.iter().map(|claim| judge(claim, &case)).collect()
    }

    /// On how many machines the times were measured that the figure shows.
    pub fn machines(&self) -> usize {
        let shown = self.draw.metrics().chain(self.draw.x.as_deref());
        shown.map(|metric| self.observations.machines_of(metric)).max().unwrap_or(0)
    }

    /// "pos (stand-in)" for every dataset that is not the real one in full; and that times do not compare.
    pub fn data_caveats(&self) -> Vec<String> {
        let called = |dataset: &String| self.draw.labels.get(dataset).map_or(dataset.clone(), |label| typeset(label));
        let caveat = |(dataset, origin): &(String, Origin)| format!("{} ({origin})", called(dataset));
        let is_lacking = |(_, origin): &&(String, Origin)| matches!(origin, Origin::Partial | Origin::StandIn);
        let mut caveats: Vec<String> = self.observations.origins.iter().filter(is_lacking).map(caveat).collect();
        if self.machines() > 1 {
            caveats.push(format!("times of {} different machines", self.machines()));
        }
        caveats
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Provenance {
    /// Where the spec is, seen from the output directory.
    pub spec: String,
    pub spec_digest: String,
    /// What the command line changed in the spec: PATH=YAML.
    pub set: Vec<String>,
    /// The first of the seeds.
    pub seed: u64,
    pub seeds: usize,
    /// Which readings were gone through: none, each or all.
    pub readings: String,
    pub code_digest: String,
    /// None where the binary was not built from a repository.
    pub git_revision: Option<String>,
    /// Whether files differ from that revision; None where it is unknown.
    pub git_dirty: Option<bool>,
    pub version: String,
    pub data: Vec<DataUsed>,
    pub machine: Machine,
    /// As they are to be shown (RFC 3339). These two and the machine are all that two runs of the same spec differ in,
    /// and stand in one marked place of each page.
    pub started: String,
    pub finished: String,
}

/// One dataset of the experiment and where its bytes came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataUsed {
    pub name: String,
    pub origin: Origin,
    /// What is missing, or what the stand-in imitates.
    pub note: String,
    /// File → its SHA-256; none for a stand-in.
    pub sha256: IndexMap<String, String>,
    pub citation: String,
    pub licence: String,
    /// What it is as the spec defines it; a figure's axis may change it. None where it cannot be had.
    #[serde(default)]
    pub description: Option<Description>,
}
