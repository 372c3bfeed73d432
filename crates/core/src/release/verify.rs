//! The independent check that a release keeps its promise.

use super::{Guarantee, Release};
use crate::data::Dataset;
use crate::lab::{LabError, Witness};

/// What a verifier found.
#[derive(Debug, Clone, PartialEq)]
pub enum PrivacyVerdict {
    /// No fault was found.
    Private,
    /// The first few ways in which the promise is broken, each as a case to look at.
    Broken(Vec<Witness>),
}

impl PrivacyVerdict {
    /// Private if there are none.
    pub fn from_faults(faults: Vec<Witness>) -> Self {
        if faults.is_empty() { Self::Private } else { Self::Broken(faults) }
    }

    /// What is broken, in words; empty where nothing is.
    pub fn reason(&self) -> String {
        match self {
            Self::Private => String::new(),
            Self::Broken(faults) => faults.iter().map(|fault| fault.says.as_str()).collect::<Vec<_>>().join("; "),
        }
    }

    /// The cases that show it.
    pub fn witnesses(&self) -> &[Witness] {
        match self {
            Self::Private => &[],
            Self::Broken(faults) => faults,
        }
    }
}

/// Checks that `release` says nothing untrue of `dataset` (no record dropped, invented or altered beyond what its kind
/// allows) and keeps `guarantee`.
///
/// Verifiers decide by code that no publisher uses; what data and releases mean (hierarchies, cuts, what a cell covers) is the same for
/// both. There is one exception: what an adversary knows is an assumption of the guarantee, not
/// a step of the algorithm, so matching diversity is verified against the negative rules of the same miner that Injector uses.
/// Tests compare that miner with a literal version.
pub fn verify(dataset: &Dataset, release: &Release, guarantee: &Guarantee) -> Result<PrivacyVerdict, LabError> {
    match release.faults(dataset, guarantee) {
        Some(faults) => Ok(PrivacyVerdict::from_faults(faults?)),
        None => {
            let guarantee = serde_json::to_string(guarantee).unwrap_or_default();
            Err(LabError::input(format!("{} cannot be held to {guarantee}", release.kind())))
        }
    }
}
