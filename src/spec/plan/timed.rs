//! Whether and how the times of a figure's cells are taken.

use crate::lab::Cost;
use crate::run::Samples;
use crate::spec::claim::Claim;
use crate::spec::model::Figure;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often the cells of a figure are timed; None where nobody looks at their time.
pub(super) fn samples(figure: &Figure) -> Result<Option<Samples>, String> {
    let timed = is_timed(figure);
    let Some(given) = figure.samples else { return Ok(timed.then_some(Samples::ONE)) };
    match given.fault() {
        Some(fault) => Err(fault),
        None if !timed => {
            Err("this figure neither plots nor judges a time, so there is nothing to take samples of".to_string())
        }
        None => Ok(Some(given.samples(!judged_times(figure).is_empty()))),
    }
}

/// The times that claims of a figure are about.
pub(super) fn judged_times(figure: &Figure) -> Arc<[String]> {
    let times: BTreeSet<&str> = figure.claims.iter().flat_map(|claim| claim.metrics()).filter(|m| is_time(m)).collect();
    times.into_iter().map(str::to_string).collect()
}

/// Whether a claim compares times of one point with those of another: then all are timed in the same rounds.
pub(super) fn compares_points(figure: &Figure) -> bool {
    let of_time = |claim: &&Claim| claim.metrics().into_iter().any(is_time);
    figure.claims.iter().filter(of_time).any(Claim::compares_points)
}

/// Whether the figure shows or judges a time.
pub(super) fn is_timed(figure: &Figure) -> bool {
    figure.draw.metrics().chain(figure.claims.iter().flat_map(|claim| claim.metrics())).any(is_time)
}

/// Whether a metric is a time, or is counted beside times.
fn is_time(metric: &str) -> bool {
    Cost::of(metric).is_some_and(|(cost, _)| cost.is_timed())
}
