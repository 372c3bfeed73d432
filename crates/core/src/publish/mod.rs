//! Publishers: algorithms that take original data and give a release.
//!
//! A new one is one file with a type that implements [`Publisher`], and one line in [`publishers`].

mod anatomy;
mod association_rules;
mod cohesion;
mod contract;
mod given_groups;
mod injector;
mod km;
mod registry;
mod tables;

pub use contract::{Contract, contract, contracts, guarantee_parameters};
pub use registry::{AnyPublisher, publisher, publishers};

use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Metric, Parameters, Workbench};
use crate::release::{Guarantee, Release, ReleaseKind};

/// What `algorithms show` tells of a publisher, and what specs are checked against.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// One line.
    pub summary: &'static str,
    /// Authors, title, venue, section.
    pub paper: &'static str,
    /// The kind of original that it takes.
    pub input: InputKind,
    /// The kind of release that it gives.
    pub release: ReleaseKind,
    /// What it may report through `Workbench::count`.
    pub counters: &'static [Metric],
    /// The phases it times, in order.
    pub phases: &'static [&'static str],
    /// Whether repetitions differ.
    pub randomized: bool,
}

/// An algorithm: a function from an original to a release.
pub trait Publisher: Send + Sync + 'static {
    /// What it can be given.
    type Parameters: Parameters;

    /// As it stands in specs: kebab-case.
    const NAME: &'static str;
    /// What there is to know of it before it runs.
    const ABOUT: About;

    /// What the release must keep, whatever the data; the verifier holds it to this.
    fn guarantee(parameters: &Self::Parameters) -> Guarantee;

    /// Anonymizes. Only this call is timed.
    fn publish(dataset: &Dataset, parameters: &Self::Parameters, bench: &mut Workbench) -> Result<Release, LabError>;
}
