//! Whether generalized transactions are what they say and k^m-anonymous. Shares nothing with the publishers: supports are
//! taken from a prefix tree of the published transactions by recursive projection, rarest item first.
//!
//! Cost. One step for each set of at most m published items and each node of the prefix tree that it reaches; paths that
//! meet in the prefix tree go on as one, so dense releases are cheap.

use super::{Cut, GeneralizedTransactions};
use crate::data::{Baskets, Hierarchy, Item, Transactions};
use crate::lab::LabError;
use rustc_hash::FxHashMap;

/// How many faults a verifier names before it stops looking.
const NAMED_FAULTS: usize = 5;

/// The ways in which `release` is not `original` seen through a cut, or not k^m-anonymous.
pub(super) fn km_faults(
    original: &Baskets,
    release: &GeneralizedTransactions,
    k: usize,
    m: usize,
) -> Result<Vec<String>, LabError> {
    let Some(hierarchy) = &original.hierarchy else {
        return Err(LabError::input("the original has no hierarchy over its items to check the cut with"));
    };
    let faults = mapping_faults(hierarchy, &original.transactions, release);
    if !faults.is_empty() {
        return Ok(faults);
    }
    let violated = violated_itemsets(&release.transactions, k, m);
    Ok(violated.into_iter().map(|(set, support)| describe(&release.transactions, &set, support, k)).collect())
}

fn describe(transactions: &Transactions, set: &[Item], support: u64, k: usize) -> String {
    let names: Vec<&str> = set.iter().map(|&item| transactions.labels[item as usize].as_str()).collect();
    let (plural, names) = (if support == 1 { "" } else { "s" }, names.join(", "));
    format!("{{{names}}} is in {support} transaction{plural}, fewer than {k}")
}

/// Every item under exactly one node of the cut, and every transaction the original one mapped through it.
fn mapping_faults(hierarchy: &Hierarchy, original: &Transactions, release: &GeneralizedTransactions) -> Vec<String> {
    let cut = match Cut::new(hierarchy, &release.cut) {
        Ok(cut) => cut,
        Err(error) => return vec![error.to_string()],
    };
    let published = &release.transactions;
    if published.items() != release.cut.len() {
        return vec![format!("the cut has {} nodes, the release {} items", release.cut.len(), published.items())];
    }
    if published.len() != original.len() {
        return vec![format!("the release has {} transactions, the original {}", published.len(), original.len())];
    }
    let mut mapped = Vec::new();
    let mut shown = Vec::new();
    let is_wrong = |(original, published): (&[Item], &[Item])| {
        mapped.clear();
        mapped.extend(original.iter().map(|&item| cut.node_of(item)));
        mapped.sort_unstable();
        mapped.dedup();
        shown.clear();
        shown.extend(published.iter().map(|&item| release.cut[item as usize]));
        shown.sort_unstable();
        mapped != shown
    };
    let mut wrong = original.rows().zip(published.rows()).map(is_wrong).enumerate();
    let mut faults = Vec::new();
    while let Some((row, _)) = wrong.by_ref().find(|&(_, wrong)| wrong) {
        faults.push(format!("transaction {} is not the original one mapped through the cut", row + 1));
        if faults.len() == NAMED_FAULTS {
            break;
        }
    }
    faults
}

/// The first few sets of at most `m` items that are in some transactions, but in fewer than `k`, with their supports.
fn violated_itemsets(transactions: &Transactions, k: usize, m: usize) -> Vec<(Vec<Item>, u64)> {
    let longest = transactions.rows().map(<[_]>::len).max().unwrap_or(0);
    let tree = PrefixTree::new(transactions);
    let levels = (0..m.min(longest)).map(|_| Level::new(&tree)).collect();
    let mut search = Search { tree: &tree, k: k as u64, set: Vec::new(), levels, violated: Vec::new() };
    if m > 0 {
        let ends = tree.ends.iter().enumerate().filter(|(_, ends)| **ends > 0);
        let ends: Vec<(u32, u64)> = ends.map(|(node, &ends)| (node as u32, ends)).collect();
        search.extend(&ends);
    }
    search.violated
}

