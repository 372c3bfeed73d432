//! How far transactions keep k^m-anonymity and cohesion, whatever they were made for: the largest k for each size of what an
//! adversary may know.
//!
//! Cost. The verifier, some times: a set of items that breaks a k is in so many transactions, and no larger k is reached. The next k is
//! that number, and every other time one in the middle of what is left.

use crate::data::InputKind;
use crate::lab::{LabError, Metric, Observation, Witness, Workbench, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::{Guarantee, PrivacyVerdict, Release, ReleaseKind, verify};

/// The largest k for which the release is still k^m-anonymous.
pub struct ReachedAnonymity;

with_defaults! {
    pub struct ReachedAnonymityParameters {
        /// The k is told for adversaries who know 1, 2, … and so many items.
        #[schemars(range(min = 1))]
        pub items: usize = 2,
    }
}

const K: Metric = Metric::higher(
    "reached_k_of_items",
    "transactions",
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

    fn measure(subject: Subject<'_>, parameters: &ReachedAnonymityParameters, _: &mut Workbench) -> Observed {
        let release = subject.release()?;
        let transactions = subject.original.baskets()?.transactions.len();
        let mut most = transactions;
        let mut reached = Vec::new();
        for items in 1..=parameters.items {
            let broken = |k: usize| {
                let guarantee = match release {
                    Release::GeneralizedTransactions(_) => Guarantee::KmAnonymity { k, m: items },
                    Release::SuppressedTransactions(_) => Guarantee::Cohesion { h: 1.0, k, p: items },
                    Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_) => {
                        return Err(LabError::input("generalized or suppressed transactions are needed"));
                    }
                };
                Ok(match verify(subject.original, release, &guarantee)? {
                    PrivacyVerdict::Private => None,
                    PrivacyVerdict::Broken(faults) => Some(at_most(&faults)),
                })
            };
            // Who knows more items meets fewer transactions.
            most = largest(most, broken)?;
            reached.push(Observation::at(&K, items, most as f64));
        }
        Ok(reached)
    }
}

/// The largest k that these faults leave: the transactions of the rarest set among them; none where the release is not true.
fn at_most(faults: &[Witness]) -> usize {
    let left = |fault: &Witness| match &fault.itemset {
        Some(_) if fault.of != Witness::TRUTH => fault.value.map_or(0, |support| support as usize),
        _ => 0,
    };
    faults.iter().map(left).min().unwrap_or(0)
}

/// The largest number up to `most` that is not broken. 0 is not; of a number that is, `broken` tells a smaller one
/// that the answer is not above.
fn largest(most: usize, mut broken: impl FnMut(usize) -> Result<Option<usize>, LabError>) -> Result<usize, LabError> {
    let (mut low, mut high) = (0, most);
    let mut in_the_middle = false;
    while low < high {
        let next = if in_the_middle { low + (high - low).div_ceil(2) } else { high };
        match broken(next)? {
            None => low = next,
            Some(left) => high = left.clamp(low, next - 1),
        }
        in_the_middle = !in_the_middle;
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Transactions};
    use crate::lab::Seed;
    use crate::release::SuppressedTransactions;
    use proptest::prelude::*;

    proptest! {
        /// However much or little a broken number tells, and in few steps.
        #[test]
        fn the_largest_is_found(most in 0usize..200, answer in 0usize..200, told in prop::collection::vec(0usize..200, 20)) {
            let answer = answer.min(most);
            let mut steps = 0;
            let found = largest(most, |k| {
                steps += 1;
                Ok((k > answer).then(|| told[steps % 20].clamp(answer, k - 1)))
            });
            prop_assert_eq!(found.unwrap(), answer);
            prop_assert!(steps <= 17, "{} steps", steps);
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
        let reached = ReachedAnonymity::measure(Subject::of(&dataset, &release), &parameters, &mut bench).unwrap();
        assert_eq!(reached, [Observation::at(&K, 1, 2.0), Observation::at(&K, 2, 2.0)]);
    }
}
