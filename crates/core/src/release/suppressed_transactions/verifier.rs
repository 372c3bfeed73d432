//! Whether suppressed transactions are what they say and (h,k,p)-coherent. Shares nothing with the publishers: every public
//! itemset of at most p items that occurs in the release is looked at, the empty one first.
//!
//! Alike transactions are merged. Itemsets are extended by one item after the other, the rarest first, each with the
//! places where it occurs. An item that is in every transaction with an itemset need not extend it: the same transactions
//! were found, and judged, without the item.
//!
//! Cost. One step for each itemset and each item behind it in a transaction that has it.

use super::SuppressedTransactions;
use super::mole::{MoleLimits, witnesses};
use crate::data::{Baskets, Item, Transactions};
use crate::lab::{Decimal, LabError, Witness, counted};
use crate::release::kind::NAMED_FAULTS;
use std::collections::BTreeMap;

/// The ways in which `release` is not `original` with public items suppressed, or not (h,k,p)-coherent.
pub(super) fn cohesion_faults(
    original: &Baskets,
    release: &SuppressedTransactions,
    h: f64,
    k: usize,
    p: usize,
) -> Result<Vec<Witness>, LabError> {
    let share =
        Decimal::share(h).ok_or_else(|| LabError::input(format!("h must be above 0 and at most 1, not {h}")))?;
    let faults = suppression_faults(original, release);
    if !faults.is_empty() {
        return Ok(faults);
    }
    let limits = MoleLimits { h, share, k, p };
    let moles = MoleSearch::new(&release.transactions, &original.private, limits).moles();
    Ok(witnesses(&release.transactions, &original.private, limits, moles))
}

/// Public items alone are suppressed, each everywhere, and nothing else is different.
fn suppression_faults(original: &Baskets, release: &SuppressedTransactions) -> Vec<Witness> {
    let (before, after) = (&original.transactions, &release.transactions);
    if before.labels != after.labels {
        return vec![Witness::of(Witness::TRUTH, "the items of the release are not those of the original")];
    }
    if before.len() != after.len() {
        let (is, should) = (after.len(), before.len());
        let says = format!("the release has {}, the original {should}", counted(is, "transaction"));
        return vec![Witness::of(Witness::TRUTH, says).number(is as f64).against(should as f64)];
    }
    let mut is_suppressed = vec![false; before.items()];
    for &item in &release.suppressed {
        match is_suppressed.get_mut(item as usize) {
            Some(is) => *is = true,
            None => {
                let says =
                    format!("item {item} is suppressed, but the original has {}", counted(before.items(), "item"));
                return vec![Witness::of(Witness::TRUTH, says)];
            }
        }
    }
    let private = release.suppressed.iter().filter(|&&item| original.private[item as usize]);
    let private = private.map(|&item| {
        let name = &before.labels[item as usize];
        Witness::of(Witness::TRUTH, format!("the private item `{name}` is suppressed")).private_item(name)
    });
    let altered = before.rows().zip(after.rows()).enumerate().filter_map(|(row, (before, after))| {
        let expected = before.iter().filter(|&&item| !is_suppressed[item as usize]);
        (!expected.clone().eq(after)).then(|| {
            let says = format!("transaction {} is not the original one less the suppressed items", row + 1);
            let witness = Witness::of(Witness::TRUTH, says).row(row);
            let name = |item: Item| &release.transactions.labels[item as usize];
            let invented = after.iter().find(|&&item| !before.contains(&item) || is_suppressed[item as usize]);
            let lost = expected.copied().find(|item| !after.contains(item));
            match (invented, lost) {
                (Some(&item), _) => witness.by([format!("`{}` is there and should not be", name(item))]),
                (None, Some(item)) => witness.by([format!("`{}` should be there and is not", name(item))]),
                (None, None) => witness,
            }
        })
    });
    private.chain(altered).take(NAMED_FAULTS).collect()
}

