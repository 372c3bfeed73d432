//! Buckets: quasi-identifiers with a group id, and per group the multiset of sensitive values (QIT and ST of Anatomy).

use crate::data::Microdata;

/// Rows in groups. The quasi-identifiers of a row are published as they are; which sensitive value of its group is the
/// row's own is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buckets {
    /// Row of the original to its group; groups are numbered from 0 without gaps.
    pub group_of: Vec<u32>,
    /// Per group, the sensitive codes in it with their counts, ascending by code.
    pub sensitive: Vec<Vec<(u32, u32)>>,
}

impl Buckets {
    /// The buckets that put each row into the group `group_of` says, with the true sensitive values of the rows.
    pub fn from_groups(microdata: &Microdata, group_of: Vec<u32>) -> Self {
        let groups = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); groups];
        for (&group, &value) in group_of.iter().zip(microdata.sensitive_codes()) {
            values[group as usize].push(value);
        }
        let sensitive = values
            .into_iter()
            .map(|mut group| {
                group.sort_unstable();
                group.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect()
            })
            .collect();
        Self { group_of, sensitive }
    }

    pub fn groups(&self) -> usize {
        self.sensitive.len()
    }

    /// The rows of each group, ascending.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.groups()];
        for (row, &group) in self.group_of.iter().enumerate() {
            members[group as usize].push(row);
        }
        members
    }
}

/// How many faults a verifier names before it stops looking: enough to see a pattern, not a page.
pub(super) const NAMED_FAULTS: usize = 5;

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
