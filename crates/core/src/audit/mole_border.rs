//! The mole border of a few transactions, member by member: Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei, "Publishing
//! Sensitive Transactions for Itemset Utility", ICDM 2008, Figure 3.
//!
//! For worked examples: every subset of the public items is looked at, by the definitions.

use crate::data::{InputKind, Item};
use crate::lab::{Decimal, LabError, Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};

/// Lists the minimal moles that remain: itemsets by which an adversary learns too much.
pub struct MoleBorderListing;

with_defaults! {
    pub struct MoleBorderParameters {
        /// The largest share of the transactions with a known itemset that may have one private item.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub h: f64 = 0.5,
        /// In how many transactions, at least, every known itemset must be.
        #[schemars(range(min = 2))]
        pub k: usize = 3,
        /// How many public items of a transaction an adversary may know, at most.
        #[schemars(range(min = 1))]
        pub p: usize = 3,
        /// k': in how many transactions, at least, a nugget is. Rarer public items are left out (Observation 2).
        #[schemars(range(min = 1))]
        pub k_prime: usize = 4,
    }
}

const MINIMAL: Metric = Metric::fact("minimal_mole", "transactions", "support of each minimal mole, the upper bound");
const MAXIMAL: Metric =
    Metric::fact("maximal_itemset", "transactions", "support of each maximal itemset that occurs, the lower bound");
const EDGES: Metric = Metric::fact("edges_of_moles", "edges", "pairs of both that contain each other");

/// More public items have too many subsets.
const MOST_ITEMS: usize = 16;

impl Measure for MoleBorderListing {
    type Parameters = MoleBorderParameters;
    const NAME: &'static str = "mole-border";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The mole border of a worked example, member by member",
        paper: "Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei: Publishing Sensitive Transactions for Itemset \
                Utility, ICDM 2008, Section 5.1",
        input: InputKind::Transactions,
        releases: &[],
        metrics: &[MINIMAL, MAXIMAL, EDGES],
    };

    fn measure(subject: Subject<'_>, parameters: &MoleBorderParameters, bench: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let supports = baskets.transactions.supports();
        let least = parameters.k.max(parameters.k_prime);
        let is_left = |&item: &Item| !baskets.private[item as usize] && supports[item as usize] as usize >= least;
        let items: Vec<Item> = (0..supports.len() as Item).filter(is_left).collect();
        if items.len() > MOST_ITEMS {
            return Err(LabError::input(format!(
                "{} public items are too many to list a mole border; {MOST_ITEMS} are the most",
                items.len()
            )));
        }
        let h = Decimal::share(parameters.h)
            .ok_or_else(|| LabError::input(format!("`h` must be above 0 and at most 1, not {}", parameters.h)))?;
        // A transaction as the bits of its public items, and its private items.
        let rows: Vec<(u32, Vec<Item>)> = baskets
            .transactions
            .rows()
            .map(|row| {
                let bits =
                    items.iter().enumerate().filter(|(_, item)| row.contains(item)).map(|(bit, _)| 1 << bit).sum();
                (bits, row.iter().copied().filter(|&item| baskets.private[item as usize]).collect())
            })
            .collect();
        let cohort = |set: u32| rows.iter().filter(move |(bits, _)| set & !bits == 0);
        let support = |set: u32| cohort(set).count();
        let gives_away = |set: u32| {
            let within_h = h.floor_of(support(set) as u64) as usize;
            let with = |item: Item| cohort(set).filter(|(_, private)| private.contains(&item)).count();
            (0..supports.len() as Item).any(|item| baskets.private[item as usize] && with(item) > within_h)
        };
        let occurring: Vec<u32> = (1u32..1 << items.len()).filter(|&set| support(set) > 0).collect();
        // A mole by itself; whatever contains one is a mole, too.
        let is_mole =
            |&set: &u32| set.count_ones() as usize <= parameters.p && (support(set) < parameters.k || gives_away(set));
        let moles: Vec<u32> = occurring.iter().copied().filter(is_mole).collect();
        let minimal: Vec<u32> = moles
            .iter()
            .copied()
            .filter(|&mole| !moles.iter().any(|&part| part != mole && part & !mole == 0))
            .collect();
        let maximal: Vec<u32> = occurring
            .iter()
            .copied()
            .filter(|&set| !occurring.iter().any(|&whole| whole != set && set & !whole == 0))
            .collect();
        let name = |set: u32| {
            let names: Vec<&str> = items
                .iter()
                .enumerate()
                .filter(|(bit, _)| set >> bit & 1 == 1)
                .map(|(_, &item)| baskets.transactions.labels[item as usize].as_str())
                .collect();
            names.join(" ")
        };
        bench.witness(|| {
            let witness = |&set: &u32| {
                let support = support(set);
                let with = |item: Item| cohort(set).filter(|(_, private)| private.contains(&item)).count();
                let private = (0..supports.len() as Item).filter(|&item| baskets.private[item as usize]);
                let most = private.map(|item| (item, with(item))).rev().max_by_key(|&(_, with)| with);
                let label = |item: Item| baskets.transactions.labels[item as usize].as_str();
                let given_away = most.filter(|&(_, with)| with as u64 > h.floor_of(support as u64));
                let is_in = format!("{{{}}} is in {}", name(set), counted(support, "transaction"));
                let rows = rows.iter().enumerate().filter(|(_, (bits, _))| set & !bits == 0).map(|(row, _)| row);
                let witness = match given_away {
                    Some((item, with)) => {
                        Witness::of_metric(&MINIMAL, format!("{is_in}, {with} of them with `{}`", label(item)))
                            .private_item(label(item))
                            .number(with as f64 / support as f64)
                            .against(parameters.h)
                    }
                    None => Witness::of_metric(&MINIMAL, format!("{is_in}, fewer than {}", parameters.k))
                        .number(support as f64)
                        .against(parameters.k as f64),
                };
                witness.itemset(name(set).split(' ')).among(rows)
            };
            minimal.iter().take(Witness::MOST).map(witness).collect::<Vec<_>>()
        });
        let edges =
            minimal.iter().map(|&mole| maximal.iter().filter(|&&whole| mole & !whole == 0).count()).sum::<usize>();
        let mut observed = vec![Observation::new(&EDGES, edges as f64)];
        observed.extend(minimal.iter().map(|&set| Observation::at(&MINIMAL, name(set), support(set) as f64)));
        observed.extend(maximal.iter().map(|&set| Observation::at(&MAXIMAL, name(set), support(set) as f64)));
        Ok(observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Transactions};
    use crate::lab::Seed;

    #[test]
    fn figure_3_is_listed() {
        let rows = ["abef1", "cefg2", "abg3", "abfg2", "abdg2", "efg1", "befg3"];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.chars().map(String::from).collect()).collect();
        let dataset = Dataset::of_transactions(Transactions::from_labels(&rows), None, &[0, 1, 2]);
        let mut bench = Workbench::new(Seed(1), "test");
        let found =
            MoleBorderListing::measure(Subject::alone(&dataset), &MoleBorderParameters::default(), &mut bench).unwrap();
        let of = |metric: &str| {
            let mut names: Vec<&str> =
                found.iter().filter(|o| o.metric == metric).filter_map(|o| o.at.as_deref()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(of("minimal_mole"), ["a e", "a f", "a g", "b e", "b f g"]);
        assert_eq!(of("maximal_itemset"), ["a b e f", "a b f g", "b e f g"]);
        assert_eq!(found[0].value, 8.0);
    }
}
