//! The independent check that a release keeps its promise.

use super::{Guarantee, Release};
use crate::data::Dataset;
use crate::lab::LabError;

/// What a verifier found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Private,
    /// The first few ways in which the promise is broken, in words.
    Broken(Vec<String>),
}

impl Verdict {
    pub fn from_faults(faults: Vec<String>) -> Self {
        if faults.is_empty() { Self::Private } else { Self::Broken(faults) }
    }
}

/// Checks that `release` says nothing untrue of `dataset` (no record dropped, invented or altered beyond what its kind
/// allows) and keeps `guarantee`.
///
/// Verifiers share no code with publishers, with one exception: what an adversary knows is an assumption of the guarantee, not
/// a step of the algorithm, so matching diversity is verified against the negative rules of the same miner that Injector uses.
/// Tests compare that miner with a literal version.
pub fn verify(dataset: &Dataset, release: &Release, guarantee: &Guarantee) -> Result<Verdict, LabError> {
    match release.faults(dataset, guarantee) {
        Some(faults) => Ok(Verdict::from_faults(faults?)),
        None => {
            let guarantee = serde_json::to_string(guarantee).unwrap_or_default();
            Err(LabError::input(format!("{} cannot be held to {guarantee}", release.kind())))
        }
    }
}
