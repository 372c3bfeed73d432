//! Groups given by hand: a release that somebody else made, or one printed in a paper, put to the test.
//!
//! It anonymizes nothing by itself; it says which row is in which group, and the verifier, the audits and the utilities
//! do the rest.

use super::{About, Publisher};
use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Workbench, counted, with_defaults};
use crate::release::{Buckets, Guarantee, Release, ReleaseKind};
use std::collections::BTreeMap;

pub struct GivenGroups;

with_defaults! {
    pub struct GivenGroupsParameters {
        /// The group of each row, in the order of the rows; any numbers.
        pub groups: Vec<u32> = Vec::new(),
        /// The number of distinct sensitive values every group must have.
        #[schemars(range(min = 1))]
        pub l: usize = 2,
    }
}

impl Publisher for GivenGroups {
    type Parameters = GivenGroupsParameters;
    const NAME: &'static str = "given-groups";
    const ABOUT: About = About {
        summary: "Groups given by hand, to audit a release made elsewhere",
        paper: "none: the groups are the spec's",
        input: InputKind::Table,
        release: ReleaseKind::Buckets,
        counters: &[],
        phases: &[],
        randomized: false,
    };

    fn guarantee(parameters: &GivenGroupsParameters) -> Guarantee {
        Guarantee::DistinctValues { l: parameters.l }
    }

    fn publish(dataset: &Dataset, parameters: &GivenGroupsParameters, _: &mut Workbench) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let (given, rows) = (parameters.groups.len(), microdata.rows());
        if given != rows {
            return Err(LabError::input(format!(
                "`groups` names the group of {}; the table has {rows}",
                counted(given, "row")
            )));
        }
        // Groups are numbered without gaps, in the order of their numbers.
        let mut numbers: BTreeMap<u32, u32> = parameters.groups.iter().map(|&group| (group, 0)).collect();
        for (dense, number) in numbers.values_mut().enumerate() {
            *number = dense as u32;
        }
        let group_of = parameters.groups.iter().map(|group| numbers[group]).collect();
        Ok(Release::Buckets(Buckets::from_groups(microdata, group_of)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::Seed;

    #[test]
    fn groups_are_taken_as_they_are_given() {
        let table = Table::from_rows(&["q", "s"], &[&["1", "a"], &["2", "b"], &["3", "a"]]);
        let dataset = Dataset::of_table(table, &["q"], "s").unwrap();
        let publish = |groups: &[u32]| {
            let parameters = GivenGroupsParameters { groups: groups.to_vec(), l: 1 };
            GivenGroups::publish(&dataset, &parameters, &mut Workbench::new(Seed(1), "test"))
        };
        let Release::Buckets(buckets) = publish(&[7, 7, 3]).unwrap() else { panic!("not buckets") };
        assert_eq!(buckets.group_of, [1, 1, 0]);
        assert_eq!(buckets.sensitive, [vec![(0, 1)], vec![(0, 1), (1, 1)]]);
        assert_eq!(publish(&[1]).unwrap_err().to_string(), "`groups` names the group of 1 row; the table has 3");
    }
}