const ROOT: u32 = 0;

/// The published transactions, each as a path from the root down, its most frequent item first.
struct PrefixTree {
    /// Place in the order of frequency to item.
    items: Vec<Item>,
    /// Node to its place in that order, to its parent, and to the number of transactions that end there.
    places: Vec<u32>,
    parents: Vec<u32>,
    ends: Vec<u64>,
}

impl PrefixTree {
    fn new(transactions: &Transactions) -> Self {
        let supports = transactions.supports();
        let mut items: Vec<Item> = (0..transactions.items() as Item).collect();
        items.sort_by_key(|&item| std::cmp::Reverse(supports[item as usize]));
        let mut place_of = vec![0u32; items.len()];
        for (place, &item) in items.iter().enumerate() {
            place_of[item as usize] = place as u32;
        }
        let mut tree = Self { items, places: vec![u32::MAX], parents: vec![ROOT], ends: vec![0] };
        let mut children = FxHashMap::default();
        let mut path = Vec::new();
        for row in transactions.rows() {
            path.clear();
            path.extend(row.iter().map(|&item| place_of[item as usize]));
            path.sort_unstable();
            let mut node = ROOT;
            for &place in &path {
                node = *children.entry((node, place)).or_insert_with(|| {
                    tree.places.push(place);
                    tree.parents.push(node);
                    tree.ends.push(0);
                    tree.places.len() as u32 - 1
                });
            }
            tree.ends[node as usize] += 1;
        }
        tree
    }
}

/// What one step of the recursion works with, kept for the next one.
struct Level {
    /// Node to how many of the transactions at hand pass through it.
    passing: Vec<u64>,
    /// Place to the nodes of that item that some of them pass through.
    met: Vec<Vec<u32>>,
}

impl Level {
    fn new(tree: &PrefixTree) -> Self {
        Self { passing: vec![0; tree.places.len()], met: vec![Vec::new(); tree.items.len()] }
    }

    fn pass(&mut self, tree: &PrefixTree, node: u32, transactions: u64) {
        if node != ROOT {
            let passing = &mut self.passing[node as usize];
            if *passing == 0 {
                self.met[tree.places[node as usize] as usize].push(node);
            }
            *passing += transactions;
        }
    }
}

struct Search<'a> {
    tree: &'a PrefixTree,
    k: u64,
    set: Vec<Item>,
    levels: Vec<Level>,
    violated: Vec<(Vec<Item>, u64)>,
}

