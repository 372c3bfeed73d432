//! The attribute attack on transactions: Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei, "Publishing Sensitive Transactions
//! for Itemset Utility", ICDM 2008, Section 3.1, and the homogeneity attack on k^m-anonymity that its Section 2 speaks of.
//!
//! An adversary knows up to p public items of somebody's transaction, finds the published transactions that may be his, and
//! reads off the share of them with a private item. Where items are generalized, she looks for what her items are published
//! as. Private items are those the release shows as themselves; k^m-anonymity generalizes them like all others, so with
//! `attached` they stand beside the release untouched, as sensitive attributes do (Section 6 of the k^m paper).
//!
//! Cost. One step for each itemset of at most p published items in each transaction that has it.

use crate::data::{Baskets, InputKind, Item};
use crate::lab::{Decimal, Foremost, LabError, Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::{Cut, Release, ReleaseKind};

/// How likely an adversary who draws his knowledge at random finds somebody's private item.
pub struct BreachProbability;

with_defaults! {
    pub struct BreachProbabilityParameters {
        /// The largest probability of a private item that is no breach.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub h: f64 = 0.8,
        /// How many public items of a transaction an adversary may know, at most.
        #[schemars(range(min = 1))]
        pub p: usize = 2,
        /// Private items stand beside the release as they are, whatever was done to them in it.
        pub attached: bool = false,
    }
}

const LARGEST: Metric = Metric::lower(
    "largest_breach_probability",
    "",
    "largest share of a private item among the published transactions with a known itemset",
);
const BREACHED: Metric = Metric::lower(
    "breached_transactions",
    "transactions",
    "transactions with a private item that some known part of them gives away with more than probability h",
);
const ITEMSETS: Metric =
    Metric::lower("breaching_itemsets", "itemsets", "published itemsets that give a private item away");

impl Measure for BreachProbability {
    type Parameters = BreachProbabilityParameters;
    const NAME: &'static str = "breach-probability";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "With what probability up to p known items give a private item of a transaction away",
        paper: "Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei: Publishing Sensitive Transactions for Itemset \
                Utility, ICDM 2008, Section 3.1",
        input: InputKind::Transactions,
        releases: &[ReleaseKind::SuppressedTransactions, ReleaseKind::GeneralizedTransactions],
        metrics: &[LARGEST, BREACHED, ITEMSETS],
    };

    fn measure(subject: Subject<'_>, parameters: &BreachProbabilityParameters, bench: &mut Workbench) -> Observed {
        let h = Decimal::share(parameters.h)
            .ok_or_else(|| LabError::input(format!("`h` must be above 0 and at most 1, not {}", parameters.h)))?;
        let baskets = subject.original.baskets()?;
        let seen = Seen::new(baskets, subject.release, parameters.attached)?;
        let mut attack = Attack {
            seen: &seen,
            h,
            p: parameters.p,
            with_private: vec![0; seen.private_items],
            is_breached: vec![false; seen.known.len()],
            largest: (0, 1),
            itemsets: 0,
            itemset: Vec::new(),
            breaches: Foremost::new(LOOKED_AT),
        };
        let everybody: Vec<(u32, u32)> = (0..seen.known.len() as u32).map(|row| (row, 0)).collect();
        attack.extend(&everybody, 0);
        let (with, all) = attack.largest;
        let breaches = attack.breaches;
        let breaches = breaches.into_cases().map(|(_, breach)| breach).collect();
        bench.witness(|| witnesses(breaches, baskets, &seen, subject.release, h));
        Ok(vec![
            Observation::new(&LARGEST, f64::from(with) / f64::from(all)),
            Observation::new(&BREACHED, attack.is_breached.iter().filter(|breached| **breached).count() as f64),
            Observation::new(&ITEMSETS, attack.itemsets as f64),
        ])
    }
}

