//! How many cuts an item hierarchy has (Figures 3 and 4 of "Privacy-preserving Anonymization of Set-valued Data", VLDB 2008).
//!
//! The level of a cut is the number of steps up from no generalization, each of which replaces the children of one node by
//! that node: the number of inner nodes at or below the cut. With f(x) = Σ (cuts of level i)·xⁱ, a leaf has f = 1, and a node
//! with n inner nodes at and below it has the product of its children's f, plus xⁿ.

use crate::data::{Hierarchy, InputKind, NodeId};
use crate::lab::{LabError, Metric, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};

/// How many cuts the hierarchy has, and how many of them are anonymous.
pub struct CutLattice;

const CUTS: Metric = Metric::fact("lattice_cuts", "cuts", "cuts of the hierarchy");
const OF_LEVEL: Metric = Metric::fact("cuts_of_level", "cuts", "cuts so many steps above no generalization");

/// Hierarchies with more levels of cuts are counted, but not level by level.
const LISTED: usize = 32;

impl Measure for CutLattice {
    type Parameters = NoParameters;
    const NAME: &'static str = "cut-lattice";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The number of cuts of the item hierarchy, in all and of each level",
        paper: "M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving Anonymization of Set-valued Data, VLDB 2008, Section 3.2",
        input: InputKind::Transactions,
        releases: &[],
        metrics: &[CUTS, OF_LEVEL],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, _: &mut Workbench) -> Observed {
        let Some(hierarchy) = &subject.original.baskets()?.hierarchy else {
            return Err(LabError::input(format!("`{}` has no hierarchy over its items", subject.original.name)));
        };
        let levels = cuts_by_level(hierarchy);
        let cuts: f64 = levels.iter().sum();
        if !cuts.is_finite() {
            return Err(LabError::no_answer("the hierarchy has more cuts than a number can tell, over 10^308"));
        }
        let mut observed = vec![Observation::new(&CUTS, cuts)];
        if levels.len() <= LISTED {
            observed.extend(levels.iter().enumerate().map(|(level, &cuts)| Observation::at(&OF_LEVEL, level, cuts)));
        }
        Ok(observed)
    }
}

/// The number of cuts of each level; exact up to 2⁵³.
fn cuts_by_level(hierarchy: &Hierarchy) -> Vec<f64> {
    let mut of_node: Vec<Vec<f64>> = vec![vec![1.0]; hierarchy.leaves()];
    // Children are numbered before their parents.
    for node in hierarchy.leaves()..hierarchy.nodes() {
        let mut product = vec![1.0];
        for &child in hierarchy.children(node as NodeId) {
            product = multiply(&product, &std::mem::take(&mut of_node[child as usize]));
        }
        // All inner nodes below closed, and then this one.
        product.push(1.0);
        of_node.push(product);
    }
    of_node.pop().unwrap_or_default()
}

fn multiply(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder, Transactions};

    #[test]
    fn figure_4_has_five_cuts_on_four_levels() {
        let mut builder = HierarchyBuilder::new(["a1", "a2", "b1", "b2"].map(String::from).to_vec());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        assert_eq!(cuts_by_level(&builder.finish().unwrap()), [1.0, 2.0, 1.0, 1.0]);
    }

    #[test]
    fn sixty_items_of_degree_four_have_44_218_cuts() {
        let labels: Vec<String> = (0..60).map(|item| item.to_string()).collect();
        let hierarchy = Hierarchy::by_degree(&labels, &(0..60).collect::<Vec<_>>(), 4).unwrap();
        assert_eq!(cuts_by_level(&hierarchy).iter().sum::<f64>(), 44218.0);
    }

    #[test]
    fn more_cuts_than_a_number_can_tell_are_no_number() {
        let items: Vec<String> = (0..5_000).map(|item| item.to_string()).collect();
        let transactions = Transactions::from_labels(std::slice::from_ref(&items));
        let order: Vec<u32> = (0..5_000).collect();
        let hierarchy = Hierarchy::by_degree(&transactions.labels, &order, 4).unwrap();
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
        let mut bench = Workbench::new(crate::lab::Seed(1), "test");
        let refused = CutLattice::measure(Subject::alone(&dataset), &NoParameters {}, &mut bench).unwrap_err();
        assert_eq!(refused.to_string(), "the hierarchy has more cuts than a number can tell, over 10^308");
    }

    #[test]
    fn without_a_hierarchy_there_are_no_cuts_to_count() {
        let dataset = Dataset::of_transactions(Transactions::from_labels(&[vec!["a"]]), None, &[]);
        let mut bench = Workbench::new(crate::lab::Seed(1), "test");
        assert!(CutLattice::measure(Subject::alone(&dataset), &NoParameters {}, &mut bench).is_err());
    }
}
