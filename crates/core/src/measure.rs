//! Measures: audits (what does an adversary learn?) and utilities (what can an analyst still do?). Both take the
//! original and the release and never look inside an algorithm.
//!
//! A new one is one file with a type that implements `Measure`, and one line in [`measures`](crate::measures::measures).

#![forbid(unsafe_code)]

use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Observation, Parameters, Workbench};
use crate::release::{GeneralizedTable, Release, ReleaseKind};
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

    /// Random streams of `bench` depend on the dataset, this measure's parameters and the repetition, so every algorithm faces
    /// the same draws.
    fn measure(subject: Subject<'_>, parameters: &Self::Parameters, bench: &mut Workbench) -> Observed;
}

/// What a measure gives.
pub(crate) type Observed = Result<Vec<Observation>, LabError>;

/// What a measure is taken of.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub original: &'a Dataset,
    /// None only for measures of `MeasureKind::Data`.
    pub release: Option<&'a Release>,
}

impl<'a> Subject<'a> {
    /// The release, for measures that cannot do without.
    pub fn release(self) -> Result<&'a Release, LabError> {
        self.release.ok_or_else(|| LabError::input("a release is needed"))
    }

    /// The original and the generalized table in its shape, for measures of these.
    pub fn table(self) -> Result<(&'a Microdata, &'a GeneralizedTable), LabError> {
        let microdata = self.original.microdata()?;
        let Some(Release::GeneralizedTable(table)) = self.release else {
            return Err(LabError::input("a generalized table is needed"));
        };
        table.check_shape(microdata)?;
        Ok((microdata, table))
    }
}

#[cfg(test)]
impl<'a> Subject<'a> {
    pub fn of(original: &'a Dataset, release: &'a Release) -> Self {
        Self { original, release: Some(release) }
    }

    pub fn alone(original: &'a Dataset) -> Self {
        Self { original, release: None }
    }
}
