//! What is left of the frequent itemsets (nuggets) when items are suppressed or generalized: Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu,
//! J. Pei, "Publishing Sensitive Transactions for Itemset Utility", ICDM 2008, Definitions 2 and 3.
//!
//! Nuggets are counted as whole numbers of any size, and shares are taken of these; only the share is rounded. Nuggets of
//! the release are nuggets of the original with the same support as long as no transaction is altered otherwise
//! (Observation 1), which is measured, too.
//!
//! Where items are generalized, a nugget is kept when all its items are published as themselves; it then has the support it
//! had. What is known of a generalized itemset, its parent's support, is not what the analyst asked for.

use crate::data::{InputKind, NodeId, Transactions};
use crate::lab::math::log2;
use crate::lab::{Foremost, LabError, Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::mining::count;
use crate::release::{Release, ReleaseKind, SuppressedTransactions};
use num_bigint::BigUint;

/// How many rules of the original can still be found, for public and private items.
pub struct NuggetsKept;

with_defaults! {
    pub struct NuggetsKeptParameters {
        /// k': in how many transactions, at least, a nugget is.
        #[schemars(range(min = 1))]
        pub k_prime: usize = 100,
        /// p': how many items a nugget has, at most; null for any number.
        #[schemars(range(min = 1))]
        pub p_prime: Option<usize> = None,
    }
}

const KEPT: Metric =
    Metric::higher("nuggets_kept", "%", "share of the original's nuggets that the release has; 100 if there are none");
const KEPT_OF_SIZE: Metric = Metric::higher("nuggets_kept_of_size", "%", "the same among the nuggets of so many items");
const ORIGINAL_LOG2: Metric = Metric::fact(
    "original_nuggets_log2",
    "bits",
    "binary logarithm of one more than the number of nuggets of the original",
);
const KEPT_LOG2: Metric = Metric::higher(
    "kept_nuggets_log2",
    "bits",
    "binary logarithm of one more than the number of nuggets of the release",
);
const ITEMS: Metric = Metric::lower("items_suppressed", "items", "items suppressed");
const ITEMS_SHARE: Metric = Metric::lower("items_suppressed_share", "%", "suppressed items among the public ones");
const IN_NO_NUGGET_SHARE: Metric = Metric::fact(
    "suppressed_in_no_nugget_share",
    "%",
    "suppressed items of a support below k', with which no nugget is lost (Observation 2), among the public ones",
);
const OF_NUGGETS_SHARE: Metric = Metric::lower(
    "suppressed_of_nuggets_share",
    "%",
    "suppressed items of a support of k' or more, so for privacy alone, among the public ones",
);
const OCCURRENCES: Metric = Metric::lower(
    "occurrences_suppressed",
    "%",
    "occurrences of suppressed items among those of public items in the transactions",
);
const ALTERED: Metric = Metric::lower(
    "transactions_altered",
    "transactions",
    "transactions that lack or have an item they should not; with none, every kept itemset keeps its support",
);

impl Measure for NuggetsKept {
    type Parameters = NuggetsKeptParameters;
    const NAME: &'static str = "nuggets-kept";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Frequent itemsets that survive the suppression or generalization of items",
        paper: "Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei: Publishing Sensitive Transactions for Itemset \
                Utility, ICDM 2008, Section 3",
        input: InputKind::Transactions,
        releases: &[ReleaseKind::SuppressedTransactions, ReleaseKind::GeneralizedTransactions],
        metrics: &[
            KEPT,
            KEPT_OF_SIZE,
            ORIGINAL_LOG2,
            KEPT_LOG2,
            ITEMS,
            ITEMS_SHARE,
            IN_NO_NUGGET_SHARE,
            OF_NUGGETS_SHARE,
            OCCURRENCES,
            ALTERED,
        ],
    };

    fn measure(subject: Subject<'_>, parameters: &NuggetsKeptParameters, bench: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let generalized;
        let (published, suppressed) = match subject.release {
            Some(Release::SuppressedTransactions(release)) => (&release.transactions, Some(release)),
            Some(Release::GeneralizedTransactions(release)) => {
                generalized = without_generalized(&baskets.transactions, &release.cut);
                (&generalized, None)
            }
            Some(Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_)) | None => {
                return Err(LabError::input("nuggets-kept needs suppressed or generalized transactions"));
            }
        };
        bench.witness(|| most_frequent_lost(&baskets.transactions, published, parameters.k_prime));
        let before = nuggets(&baskets.transactions, parameters);
        let after = nuggets(published, parameters);
        let all = |by_size: &[BigUint]| by_size.iter().sum::<BigUint>();
        let mut observations = vec![Observation::new(&KEPT, percentage(&all(&after), &all(&before)))];
        for (size, before) in (1..).zip(&before).filter(|(_, number)| **number != BigUint::ZERO) {
            let after = after.get(size - 1).cloned().unwrap_or_default();
            observations.push(Observation::at(&KEPT_OF_SIZE, size, percentage(&after, before)));
        }
        observations.push(Observation::new(&ORIGINAL_LOG2, log2_of_one_more(&all(&before))));
        observations.push(Observation::new(&KEPT_LOG2, log2_of_one_more(&all(&after))));

        let Some(release) = suppressed else { return Ok(observations) };
        let supports = baskets.transactions.supports();
        let public = (0..supports.len()).filter(|&item| !baskets.private[item]);
        let occurrences: u64 = public.clone().map(|item| u64::from(supports[item])).sum();
        let lost_supports = || release.suppressed.iter().filter_map(|&item| supports.get(item as usize)).copied();
        let lost: u64 = lost_supports().map(u64::from).sum();
        let of_nuggets = lost_supports().filter(|&support| support as usize >= parameters.k_prime).count();
        let (suppressed, public) = (release.suppressed.len(), public.count() as u64);
        let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
        observations.push(Observation::new(&ITEMS, suppressed as f64));
        for (metric, items) in [
            (&ITEMS_SHARE, suppressed),
            (&IN_NO_NUGGET_SHARE, suppressed - of_nuggets),
            (&OF_NUGGETS_SHARE, of_nuggets),
        ] {
            observations.push(Observation::new(metric, share(items as u64, public)));
        }
        observations.push(Observation::new(&OCCURRENCES, share(lost, occurrences)));
        observations.push(Observation::new(&ALTERED, altered(&baskets.transactions, release) as f64));
        Ok(observations)
    }
}