/// The strongest itemsets that are looked through for witnesses.
const LOOKED_AT: usize = 4 * Witness::MOST;
/// Of larger itemsets not every part is looked at.
const MOST_ITEMS: usize = 8;

/// What an itemset tells of a private item.
#[derive(PartialEq)]
struct Breach {
    /// As published, ascending.
    itemset: Vec<u32>,
    private: Item,
    /// The transactions with the itemset and the private item, and all with the itemset.
    with: u32,
    all: u32,
    /// The first few of these.
    rows: Vec<usize>,
}

impl Breach {
    /// What these items tell of a private one, counted literally.
    fn of(seen: &Seen, itemset: Vec<u32>, private: Item) -> Self {
        let (mut with, mut all, mut rows) = (0, 0, Vec::new());
        for (row, known) in seen.known.iter().enumerate() {
            if itemset.iter().all(|item| known.binary_search(item).is_ok()) {
                all += 1;
                with += u32::from(seen.private[row].contains(&private));
                if rows.len() < Witness::MOST_AMONG {
                    rows.push(row);
                }
            }
        }
        Self { itemset, private, with, all, rows }
    }

    /// The smallest part of the itemset that says as much of the private item.
    fn smallest(self, seen: &Seen) -> Self {
        let items = self.itemset.len();
        if items > MOST_ITEMS {
            return self;
        }
        let mut parts: Vec<u32> = (1..(1 << items) - 1).collect();
        parts.sort_by_key(|bits| bits.count_ones());
        let part = |bits: u32| {
            let items = self.itemset.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
            Self::of(seen, items.map(|(_, &item)| item).collect(), self.private)
        };
        let says_as_much =
            |part: &Self| u64::from(part.with) * u64::from(self.all) >= u64::from(self.with) * u64::from(part.all);
        parts.into_iter().map(part).find(says_as_much).unwrap_or(self)
    }
}

/// The strongest breaches, the largest share first.
fn witnesses(
    breaches: Vec<Breach>,
    baskets: &Baskets,
    seen: &Seen,
    release: Option<&Release>,
    h: Decimal,
) -> Vec<Witness> {
    let hierarchy = match release {
        Some(Release::GeneralizedTransactions(_)) => baskets.hierarchy.as_ref(),
        Some(Release::SuppressedTransactions(_)) | None => None,
        // Refused when the attack was prepared.
        Some(Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_)) => None,
    };
    let label = |known: u32| match hierarchy {
        Some(hierarchy) => hierarchy.label(known).to_string(),
        None => baskets.transactions.labels[known as usize].clone(),
    };
    let mut telling: Vec<Breach> = Vec::new();
    for breach in breaches {
        if telling.len() < Witness::MOST {
            let breach = breach.smallest(seen);
            if !telling.contains(&breach) {
                telling.push(breach);
            }
        }
    }
    let witness = |metric: &Metric, breach: &Breach| {
        let Breach { itemset, private, with, all, rows } = breach;
        let names: Vec<String> = itemset.iter().map(|&known| label(known)).collect();
        let private = &baskets.transactions.labels[*private as usize];
        let has = if *with == 1 { "has" } else { "have" };
        let says =
            format!("of {} with {{{}}}, {with} {has} `{private}`", counted(all, "transaction"), names.join(", "));
        Witness::of_metric(metric, says)
            .itemset(names)
            .private_item(private)
            .among(rows.iter().copied())
            .number(f64::from(*with) / f64::from(*all))
    };
    let largest = telling.iter().take(1).map(|breach| witness(&LARGEST, breach));
    let beyond = telling.iter().filter(|breach| u64::from(breach.with) > h.floor_of(u64::from(breach.all)));
    largest.chain(beyond.map(|breach| witness(&BREACHED, breach).against(h.as_f64()))).collect()
}

/// What the adversary sees of each transaction.
struct Seen {
    /// What her items may be published as, ascending.
    known: Vec<Vec<u32>>,
    /// Private items.
    private: Vec<Vec<Item>>,
    /// One more than the largest of them.
    private_items: usize,
}

