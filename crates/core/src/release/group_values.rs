//! The sensitive values of all groups, one group after another in memory: what is read for every row of a table.

use super::conclusions::Groups;

/// The sensitive values of all groups.
#[derive(Debug, Clone)]
pub struct GroupValues {
    /// Where the values of each group start, and one entry more for the end of the last.
    starts: Vec<u32>,
    values: Vec<u32>,
    /// None where no value occurs more than once in its group: a group then has as many records as values, which is all there is to read of it.
    repeated: Option<Repeated>,
}

/// How often values occur.
#[derive(Debug, Clone)]
struct Repeated {
    /// Each of the values in its group.
    counts: Vec<u32>,
    /// How many records each group has.
    sizes: Vec<u32>,
}

impl GroupValues {
    /// The values of `groups`, laid out anew.
    pub fn new(groups: &Groups<'_>) -> Self {
        let number = groups.number();
        let mut starts = Vec::with_capacity(number + 1);
        let mut end = 0;
        starts.push(0);
        starts.extend((0..number).map(|group| {
            end += groups.values(group).len() as u32;
            end
        }));
        let all = || (0..number).flat_map(|group| groups.values(group));
        let mut values = Vec::with_capacity(end as usize);
        let mut occurs_again = false;
        values.extend(all().map(|&(value, count)| {
            occurs_again |= count != 1;
            value
        }));
        let repeated = occurs_again.then(|| Repeated {
            counts: all().map(|&(_, count)| count).collect(),
            sizes: (0..number).map(|group| groups.size(group)).collect(),
        });
        Self { starts, values, repeated }
    }

    fn number(&self) -> usize {
        self.starts.len() - 1
    }

    fn places(&self, group: usize) -> std::ops::Range<usize> {
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// The values of `group`, each with its share of the records there.
    pub fn shares(&self, group: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let places = self.places(group);
        let values = &self.values[places.clone()];
        let (counts, size) = match &self.repeated {
            None => (&[][..], f64::from(values.len() as u32)),
            Some(repeated) => (&repeated.counts[places], f64::from(repeated.sizes[group])),
        };
        // Most counts of a group are the same: the quotient is, too.
        let (mut last, mut share) = (1, 1.0 / size);
        values.iter().enumerate().map(move |(place, &value)| {
            if let Some(&count) = counts.get(place)
                && count != last
            {
                (last, share) = (count, f64::from(count) / size);
            }
            (value, share)
        })
    }

    /// Adds `weight` times the share of each value of `group` to its place in `sums`.
    pub fn add_shares(&self, group: usize, weight: f64, sums: &mut [f64]) {
        self.shares(group).for_each(|(value, share)| sums[value as usize] += weight * share);
    }

    /// The values of each group as a set of 64; None where a group has one more than once.
    pub fn sets(&self) -> Option<Vec<u64>> {
        let set = |group: usize| self.values[self.places(group)].iter().fold(0, |set, &value| set | 1u64 << value);
        self.repeated.is_none().then(|| (0..self.number()).map(set).collect())
    }

    /// How many values of `group` are admitted, each as often as it occurs.
    pub fn admitted(&self, group: usize, sensitive: &[bool]) -> u32 {
        let is_admitted = |value: u32| sensitive[value as usize];
        let places = self.places(group);
        let values = self.values[places.clone()].iter();
        match &self.repeated {
            None => values.filter(|&&value| is_admitted(value)).count() as u32,
            Some(Repeated { counts, .. }) => {
                let counted = values.zip(&counts[places]).filter(|(value, _)| is_admitted(**value));
                counted.map(|(_, count)| count).sum()
            }
        }
    }
}
