//! The sensitive values of all groups, one group after another in memory: what is read for every row of a table.

use super::conclusions::Groups;

/// The sensitive values of all groups.
#[derive(Debug, Clone)]
pub struct GroupValues {
    /// Where the values of each group start, and one entry more for the end of the last.
    starts: Vec<u32>,
    values: Vec<u32>,
    /// How often each of them occurs; None where none occurs more than once in its group.
    counts: Option<Vec<u32>>,
    /// How many records each group has.
    sizes: Vec<u32>,
}

impl GroupValues {
    /// The values of `groups`, laid out anew.
    pub fn new(groups: &Groups<'_>) -> Self {
        let number = groups.number();
        let all = || (0..number).flat_map(|group| groups.values(group));
        let mut starts = Vec::with_capacity(number + 1);
        let mut end = 0;
        starts.push(0);
        starts.extend((0..number).map(|group| {
            end += groups.values(group).len() as u32;
            end
        }));
        let mut values = Vec::with_capacity(end as usize);
        values.extend(all().map(|&(value, _)| value));
        let counts = all().any(|&(_, count)| count != 1).then(|| all().map(|&(_, count)| count).collect());
        let sizes = (0..number).map(|group| groups.size(group)).collect();
        Self { starts, values, counts, sizes }
    }

    fn places(&self, group: usize) -> std::ops::Range<usize> {
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// Adds `weight` times the share of each value of `group` to its place in `sums`.
    pub fn add_shares(&self, group: usize, weight: f64, sums: &mut [f64]) {
        let (places, size) = (self.places(group), f64::from(self.sizes[group]));
        let values = &self.values[places.clone()];
        match &self.counts {
            None => {
                let share = weight * (1.0 / size);
                values.iter().for_each(|&value| sums[value as usize] += share);
            }
            Some(counts) => {
                // Most counts of a group are the same: the quotient is, too.
                let (mut last, mut share) = (0, 0.0);
                for (&value, &count) in values.iter().zip(&counts[places]) {
                    if count != last {
                        (last, share) = (count, weight * (f64::from(count) / size));
                    }
                    sums[value as usize] += share;
                }
            }
        }
    }

    /// The values of each group as a set of 64; None where a group has one more than once.
    pub fn sets(&self) -> Option<Vec<u64>> {
        let set = |group: usize| self.values[self.places(group)].iter().fold(0, |set, &value| set | 1u64 << value);
        self.counts.is_none().then(|| (0..self.sizes.len()).map(set).collect())
    }

    /// How many values of `group` are admitted, each as often as it occurs.
    pub fn admitted(&self, group: usize, sensitive: &[bool]) -> u32 {
        let is_admitted = |value: u32| sensitive[value as usize];
        let places = self.places(group);
        let values = self.values[places.clone()].iter();
        match &self.counts {
            None => values.filter(|&&value| is_admitted(value)).count() as u32,
            Some(counts) => {
                let counted = values.zip(&counts[places]).filter(|(value, _)| is_admitted(**value));
                counted.map(|(_, count)| count).sum()
            }
        }
    }
}