impl Seen {
    fn new(baskets: &Baskets, release: Option<&Release>, attached: bool) -> Result<Self, LabError> {
        let original = &baskets.transactions;
        let is_private = |item: Item| baskets.private[item as usize];
        // Item to what it is published as, if it is.
        let published: Vec<Option<u32>> = match (release, &baskets.hierarchy) {
            (Some(Release::SuppressedTransactions(release)), _) => (0..original.items() as Item)
                .map(|item| release.suppressed.binary_search(&item).is_err().then_some(item))
                .collect(),
            (Some(Release::GeneralizedTransactions(release)), Some(hierarchy)) => {
                let cut = Cut::new(hierarchy, &release.cut)?;
                (0..original.items() as Item).map(|item| Some(cut.node_of(item))).collect()
            }
            (Some(Release::GeneralizedTransactions(_)), None)
            | (Some(Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_)) | None, _) => {
                return Err(LabError::input("breach-probability needs suppressed or generalized transactions"));
            }
        };
        // A node that private items alone are published as is no knowledge of public items.
        let domain = published.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut is_known = vec![false; domain];
        for (item, node) in (0..).zip(&published) {
            if let (false, Some(node)) = (is_private(item), node) {
                is_known[*node as usize] = true;
            }
        }
        let shows = |item: Item| is_private(item) && (attached || published[item as usize] == Some(item));
        let rows = original.rows().map(|row| {
            let mut known: Vec<u32> = row.iter().filter_map(|&item| published[item as usize]).collect();
            known.retain(|&node| is_known[node as usize]);
            known.sort_unstable();
            known.dedup();
            (known, row.iter().copied().filter(|&item| shows(item)).collect())
        });
        let (known, private) = rows.unzip();
        Ok(Self { known, private, private_items: original.items() })
    }
}

struct Attack<'a> {
    seen: &'a Seen,
    h: Decimal,
    p: usize,
    /// All zero between uses.
    with_private: Vec<u32>,
    is_breached: Vec<bool>,
    /// The largest share so far, as a fraction.
    largest: (u32, u32),
    itemsets: u64,
    /// The one at hand.
    itemset: Vec<u32>,
    /// By the share, largest first, and the size of the itemset.
    breaches: Foremost<(f64, usize), Breach>,
}

