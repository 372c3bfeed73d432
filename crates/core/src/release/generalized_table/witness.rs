//! A class of a generalized table as a case to look at.

use super::{ClassGroup, Classes, Conventions, Domain, GeneralizedTable, Star};
use crate::data::{Microdata, SensitiveAttribute};
use crate::lab::Witness;

/// Shows classes: their first row, what the public reads in it, the sensitive values and the rows.
pub struct ClassWitnesses<'a> {
    /// The original.
    pub microdata: &'a Microdata,
    /// The release.
    pub table: &'a GeneralizedTable,
    /// Its classes.
    pub classes: &'a Classes,
    /// Those that the groups were made with.
    pub conventions: Conventions,
}

impl ClassWitnesses<'_> {
    /// `witness` with what is known of `group`.
    pub fn with(&self, group: &ClassGroup, witness: Witness) -> Witness {
        self.with_values(&self.microdata.table.columns[self.microdata.sensitive].values, group, witness)
    }

    /// The same for a group with the values of one attribute.
    pub fn of(&self, attribute: &SensitiveAttribute<'_>, group: &ClassGroup, witness: Witness) -> Witness {
        self.with_values(attribute.values, group, witness)
    }

    fn with_values(&self, texts: &[String], group: &ClassGroup, witness: Witness) -> Witness {
        let mut values = group.values.clone();
        values.sort_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
        let left = values.iter().map(|&(value, count)| format!("{} ×{count}", texts[value as usize]));
        let first = group.first_row as usize;
        let witness = witness.row(first).group(self.cells(first)).left(left);
        // Where a star is a wildcard, compatible rows are in several classes.
        match self.conventions.star {
            Star::Wildcard => witness,
            Star::Value => {
                let class = self.classes.of_row(first);
                let rows = self.classes.of_rows().enumerate().filter(move |(_, of)| *of == class);
                witness.among(rows.map(|(row, _)| row))
            }
        }
    }

    /// What the public reads of a row: `age [20,30), town *`.
    fn cells(&self, row: usize) -> String {
        let domains = Domain::all(self.microdata);
        let cells = domains.iter().enumerate().map(|(i, domain)| {
            let text = domain.text(self.table.cell(i, row));
            format!("{} {text}", domain.column.name)
        });
        cells.collect::<Vec<_>>().join(", ")
    }
}
