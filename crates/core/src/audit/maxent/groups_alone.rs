//! What groups say where nothing else is known: everybody in a group has each of its values with its share there.
//!
//! The solver would begin at this answer and find that it is met. Here it is written down, with the arithmetic of the solver's first
//! point, so that the answer and its certificate are the same to the last bit, in a hundredth of the memory: no statement, row
//! or list of members is kept.
//!
//! Cost. Linear in the units and in the values of all groups.

use super::from_groups::Units;
use super::infer::{Certificate, Inference, entropy, largest};
use super::posteriors::Posteriors;
use super::problem::ConstraintSource;
use super::solver::{MET, start_of_block};
use crate::lab::math::{exp, ln};
use crate::mining::Profiles;
use crate::release::Groups;
use rustc_hash::FxHashMap;

/// None where the values of a group are not as many as its rows, or the answer is not met: whoever solves finds out why.
pub fn infer_groups(units: &Units, values: usize, groups: &Groups<'_>) -> Option<Inference> {
    let records = f64::from(units.sizes.iter().sum::<u32>());
    let all_values = (0..groups.number()).map(|group| groups.values(group).len()).sum();
    let mut answer = GroupSums {
        records,
        of_classes: Posteriors::with_capacity(groups.number(), all_values),
        weights: Vec::with_capacity(groups.number()),
        log_partition: 0.0,
        bounds: 0.0,
        residual: 0.0,
        complementarity: 0.0,
        rows: 0,
    };
    let mut class_of = Vec::with_capacity(units.sizes.len());
    // Units that can have one value only look the same, whatever their group.
    let mut class_of_value: FxHashMap<u32, u32> = FxHashMap::default();
    for (group, ends) in units.starts.windows(2).enumerate() {
        let sizes = &units.sizes[ends[0] as usize..ends[1] as usize];
        let weight: u32 = sizes.iter().sum();
        let counts = groups.values(group);
        if weight != groups.size(group) || counts.iter().any(|&(_, count)| count == 0) {
            return None;
        }
        let next = answer.weights.len() as u32;
        let class = match counts {
            [] => continue,
            &[(value, _)] => {
                let class = *class_of_value.entry(value).or_insert(next);
                if class == next {
                    answer.weights.push(0.0);
                    answer.of_classes.push(std::iter::once((value, 1.0)));
                }
                answer.weights[class as usize] += f64::from(weight);
                class
            }
            _ => {
                answer.group(sizes, f64::from(weight), counts)?;
                next
            }
        };
        class_of.extend(sizes.iter().map(|_| class));
    }
    answer.inference(class_of, values)
}

/// The answer so far, in sums over the groups.
struct GroupSums {
    records: f64,
    of_classes: Posteriors,
    weights: Vec<f64>,
    /// Σ weight · ln Z of the dual.
    log_partition: f64,
    /// Σ bound · multiplier of the dual.
    bounds: f64,
    residual: f64,
    complementarity: f64,
    rows: usize,
}

impl GroupSums {
    /// A group of several values, which is a class of its own; None where its first point is not the answer.
    fn group(&mut self, sizes: &[u32], weight: f64, counts: &[(u32, u32)]) -> Option<()> {
        let share = weight / self.records;
        // The last count follows from the others and the size of the group.
        let stated = &counts[..counts.len() - 1];
        let bound = |count: u32| f64::from(count) / self.records;
        let rest = stated.iter().fold(share, |rest, &(_, count)| rest - bound(count));
        let multipliers = stated.iter().map(|&(_, count)| start_of_block(bound(count), rest));
        let exponents: Vec<f64> = multipliers.chain([0.0]).collect();
        let highest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut probabilities: Vec<f64> = exponents.iter().map(|exponent| exp(exponent - highest)).collect();
        let total: f64 = probabilities.iter().fold(0.0, |total, p| total + p);
        probabilities.iter_mut().for_each(|p| *p /= total);
        self.log_partition += share * (highest + ln(total));
        for ((&(_, count), &p), &multiplier) in stated.iter().zip(&probabilities).zip(&exponents) {
            if (share * p - bound(count)).abs() > MET {
                return None;
            }
            self.bounds += bound(count) * multiplier;
            let exactly = f64::from(count);
            let sum: f64 = sizes.iter().map(|&size| f64::from(size) * p).sum();
            self.residual = largest(self.residual, (exactly - sum).max(sum - exactly));
            let product = (multiplier * (weight * p - exactly) / self.records).abs();
            self.complementarity = largest(self.complementarity, product);
        }
        self.rows += stated.len();
        self.weights.push(weight);
        self.of_classes.push(counts.iter().map(|&(value, _)| value).zip(probabilities));
        Some(())
    }

