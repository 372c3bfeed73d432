//! Constraints from releases that tell groups, such as buckets: who is in which group, and how often each sensitive value is.
//!
//! A unit is one quasi-identifier value in one group. It can have only values of its group, and each value has in the
//! group exactly the records that were published. Alone, that gives every unit the shares of its group; joined with other
//! knowledge it is the setting of W. Du, Z. Teng, Z. Zhu, "Privacy-MaxEnt", SIGMOD 2008.
//!
//! Cost. Linear in the rows, and in the units of a group times its values.

use super::from_rules::UnitsOfProfiles;
use super::problem::{Contradiction, Problem, Reach, Statement};
use crate::mining::Profiles;
use crate::release::Groups;
use std::collections::BTreeMap;

/// What groups say, before anything else is known.
#[derive(Debug)]
pub struct GroupUnits {
    pub problem: Problem,
    pub units: UnitsOfProfiles,
    /// Unit to its profile.
    pub profile_of: Vec<u32>,
    pub constraints: u64,
    pub variables: u64,
}

pub fn state_groups(profiles: &Profiles, values: usize, groups: &Groups<'_>) -> Result<GroupUnits, Contradiction> {
    let mut unit_sizes: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (&group, &profile) in groups.of_rows().iter().zip(profiles.of_row()) {
        *unit_sizes.entry((group, profile)).or_default() += 1;
    }
    let mut units_of_profile = vec![Vec::new(); profiles.len()];
    let mut members = vec![Vec::new(); groups.number()];
    for (&(group, profile), unit) in unit_sizes.keys().zip(0u32..) {
        units_of_profile[profile as usize].push(unit);
        members[group as usize].push(unit);
    }
    let mut problem = Problem::new(unit_sizes.values().map(|&size| f64::from(size)).collect(), values);
    let values_of = |group: u32| groups.values(group as usize).iter().map(|&(value, _)| value).collect();
    problem.possible = Some(unit_sizes.keys().map(|&(group, _)| values_of(group)).collect());
    let (mut constraints, mut variables) = (0, 0);
    for (group, units) in (0..).zip(&members) {
        let counts = groups.values(group as usize);
        constraints += counts.len() as u64;
        variables += (counts.len() * units.len()) as u64;
        // The last count follows from the others and the size of the group.
        for &(value, count) in &counts[..counts.len().saturating_sub(1)] {
            let exactly = (f64::from(count), f64::from(count));
            problem.state(value, units, exactly, Reach::Block(group), || Statement::Group { group, value })?;
        }
    }
    Ok(GroupUnits {
        problem,
        units: UnitsOfProfiles::Several(units_of_profile),
        profile_of: unit_sizes.keys().map(|&(_, profile)| profile).collect(),
        constraints,
        variables,
    })
}
