//! What a reader makes of generalized transactions: a published node stands for each of the items below it alike, so a
//! transaction that has it has a given one of them with one chance in their number, whatever else it has.

use super::{Cut, GeneralizedTransactions};
use crate::data::{Baskets, Hierarchy, Holders, Item};
use crate::lab::LabError;
use crate::release::conclusions::{Conclusions, Supports};

impl Conclusions for GeneralizedTransactions {
    fn supports<'a>(&'a self, original: &'a Baskets) -> Option<Result<Box<dyn Supports + 'a>, LabError>> {
        Some(SupportsOfNodes::new(self, original).map(|supports| Box::new(supports) as Box<dyn Supports>))
    }
}

/// The support of a set's published nodes, times the chances that they stand for its items.
struct SupportsOfNodes<'a> {
    hierarchy: &'a Hierarchy,
    cut: Cut,
    /// Node to its number in the release.
    number: Vec<Item>,
    published: Holders<'a>,
}

impl<'a> SupportsOfNodes<'a> {
    fn new(release: &'a GeneralizedTransactions, original: &'a Baskets) -> Result<Self, LabError> {
        let hierarchy = original.hierarchy.as_ref().ok_or_else(|| {
            LabError::input("the original has no hierarchy, which says what items a published node stands for")
        })?;
        let cut = Cut::new(hierarchy, &release.cut)?;
        let mut number = vec![0; hierarchy.nodes()];
        for (item, &node) in (0..).zip(&release.cut) {
            number[node as usize] = item;
        }
        Ok(Self { hierarchy, cut, number, published: Holders::new(&release.transactions) })
    }
}

impl Supports for SupportsOfNodes<'_> {
    fn support(&self, set: &[Item]) -> f64 {
        let nodes: Vec<_> = set.iter().map(|&item| self.cut.node_of(item)).collect();
        let chance: f64 = nodes.iter().map(|&node| 1.0 / self.hierarchy.leaves_under(node) as f64).product();
        let mut shown: Vec<Item> = nodes.iter().map(|&node| self.number[node as usize]).collect();
        shown.sort_unstable();
        shown.dedup();
        self.published.support(&shown) as f64 * chance
    }
}
