//! Every reached value against the formula as its paper prints it, in floating point, over random groups.

use super::*;
use crate::data::HierarchyBuilder;
use crate::lab::Decimal;
use proptest::prelude::*;
use std::cmp::Ordering;

fn shares(counts: &[u32]) -> Vec<f64> {
    let all: u32 = counts.iter().sum();
    counts.iter().map(|&count| f64::from(count) / f64::from(all)).collect()
}

fn group(counts: &[u32]) -> ClassGroup {
    let values = (0..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
    ClassGroup { rows: counts.iter().sum(), values, first_row: 0 }
}

/// The earth mover's distance on a tree: the sum over its edges of what must pass them, times their lengths.
fn tree_distance(p: &[f64], q: &[f64]) -> f64 {
    // ((0, 1), (2, 3)) under one root: heights 1 and 2 of 2. Values under one parent are ½ apart, others 1; on a tree
    // each edge below a node of height h and above one of height g has length (h − g) / 2 / H.
    let extra: Vec<f64> = p.iter().zip(q).map(|(p, q)| p - q).collect();
    let edges =
        extra.iter().map(|extra| extra.abs()).sum::<f64>() + (extra[0] + extra[1]).abs() + (extra[2] + extra[3]).abs();
    edges / 4.0
}

proptest! {
    #[test]
    fn reached_values_are_those_of_the_formulas(
        counts in prop::collection::vec(prop::collection::vec(0u32..9, 4), 1..6),
        l in 1usize..5,
        c in 0.1f64..6.0,
    ) {
        let counts: Vec<Vec<u32>> = counts.into_iter().filter(|counts| counts.iter().any(|&count| count > 0)).collect();
        prop_assume!(!counts.is_empty());
        let totals: Vec<u32> = (0..4).map(|value| counts.iter().map(|counts| counts[value]).sum()).collect();
        prop_assume!(totals.iter().all(|&total| total > 0));
        let mut tree = HierarchyBuilder::new((0..4).map(|value| value.to_string()).collect());
        let (low, high) = (tree.group("low", &[0, 1]), tree.group("high", &[2, 3]));
        tree.group("all", &[low, high]);
        let tree = tree.finish().unwrap();
        let overall = Overall {
            counts: totals.iter().map(|&total| total.into()).collect(),
            rows: totals.iter().sum::<u32>().into(),
            hierarchy: Some(&tree),
        };
        let groups: Vec<ClassGroup> = counts.iter().map(|counts| group(counts)).collect();
        let p = shares(&totals);
        let over = |of: &dyn Fn(&[f64]) -> f64| counts.iter().map(|counts| of(&shares(counts))).fold(f64::MIN, f64::max);
        let near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-9 || found == wanted;

        prop_assert_eq!(smallest_class(&groups), counts.iter().map(|counts| counts.iter().sum::<u32>()).min());
        let distinct = counts.iter().map(|counts| counts.iter().filter(|&&count| count > 0).count()).min();
        prop_assert_eq!(distinct_values(&groups), distinct);
        let entropy = over(&|q| q.iter().filter(|&&q| q > 0.0).map(|q| q * q.ln()).sum());
        prop_assert!(near(entropy_diversity(&groups).unwrap(), (-entropy).exp()));
        prop_assert!(near(alpha(&groups).unwrap().as_f64(), over(&|q| q.iter().copied().fold(0.0, f64::max))));

        let recursive = |l: usize| counts.iter().all(|counts| {
            let mut sorted: Vec<u32> = counts.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            f64::from(sorted[0]) < c * f64::from(sorted[l - 1..].iter().sum::<u32>())
        });
        let reached = match recursive_c(&groups, l).unwrap() {
            Some(least) => least.compare(Decimal::of(c).unwrap()) == Ordering::Less,
            None => false,
        };
        prop_assert_eq!(reached, recursive(l));
        if let Some(Some(least)) = recursive_c(&groups, l) {
            let ratio = |counts: &Vec<u32>| {
                let mut sorted: Vec<u32> = counts.clone();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                f64::from(sorted[0]) / f64::from(sorted[l - 1..].iter().sum::<u32>())
            };
            prop_assert!(near(least.as_f64(), counts.iter().map(ratio).fold(0.0, f64::max)));
        }

        let t = |distance| closeness(&groups, &overall, distance).unwrap().unwrap().as_f64();
        prop_assert!(near(t(Distance::Equal), over(&|q| q.iter().zip(&p).map(|(q, p)| (q - p).abs()).sum::<f64>() / 2.0)));
        let ordered = |q: &[f64]| (0..4).map(|i| (0..=i).map(|j| q[j] - p[j]).sum::<f64>().abs()).sum::<f64>() / 3.0;
        prop_assert!(near(t(Distance::Ordered), over(&ordered)));
        prop_assert!(near(t(Distance::Hierarchical), over(&|q| tree_distance(&p, q))));

        let gain = |q: &[f64]| q.iter().zip(&p).map(|(q, p)| (q - p) / p).fold(f64::MIN, f64::max);
        prop_assert!(near(basic_beta(&groups, &overall).unwrap().as_f64(), over(&gain).max(0.0)));
        let bounded = over(&|q| q.iter().zip(&p).map(|(q, p)| (q - p) / p + p.ln()).fold(f64::MIN, f64::max)) <= 0.0;
        let enhanced = enhanced_beta(&groups, &overall).unwrap();
        let wanted = if bounded { over(&gain).max(0.0) } else { f64::INFINITY };
        prop_assert!(near(enhanced, wanted));
        let ratio = over(&|q| q.iter().zip(&p).map(|(q, p)| (q / p).ln().abs()).fold(0.0, f64::max));
        prop_assert!(near(delta(&groups, &overall).unwrap(), ratio));
    }

    /// Under `star: wildcard`, each class has the rows that a comparison of every pair finds.
    #[test]
    fn compatible_rows_are_those_of_all_pairs(rows in prop::collection::vec([0u8..3, 0u8..3, 0u8..3], 1..30)) {
        // 2 is a star; two further rows make sure that no single value is everything.
        let lines: Vec<String> = rows.iter().map(|[a, b, s]| format!("{} {} {s}", a % 2, b % 2)).collect();
        let dataset = dataset(&format!("a b s\n{}\n0 0 0\n1 1 0", lines.join("\n")));
        let word = |value: &u8| if *value == 2 { "*".to_string() } else { value.to_string() };
        let cells: Vec<String> = rows.iter().map(|[a, b, _]| format!("{} {}", word(a), word(b))).collect();
        let table = release(&dataset, &format!("{}\n0 0\n1 1", cells.join("\n")));
        let all: Vec<[u8; 3]> = rows.iter().copied().chain([[0, 0, 0], [1, 1, 0]]).collect();
        let conventions = Conventions { star: Star::Wildcard, ..Conventions::default() };
        for group in groups(&dataset, &table, conventions) {
            let one = all[group.first_row as usize];
            let compatible = |other: &&[u8; 3]| (0..2).all(|i| one[i] == other[i] || one[i] == 2 || other[i] == 2);
            prop_assert_eq!(group.rows as usize, all.iter().filter(compatible).count());
            for (value, count) in group.values {
                let code = dataset.microdata().unwrap().table.columns[2].values[value as usize].parse::<u8>().unwrap();
                let same = all.iter().filter(compatible).filter(|row| row[2] == code).count();
                prop_assert_eq!(count as usize, same);
            }
        }
    }
}
