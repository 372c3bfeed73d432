//! Generalized tables: rows whose quasi-identifiers are values, nodes of a hierarchy, intervals, sets or `*`, with the
//! sensitive attribute as it is. What Mondrian, full-domain generalization and most algorithms of the field give.
//!
//! Rows come in the order of the original. A suppressed row is `*` throughout. What a cell *covers* counts, never its text:
//! `[20,30)`, `20-29` and `{20;…;29}` are one and the same where no other value occurs.
//!
//! Definitions (which rows form a class, what a star means, when a threshold is met) are those of
//! `docs/generalized-tables.md`.

mod cases;
mod cell;
mod classes;
mod conclusions;
mod conventions;
mod cover;
mod cover_index;
mod domain;
mod files;
mod form;
mod fraction;
mod group;
mod groups;
mod guarantee;
mod kind;
mod overall;
mod reached;
mod requirement;
#[cfg(test)]
mod tests;
mod verifier;
mod wildcard;
mod witness;

pub use cell::{GeneralizedCell, Interval};
pub use classes::Classes;
pub use conventions::{Conventions, Star, Suppressed, SuppressedIf};
pub use cover::Cover;
pub(crate) use cover_index::CoverIndex;
pub use domain::Domain;
pub use fraction::Fraction;
pub use group::ClassGroup;
pub use guarantee::TableGuarantee;
pub use overall::Overall;
pub use reached::{
    alpha, basic_beta, closeness, delta, distinct_values, enhanced_beta, entropy_diversity, recursive_c, smallest_class,
};
pub use requirement::{Distance, Requirement};
pub(in crate::release) use verifier::shortfall_of_whole;
pub(crate) use witness::ClassWitnesses;

use crate::data::Microdata;
use crate::lab::{LabError, counted};

/// A generalized table.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneralizedTable {
    /// One for each quasi-identifier, in their order.
    pub columns: Vec<CellColumn>,
    /// The sensitive code of each row; None where it is `*`.
    pub sensitive: Vec<Option<u32>>,
}

/// A column of cells: few different ones, each in many rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellColumn {
    /// The different cells.
    pub cells: Vec<GeneralizedCell>,
    /// Row to its place in `cells`.
    pub of_row: Vec<u32>,
}

impl GeneralizedTable {
    /// Number of rows, suppressed ones included.
    pub fn rows(&self) -> usize {
        self.sensitive.len()
    }

    /// The cell of the `i`-th quasi-identifier in `row`.
    pub fn cell(&self, i: usize, row: usize) -> &GeneralizedCell {
        let column = &self.columns[i];
        &column.cells[column.of_row[row] as usize]
    }

    /// The table with every value as it is.
    pub fn identity(microdata: &Microdata) -> Self {
        let column = |i: usize| CellColumn {
            cells: (0..Domain::new(microdata, i).values() as u32).map(GeneralizedCell::Value).collect(),
            of_row: microdata.quasi_codes(i).to_vec(),
        };
        Self {
            columns: (0..microdata.quasi_identifiers.len()).map(column).collect(),
            sensitive: microdata.sensitive_codes().iter().copied().map(Some).collect(),
        }
    }

    /// Replaces the rows that `is_suppressed` names by `*` throughout.
    pub fn suppress(&mut self, is_suppressed: impl Fn(usize) -> bool) {
        let rows: Vec<usize> = (0..self.rows()).filter(|&row| is_suppressed(row)).collect();
        if rows.is_empty() {
            return;
        }
        for column in &mut self.columns {
            let any = column.cells.len() as u32;
            column.cells.push(GeneralizedCell::Any);
            rows.iter().for_each(|&row| column.of_row[row] = any);
        }
        rows.iter().for_each(|&row| self.sensitive[row] = None);
    }

    /// An error unless the table has the rows and columns of `microdata`: what everything else takes for granted.
    pub fn check_shape(&self, microdata: &Microdata) -> Result<(), LabError> {
        let (found, wanted) = (self.rows(), microdata.rows());
        if found != wanted || self.columns.iter().any(|column| column.of_row.len() != wanted) {
            return Err(LabError::input(format!("the release has {}, the original {wanted}", counted(found, "row"))));
        }
        let (found, wanted) = (self.columns.len(), microdata.quasi_identifiers.len());
        if found != wanted {
            return Err(LabError::input(format!(
                "the release has {}, the original {wanted}",
                counted(found, "quasi-identifier")
            )));
        }
        Ok(())
    }
}
