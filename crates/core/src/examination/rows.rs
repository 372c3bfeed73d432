use serde::{Deserialize, Serialize};

/// How the rows of a release go with those of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowPairing {
    /// The same rows in the same order.
    #[default]
    Aligned,
    /// In any order, and some may be missing: whether they can come from the original is decided by a largest matching.
    Any,
}

/// What came of matching released rows with originals.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MatchedRows {
    /// Rows of the original.
    pub original: usize,
    /// Rows of the release.
    pub released: usize,
    /// Released rows that were given an original each, no two the same.
    pub matched: usize,
    /// Whether they stand in the original's order anyway.
    pub in_order: bool,
    /// Originals that no released row is left for.
    pub dropped: usize,
    /// The first of them, counted from 1. Rows that are alike are interchangeable, so that another of the same values may be
    /// the one that was dropped.
    pub dropped_rows: Vec<usize>,
    /// Released rows that no original is left for.
    pub unmatched: usize,
    /// Their places in the file, counted from 1: the first few.
    pub unmatched_rows: Vec<usize>,
    /// Why not all released rows can have an original of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortage: Option<String>,
    /// Why it was not decided whether they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl MatchedRows {
    /// So many rows are named.
    pub const NAMED: usize = 1000;

    /// Every row in its place.
    pub fn in_order(rows: usize) -> Self {
        Self { original: rows, released: rows, matched: rows, in_order: true, ..Self::default() }
    }

    /// Whether every released row has an original of its own.
    pub fn is_complete(&self) -> bool {
        self.unmatched == 0
    }
}

/// The rows, counted from 1, at most [`MatchedRows::NAMED`] of them.
pub(super) fn named(rows: impl Iterator<Item = usize>) -> Vec<usize> {
    rows.take(MatchedRows::NAMED).map(|row| row + 1).collect()
}
