//! How far transactions keep k^m-anonymity and cohesion, whatever they were made for: the largest k for each size of what an
//! adversary may know.
//!
//! Cost. The verifier, once for each doubling and each halving of k on the way to the answer.

use crate::data::{Dataset, InputKind};
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, needed};
use crate::release::{Guarantee, PrivacyVerdict, Release, ReleaseKind, verify};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest k for which the release is still k^m-anonymous.
pub struct ReachedAnonymity;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReachedAnonymityParameters {
    /// The k is told for adversaries who know 1, 2, … and so many items.
    #[schemars(range(min = 1))]
    pub items: usize,
}

impl Default for ReachedAnonymityParameters {
    fn default() -> Self {
        Self { items: 2 }
    }
}

const K: Metric = Metric::new(
    "reached_k_of_items",
    "transactions",
    Better::Higher,
    "transactions with the rarest set of so many (public) items that occurs",
);

impl Measure for ReachedAnonymity {
    type Parameters = ReachedAnonymityParameters;
    const NAME: &'static str = "reached-anonymity";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "The largest k that transactions keep against who knows so many items",
        paper: "M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving Anonymization of Set-valued Data, VLDB 2008, Definition 1",
        input: InputKind::Transactions,
        releases: ReleaseKind::TELLING_SUPPORTS,
        metrics: &[K],
    };
    const OF_RELEASE_ALONE: bool = true;

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &ReachedAnonymityParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let release = needed(release)?;
        let transactions = original.baskets()?.transactions.len();
        let mut most = transactions;
        let mut reached = Vec::new();
        for items in 1..=parameters.items {
            let holds = |k: usize| {
                let guarantee = match release {
                    Release::GeneralizedTransactions(_) => Guarantee::KmAnonymity { k, m: items },
                    Release::SuppressedTransactions(_) => Guarantee::Cohesion { h: 1.0, k, p: items },
                    _ => return Err(LabError::input("generalized or suppressed transactions are needed")),
                };
                Ok(matches!(verify(original, release, &guarantee)?, PrivacyVerdict::Private))
            };
            // Who knows more items meets fewer transactions.
            most = largest(most, holds)?;
            reached.push(Observation::at(&K, items, most as f64));
        }
        Ok(reached)
    }
}

/// The largest number up to `most` of which `holds` is true; it is true of 0, and false of all numbers above the largest.
fn largest(most: usize, mut holds: impl FnMut(usize) -> Result<bool, LabError>) -> Result<usize, LabError> {
    let (mut low, mut high) = (0, most + 1);
    let mut next = 2;
    while next < high {
        match holds(next)? {
            true => (low, next) = (next, next * 2),
            false => high = next,
        }
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match holds(middle)? {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Transactions;
    use crate::lab::Seed;
    use crate::release::SuppressedTransactions;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_is_found(most in 0usize..200, answer in 0usize..200) {
            let answer = answer.min(most);
            prop_assert_eq!(largest(most, |k| Ok(k <= answer)).unwrap(), answer);
        }
    }

    #[test]
    fn it_is_the_smallest_support_of_what_occurs() {
        let rows = [vec!["a", "b"], vec!["a", "b"], vec!["a"], vec!["a", "b"], vec!["c", "a"], vec!["c", "a"]];
        let transactions = Transactions::from_labels(&rows);
        let release = Release::SuppressedTransactions(SuppressedTransactions::suppressing(&transactions, []));
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = ReachedAnonymityParameters { items: 2 };
        let reached = ReachedAnonymity::measure(&dataset, Some(&release), &parameters, &mut bench).unwrap();
        assert_eq!(reached, [Observation::at(&K, 1, 2.0), Observation::at(&K, 2, 2.0)]);
    }
}
