//! What a reader concludes from a release. Audits and utilities are written against this, so that they serve every kind of
//! release from which the same can be concluded.

use super::group_ids::GroupIds;
use crate::data::{Baskets, CombinedRows, Item, Microdata, RowOrder};
use crate::lab::{LabError, counted};
use std::borrow::Cow;

/// What a kind of release allows to conclude. `None`: nothing of this sort.
///
/// `ReleaseKind::TELLING_GROUPS` and the lists beside it name the kinds that answer, for measures to say what they take.
pub(super) trait Conclusions {
    /// Whom the release does not tell apart, and the sensitive values they have among them, for a reader who knows
    /// everybody's quasi-identifiers: the distribution of sensitive values for a quasi-identifier value.
    fn groups(&self, _original: &Microdata) -> Option<Result<Groups<'_>, LabError>> {
        None
    }

    /// What an analyst who has the release alone answers to COUNT queries over quasi-identifiers and the sensitive value.
    fn counts<'a>(&'a self, _original: &'a Microdata) -> Option<Result<Box<dyn Counts + 'a>, LabError>> {
        None
    }

    /// What an analyst who has the release alone takes for the supports of sets of original items.
    fn supports<'a>(&'a self, _original: &'a Baskets) -> Option<Result<Box<dyn Supports + 'a>, LabError>> {
        None
    }
}

/// Answers COUNT queries on a table.
pub trait Counts {
    /// The expected number of records that `query` counts.
    fn count(&mut self, query: &CountQuery<'_>) -> f64;

    /// Whether the release shows which records meet the conditions on quasi-identifiers. They need not be found where it
    /// does not.
    fn needs_records(&self) -> bool {
        true
    }
}

/// How many records have an admitted value of each of some quasi-identifiers, and an admitted sensitive value?
#[derive(Debug, Clone, Copy)]
pub struct CountQuery<'a> {
    /// The conditions on quasi-identifiers, at most one for each, ascending.
    pub quasi: &'a [Admitted],
    /// The records of the original whose quasi-identifiers meet all conditions: what a release that publishes
    /// quasi-identifiers as they are shows. Other releases show less and must not look at it.
    pub records: Records<'a>,
    /// For each sensitive code, whether it is admitted.
    pub sensitive: &'a [bool],
}

/// Records of the original.
#[derive(Debug, Clone, Copy)]
pub enum Records<'a> {
    /// Those with the combinations of these numbers. Whoever is asked many queries on the same attributes may sum up each
    /// combination once.
    Combined {
        /// The rows by their combination of quasi-identifier values.
        rows: &'a CombinedRows,
        /// The combinations that the query admits.
        numbers: &'a [u32],
    },
    /// Those at these places of an order of the rows.
    Ordered {
        /// The rows in the order of one quasi-identifier.
        order: &'a RowOrder,
        /// The places in that order that the query admits.
        places: &'a [u32],
    },
    /// Those in these rows.
    Listed(&'a [u32]),
}

/// The values that a query admits of one quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// Position among the quasi-identifiers.
    pub attribute: usize,
    /// The admitted codes, ascending.
    pub values: Vec<u32>,
}

/// Estimates supports of itemsets.
pub trait Supports {
    /// The expected number of original transactions that have all of `set`, distinct items of the original in any order.
    fn support(&self, set: &[Item]) -> f64;
}

/// The people of a table in groups within which the release does not tell them apart, with the sensitive values that each
/// group has. Somebody in a group has a value with its share in the group, as long as nothing else is known.
#[derive(Debug, Clone)]
pub struct Groups<'a> {
    group_of: Cow<'a, [u32]>,
    sensitive: Cow<'a, [Vec<(u32, u32)>]>,
    sizes: Vec<u32>,
    ids: Cow<'a, GroupIds>,
}

impl<'a> Groups<'a> {
    /// `group_of` maps each row of `original` to its group; `sensitive` has the sensitive codes of each group with their
    /// counts, ascending. Refuses rows without values.
    pub fn new(
        original: &Microdata,
        group_of: impl Into<Cow<'a, [u32]>>,
        sensitive: impl Into<Cow<'a, [Vec<(u32, u32)>]>>,
    ) -> Result<Self, LabError> {
        let (group_of, sensitive) = (group_of.into(), sensitive.into());
        let (found, wanted) = (group_of.len(), original.rows());
        if found != wanted {
            return Err(LabError::input(format!("the release has {}, the original {wanted}", counted(found, "row"))));
        }
        let sizes: Vec<u32> = sensitive.iter().map(|values| values.iter().map(|&(_, count)| count).sum()).collect();
        let is_empty = |group: u32| sizes.get(group as usize).is_none_or(|&size| size == 0);
        match group_of.iter().position(|&group| is_empty(group)) {
            Some(row) => Err(LabError::input(format!("row {} is in a group without sensitive values", row + 1))),
            None => Ok(Self { group_of, sensitive, sizes, ids: Cow::default() }),
        }
    }

    /// Called as in the files of the release.
    pub fn called(self, ids: &'a GroupIds) -> Self {
        Self { ids: Cow::Borrowed(ids), ..self }
    }

    /// "group 7"
    pub fn name(&self, group: usize) -> String {
        self.ids.name(group)
    }

    /// The number of groups.
    pub fn number(&self) -> usize {
        self.sizes.len()
    }

    /// Row of the original to its group.
    pub fn of_rows(&self) -> &[u32] {
        &self.group_of
    }

    /// All rows, those of one group after those of another, ascending within.
    pub fn rows_in_order(&self) -> Vec<u32> {
        let mut next = vec![0usize; self.number() + 1];
        for &group in self.of_rows() {
            next[group as usize + 1] += 1;
        }
        for group in 1..next.len() {
            next[group] += next[group - 1];
        }
        let mut rows = vec![0; self.of_rows().len()];
        for (row, &group) in self.of_rows().iter().enumerate() {
            rows[next[group as usize]] = row as u32;
            next[group as usize] += 1;
        }
        rows
    }

    /// Rows of [`rows_in_order`](Self::rows_in_order), in runs of one group each.
    pub fn runs<'r>(&self, rows: &'r [u32]) -> impl Iterator<Item = (usize, &'r [u32])> {
        let group_of = |row: u32| self.of_rows()[row as usize];
        rows.chunk_by(move |&a, &b| group_of(a) == group_of(b)).map(move |run| (group_of(run[0]) as usize, run))
    }

    /// The sensitive codes in `group` with their counts, ascending by code.
    pub fn values(&self, group: usize) -> &[(u32, u32)] {
        &self.sensitive[group]
    }

    /// How many sensitive values `group` has, each as often as it occurs.
    pub fn size(&self, group: usize) -> u32 {
        self.sizes[group]
    }
}
