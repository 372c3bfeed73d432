//! Anatomy: X. Xiao, Y. Tao, "Anatomy: Simple and Effective Privacy Preservation", VLDB 2006, as Section II of the
//! Injector paper describes it.
//!
//! Records are hashed by sensitive value; repeatedly one random record is taken from each of the ℓ largest buckets to
//! form a group; each residual record then joins a random group that lacks its value.
//!
//! Readings. Buckets of equal size are taken in the order of their sensitive codes. On ℓ-eligible data at most one
//! record is left in each bucket, and a group without its value always exists (Xiao & Tao, Properties 1 and 2), so every
//! value occurs at most once in a group.
//!
//! Cost. Linear in the rows, times a heap over the sensitive values.

use super::{About, Publisher};
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Workbench, with_defaults};
use crate::release::{Buckets, Guarantee, Release, ReleaseKind, check_eligible};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Anatomy;

with_defaults! {
    pub struct AnatomyParameters {
        /// ℓ: the number of distinct sensitive values every group must have.
        #[schemars(range(min = 2))]
        pub l: usize = 6,
    }
}

const GROUPS: Metric = Metric::fact("groups", "groups", "groups formed");
const RESIDUAL: Metric =
    Metric::lower("residual_tuples", "tuples", "tuples left over when no more groups could be formed");

impl Publisher for Anatomy {
    type Parameters = AnatomyParameters;
    const NAME: &'static str = "anatomy";
    const ABOUT: About = About {
        summary: "Random groups of ℓ different sensitive values",
        paper: "X. Xiao, Y. Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006",
        input: InputKind::Table,
        release: ReleaseKind::Buckets,
        counters: &[GROUPS, RESIDUAL],
        phases: &["grouping", "residue"],
        randomized: true,
    };

    fn guarantee(parameters: &AnatomyParameters) -> Guarantee {
        Guarantee::Diversity { l: parameters.l }
    }

    fn publish(dataset: &Dataset, parameters: &AnatomyParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        check_eligible(microdata, parameters.l)?;
        let mut rng = bench.rng("anatomy");
        let (mut groups, residue) = bench.phase("grouping", |_| form_groups(microdata, parameters.l, &mut rng));
        bench.count(GROUPS.name, groups.len() as f64);
        bench.count(RESIDUAL.name, residue.len() as f64);
        bench.phase("residue", |_| place_residue(microdata, &mut groups, &residue, &mut rng))?;
        let mut group_of = vec![0; microdata.rows()];
        for (group, rows) in groups.iter().enumerate() {
            for &row in rows {
                group_of[row as usize] = group as u32;
            }
        }
        Ok(Release::Buckets(Buckets::from_groups(microdata, group_of)))
    }
}

/// Groups of one record from each of the ℓ largest buckets, and the records left over.
fn form_groups(microdata: &Microdata, l: usize, rng: &mut impl Rng) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); microdata.table.columns[microdata.sensitive].cardinality()];
    for (row, &value) in microdata.sensitive_codes().iter().enumerate() {
        buckets[value as usize].push(row as u32);
    }
    for bucket in &mut buckets {
        bucket.shuffle(rng);
    }
    let mut by_size: BinaryHeap<(usize, Reverse<usize>)> = buckets
        .iter()
        .enumerate()
        .filter(|(_, bucket)| !bucket.is_empty())
        .map(|(value, bucket)| (bucket.len(), Reverse(value)))
        .collect();
    let mut groups = Vec::with_capacity(microdata.rows() / l);
    let mut taken = Vec::with_capacity(l);
    while by_size.len() >= l {
        let mut group = Vec::with_capacity(l + 1);
        while let Some((size, Reverse(value))) = by_size.pop() {
            group.extend(buckets[value].pop());
            taken.push((size - 1, Reverse(value)));
            if taken.len() == l {
                break;
            }
        }
        by_size.extend(taken.drain(..).filter(|&(size, _)| size > 0));
        groups.push(group);
    }
    (groups, buckets.into_iter().flatten().collect())
}

/// Each residual record joins a random group that lacks its value.
fn place_residue(
    microdata: &Microdata,
    groups: &mut [Vec<u32>],
    residue: &[u32],
    rng: &mut impl Rng,
) -> Result<(), LabError> {
    let values = microdata.sensitive_codes();
    for &row in residue {
        let value = values[row as usize];
        let open: Vec<usize> = (0..groups.len())
            .filter(|&group| groups[group].iter().all(|&member| values[member as usize] != value))
            .collect();
        let &group = open.choose(rng).ok_or_else(|| {
            LabError::unreachable(format!("row {} has a value that every group already has", row + 1))
        })?;
        groups[group].push(row);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::Seed;
    use crate::release::{PrivacyVerdict, verify};
    use proptest::prelude::*;

    fn publish(values: &[String], l: usize) -> Result<(Dataset, Release), LabError> {
        let rows: Vec<Vec<&str>> = values.iter().map(|value| vec!["q", value.as_str()]).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s")?;
        let release = Anatomy::publish(&dataset, &AnatomyParameters { l }, &mut Workbench::new(Seed(1), "test"))?;
        Ok((dataset, release))
    }

    fn values(counts: &[usize]) -> Vec<String> {
        counts.iter().enumerate().flat_map(|(value, &count)| vec![format!("v{value}"); count]).collect()
    }

    #[test]
    fn data_that_is_not_eligible_is_refused_by_name() {
        let error = publish(&values(&[3, 1, 1]), 2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "not 2-eligible: the most frequent s, `v0`, is that of 3 of 5 rows, more than 1 in 2; the largest ℓ this data allows is 1"
        );
        // The first value that is too frequent is not the one that sets the bound.
        let error = publish(&values(&[4, 7, 5, 1, 1, 1, 1]), 10).unwrap_err().to_string();
        assert!(error.contains("`v1`, is that of 7 of 20 rows") && error.ends_with("allows is 2"), "{error}");
        assert_eq!(publish(&[], 2).unwrap_err().to_string(), "the table has no rows");
    }

    proptest! {
        /// On eligible data the verifier passes and every value is once in its group, so at most ℓ − 1 are residual.
        #[test]
        fn eligible_data_gives_diverse_groups(counts in prop::collection::vec(1usize..30, 2..9), l in 2usize..5) {
            let values = values(&counts);
            prop_assume!(counts.iter().all(|&count| count * l <= values.len()));
            let (dataset, release) = publish(&values, l).unwrap();
            prop_assert_eq!(verify(&dataset, &release, &Guarantee::Diversity { l }).unwrap(), PrivacyVerdict::Private);
            let Release::Buckets(buckets) = release else { unreachable!() };
            prop_assert!(buckets.sensitive.iter().flatten().all(|&(_, count)| count == 1));
            prop_assert_eq!(buckets.groups(), values.len() / l);
        }
    }
}
