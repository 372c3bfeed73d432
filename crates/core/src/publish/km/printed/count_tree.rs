//! The count-tree (Section 4.1): a prefix tree of itemsets, each with its support.

/// The place of an item in the order of the count-tree.
pub(super) type Rank = u32;

/// The root, which stands for the empty itemset.
pub(super) const ROOT: u32 = 0;

struct CountNode {
    support: u32,
    /// Rank and node of each child, by ascending rank.
    children: Vec<(Rank, u32)>,
}

/// Nodes are numbered in the order of their creation.
pub(super) struct CountTree {
    nodes: Vec<CountNode>,
}

impl CountTree {
    pub fn new() -> Self {
        Self { nodes: vec![CountNode { support: 0, children: Vec::new() }] }
    }

    /// The nodes below the root: the paper's measure of memory.
    pub fn nodes(&self) -> usize {
        self.nodes.len() - 1
    }

    pub fn support(&self, node: u32) -> u32 {
        self.nodes[node as usize].support
    }

    pub fn children(&self, node: u32) -> &[(Rank, u32)] {
        &self.nodes[node as usize].children
    }

    pub fn is_leaf(&self, node: u32) -> bool {
        self.children(node).is_empty()
    }

    /// Lines 5 and 6 of Algorithm 1.
    pub fn count(&mut self, node: u32) {
        self.nodes[node as usize].support += 1;
    }

    /// The child of that rank, created if there is none.
    pub fn child_or_new(&mut self, node: u32, rank: Rank) -> u32 {
        let created = self.nodes.len() as u32;
        let children = &mut self.nodes[node as usize].children;
        match children.binary_search_by_key(&rank, |child| child.0) {
            Ok(place) => children[place].1,
            Err(place) => {
                children.insert(place, (rank, created));
                self.nodes.push(CountNode { support: 0, children: Vec::new() });
                created
            }
        }
    }

    /// The support of an itemset given by ascending ranks; 0 when its path is not in the tree.
    pub fn support_of(&self, ranks: &[Rank]) -> u32 {
        let mut node = ROOT;
        for &rank in ranks {
            match self.children(node).binary_search_by_key(&rank, |child| child.0) {
                Ok(place) => node = self.children(node)[place].1,
                Err(_) => return 0,
            }
        }
        self.support(node)
    }
}
