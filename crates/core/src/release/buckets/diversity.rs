//! The verifiers of ℓ-diversity, and of what every other promise of buckets rests on: that they are those of the original.

use super::Buckets;
use crate::data::Microdata;
use crate::lab::{Witness, counted};
use crate::release::kind::NAMED_FAULTS;
use std::collections::{BTreeMap, BTreeSet};

/// The ways in which `buckets` are no release of `microdata`, or not ℓ-diverse as Anatomy promises: every group has at
/// least ℓ distinct values and none of them in more than one of ℓ rows.
pub(super) fn diversity_faults(microdata: &Microdata, buckets: &Buckets, l: usize) -> Vec<Witness> {
    let mut faults = consistency_faults(microdata, buckets);
    let of = format!("{l}-diversity");
    for (group, values) in buckets.sensitive.iter().enumerate() {
        let size: usize = values.iter().map(|&(_, count)| count as usize).sum();
        if values.len() < l {
            faults.push(too_few_values(microdata, buckets, group, &of, l));
        } else if let Some(&(value, count)) = values.iter().find(|&&(_, count)| count as usize * l > size) {
            let values = &microdata.table.columns[microdata.sensitive].values;
            let name = values.get(value as usize).map_or("?", String::as_str);
            let says = format!(
                "{} has `{name}` in {count} of its {}, more than 1 in {l}",
                buckets.ids.name(group),
                counted(size, "row")
            );
            let share = f64::from(count) / size as f64;
            faults.push(
                group_witness(microdata, buckets, group, &of, says)
                    .by([format!("`{name}` in {count} of {}", counted(size, "row"))])
                    .number(share)
                    .against(1.0 / l as f64),
            );
        }
        if faults.len() >= NAMED_FAULTS {
            break;
        }
    }
    faults
}

/// The ways in which `buckets` are no release of `microdata`, or have a group with fewer than ℓ distinct values.
pub(super) fn distinct_faults(microdata: &Microdata, buckets: &Buckets, l: usize) -> Vec<Witness> {
    let mut faults = consistency_faults(microdata, buckets);
    let of = format!("distinct {l}-diversity");
    let poor = buckets.sensitive.iter().enumerate().filter(|(_, values)| values.len() < l);
    faults.extend(poor.take(NAMED_FAULTS).map(|(group, _)| too_few_values(microdata, buckets, group, &of, l)));
    faults
}

fn too_few_values(microdata: &Microdata, buckets: &Buckets, group: usize, of: &str, l: usize) -> Witness {
    let values = buckets.sensitive[group].len();
    let says =
        format!("{} has {}, fewer than {l}", buckets.ids.name(group), counted(values, "distinct sensitive value"));
    group_witness(microdata, buckets, group, of, says).number(values as f64).against(l as f64)
}

/// A group with its rows, and the values that it publishes.
fn group_witness(microdata: &Microdata, buckets: &Buckets, group: usize, of: &str, says: String) -> Witness {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let name = |value: u32| sensitive.values.get(value as usize).map_or("?", String::as_str);
    let rows = buckets.group_of.iter().enumerate().filter(|(_, of)| **of as usize == group).map(|(row, _)| row);
    Witness::of(of, says)
        .group(buckets.ids.name(group))
        .left(buckets.sensitive[group].iter().map(|&(value, count)| format!("{} ×{count}", name(value))))
        .among(rows)
}

/// The ways in which `buckets` do not agree with the original: rows without a group, groups whose multiset of sensitive
/// values is not the one their rows have.
pub(super) fn consistency_faults(microdata: &Microdata, buckets: &Buckets) -> Vec<Witness> {
    let rows = microdata.rows();
    if buckets.group_of.len() != rows {
        let found = buckets.group_of.len();
        let says = format!("the release has {}, the original {rows}", counted(found, "row"));
        return vec![Witness::of(Witness::TRUTH, says).number(found as f64).against(rows as f64)];
    }
    if let Some(row) = buckets.group_of.iter().position(|&group| group as usize >= buckets.groups()) {
        let group = buckets.ids.name(buckets.group_of[row] as usize);
        let says = format!("row {} is in {group}, which has no sensitive values", row + 1);
        return vec![Witness::of(Witness::TRUTH, says).row(row).group(group)];
    }
    // The true values of each group, one group after another.
    let mut ends = vec![0u32; buckets.groups()];
    for &group in &buckets.group_of {
        ends[group as usize] += 1;
    }
    let mut rows = 0;
    for end in &mut ends {
        rows += std::mem::replace(end, rows);
    }
    let mut values = vec![0; buckets.group_of.len()];
    for (&group, &value) in buckets.group_of.iter().zip(microdata.sensitive_codes()) {
        let end = &mut ends[group as usize];
        values[*end as usize] = value;
        *end += 1;
    }
    let mut faults = Vec::new();
    let mut start = 0;
    for ((group, published), &end) in buckets.sensitive.iter().enumerate().zip(&ends) {
        let truth = &mut values[start as usize..end as usize];
        start = end;
        truth.sort_unstable();
        let counted = || truth.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
        if !counted().eq(published.iter().copied()) {
            faults.push(other_values(microdata, buckets, group, &counted().collect()));
            if faults.len() >= NAMED_FAULTS {
                break;
            }
        }
    }
    faults
}

/// A group that publishes other values than `truth`, those of its rows.
fn other_values(microdata: &Microdata, buckets: &Buckets, group: usize, truth: &BTreeMap<u32, u32>) -> Witness {
    let says = format!("the sensitive values of {} are not those of its rows", buckets.ids.name(group));
    let witness = group_witness(microdata, buckets, group, Witness::TRUTH, says);
    let Some((value, is, should)) = first_difference(truth, &buckets.sensitive[group]) else { return witness };
    let values = &microdata.table.columns[microdata.sensitive].values;
    let name = values.get(value as usize).map_or("?", String::as_str);
    witness
        .by([format!(
            "`{name}` is published {}; in the original its rows have it {}",
            counted(is, "time"),
            counted(should, "time")
        )])
        .number(f64::from(is))
        .against(f64::from(should))
}

/// The first value whose count is not the true one, with the published and the true count.
fn first_difference(truth: &BTreeMap<u32, u32>, published: &[(u32, u32)]) -> Option<(u32, u32, u32)> {
    let is = |value: u32| published.iter().filter(|&&(other, _)| other == value).map(|&(_, count)| count).sum();
    let values: BTreeSet<u32> = truth.keys().copied().chain(published.iter().map(|&(value, _)| value)).collect();
    let mut counts = values.into_iter().map(|value| (value, is(value), truth.get(&value).copied().unwrap_or(0)));
    counts.find(|&(_, is, should)| is != should)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    #[test]
    fn a_value_that_nobody_knows_is_a_fault_and_no_panic() {
        let dataset =
            Dataset::of_table(Table::from_rows(&["q", "s"], &[&["a", "x"], &["b", "y"]]), &["q"], "s").unwrap();
        let microdata = dataset.microdata().unwrap();
        let mut buckets = Buckets::from_groups(microdata, vec![0, 0]);
        buckets.sensitive = vec![vec![(0, 1), (7, 3)]];
        let says: Vec<String> = diversity_faults(microdata, &buckets, 2).into_iter().map(|fault| fault.says).collect();
        assert_eq!(
            says,
            [
                "the sensitive values of group 0 are not those of its rows",
                "group 0 has `?` in 3 of its 4 rows, more than 1 in 2"
            ]
        );
    }
}
