//! Several sensitive attributes, each protected alone.
//!
//! They stand combined in one column, which is what adversaries, queries and releases are about. What a combined value says of
//! one of them is a function of its code, so that a guarantee about one attribute needs no column of its own.

use super::{Column, Hierarchy};
use crate::lab::LabError;

/// What stands between the names and between the values of combined columns.
pub const AND: &str = " & ";

/// Several columns as one: every combination that occurs is a value.
pub fn combined(columns: &[Column]) -> Result<Column, String> {
    for column in columns {
        // "a &" and "b" would be joined as "a" and "& b" are.
        let (end, start) = (AND.trim_end(), AND.trim_start());
        let has_it = |value: &&String| value.contains(AND) || value.ends_with(end) || value.starts_with(start);
        if let Some(value) = column.values.iter().find(has_it) {
            return Err(format!(
                "`{value}` of {} has `{AND}` in it, or a part of it at an end; combined values are joined with that",
                column.name
            ));
        }
    }
    let rows = columns.first().map_or(0, |column| column.codes.len());
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let text = |row: usize| columns.iter().map(|column| column.text(row)).collect::<Vec<_>>().join(AND);
    let cells: Vec<String> = (0..rows).map(text).collect();
    Ok(Column::encode(names.join(AND), &cells))
}

/// One of several sensitive attributes that stand combined in the sensitive column.
#[derive(Debug, Clone, PartialEq)]
pub struct SensitivePart {
    /// The attribute's name.
    pub name: String,
    /// Its values in their order.
    pub values: Vec<String>,
    /// From a code of the sensitive column to a place in `values`.
    pub of_code: Vec<u32>,
    /// Over its values, where the spec gives one.
    pub hierarchy: Option<Hierarchy>,
}

impl SensitivePart {
    /// `part` as a function of `combined`, which has the same rows.
    pub fn new(part: &Column, combined: &Column, hierarchy: Option<Hierarchy>) -> Self {
        let mut of_code = vec![0; combined.cardinality()];
        combined.codes.iter().zip(&part.codes).for_each(|(&code, &own)| of_code[code as usize] = own);
        Self { name: part.name.clone(), values: part.values.clone(), of_code, hierarchy }
    }

    /// As guarantees see it.
    pub fn attribute(&self) -> SensitiveAttribute<'_> {
        let Self { name, values, of_code, hierarchy } = self;
        SensitiveAttribute { name, values, of_code: Some(of_code), hierarchy: hierarchy.as_ref() }
    }

    /// The part of what is left where only the codes that `occurs` of the sensitive column are. Values that no longer occur leave
    /// with them.
    pub(super) fn restricted(&self, occurs: &[bool]) -> Result<Self, LabError> {
        let mut own_occurs = vec![false; self.values.len()];
        let left = || self.of_code.iter().zip(occurs).filter(|(_, occurs)| **occurs).map(|(&own, _)| own as usize);
        left().for_each(|own| own_occurs[own] = true);
        let new_code = |own: usize| own_occurs[..own].iter().filter(|occurs| **occurs).count() as u32;
        let values = self.values.iter().zip(&own_occurs).filter(|(_, occurs)| **occurs);
        Ok(Self {
            name: self.name.clone(),
            values: values.map(|(value, _)| value.clone()).collect(),
            of_code: left().map(new_code).collect(),
            hierarchy: self.hierarchy.as_ref().map(|tree| tree.of_leaves(&own_occurs)).transpose()?,
        })
    }
}

/// A sensitive attribute as guarantees see it: one of several, or the sensitive column itself.
#[derive(Debug, Clone, Copy)]
pub struct SensitiveAttribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values in their order.
    pub values: &'a [String],
    /// From a code of the sensitive column to a place in `values`; None where they are the same.
    pub of_code: Option<&'a [u32]>,
    /// Over its values, where the spec gives one.
    pub hierarchy: Option<&'a Hierarchy>,
}

impl SensitiveAttribute<'_> {
    /// Whether it is one of several.
    pub fn is_one_of_several(&self) -> bool {
        self.of_code.is_some()
    }

    /// Its counts (dense, by code), from those of the sensitive column.
    pub fn counts<N: Copy + Default + std::ops::AddAssign>(&self, of_column: &[N]) -> Vec<N> {
        let Some(of_code) = self.of_code else { return of_column.to_vec() };
        let mut counts = vec![N::default(); self.values.len()];
        of_code.iter().zip(of_column).for_each(|(&own, &count)| counts[own as usize] += count);
        counts
    }

    /// The same for a few codes with their counts, ascending by code.
    pub fn sparse_counts(&self, of_column: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let Some(of_code) = self.of_code else { return of_column.to_vec() };
        let mut own: Vec<(u32, u32)> = of_column.iter().map(|&(code, n)| (of_code[code as usize], n)).collect();
        own.sort_unstable();
        own.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.iter().map(|&(_, n)| n).sum())).collect()
    }

    /// " of `salary`" where there are others, to follow words about sensitive values.
    pub fn in_words(&self) -> String {
        if self.is_one_of_several() { format!(" of `{}`", self.name) } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_taken_apart_in_two_ways_is_not_combined() {
        let both = |a: [&str; 2], b: [&str; 2]| combined(&[Column::encode("a", &a), Column::encode("b", &b)]);
        assert_eq!(both(["x", "&"], ["y", "R&D"]).unwrap().values, ["& & R&D", "x & y"]);
        for (a, b) in [(["x &", "x"], ["y", "& y"]), (["x", "x & y"], ["y", "z"]), (["x", "x"], ["y", "& y"])] {
            assert!(both(a, b).unwrap_err().contains("combined values are joined"), "{a:?} {b:?}");
        }
    }
}
