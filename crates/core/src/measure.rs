//! Measures: audits (what does an adversary learn?) and utilities (what can an analyst still do?). Both take the
//! original and the release and never look inside an algorithm.
//!
//! A new one is one file with a type that implements `Measure`, and one line in [`measures`](crate::measures::measures).

#![forbid(unsafe_code)]

use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Metric, Observation, Parameters, Workbench};
use crate::release::{Release, ReleaseKind};
use serde::Serialize;

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureKind {
    /// What an adversary learns.
    Audit,
    /// What an analyst can still do.
    Utility,
    /// Facts of the original data, with or without a release.
    Data,
}

/// What `algorithms show` tells of a measure, and what specs are checked against.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// What it is about.
    pub kind: MeasureKind,
    /// One line for lists.
    pub summary: &'static str,
    /// Where it is defined.
    pub paper: &'static str,
    /// What kind of original it takes.
    pub input: InputKind,
    /// The kinds of release it works on; empty when it looks at the original alone.
    pub releases: &'static [ReleaseKind],
    /// What it reports.
    pub metrics: &'static [Metric],
}

/// A measure: a function of an original and, but for those of the data alone, its release.
pub(crate) trait Measure: Send + Sync + 'static {
    /// What it can be given.
    type Parameters: Parameters;

    /// As it stands in specs: kebab-case.
    const NAME: &'static str;
    /// What there is to know of it before it runs.
    const ABOUT: About;
    /// Whether it draws from random streams (a workload of queries): then every repetition is another draw.
    const DRAWS: bool = false;

    /// Whether its answer follows from the release alone, so that it can be given where there is no original.
    const OF_RELEASE_ALONE: bool = false;

    /// Parameters that mean the same as those of the same name in a guarantee: the ℓ below which a tuple counts as exposed.
    /// Where a spec does not set them, they are those of the guarantee that the release is held to.
    const OF_GUARANTEE: &'static [&'static str] = &[];

    /// `release` is None only for measures of `MeasureKind::Data`. Random streams of `bench` depend on the dataset, this
    /// measure's parameters and the repetition, so every algorithm faces the same draws.
    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &Self::Parameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError>;
}

/// The release, for measures that cannot do without.
pub(crate) fn needed(release: Option<&Release>) -> Result<&Release, LabError> {
    release.ok_or_else(|| LabError::input("a release is needed"))
}
