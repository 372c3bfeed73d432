//! Rules α → s from public items to a private one that survive the suppression of items: Y. Xu, B. C. M. Fung, K. Wang, A. W. C.
//! Fu, J. Pei, "Publishing Sensitive Transactions for Itemset Utility", ICDM 2008, Section 3.1.
//!
//! Privacy asks that no α of at most p items tells of a private item with more than probability h. Longer ones may: they are
//! what research wants. A rule is one here when α ∪ {s} is in at least `support` transactions and a share of at least
//! `confidence` of those with α. It is kept when no item of α is suppressed; it then has the confidence it had.
//!
//! Cost. For each private item, one step for each itemset that is frequent with it, times its transactions.

use crate::data::{Baskets, InputKind, Item};
use crate::lab::{Foremost, LabError, Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::{Release, ReleaseKind, SuppressedTransactions};
use std::cmp::Reverse;

/// How many association rules of the original the release still has.
pub struct RulesKept;

with_defaults! {
    pub struct RulesKeptParameters {
        /// In how many transactions, at least, the items of a rule are together.
        #[schemars(range(min = 1))]
        pub support: usize = 20,
        /// The least share of the transactions with α that have s.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub confidence: f64 = 0.8,
        /// p: how many items an adversary may know. Rules with more are counted on their own.
        #[schemars(range(min = 1))]
        pub p: usize = 2,
        /// The largest number of items of α that is looked at.
        #[schemars(range(min = 1))]
        pub longest: usize = 6,
    }
}

const RULES: Metric = Metric::fact("private_rules", "rules", "rules α → s of the original, by |α|");
const KEPT: Metric = Metric::fact("private_rules_kept", "rules", "of those, rules that survive, by |α|");
const LONG: Metric = Metric::fact("long_rules", "rules", "rules of the original with more than p items in α");
const LONG_KEPT: Metric = Metric::higher("long_rules_kept", "rules", "of those, rules that survive");

impl Measure for RulesKept {
    type Parameters = RulesKeptParameters;
    const NAME: &'static str = "rules-kept";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Confident rules from public items to private ones that survive suppression",
        paper: "Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei: Publishing Sensitive Transactions for Itemset \
                Utility, ICDM 2008, Section 3.1",
        input: InputKind::Transactions,
        releases: &[ReleaseKind::SuppressedTransactions],
        metrics: &[RULES, KEPT, LONG, LONG_KEPT],
    };

    fn measure(subject: Subject<'_>, parameters: &RulesKeptParameters, bench: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let Some(Release::SuppressedTransactions(release)) = subject.release else {
            return Err(LabError::input("rules-kept needs a release of suppressed transactions"));
        };
        let transactions = &baskets.transactions;
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); transactions.items()];
        for (number, row) in (0u32..).zip(transactions.rows()) {
            row.iter().for_each(|&item| rows_of[item as usize].push(number));
        }
        let is_kept: Vec<bool> =
            (0..transactions.items() as Item).map(|item| release.suppressed.binary_search(&item).is_err()).collect();
        let mut search = RuleSearch {
            parameters,
            rows_of: &rows_of,
            is_kept: &is_kept,
            found: vec![[0; 2]; parameters.longest + 1],
            alpha: Vec::new(),
            lost: Foremost::new(Witness::MOST),
        };
        let all: Vec<u32> = (0..transactions.len() as u32).collect();
        let public: Vec<Item> =
            (0..).zip(&baskets.private).filter(|(_, private)| !**private).map(|(item, _)| item).collect();
        for (private, _) in (0..).zip(&baskets.private).filter(|(_, private)| **private) {
            search.extend(&public, &all, &rows_of[private as usize], private, true);
        }
        let lost = std::mem::replace(&mut search.lost, Foremost::new(0));
        bench.witness(|| lost.into_cases().map(|(_, rule)| rule.witness(baskets, release)).collect::<Vec<_>>());
        let mut observed = Vec::new();
        for (length, [rules, kept]) in search.found.iter().enumerate().skip(1) {
            observed.push(Observation::at(&RULES, length, *rules as f64));
            observed.push(Observation::at(&KEPT, length, *kept as f64));
        }
        let long =
            |which: usize| search.found.iter().skip(parameters.p + 1).map(|found| found[which]).sum::<u64>() as f64;
        observed.push(Observation::new(&LONG, long(0)));
        observed.push(Observation::new(&LONG_KEPT, long(1)));
        Ok(observed)
    }
}