impl Attack<'_> {
    /// Looks at all extensions of an itemset of `size`, which the rows have; beside each row, where its further items begin.
    fn extend(&mut self, rows: &[(u32, u32)], size: usize) {
        if size == self.p {
            return;
        }
        let seen = self.seen;
        let mut extensions: Vec<(u32, u32, u32)> = Vec::new();
        for &(row, from) in rows {
            let items = &seen.known[row as usize];
            extensions.extend((from..items.len() as u32).map(|place| (items[place as usize], row, place + 1)));
        }
        extensions.sort_unstable();
        for with_item in extensions.chunk_by(|a, b| a.0 == b.0) {
            let rows: Vec<(u32, u32)> = with_item.iter().map(|&(_, row, after)| (row, after)).collect();
            self.itemset.push(with_item[0].0);
            self.look(&rows);
            self.extend(&rows, size + 1);
            self.itemset.pop();
        }
    }

    /// What the rows, all that have an itemset, tell of private items.
    fn look(&mut self, rows: &[(u32, u32)]) {
        let seen = self.seen;
        let all = rows.len() as u32;
        let items: Vec<Item> = rows.iter().flat_map(|&(row, _)| seen.private[row as usize].iter().copied()).collect();
        items.iter().for_each(|&item| self.with_private[item as usize] += 1);
        let within_h = self.h.floor_of(u64::from(all)) as u32;
        let most = items.iter().map(|&item| self.with_private[item as usize]).max().unwrap_or(0);
        if u64::from(most) * u64::from(self.largest.1) > u64::from(self.largest.0) * u64::from(all) {
            self.largest = (most, all);
        }
        let rank = (-f64::from(most) / f64::from(all), self.itemset.len());
        if most > 0 && self.breaches.takes(&rank) {
            let with_most = |item: &&Item| self.with_private[**item as usize] == most;
            let private = items.iter().filter(with_most).min().copied().unwrap_or_default();
            let itemset = self.itemset.clone();
            let rows = rows.iter().take(Witness::MOST_AMONG).map(|&(row, _)| row as usize).collect();
            self.breaches.offer(rank, || Breach { itemset, private, with: most, all, rows });
        }
        if most > within_h {
            self.itemsets += 1;
            for &(row, _) in rows {
                let own = &seen.private[row as usize];
                if own.iter().any(|&item| self.with_private[item as usize] > within_h) {
                    self.is_breached[row as usize] = true;
                }
            }
        }
        items.iter().for_each(|&item| self.with_private[item as usize] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder, Transactions};
    use crate::lab::Seed;
    use crate::release::{GeneralizedTransactions, SuppressedTransactions};

    fn example() -> (Transactions, Dataset) {
        // ab gives s away; a alone does so with 3/4, b with 3/3.
        let rows = [vec!["a", "b", "s"], vec!["a", "b", "s"], vec!["a", "b", "s"], vec!["a", "c"], vec!["c"]];
        let transactions = Transactions::from_labels(&rows);
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let (a, b) = (builder.group("AB", &[0, 1]), builder.group("CS", &[2, 3]));
        builder.group("ALL", &[a, b]);
        let dataset = Dataset::of_transactions(transactions.clone(), Some(builder.finish().unwrap()), &[3]);
        (transactions, dataset)
    }

    fn attack(dataset: &Dataset, release: Release, h: f64, attached: bool) -> [f64; 3] {
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = BreachProbabilityParameters { h, p: 2, attached };
        let observed = BreachProbability::measure(Subject::of(dataset, &release), &parameters, &mut bench).unwrap();
        [0, 1, 2].map(|i| observed[i].value)
    }

    #[test]
    fn known_items_give_private_ones_away() {
        let (transactions, dataset) = example();
        let suppressing = |items: &[u32]| {
            Release::SuppressedTransactions(SuppressedTransactions::suppressing(&transactions, items.iter().copied()))
        };
        assert_eq!(attack(&dataset, suppressing(&[]), 0.8, false), [1.0, 3.0, 2.0]);
        assert_eq!(attack(&dataset, suppressing(&[1]), 0.8, false), [0.75, 0.0, 0.0]);
        assert_eq!(attack(&dataset, suppressing(&[1]), 0.75, false), [0.75, 0.0, 0.0]);
        assert_eq!(attack(&dataset, suppressing(&[1]), 0.74, false), [0.75, 3.0, 1.0]);
        assert_eq!(attack(&dataset, suppressing(&[0, 1]), 0.5, false), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn generalized_items_are_looked_for_as_what_they_are_published_as() {
        let (transactions, dataset) = example();
        let hierarchy = dataset.baskets().unwrap().hierarchy.clone().unwrap();
        let through = |nodes: &[u32]| {
            let cut = Cut::new(&hierarchy, nodes).unwrap();
            Release::GeneralizedTransactions(GeneralizedTransactions::through(&cut, &hierarchy, &transactions))
        };
        // AB is in four transactions, three of them with s; AB with c in one without.
        assert_eq!(attack(&dataset, through(&[4, 2, 3]), 0.7, false), [0.75, 3.0, 1.0]);
        // s published as CS shows nothing, unless it stands beside: AB and CS are in all of the first four.
        assert_eq!(attack(&dataset, through(&[0, 1, 5]), 0.8, false), [0.0, 0.0, 0.0]);
        assert_eq!(attack(&dataset, through(&[0, 1, 5]), 0.8, true), [1.0, 3.0, 3.0]);
    }
}
