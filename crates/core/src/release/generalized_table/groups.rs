//! The rows that count as one class, under each convention.

use super::classes::{Classes, histograms};
use super::group::ClassGroup;
use super::{Conventions, Star, Suppressed, wildcard};

impl Classes {
    /// The rows that count as one class under `conventions`; these must be those the classes were made with. Under
    /// `star: wildcard` there is one for each class, with all rows that are compatible with it.
    pub fn groups(&self, sensitive: &[Option<u32>], conventions: Conventions) -> Vec<ClassGroup> {
        let values = self.histograms(sensitive);
        let plain = self.sizes.iter().zip(&self.first_row).zip(values);
        let mut groups: Vec<ClassGroup> =
            plain.map(|((&rows, &first_row), values)| ClassGroup { rows, values, first_row }).collect();
        let suppressed = self.suppressed_group(sensitive);
        match (conventions.star, conventions.suppressed) {
            (Star::Value, Suppressed::Excluded) => groups,
            (Star::Value, Suppressed::Class) => {
                groups.extend(suppressed);
                groups
            }
            (Star::Wildcard, Suppressed::Excluded) => wildcard::compatible(self, &groups, None),
            (Star::Wildcard, Suppressed::Class) => wildcard::compatible(self, &groups, suppressed),
        }
    }

    fn suppressed_group(&self, sensitive: &[Option<u32>]) -> Option<ClassGroup> {
        let &first_row = self.suppressed.first()?;
        let left = self.suppressed.iter().filter_map(|&row| sensitive[row as usize]);
        let values = histograms(1, left.map(|value| (0, value))).remove(0);
        Some(ClassGroup { rows: self.suppressed.len() as u32, values, first_row })
    }
}