/// The most frequent nuggets of one item that are lost, and with each of them every nugget that has it.
fn most_frequent_lost(original: &Transactions, published: &Transactions, k_prime: usize) -> Vec<Witness> {
    let mut lost: Foremost<std::cmp::Reverse<u32>, usize> = Foremost::new(Witness::MOST);
    let left = published.supports();
    for (item, support) in original.supports().into_iter().enumerate() {
        if support as usize >= k_prime && left.get(item).is_none_or(|&left| left == 0) {
            lost.offer(std::cmp::Reverse(support), || item);
        }
    }
    let witness = |(std::cmp::Reverse(support), item): (std::cmp::Reverse<u32>, usize)| {
        let name = original.labels[item].as_str();
        let says =
            format!("`{name}` is in {} of the original and in none of the release", counted(support, "transaction"));
        Witness::of_metric(&KEPT, says).itemset([name]).number(0.0).against(f64::from(support))
    };
    lost.into_cases().map(witness).collect()
}

/// The transactions without the items that are not in the cut: leaves of the hierarchy are numbered as the items are.
fn without_generalized(original: &Transactions, cut: &[NodeId]) -> Transactions {
    let mut is_kept = vec![false; original.items()];
    for &node in cut {
        if let Some(kept) = is_kept.get_mut(node as usize) {
            *kept = true;
        }
    }
    let mut transactions = Transactions::with_labels(original.labels.clone());
    for row in original.rows() {
        transactions.push(row.iter().copied().filter(|&item| is_kept[item as usize]));
    }
    transactions
}

/// The number of nuggets of 1, 2, … items.
fn nuggets(transactions: &Transactions, parameters: &NuggetsKeptParameters) -> Vec<BigUint> {
    let least = u32::try_from(parameters.k_prime).unwrap_or(u32::MAX);
    count(transactions, least, parameters.p_prime).into_iter().skip(1).collect()
}

/// Of whole numbers of any size; right to the last digits of an `f64`.
fn percentage(part: &BigUint, whole: &BigUint) -> f64 {
    if *whole == BigUint::ZERO {
        return 100.0;
    }
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let scaled: BigUint = (part << 64u32) / whole;
    let digits = scaled.to_u64_digits();
    let value = digits.iter().rev().fold(0.0, |value, &digit| value * TWO_TO_64 + digit as f64);
    100.0 * value / TWO_TO_64
}

fn log2_of_one_more(number: &BigUint) -> f64 {
    let number = number + 1u32;
    let shift = number.bits().saturating_sub(64);
    let leading = (&number >> shift).to_u64_digits().first().copied().unwrap_or(1);
    log2(leading as f64) + shift as f64
}

