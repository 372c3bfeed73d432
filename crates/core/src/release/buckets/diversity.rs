//! The verifiers of ℓ-diversity, and of what every other promise of buckets rests on: that they are those of the original.

use super::Buckets;
use crate::data::Microdata;
use crate::release::kind::NAMED_FAULTS;

/// The ways in which `buckets` are no release of `microdata`, or not ℓ-diverse as Anatomy promises: every group has at
/// least ℓ distinct values and none of them in more than one of ℓ rows.
pub(super) fn diversity_faults(microdata: &Microdata, buckets: &Buckets, l: usize) -> Vec<String> {
    let mut faults = consistency_faults(microdata, buckets);
    for (group, values) in buckets.sensitive.iter().enumerate() {
        let size: usize = values.iter().map(|&(_, count)| count as usize).sum();
        if values.len() < l {
            faults.push(format!("group {group} has {} distinct sensitive values, fewer than {l}", values.len()));
        } else if let Some(&(value, count)) = values.iter().find(|&&(_, count)| count as usize * l > size) {
            let name = &microdata.table.columns[microdata.sensitive].values[value as usize];
            faults.push(format!("group {group} has `{name}` in {count} of its {size} rows, more than 1 in {l}"));
        }
        if faults.len() >= NAMED_FAULTS {
            break;
        }
    }
    faults
}

/// The ways in which `buckets` are no release of `microdata`, or have a group with fewer than ℓ distinct values.
pub(super) fn distinct_faults(microdata: &Microdata, buckets: &Buckets, l: usize) -> Vec<String> {
    let mut faults = consistency_faults(microdata, buckets);
    let poor = buckets.sensitive.iter().enumerate().filter(|(_, values)| values.len() < l);
    faults.extend(poor.take(NAMED_FAULTS).map(|(group, values)| {
        format!("group {group} has {} distinct sensitive values, fewer than {l}", values.len())
    }));
    faults
}

/// The ways in which `buckets` do not agree with the original: rows without a group, groups whose multiset of sensitive
/// values is not the one their rows have.
pub(super) fn consistency_faults(microdata: &Microdata, buckets: &Buckets) -> Vec<String> {
    let rows = microdata.rows();
    if buckets.group_of.len() != rows {
        return vec![format!("the release has {} rows, the original {rows}", buckets.group_of.len())];
    }
    if let Some(row) = buckets.group_of.iter().position(|&group| group as usize >= buckets.groups()) {
        return vec![format!("row {} is in group {}, which has no sensitive values", row + 1, buckets.group_of[row])];
    }
    let mut true_counts = vec![std::collections::BTreeMap::<u32, u32>::new(); buckets.groups()];
    for (&group, &value) in buckets.group_of.iter().zip(microdata.sensitive_codes()) {
        *true_counts[group as usize].entry(value).or_default() += 1;
    }
    true_counts
        .iter()
        .zip(&buckets.sensitive)
        .enumerate()
        .filter(|(_, (truth, published))| !truth.iter().map(|(&v, &n)| (v, n)).eq(published.iter().copied()))
        .take(NAMED_FAULTS)
        .map(|(group, _)| format!("the sensitive values of group {group} are not those of its rows"))
        .collect()
}
