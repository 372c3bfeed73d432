use super::patterns::Profiles;

/// How many rows of each profile are in which class. Only classes that occur are kept, since most profiles have few.
pub struct ClassCounts {
    /// Where the counts of each profile start, and the end of the last.
    starts: Vec<u32>,
    /// (class, rows), ascending by class within a profile.
    counts: Vec<(u32, u32)>,
}

impl ClassCounts {
    /// Counts the rows of each profile by class.
    pub fn new(profiles: &Profiles, class_of_row: &[u32]) -> Self {
        let mut next: Vec<u32> = Vec::with_capacity(profiles.len());
        let mut end = 0;
        for &size in profiles.sizes() {
            next.push(end);
            end += size;
        }
        let mut classes = vec![0; class_of_row.len()];
        for (&profile, &class) in profiles.of_row().iter().zip(class_of_row) {
            classes[next[profile as usize] as usize] = class;
            next[profile as usize] += 1;
        }
        // Each profile's place behind its last row is where it ends.
        let mut starts = Vec::with_capacity(profiles.len() + 1);
        starts.push(0);
        let mut counts: Vec<(u32, u32)> = Vec::with_capacity(class_of_row.len());
        let mut start = 0;
        for end in next {
            let own = &mut classes[start..end as usize];
            own.sort_unstable();
            counts.extend(own.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)));
            starts.push(counts.len() as u32);
            start = end as usize;
        }
        Self { starts, counts }
    }

    /// The classes of a profile with their rows, ascending.
    pub fn of(&self, profile: usize) -> &[(u32, u32)] {
        &self.counts[self.starts[profile] as usize..self.starts[profile + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};
    use proptest::prelude::*;

    proptest! {
        /// The counts are those of looking at every row.
        #[test]
        fn they_are_those_of_looking_at_every_row(rows in prop::collection::vec((0u32..4, 0u32..5), 1..40)) {
            let text: Vec<[String; 2]> = rows.iter().map(|(a, s)| [a.to_string(), s.to_string()]).collect();
            let text: Vec<[&str; 2]> = text.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect();
            let text: Vec<&[&str]> = text.iter().map(<[&str; 2]>::as_slice).collect();
            let dataset = Dataset::of_table(Table::from_rows(&["a", "s"], &text), &["a"], "s").unwrap();
            let microdata = dataset.microdata().unwrap();
            let profiles = Profiles::new(microdata);
            let counts = ClassCounts::new(&profiles, microdata.sensitive_codes());
            for profile in 0..profiles.len() {
                let of_class = |class: u32| {
                    let rows = profiles.of_row().iter().zip(microdata.sensitive_codes());
                    rows.filter(|&(&of, &own)| of as usize == profile && own == class).count() as u32
                };
                let every: Vec<(u32, u32)> =
                    (0..5).map(|class| (class, of_class(class))).filter(|&(_, count)| count > 0).collect();
                prop_assert_eq!(counts.of(profile), &every[..]);
            }
        }
    }
}
