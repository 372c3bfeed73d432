//! What the publishers of this family differ in.

use super::KmParameters;
use super::problem::Problem;
use crate::lab::{Metric, Parameters, Workbench};
use crate::release::Cut;

/// How a publisher finds a cut.
pub trait CutSearch: Send + Sync + 'static {
    type Parameters: Parameters + AsRef<KmParameters>;

    const NAME: &'static str;
    const SUMMARY: &'static str;
    const COUNTERS: &'static [Metric];
    /// The last is `release`.
    const PHASES: &'static [&'static str];

    /// A cut that is k^m-anonymous.
    fn cut(problem: &Problem, parameters: &Self::Parameters, bench: &mut Workbench) -> Cut;
}
