//! The cover of everything below some maximal itemsets: the recursion of Section 6, run once.
//!
//! Given edges ⟨α, β₁⟩, …, ⟨α, βₙ⟩ with the same α, an itemset is covered by a first one of them. What ⟨α, βᵢ⟩ covers
//! beyond the earlier edges is all it covers less what it shares with them, and it shares ⟨α, βᵢ ∩ βⱼ⟩ with ⟨α, βⱼ⟩
//! (Theorem 2). Case 1: it shares nothing new, so it is counted whole. Case 2: what it shares is one edge, which is taken
//! away. Case 3: it is several, and what they cover together comes from the same recursion, with the opposite sign. The
//! paper recurses into differences (Theorem 3) here, whose number grows with the items of β; intersections become few and
//! small, since only the maximal ones of each step are needed.
//!
//! Where α may grow by few items only, or the edges are many, it is better to split by items: every itemset beyond α has
//! a first item x, so it is covered by ⟨α ∪ x, βᵢ without the items before x⟩ for some i. Again by Theorem 3 these are
//! differences, in an order in which they do not overlap. Itemsets with one item beyond α are one edge ⟨α, ∪ βᵢ⟩.
//!
//! Cost. Splitting n sets takes n² intersections and more below; splitting by items at most as many steps as there are
//! itemsets of one item fewer than allowed. The smaller of the two bounds decides. Measured with p = 4 on the items of a
//! support of 100 and more: 0.13 million edges for BMS-WebView-1, whose moles are hundreds of millions, at p = 6 no more.

use super::cover::Cover;
use super::family::Family;
use super::instance::Local;

/// Adds every itemset of at most `longest` items that is part of a set in `maximal` to `cover`.
pub(super) fn cover_union(cover: &mut Cover, maximal: &Family, longest: usize) {
    let mut union = Union { cover, longest, prefix: Vec::new() };
    // The first item splits the data best, whatever the bounds say: it is the rarest.
    union.by_items(maximal, false);
}

struct Union<'a> {
    cover: &'a mut Cover,
    longest: usize,
    /// α.
    prefix: Vec<Local>,
}

impl Union<'_> {
    /// Counts each itemset α ∪ γ once, where γ is part of one of these sets, none of which is part of another.
    fn add(&mut self, sets: &Family, negative: bool) {
        let room = self.longest.saturating_sub(self.prefix.len());
        match sets.len() {
            0 => {}
            1 => self.push(sets.get(0), negative),
            _ if room <= 1 => self.push(&sets.union(), negative),
            _ if sets_are_fewer(sets, room) => self.by_sets(sets, negative),
            _ => self.by_items(sets, negative),
        }
    }

    fn push(&mut self, free: &[Local], negative: bool) {
        self.cover.push(&self.prefix, free, self.longest, negative);
    }

    fn by_sets(&mut self, sets: &Family, negative: bool) {
        for (i, set) in sets.iter().enumerate() {
            self.push(set, negative);
            if i > 0 {
                let mut shared = Family::default();
                for earlier in sets.iter().take(i) {
                    shared.push_intersection(set, earlier);
                }
                self.add(&shared.maximal(), !negative);
            }
        }
    }

    fn by_items(&mut self, sets: &Family, negative: bool) {
        self.push(&[], negative);
        let mut places: Vec<(Local, u32, u32)> = Vec::new();
        for (number, set) in (0..).zip(sets.iter()) {
            places.extend(set.iter().zip(1..).map(|(&item, rest)| (item, number, rest)));
        }
        places.sort_unstable();
        for same_item in places.chunk_by(|a, b| a.0 == b.0) {
            let mut rests = Family::default();
            for &(_, number, rest) in same_item {
                rests.push(&sets.get(number as usize)[rest as usize..]);
            }
            self.prefix.push(same_item[0].0);
            self.add(&rests.maximal(), negative);
            self.prefix.pop();
        }
    }
}

/// Whether there are fewer pairs of sets than itemsets of less than `room` items in them.
fn sets_are_fewer(sets: &Family, room: usize) -> bool {
    let pairs = (sets.len() * sets.len()) as u64;
    let mut itemsets = 0u64;
    sets.iter().any(|set| {
        let (mut of_size, n) = (1u64, set.len() as u64);
        for size in 0..room.min(set.len() + 1) as u64 {
            itemsets = itemsets.saturating_add(of_size);
            of_size = of_size.saturating_mul(n - size) / (size + 1);
        }
        itemsets > pairs
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// How often an itemset is counted: the edges that cover it, with their signs.
    fn times(cover: &Cover, itemset: &BTreeSet<Local>) -> i32 {
        let covers = |edge: &&crate::publish::cohesion::cover::CoverEdge| {
            let lower = &cover.items[edge.lower_items()];
            let all = &cover.items[edge.all_items()];
            let free = itemset.len().saturating_sub(lower.len());
            lower.iter().all(|item| itemset.contains(item))
                && itemset.iter().all(|item| all.contains(item))
                && free <= edge.room()
        };
        cover.edges.iter().filter(covers).map(|edge| if edge.negative { -1 } else { 1 }).sum()
    }

    proptest! {
        #[test]
        fn each_itemset_is_counted_once(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..8, 1..8), 1..20),
            longest in 1usize..9,
        ) {
            let mut family = Family::default();
            sets.iter().for_each(|set| family.push(&set.iter().copied().collect::<Vec<_>>()));
            let mut cover = Cover::default();
            cover_union(&mut cover, &family.maximal(), longest);
            for bits in 1u32..256 {
                let itemset: BTreeSet<Local> = (0..8).filter(|item| bits >> item & 1 == 1).collect();
                let counts = itemset.len() <= longest && sets.iter().any(|set| itemset.is_subset(set));
                prop_assert_eq!(times(&cover, &itemset), i32::from(counts), "{:?}", itemset);
            }
        }
    }
}