struct RuleSearch<'a> {
    parameters: &'a RulesKeptParameters,
    /// Item to the transactions with it, ascending.
    rows_of: &'a [Vec<u32>],
    is_kept: &'a [bool],
    /// By |α|: rules, and rules kept.
    found: Vec<[u64; 2]>,
    /// The items of α so far.
    alpha: Vec<Item>,
    /// The rules that most transactions showed and the release lost; of those of one support the longest.
    lost: Foremost<(Reverse<usize>, Reverse<usize>), Lost>,
}

/// A rule α → s that the release lost.
struct Lost {
    alpha: Vec<Item>,
    private: Item,
    /// The transactions with both, and how many have α.
    both: Vec<u32>,
    with_alpha: usize,
}

impl Lost {
    fn witness(&self, original: &Baskets, release: &SuppressedTransactions) -> Witness {
        let label = |item: Item| original.transactions.labels[item as usize].as_str();
        let names: Vec<&str> = self.alpha.iter().map(|&item| label(item)).collect();
        let gone: Vec<String> = (self.alpha.iter())
            .filter(|item| release.suppressed.binary_search(item).is_ok())
            .map(|&item| format!("`{}` is suppressed", label(item)))
            .collect();
        let (both, private) = (self.both.len(), label(self.private));
        let says = format!(
            "{{{}}} → {private} held for {both} of {}; {}",
            names.join(", "),
            counted(self.with_alpha, "transaction"),
            gone.join(", ")
        );
        Witness::of_metric(&KEPT, says)
            .itemset(names)
            .private_item(private)
            .by(gone)
            .among(self.both.iter().map(|&row| row as usize))
            .number(both as f64 / self.with_alpha as f64)
    }
}

impl RuleSearch<'_> {
    /// Extends α, which `with_alpha` have and `with_both` have together with s, by each of `candidates`.
    fn extend(&mut self, candidates: &[Item], with_alpha: &[u32], with_both: &[u32], private: Item, kept: bool) {
        let length = self.alpha.len();
        if length == self.parameters.longest || with_both.len() < self.parameters.support {
            return;
        }
        let frequent: Vec<(Item, Vec<u32>)> = candidates
            .iter()
            .map(|&item| (item, intersection(with_both, &self.rows_of[item as usize])))
            .filter(|(_, both)| both.len() >= self.parameters.support)
            .collect();
        let items: Vec<Item> = frequent.iter().map(|(item, _)| *item).collect();
        for (place, (item, both)) in frequent.iter().enumerate() {
            let alpha = intersection(with_alpha, &self.rows_of[*item as usize]);
            let kept = kept && self.is_kept[*item as usize];
            // A hair of slack, so that 4 of 5 reach 0.8.
            if both.len() as f64 >= self.parameters.confidence * alpha.len() as f64 - 1e-9 {
                self.found[length + 1][0] += 1;
                self.found[length + 1][1] += u64::from(kept);
                if !kept {
                    let names = self.alpha.iter().copied().chain([*item]);
                    let rank = (Reverse(both.len()), Reverse(length));
                    let with_alpha = alpha.len();
                    self.lost.offer(rank, || Lost { alpha: names.collect(), private, both: both.clone(), with_alpha });
                }
            }
            self.alpha.push(*item);
            self.extend(&items[place + 1..], &alpha, both, private, kept);
            self.alpha.pop();
        }
    }
}

fn intersection(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            both.push(a[i]);
        }
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Transactions};
    use crate::lab::Seed;

    #[test]
    fn rules_are_kept_with_their_items() {
        // ab → s holds in 2 of 2; a → s in 2 of 4, b → s in 2 of 3; c → s never.
        let rows = [vec!["a", "b", "s"], vec!["a", "b", "s"], vec!["a", "c"], vec!["a"], vec!["b", "c"]];
        let transactions = Transactions::from_labels(&rows);
        let private = transactions.labels.iter().position(|label| label == "s").unwrap() as u32;
        let dataset = Dataset::of_transactions(transactions.clone(), None, &[private]);
        let found = |suppressed: &[&str], p| {
            let items = suppressed
                .iter()
                .map(|name| transactions.labels.iter().position(|label| label == name).unwrap() as u32);
            let release = Release::SuppressedTransactions(SuppressedTransactions::suppressing(&transactions, items));
            let parameters = RulesKeptParameters { support: 2, confidence: 0.6, p, longest: 3 };
            let mut bench = Workbench::new(Seed(1), "test");
            let observed = RulesKept::measure(Subject::of(&dataset, &release), &parameters, &mut bench).unwrap();
            observed.iter().map(|observation| observation.value).collect::<Vec<_>>()
        };
        // By |α| of 1, 2, 3: rules and kept ones; then those longer than p.
        assert_eq!(found(&[], 1), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(found(&["c"], 1), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(found(&["a"], 1), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(found(&["b"], 2), [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
