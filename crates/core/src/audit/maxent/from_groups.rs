//! Constraints from releases that tell groups, such as buckets: who is in which group, and how often each sensitive value is.
//!
//! A unit is one quasi-identifier value in one group. It can have only values of its group, and each value has in the
//! group exactly the records that were published. Alone, that gives every unit the shares of its group; joined with other
//! knowledge it is the setting of W. Du, Z. Teng, Z. Zhu, "Privacy-MaxEnt", SIGMOD 2008.
//!
//! Cost. Linear in the rows, and in the units of a group times its values.

use super::from_rules::UnitsOfProfiles;
use super::lists::Lists;
use super::problem::{ConstraintSource, Contradiction, Problem, Reach};
use crate::mining::Profiles;
use crate::release::Groups;
use std::sync::Arc;

/// What groups say, before anything else is known.
#[derive(Debug)]
pub struct GroupUnits {
    /// The constraints over units of rows that are alike.
    pub problem: Problem,
    /// Which profile each unit stands for.
    pub units: UnitsOfProfiles,
    /// Unit to its profile.
    pub profile_of: Vec<u32>,
    /// Probabilities before rows that are alike were merged.
    pub variables: u64,
}

/// States that each group has its values as often as published.
pub fn state_groups(profiles: &Profiles, values: usize, groups: &Groups<'_>) -> Result<GroupUnits, Contradiction> {
    let units = Units::new(profiles, groups);
    let units_of_profile = Lists::new(profiles.len(), units.profile_of.iter().copied().zip(0u32..));
    let variables = units.variables(groups);
    let mut problem = Problem::new(units.sizes.iter().map(|&size| f64::from(size)).collect(), values);
    let mut possible = Vec::with_capacity(units.profile_of.len());
    for (group, ends) in (0..).zip(units.starts.windows(2)) {
        let counts = groups.values(group as usize);
        let units: Vec<u32> = (ends[0]..ends[1]).collect();
        let own: Arc<Vec<u32>> = Arc::new(counts.iter().map(|&(value, _)| value).collect());
        possible.extend(units.iter().map(|_| own.clone()));
        // The last count follows from the others and the size of the group.
        for &(value, count) in &counts[..counts.len().saturating_sub(1)] {
            let exactly = (f64::from(count), f64::from(count));
            problem.state(value, &units, exactly, Reach::Block(group), || ConstraintSource::Group { group, value })?;
        }
    }
    problem.possible = Some(possible);
    Ok(GroupUnits {
        problem,
        units: UnitsOfProfiles::Several(units_of_profile),
        profile_of: units.profile_of,
        variables,
    })
}

/// Units by group, and by profile within a group.
#[derive(Debug)]
pub struct Units {
    /// Unit to its profile.
    pub profile_of: Vec<u32>,
    /// Unit to its number of records.
    pub sizes: Vec<u32>,
    /// Where the units of each group start, and one entry more for the end of the last.
    pub starts: Vec<u32>,
}

impl Units {
    pub fn new(profiles: &Profiles, groups: &Groups<'_>) -> Self {
        let (mut profile_of, mut sizes, mut starts) = (Vec::new(), Vec::new(), Vec::with_capacity(groups.number() + 1));
        starts.push(0);
        let rows = groups.rows_in_order();
        let mut own = Vec::new();
        for (group, rows) in groups.runs(&rows) {
            // A group without rows has no units.
            starts.resize(group + 1, profile_of.len() as u32);
            own.clear();
            own.extend(rows.iter().map(|&row| profiles.of_row()[row as usize]));
            own.sort_unstable();
            for run in own.chunk_by(|a, b| a == b) {
                profile_of.push(run[0]);
                sizes.push(run.len() as u32);
            }
        }
        starts.resize(groups.number() + 1, profile_of.len() as u32);
        Self { profile_of, sizes, starts }
    }

    /// The variables in the constraints of all groups, each as often as it occurs.
    pub fn variables(&self, groups: &Groups<'_>) -> u64 {
        let of_group =
            |(group, ends): (usize, &[u32])| groups.values(group).len() as u64 * u64::from(ends[1] - ends[0]);
        self.starts.windows(2).enumerate().map(of_group).sum()
    }
}