    fn inference(self, class_of: Vec<u32>, values: usize) -> Option<Inference> {
        let entropy = entropy(&self.weights, &self.of_classes);
        let certificate = Certificate {
            residual: self.residual / self.records,
            duality_gap: (self.log_partition - self.bounds - entropy).abs(),
            complementarity: self.complementarity,
        };
        certificate.holds().then_some(Inference {
            classes: self.weights.len(),
            rows: self.rows,
            steps: 0,
            of_classes: self.of_classes,
            values,
            class_of,
            entropy,
            certificate,
        })
    }
}

/// What the groups of the rows of a profile state, those of the fewest records first, as long as `wanted` asks for more.
pub fn statements_on(
    profile: u32,
    profiles: &Profiles,
    groups: &Groups<'_>,
    wanted: &mut dyn FnMut(&ConstraintSource) -> bool,
) {
    let rows = profiles.of_row().iter().zip(groups.of_rows()).filter(|(of, _)| **of == profile);
    let mut own: Vec<u32> = rows.map(|(_, &group)| group).collect();
    own.sort_unstable_by_key(|&group| (groups.size(group as usize), group));
    own.dedup();
    for group in own {
        let counts = groups.values(group as usize);
        let stated = counts[..counts.len().saturating_sub(1)].iter();
        if !stated.map(|&(value, _)| ConstraintSource::Group { group, value }).all(|statement| wanted(&statement)) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::maxent::{infer, state_groups};
    use crate::data::{Dataset, Table};
    use crate::release::{Buckets, GroupIds, Release};
    use proptest::prelude::*;

    proptest! {
        /// The solver's own answer, to the last bit.
        #[test]
        fn the_solver_finds_the_same(
            rows in prop::collection::vec((0u8..3, 0u8..2, 0u8..6, 0u32..6), 1..60), values in 1u8..6,
        ) {
            let cells: Vec<[String; 3]> =
                rows.iter().map(|&(a, b, s, _)| [a.to_string(), b.to_string(), (s % values).to_string()]).collect();
            let cells: Vec<[&str; 3]> = cells.iter().map(|row| row.each_ref().map(String::as_str)).collect();
            let cells: Vec<&[&str]> = cells.iter().map(|row| row.as_slice()).collect();
            let dataset = Dataset::of_table(Table::from_rows(&["a", "b", "s"], &cells), &["a", "b"], "s").unwrap();
            let microdata = dataset.microdata().unwrap();
            let mut numbers: Vec<u32> = rows.iter().map(|row| row.3).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let group_of = rows.iter().map(|row| numbers.binary_search(&row.3).unwrap() as u32).collect();
            let release = Release::Buckets(Buckets::from_groups(microdata, group_of));
            let (groups, profiles) = (release.groups(&dataset).unwrap(), Profiles::new(microdata));
            let values = microdata.table.columns[microdata.sensitive].cardinality();
            let stated = state_groups(&profiles, values, &groups).unwrap();
            let solved = infer(&stated.problem).unwrap();
            let units = Units::new(&profiles, &groups);
            let alone = infer_groups(&units, values, &groups).unwrap();
            let bits = |inference: &Inference| {
                let Certificate { residual, duality_gap, complementarity } = inference.certificate;
                let mut numbers = inference.posterior();
                numbers.extend([inference.entropy, residual, duality_gap, complementarity]);
                let numbers: Vec<u64> = numbers.into_iter().map(f64::to_bits).collect();
                let sizes = (inference.classes, inference.rows, inference.steps);
                (numbers, inference.class_of.clone(), sizes)
            };
            prop_assert_eq!(bits(&alone), bits(&solved));
            prop_assert_eq!((&units.profile_of, units.variables(&groups)), (&stated.profile_of, stated.variables));
            // What is stated of somebody, in the same order.
            for profile in 0..profiles.len() as u32 {
                let units: Vec<u32> =
                    (0..).zip(&stated.profile_of).filter(|(_, of)| **of == profile).map(|(unit, _)| unit).collect();
                let (mut here, mut there) = (Vec::new(), Vec::new());
                statements_on(profile, &profiles, &groups, &mut |statement| {
                    here.push(statement.clone());
                    true
                });
                stated.problem.statements_on(&units, &mut |statement| {
                    there.push(statement.clone());
                    true
                });
                there.dedup();
                prop_assert_eq!(here, there);
            }
        }
    }

    #[test]
    fn counts_that_are_not_those_of_the_rows_are_left_to_the_solver() {
        let table = Table::from_rows(&["a", "s"], &[&["x", "0"], &["y", "1"], &["y", "0"]]);
        let dataset = Dataset::of_table(table, &["a"], "s").unwrap();
        let buckets =
            Buckets { group_of: vec![0, 0, 0], sensitive: vec![vec![(0, 1), (1, 1)]], ids: GroupIds::default() };
        let release = Release::Buckets(buckets);
        let (groups, profiles) = (release.groups(&dataset).unwrap(), Profiles::new(dataset.microdata().unwrap()));
        assert!(infer_groups(&Units::new(&profiles, &groups), 2, &groups).is_none());
    }
}