impl Search<'_> {
    /// Adds to `set` each item that is more frequent than those in it; `from` are the nodes where the transactions that
    /// hold the set are at, with their number: at the set's last item, whose path to the root has all more frequent ones.
    fn extend(&mut self, from: &[(u32, u64)]) {
        let depth = self.set.len();
        let mut level = std::mem::replace(&mut self.levels[depth], Level { passing: Vec::new(), met: Vec::new() });
        for &(node, transactions) in from {
            level.pass(self.tree, node, transactions);
        }
        let mut holding = Vec::new();
        for place in (0..level.met.len()).rev() {
            if level.met[place].is_empty() {
                continue;
            }
            holding.clear();
            let mut support = 0;
            for node in std::mem::take(&mut level.met[place]) {
                let transactions = std::mem::take(&mut level.passing[node as usize]);
                let parent = self.tree.parents[node as usize];
                level.pass(self.tree, parent, transactions);
                holding.push((parent, transactions));
                support += transactions;
            }
            if self.violated.len() == NAMED_FAULTS {
                continue;
            }
            self.set.push(self.tree.items[place]);
            if support < self.k {
                self.violated.push((self.set.clone(), support));
            } else if depth + 1 < self.levels.len() {
                self.extend(&holding);
            }
            self.set.pop();
        }
        self.levels[depth] = level;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder};
    use crate::release::{Guarantee, Release, Verdict, verify};
    use proptest::prelude::*;

    fn faults(release: GeneralizedTransactions, original: &Transactions, hierarchy: &Hierarchy) -> Vec<String> {
        let dataset = Dataset::of_transactions(original.clone(), Some(hierarchy.clone()), &[]);
        match verify(&dataset, &Release::Generalized(release), &Guarantee::KmAnonymity { k: 2, m: 2 }).unwrap() {
            Verdict::Private => Vec::new(),
            Verdict::Broken(faults) => faults,
        }
    }

    fn figure_2() -> (Transactions, Hierarchy) {
        let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
        let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        (transactions, builder.finish().unwrap())
    }

    #[test]
    fn figure_2b_is_anonymous_and_figure_2a_is_not() {
        let (original, hierarchy) = figure_2();
        let through = |nodes: &[u32]| {
            GeneralizedTransactions::through(&Cut::new(&hierarchy, nodes).unwrap(), &hierarchy, &original)
        };
        assert!(faults(through(&[4, 2, 3]), &original, &hierarchy).is_empty());
        assert!(faults(through(&[6]), &original, &hierarchy).is_empty());
        assert_eq!(
            faults(through(&[0, 1, 2, 3]), &original, &hierarchy),
            ["{a1, b1} is in 1 transaction, fewer than 2", "{a1, a2} is in 1 transaction, fewer than 2"]
        );
    }

    #[test]
    fn a_release_that_is_not_the_original_through_its_cut_is_refused() {
        let (original, hierarchy) = figure_2();
        let good = GeneralizedTransactions::through(&Cut::new(&hierarchy, &[2, 3, 4]).unwrap(), &hierarchy, &original);
        let changed = |rows: &[&[u32]], cut: &[u32]| {
            let mut transactions = Transactions::with_labels(good.transactions.labels.clone());
            rows.iter().for_each(|row| transactions.push(row.iter().copied()));
            faults(GeneralizedTransactions { cut: cut.to_vec(), transactions }, &original, &hierarchy)
        };
        let rows: Vec<&[u32]> = good.transactions.rows().collect();
        assert!(changed(&rows, &[2, 3, 4]).is_empty());
        assert_eq!(changed(&rows[1..], &[2, 3, 4]), ["the release has 3 transactions, the original 4"]);
        assert_eq!(changed(&rows, &[2, 4]), ["item `b2` is under no node of the cut"]);
        assert_eq!(changed(&rows, &[6]), ["the cut has 1 nodes, the release 3 items"]);
        let dropped = [rows[0], &[0], rows[2], rows[3]];
        assert_eq!(changed(&dropped, &[2, 3, 4]), ["transaction 2 is not the original one mapped through the cut"]);
    }

    proptest! {
        #[test]
        fn violated_sets_are_found_whenever_there_are_some(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..6, 1..5), 1..14),
            k in 1usize..4,
            m in 1usize..5,
        ) {
            let mut transactions = Transactions::with_labels((0..6).map(|item| item.to_string()).collect());
            rows.iter().for_each(|row| transactions.push(row.iter().copied()));
            let support = |set: u32| {
                let holds = |row: &&std::collections::BTreeSet<u32>| (0..6).all(|i| set >> i & 1 == 0 || row.contains(&i));
                rows.iter().filter(holds).count()
            };
            let violates = |set: u32| set.count_ones() as usize <= m && (1..k).contains(&support(set));
            let found = violated_itemsets(&transactions, k, m);
            prop_assert_eq!((1u32..64).any(violates), !found.is_empty());
            for (set, count) in found {
                let bits = set.iter().fold(0, |bits, item| bits | 1 << item);
                prop_assert!(violates(bits));
                prop_assert_eq!(support(bits) as u64, count);
            }
        }
    }
}