/// Transactions that are alike: the places of their public items in order of rarity, their private items, their number.
struct Group {
    public: Vec<u32>,
    private: Vec<Item>,
    count: u64,
}

/// A group with an itemset, and where the items behind the itemset begin.
type Reached = (u32, u32);

struct MoleSearch {
    limits: MoleLimits,
    /// Public items, the rarest first.
    items: Vec<Item>,
    groups: Vec<Group>,
    /// Places of items in `items`.
    itemset: Vec<u32>,
    /// Private item to its number of transactions, all zero between uses.
    with_private: Vec<u64>,
    /// Itemsets that break k or h.
    moles: Vec<Vec<Item>>,
}

impl MoleSearch {
    fn new(release: &Transactions, private: &[bool], limits: MoleLimits) -> Self {
        let supports = release.supports();
        let mut items: Vec<Item> = (0..release.items() as Item).filter(|&item| !private[item as usize]).collect();
        items.sort_by_key(|&item| (supports[item as usize], item));
        let mut rarity = vec![0; release.items()];
        for (place, &item) in (0..).zip(&items) {
            rarity[item as usize] = place;
        }
        let mut counts: BTreeMap<(Vec<u32>, Vec<Item>), u64> = BTreeMap::new();
        for row in release.rows() {
            let (private, public): (Vec<Item>, Vec<Item>) = row.iter().partition(|&&item| private[item as usize]);
            let mut public: Vec<u32> = public.into_iter().map(|item| rarity[item as usize]).collect();
            public.sort_unstable();
            *counts.entry((public, private)).or_default() += 1;
        }
        let groups = counts.into_iter().map(|((public, private), count)| Group { public, private, count }).collect();
        let with_private = vec![0; release.items()];
        Self { limits, items, groups, itemset: Vec::new(), with_private, moles: Vec::new() }
    }

    fn moles(mut self) -> Vec<Vec<Item>> {
        let everywhere: Vec<Reached> = (0..self.groups.len() as u32).map(|group| (group, 0)).collect();
        if self.judge(&everywhere) {
            self.extend(&everywhere);
        }
        self.moles
    }

    /// Judges every itemset that begins with this one, which occurs at `places`. Those that contain a faulty one are
    /// faulty, too, and not named again.
    fn extend(&mut self, places: &[Reached]) {
        if self.itemset.len() == self.limits.p {
            return;
        }
        let mut with_item: BTreeMap<u32, Vec<Reached>> = BTreeMap::new();
        for &(group, from) in places {
            for (&item, behind) in self.groups[group as usize].public[from as usize..].iter().zip(from + 1..) {
                with_item.entry(item).or_default().push((group, behind));
            }
        }
        for (item, with_item) in with_item {
            if self.moles.len() == NAMED_FAULTS {
                return;
            }
            if with_item.len() < places.len() {
                self.itemset.push(item);
                if self.judge(&with_item) {
                    self.extend(&with_item);
                }
                self.itemset.pop();
            }
        }
    }

    /// Whether the itemset, which is in the transactions at `places`, keeps k and h; notes it if not.
    fn judge(&mut self, places: &[Reached]) -> bool {
        let groups = places.iter().map(|&(group, _)| &self.groups[group as usize]);
        let support: u64 = groups.clone().map(|group| group.count).sum();
        let mut most = (0, 0);
        for group in groups.clone() {
            for &item in &group.private {
                let count = &mut self.with_private[item as usize];
                *count += group.count;
                most = most.max((*count, item));
            }
        }
        for &item in groups.flat_map(|group| &group.private) {
            self.with_private[item as usize] = 0;
        }
        let (with_private, _) = most;
        let holds = support >= self.limits.k as u64 && with_private <= self.limits.share.floor_of(support);
        if !holds {
            self.moles.push(self.itemset.iter().map(|&place| self.items[place as usize]).collect());
        }
        holds
    }
}
