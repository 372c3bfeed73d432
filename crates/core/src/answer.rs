//! What a worker answers.

#![forbid(unsafe_code)]

use crate::lab::{Name, Observation, Witness, did_you_mean_or_list, named};
use serde::{Deserialize, Serialize};

named! {
    /// How a cell ended, in the order in which summaries count them.
    #[derive(PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Status {
        /// The cell has its numbers.
        Ok = "ok",
        /// It took longer than its time limit.
        Timeout = "timeout",
        /// It needed more than its memory limit.
        OutOfMemory = "out_of_memory",
        /// Its algorithm, a measure or its data made it impossible; the reason says which.
        Failed = "failed",
        /// A verifier refused the release.
        Invalid = "invalid",
        /// It could not run here (its data is absent and no stand-in is allowed).
        Skipped = "skipped",
    }
}

impl Status {
    /// As it stands in prose: "out of memory".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::OutOfMemory => "out of memory",
            other => other.name(),
        }
    }
}

/// As it stands in CSV.
impl std::str::FromStr for Status {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|status| status.name() == word);
        found
            .ok_or_else(|| format!("`{word}` is no status; {}", did_you_mean_or_list(word, &Self::ALL.map(Self::name))))
    }
}

/// What a cell found, or why it found nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// How the cell ended.
    pub status: Status,
    /// Empty when all is well.
    pub reason: String,
    /// Not an answer to keep: the worker itself broke (a signal, garbage on its output), or a program failed before
    /// there was a release to judge.
    #[serde(default)]
    pub crashed: bool,
    /// What was measured on the release, first the algorithm's own counters.
    pub observations: Vec<Observation>,
    /// What the drawing measures found on the workloads of the following repetitions, where the cell has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_workloads: Vec<Vec<Observation>>,
    /// Cases behind the numbers, or behind the verifier's refusal. Of the first workload alone where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
    /// What the computation took: never compared to the byte, and written to a file of its own.
    pub costs: Costs,
    /// Of the release files, so that a changed release is noticed even when no metric moves.
    pub release_digest: Option<String>,
    /// The guarantee that the verifier held the release to, as JSON; None where there was no release to verify.
    #[serde(default)]
    pub verified: Option<String>,
    /// What the worker was built with: heap and allocations repeat only within one build.
    #[serde(default)]
    pub build: Option<String>,
}

impl Answer {
    /// The answer of a cell that has no numbers.
    pub fn without_result(status: Status, reason: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
            crashed: false,
            observations: Vec::new(),
            further_workloads: Vec::new(),
            witnesses: Vec::new(),
            costs: Costs::default(),
            release_digest: None,
            verified: None,
            build: None,
        }
    }
}

/// What the algorithm cost; loading, verifying and storing are not in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// (name, value), in a fixed order; the names are those of [`Cost`](crate::lab::Cost).
    pub metrics: Vec<(Name, f64)>,
    /// Wall-clock time of the whole cell, as the scheduler saw it: for estimates.
    pub cell_seconds: f64,
    /// What else went on while the algorithm ran; None where nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbance: Option<Disturbance>,
}

/// What the rest of the machine did to a timing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Disturbance {
    /// The share of one core that the host took from this machine meanwhile.
    pub steal: f64,
    /// How often the kernel took the core away, per second.
    pub switches: f64,
    /// Processes that wanted to run, by the kernel's average of the last minute.
    pub load: f64,
}

impl Disturbance {
    /// Beyond these a timing says more about the neighbours than about the algorithm, and is taken again.
    pub const MOST_STEAL: f64 = 0.05;
    /// Involuntary context switches a second beyond which a time is called disturbed.
    pub const MOST_SWITCHES: f64 = 100.0;

    /// Whether so much else went on that the measured time should not be trusted.
    pub fn is_too_much(&self) -> bool {
        self.steal > Self::MOST_STEAL || self.switches > Self::MOST_SWITCHES
    }
}
