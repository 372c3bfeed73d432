//! Information loss of generalized transactions: Section 3.3 of "Privacy-preserving Anonymization of Set-valued Data", VLDB
//! 2008.
//!
//! NCP of an item is the share of all items that it is published together with, 0 if it is published as itself; NCP of the
//! data is its mean over the item occurrences of the original.

use crate::data::{InputKind, Item};
use crate::lab::{Foremost, LabError, Metric, NoParameters, Observation, Witness, Workbench, counted};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::{Cut, Release, ReleaseKind};

/// The normalized certainty penalty of generalized transactions.
pub struct Ncp;

const NCP: Metric = Metric::lower("ncp", "", "normalized certainty penalty: 0 nothing lost, 1 everything");
const ITEMS_KEPT: Metric = Metric::higher("items_kept", "items", "items published as they are");
const OCCURRENCES_KEPT: Metric = Metric::higher(
    "occurrences_kept",
    "",
    "the share of the original's item occurrences that are published as they are",
);
const MEAN_LEVEL: Metric = Metric::lower(
    "mean_generalization_level",
    "levels",
    "by how many levels of the hierarchy an item occurrence of the original is generalized, in the mean",
);
const PUBLISHED_ITEMS: Metric =
    Metric::higher("published_items", "items", "items and generalized items that are published");

impl Measure for Ncp {
    type Parameters = NoParameters;
    const NAME: &'static str = "ncp";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Information lost by publishing items as nodes of their hierarchy",
        paper: "M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving Anonymization of Set-valued Data, VLDB 2008, Section 3.3",
        input: InputKind::Transactions,
        releases: &[ReleaseKind::GeneralizedTransactions],
        metrics: &[NCP, ITEMS_KEPT, OCCURRENCES_KEPT, MEAN_LEVEL, PUBLISHED_ITEMS],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, bench: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let (Some(Release::GeneralizedTransactions(release)), Some(hierarchy)) = (subject.release, &baskets.hierarchy)
        else {
            return Err(LabError::input("NCP needs generalized transactions and the hierarchy of their items"));
        };
        let cut = Cut::new(hierarchy, &release.cut)?;
        // Sums of whole numbers first: the same result on any machine.
        let (mut leaves_together, mut levels, mut kept, mut items_kept) = (0u128, 0u64, 0u64, 0u32);
        let mut worst: Foremost<(std::cmp::Reverse<u128>, Item), u32> = Foremost::new(Witness::MOST);
        for (item, count) in (0..).zip(baskets.transactions.supports()) {
            let item: Item = item;
            let node = cut.node_of(item);
            let leaves = hierarchy.leaves_under(node);
            let climbed = hierarchy.path_to_root(item).take_while(|&above| above != node).count();
            levels += climbed as u64 * u64::from(count);
            let together = if leaves == 1 { 0 } else { leaves as u128 * u128::from(count) };
            leaves_together += together;
            if together > 0 {
                worst.offer((std::cmp::Reverse(together), item), || count);
            }
            if climbed == 0 {
                items_kept += 1;
                kept += u64::from(count);
            }
        }
        bench.witness(|| {
            let witness = |((_, item), count): ((std::cmp::Reverse<u128>, Item), u32)| {
                let node = cut.node_of(item);
                let (leaves, all) = (hierarchy.leaves_under(node), hierarchy.leaves());
                let (name, above) = (hierarchy.label(item), hierarchy.label(node));
                let says = format!(
                    "`{name}` in {} is published as `{above}`, which stands for {leaves} of {}",
                    counted(count, "transaction"),
                    counted(all, "item")
                );
                Witness::of_metric(&NCP, says)
                    .itemset([name])
                    .by([format!("{name} under {above}")])
                    .number(leaves as f64 / all as f64)
            };
            worst.into_cases().map(witness).collect::<Vec<_>>()
        });
        let occurrences = baskets.transactions.occurrences().max(1) as f64;
        Ok(vec![
            Observation::new(&NCP, leaves_together as f64 / hierarchy.leaves() as f64 / occurrences),
            Observation::new(&ITEMS_KEPT, f64::from(items_kept)),
            Observation::new(&OCCURRENCES_KEPT, kept as f64 / occurrences),
            Observation::new(&MEAN_LEVEL, levels as f64 / occurrences),
            Observation::new(&PUBLISHED_ITEMS, release.cut.len() as f64),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder, Transactions};
    use crate::lab::Seed;
    use crate::release::GeneralizedTransactions;

    #[test]
    fn the_running_example_loses_2_5_of_11() {
        let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
        let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        let hierarchy = builder.finish().unwrap();
        let dataset = Dataset::of_transactions(transactions.clone(), Some(hierarchy.clone()), &[]);
        let measure = |nodes: &[u32]| {
            let cut = Cut::new(&hierarchy, nodes).unwrap();
            let release =
                Release::GeneralizedTransactions(GeneralizedTransactions::through(&cut, &hierarchy, &transactions));
            let mut bench = Workbench::new(Seed(1), "test");
            let observations = Ncp::measure(Subject::of(&dataset, &release), &NoParameters {}, &mut bench).unwrap();
            observations.iter().map(|observation| observation.value).collect::<Vec<_>>()
        };
        assert_eq!(measure(&[2, 3, 4]), [2.5 / 11.0, 2.0, 6.0 / 11.0, 5.0 / 11.0, 3.0]);
        assert_eq!(measure(&[0, 1, 2, 3]), [0.0, 4.0, 1.0, 0.0, 4.0]);
        assert_eq!(measure(&[6]), [1.0, 0.0, 0.0, 2.0, 1.0]);
    }
}