fn altered(original: &Transactions, release: &SuppressedTransactions) -> usize {
    let is_suppressed = |item| release.suppressed.binary_search(item).is_ok();
    let published = &release.transactions;
    let pairs = original.rows().zip(published.rows());
    let differ = pairs.filter(|(before, after)| before.iter().filter(|item| !is_suppressed(item)).ne(after.iter()));
    differ.count() + original.len().abs_diff(published.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder};
    use crate::lab::Seed;
    use crate::release::{Cut, GeneralizedTransactions};
    use proptest::prelude::*;

    fn measure(
        dataset: &Dataset,
        release: SuppressedTransactions,
        k_prime: usize,
        p_prime: Option<usize>,
    ) -> Vec<(String, Option<String>, f64)> {
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = NuggetsKeptParameters { k_prime, p_prime };
        let release = Release::SuppressedTransactions(release);
        let observed = NuggetsKept::measure(Subject::of(dataset, &release), &parameters, &mut bench).unwrap();
        observed.into_iter().map(|o| (o.metric.to_string(), o.at, o.value)).collect()
    }

    fn value(observed: &[(String, Option<String>, f64)], name: &str, at: Option<&str>) -> f64 {
        observed.iter().find(|(metric, place, _)| metric == name && place.as_deref() == at).unwrap().2
    }

    #[test]
    fn nuggets_items_and_occurrences_are_counted() {
        let rows = [vec!["a", "b", "s"], vec!["a", "b", "s"], vec!["a", "c"], vec!["c"]];
        let transactions = Transactions::from_labels(&rows);
        let dataset = Dataset::of_transactions(transactions.clone(), None, &[3]);
        // Nuggets of support 2: a b c s, ab as bs, abs; without b: a c s, as.
        let observed = measure(&dataset, SuppressedTransactions::suppressing(&transactions, [1]), 2, None);
        assert_eq!(value(&observed, "nuggets_kept", None), 50.0);
        assert_eq!(value(&observed, "nuggets_kept_of_size", Some("1")), 75.0);
        assert_eq!(value(&observed, "nuggets_kept_of_size", Some("3")), 0.0);
        assert_eq!(value(&observed, "original_nuggets_log2", None), log2(9.0));
        assert_eq!(value(&observed, "kept_nuggets_log2", None), log2(5.0));
        assert_eq!(value(&observed, "items_suppressed", None), 1.0);
        assert_eq!(value(&observed, "items_suppressed_share", None), 100.0 / 3.0);
        assert_eq!(value(&observed, "suppressed_of_nuggets_share", None), 100.0 / 3.0);
        assert_eq!(value(&observed, "suppressed_in_no_nugget_share", None), 0.0);
        assert_eq!(value(&observed, "occurrences_suppressed", None), 100.0 * 2.0 / 7.0);
        assert_eq!(value(&observed, "transactions_altered", None), 0.0);

        let observed = measure(&dataset, SuppressedTransactions::suppressing(&transactions, [1]), 2, Some(1));
        assert_eq!(value(&observed, "nuggets_kept", None), 75.0);
        let mut wrong = SuppressedTransactions::suppressing(&transactions, [1]);
        wrong.suppressed.clear();
        assert_eq!(value(&measure(&dataset, wrong, 2, None), "transactions_altered", None), 2.0);
        let none = SuppressedTransactions::suppressing(&transactions, [0]);
        assert_eq!(value(&measure(&dataset, none, 5, None), "nuggets_kept", None), 100.0);
        // a is in three transactions, b and c are in two.
        let two = measure(&dataset, SuppressedTransactions::suppressing(&transactions, [0, 1]), 3, None);
        assert_eq!(value(&two, "suppressed_of_nuggets_share", None), 100.0 / 3.0);
        assert_eq!(value(&two, "suppressed_in_no_nugget_share", None), 100.0 / 3.0);
        assert_eq!(value(&two, "items_suppressed_share", None), 200.0 / 3.0);
    }

    #[test]
    fn generalized_items_are_in_no_kept_nugget() {
        let rows = [vec!["a", "b", "c"], vec!["a", "b", "c"], vec!["a", "c"], vec!["c"]];
        let transactions = Transactions::from_labels(&rows);
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let a = builder.group("AB", &[0, 1]);
        builder.group("ALL", &[a, 2]);
        let hierarchy = builder.finish().unwrap();
        let cut = Cut::new(&hierarchy, &[3, 2]).unwrap();
        let release = GeneralizedTransactions::through(&cut, &hierarchy, &transactions);
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = NuggetsKeptParameters { k_prime: 2, p_prime: None };
        let release = Release::GeneralizedTransactions(release);
        let observed = NuggetsKept::measure(Subject::of(&dataset, &release), &parameters, &mut bench).unwrap();
        // Nuggets of support 2: a b c, ab ac bc, abc; of these only c has no generalized item.
        assert!((observed[0].value - 100.0 / 7.0).abs() < 1e-12);
        assert!(observed.iter().all(|observation| observation.metric != "items_suppressed"));
    }

    #[test]
    fn numbers_beyond_all_floats_have_shares_and_logarithms() {
        let two = |power: u32| BigUint::from(1u32) << power;
        assert_eq!(percentage(&two(2999), &two(3000)), 50.0);
        assert_eq!(percentage(&(two(164) - 1u32), &two(164)), 100.0);
        assert_eq!(log2_of_one_more(&(two(164) - 1u32)), 164.0);
        assert_eq!(log2_of_one_more(&BigUint::ZERO), 0.0);
    }

    proptest! {
        #[test]
        fn percentages_agree_with_floats(part in 0u32.., more in 1u32..) {
            let whole = u64::from(part) + u64::from(more);
            let expected = 100.0 * f64::from(part) / whole as f64;
            prop_assert!((percentage(&part.into(), &whole.into()) - expected).abs() <= 1e-12 * expected);
        }
    }
}
