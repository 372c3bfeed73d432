//! What all publishers of this room start from: parameters checked, data in which a cohesion exists, the items that
//! Observation 2 deletes (Section 4), and the rest numbered from the rarest to the most frequent.

use crate::data::{Baskets, Item, Transactions};
use crate::lab::{Decimal, LabError, counted, with_defaults};
use crate::release::{Guarantee, Release, SuppressedTransactions};

with_defaults! {
    /// (h, k, p)-coherence, which every release of this family keeps (Definition 1).
    #[derive(Copy)]
    pub struct CohesionPrivacy {
        /// The largest share of the transactions with a known itemset that may have one private item.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub h: f64 = 0.8,
        /// In how many transactions, at least, every known itemset must be.
        #[schemars(range(min = 2))]
        pub k: usize = 10,
        /// How many public items of a transaction an adversary may know, at most.
        #[schemars(range(min = 1))]
        pub p: usize = 4,
    }
}

impl CohesionPrivacy {
    pub fn guarantee(self) -> Guarantee {
        Guarantee::Cohesion { h: self.h, k: self.k, p: self.p }
    }

    fn checked(self) -> Result<Decimal, LabError> {
        let CohesionPrivacy { h, k, p } = self;
        if k < 2 {
            return Err(LabError::input(format!("k must be at least 2, not {k}: one transaction hides nobody")));
        }
        if p < 1 {
            return Err(LabError::input(
                "p must be at least 1, not 0: an adversary who knows nothing needs no release",
            ));
        }
        let bad_h = || LabError::input(format!("h must be above 0 and at most 1, not {h}"));
        Decimal::share(h).filter(|_| h > 0.0).ok_or_else(bad_h)
    }
}

/// A number for an item that is not deleted at the start: public items first, the rarest first of all, then private ones.
pub(super) type Local = u32;

/// Transactions that are alike, as far as they are not deleted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MergedRow {
    pub public: Box<[Local]>,
    pub private: Box<[Local]>,
    pub count: u32,
}

#[derive(Debug)]
pub(super) struct Instance<'a> {
    pub original: &'a Transactions,
    pub k: u32,
    pub p: usize,
    /// Support to the number of transactions that may have one private item: more would be above h.
    pub within_h: Vec<u32>,
    /// Local number to item; the first `public` of them are the public ones.
    pub items: Vec<Item>,
    pub public: usize,
    /// Item to local number.
    local: Vec<Option<Local>>,
    /// Public items of too small a support.
    deleted: Vec<Item>,
    /// Without those that have no public item left.
    pub rows: Vec<MergedRow>,
}

impl<'a> Instance<'a> {
    /// Deletes the public items of a support below `least_support`, which is at least k.
    pub fn new(baskets: &'a Baskets, privacy: CohesionPrivacy, least_support: usize) -> Result<Self, LabError> {
        let h = privacy.checked()?;
        let original = &baskets.transactions;
        let within_h: Vec<u32> = (0..=original.len() as u64).map(|support| h.floor_of(support) as u32).collect();
        let supports = original.supports();
        check_existence(baskets, privacy, &supports, &within_h)?;

        let is_private = |item: Item| baskets.private[item as usize];
        let support = |item: Item| supports[item as usize] as usize;
        let all = 0..original.items() as Item;
        let (mut items, deleted): (Vec<Item>, Vec<Item>) =
            all.clone().filter(|&item| !is_private(item)).partition(|&item| support(item) >= least_support);
        items.sort_by_key(|&item| (support(item), item));
        let public = items.len();
        items.extend(all.filter(|&item| is_private(item)));
        let mut local = vec![None; original.items()];
        for (number, &item) in items.iter().enumerate() {
            local[item as usize] = Some(number as Local);
        }
        let rows = merged_rows(original, &local, public);
        Ok(Self { original, k: privacy.k as u32, p: privacy.p, within_h, items, public, local, deleted, rows })
    }

    /// The public parts of the transactions; the maximal ones are the lower bound L of the mole border.
    pub fn public_rows(&self) -> impl Iterator<Item = &[Local]> {
        self.rows.iter().map(|row| &*row.public)
    }

    /// The transactions without the deleted items, over local numbers.
    pub fn transactions(&self) -> Transactions {
        let mut transactions = Transactions::with_labels(vec![String::new(); self.items.len()]);
        for row in self.original.rows() {
            transactions.push(row.iter().filter_map(|&item| self.local[item as usize]));
        }
        transactions
    }

    /// The release without the deleted items and the `chosen` ones.
    pub fn release(&self, chosen: &[Local]) -> Release {
        let chosen = chosen.iter().map(|&local| self.items[local as usize]);
        Release::SuppressedTransactions(SuppressedTransactions::suppressing(
            self.original,
            chosen.chain(self.deleted.iter().copied()),
        ))
    }
}

/// A cohesion exists if and only if the empty itemset is no mole: with all public items suppressed, it is all there is.
fn check_existence(
    baskets: &Baskets,
    privacy: CohesionPrivacy,
    supports: &[u32],
    within_h: &[u32],
) -> Result<(), LabError> {
    let CohesionPrivacy { h, k, p } = privacy;
    let all = baskets.transactions.len();
    if all < k {
        return Err(LabError::unreachable(format!(
            "no ({h}, {k}, {p})-cohesion exists: the data has {}, fewer than k = {k}",
            counted(all, "transaction")
        )));
    }
    let private = (0..supports.len()).filter(|&item| baskets.private[item]);
    match private.max_by_key(|&item| (supports[item], std::cmp::Reverse(item))) {
        Some(item) if supports[item] > within_h[all] => {
            let (label, support) = (&baskets.transactions.labels[item], supports[item]);
            Err(LabError::unreachable(format!(
                "no ({h}, {k}, {p})-cohesion exists: the private item `{label}` is in {support} of {all} transactions, a \
                 probability of {:.4} above h = {h} for whoever knows nothing; h must be at least that, or the item public",
                f64::from(support) / all as f64
            )))
        }
        _ => Ok(()),
    }
}

fn merged_rows(original: &Transactions, local: &[Option<Local>], public: usize) -> Vec<MergedRow> {
    let rows = original.rows().map(|row| {
        let mut items: Vec<Local> = row.iter().filter_map(|&item| local[item as usize]).collect();
        items.sort_unstable();
        let split = items.partition_point(|&item| (item as usize) < public);
        MergedRow { public: items[..split].into(), private: items[split..].into(), count: 1 }
    });
    let mut rows: Vec<MergedRow> = rows.filter(|row| !row.public.is_empty()).collect();
    rows.sort_unstable();
    rows.dedup_by(|next, first| {
        let alike = next.public == first.public && next.private == first.private;
        if alike {
            first.count += next.count;
        }
        alike
    });
    rows
}
