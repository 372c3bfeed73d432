use crate::data::Item;

/// A set of published items that identifies too few transactions.
pub(super) struct Violated {
    pub set: Vec<Item>,
    pub support: u64,
}
