//! k^m-anonymity: M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving Anonymization of Set-valued Data", VLDB 2008.
//!
//! Whoever knows at most m items of a transaction cannot single out fewer than k transactions. Items are replaced by
//! nodes of their hierarchy, everywhere alike: a cut. `oa`, `da` and `aa` are the paper's Algorithms 2 to 4;
//! `aa-refined` and `optimal` go beyond it.
//!
//! Readings common to all.
//! - "Nothing or more than k answers" (Definition 1) is "nothing or at least k", as everywhere else in the paper.
//! - A transaction is a non-empty set (Section 3); an empty one is refused.
//! - The count-tree orders items and generalized items by decreasing support; ties are settled by more items below
//!   first (the order the paper offers when there are no supports), then nearer to the root, then by number. So a
//!   generalization always comes before what it generalizes. On the paper's example: A, B, a2, b1, b2, a1.
//! - Losses are compared as whole numbers: NCP times |I| and the number of item occurrences.
//!
//! None of them builds the count-tree. Transactions that have become alike are merged and counted once, and the nodes of
//! the tree are visited in its preorder by projection ([`walk`]), so memory stays linear in the data. The algorithms as
//! printed, which do build it, are publishers too ([`printed`]); they give the same cuts.

mod apriori;
mod branch_and_bound;
mod check;
mod covering;
mod direct;
mod expanded;
mod growing_cut;
mod lattice;
mod loss;
mod mend;
mod optimal;
mod printed;
mod problem;
mod publisher;
mod refined;
mod rows;
mod search;
mod supports;
mod tree_nodes;
mod visitor;
mod walk;
mod walk_dense;
mod walk_sparse;

pub use publisher::{
    Apriori, AprioriRefined, Direct, Optimal, OptimalAnonymization, PrintedApriori, PrintedDirect, PrintedOptimal,
};

use crate::lab::{Metric, with_defaults};

const PAPER: &str =
    "M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving Anonymization of Set-valued Data, VLDB 2008";

with_defaults! {
    /// k^m-anonymity, which every release of this family keeps.
    #[derive(Copy)]
    pub struct KmParameters {
        /// In how many transactions, at least, every combination an adversary may know must be.
        #[schemars(range(min = 1))]
        pub k: usize = 5,
        /// How many items of a transaction an adversary may know, at most.
        #[schemars(range(min = 1))]
        pub m: usize = 2,
    }
}

impl AsRef<KmParameters> for KmParameters {
    fn as_ref(&self) -> &KmParameters {
        self
    }
}

with_defaults! {
    /// The parameters of the paper's own algorithms, whose memory it gives as nodes of the count-tree.
    pub struct CountTreeParameters {
        #[serde(flatten)]
        pub km: KmParameters,
        /// Whether to report `tree_nodes`. The tree is not needed otherwise, and counting its nodes takes longer than the
        /// algorithm itself; the time it takes is a phase of its own.
        pub count_tree_nodes: bool,
    }
}

impl AsRef<KmParameters> for CountTreeParameters {
    fn as_ref(&self) -> &KmParameters {
        &self.km
    }
}

const TREE_NODES: Metric = Metric::lower(
    "tree_nodes",
    "nodes",
    "nodes of the largest count-tree the algorithm as printed builds; of `oa`, `da` and `aa` when `count_tree_nodes` asks for it",
);
const MENDED: Metric = Metric::fact("mended_itemsets", "itemsets", "violated itemsets that were mended");

const CUTS: Metric = Metric::lower("cuts", "cuts", "cuts taken from the queue");

const SEARCH: &str = "search";
const COUNTING: &str = "counting tree nodes";
const REFINEMENT: &str = "refinement";
const RELEASE: &str = "release";
