//! Expanded transactions (Figure 6) in the order of the count-tree (Section 4.1).

use super::rows::Rows;
use crate::data::{Hierarchy, NodeId};
use std::cmp::Reverse;

/// The place of an item in the order of the count-tree.
pub(super) type Rank = u32;

/// Ends every row, and stands before the first.
pub(super) const END: Rank = Rank::MAX;

/// A row, by a position in it, and the number of transactions it stands for.
#[derive(Clone, Copy)]
pub(super) struct RowPosition {
    pub at: u32,
    pub weight: u32,
}

/// The nodes at or above a cut, but for the root, and the transactions expanded with all of them.
pub(super) struct Expanded {
    /// Rank to node: decreasing support, then more leaves, then nearer to the root, then the number.
    pub order: Vec<NodeId>,
    pub supports: Vec<u32>,
    /// Node to rank; `END` for the root and for what is below the cut.
    rank_of: Vec<Rank>,
    /// Ascending ranks, `END` after each row and before the first.
    pub items: Vec<Rank>,
    /// The place before the first item of each row.
    pub rows: Vec<RowPosition>,
    /// For each rank, the ranks of the nodes below it.
    below: Vec<Vec<Rank>>,
    /// For each rank, the ranks of the nodes above it.
    above: Vec<Vec<Rank>>,
}

impl Expanded {
    /// `rows` are over the nodes of the cut.
    pub fn new(hierarchy: &Hierarchy, rows: &Rows) -> Self {
        let mut marks = Marks::new(hierarchy);
        let mut supports = vec![0u32; hierarchy.nodes()];
        let mut occurrences = 0;
        for (row, weight) in rows.iter() {
            marks.expand(row, |node| {
                supports[node as usize] += weight;
                occurrences += 1;
            });
        }
        let (order, rank_of) = order(hierarchy, &supports);
        let mut items = Vec::with_capacity(occurrences + rows.len() + 1);
        items.push(END);
        let mut places = Vec::with_capacity(rows.len());
        for (row, weight) in rows.iter() {
            let before = items.len() - 1;
            places.push(RowPosition { at: before as u32, weight });
            marks.expand(row, |node| items.push(rank_of[node as usize]));
            items[before + 1..].sort_unstable();
            items.push(END);
        }
        let (mut below, mut above) = (vec![Vec::new(); order.len()], vec![Vec::new(); order.len()]);
        for (rank, &node) in order.iter().enumerate() {
            for ancestor in hierarchy.path_to_root(node).skip(1).filter(|&node| node != hierarchy.root()) {
                let ancestor = rank_of[ancestor as usize];
                below[ancestor as usize].push(rank as Rank);
                above[rank].push(ancestor);
            }
        }
        let supports = order.iter().map(|&node| supports[node as usize]).collect();
        Self { order, supports, rank_of, items, rows: places, below, above }
    }

    /// The number of items, generalized ones included.
    pub fn domain(&self) -> usize {
        self.order.len()
    }

    /// The share of all pairs of a row and an item where the row has the item.
    pub fn density(&self) -> f64 {
        let pairs = self.rows.len() * self.domain();
        (self.items.len() - self.rows.len() - 1) as f64 / pairs.max(1) as f64
    }

    /// None for the root.
    pub fn rank(&self, node: NodeId) -> Option<Rank> {
        let rank = self.rank_of[node as usize];
        (rank != END).then_some(rank)
    }

    /// What `rank` generalizes, at or above the cut.
    pub fn below(&self, rank: Rank) -> &[Rank] {
        &self.below[rank as usize]
    }

    /// What generalizes `rank`, but for the root.
    pub fn above(&self, rank: Rank) -> &[Rank] {
        &self.above[rank as usize]
    }

    /// The items of a row after a place in it.
    pub fn after(&self, place: RowPosition) -> impl Iterator<Item = Rank> + '_ {
        self.items[place.at as usize + 1..].iter().copied().take_while(|&rank| rank != END)
    }
}

/// Nodes that occur, in the order of the count-tree, and each node's place in it.
fn order(hierarchy: &Hierarchy, supports: &[u32]) -> (Vec<NodeId>, Vec<Rank>) {
    let mut depth = vec![0u32; hierarchy.nodes()];
    // Parents are numbered after their children.
    for node in (0..hierarchy.root()).rev() {
        depth[node as usize] = hierarchy.parent(node).map_or(0, |parent| depth[parent as usize] + 1);
    }
    let mut order: Vec<NodeId> = (0..hierarchy.root()).filter(|&node| supports[node as usize] > 0).collect();
    order.sort_unstable_by_key(|&node| {
        (Reverse(supports[node as usize]), Reverse(hierarchy.leaves_under(node)), depth[node as usize], node)
    });
    let mut rank_of = vec![END; hierarchy.nodes()];
    for (rank, &node) in order.iter().enumerate() {
        rank_of[node as usize] = rank as Rank;
    }
    (order, rank_of)
}

/// Climbs from the nodes of a row and meets each of their ancestors once.
struct Marks<'a> {
    hierarchy: &'a Hierarchy,
    /// The last row that met each node.
    met_in: Vec<u32>,
    row: u32,
}

impl<'a> Marks<'a> {
    fn new(hierarchy: &'a Hierarchy) -> Self {
        Self { hierarchy, met_in: vec![0; hierarchy.nodes()], row: 0 }
    }

    fn expand(&mut self, row: &[NodeId], mut met: impl FnMut(NodeId)) {
        // Two passes over fewer than 2^31 rows: the counter cannot wrap.
        self.row += 1;
        for &node in row {
            for ancestor in self.hierarchy.path_to_root(node) {
                if ancestor == self.hierarchy.root() || self.met_in[ancestor as usize] == self.row {
                    break;
                }
                self.met_in[ancestor as usize] = self.row;
                met(ancestor);
            }
        }
    }
}
