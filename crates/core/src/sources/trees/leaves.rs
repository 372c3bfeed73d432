//! What a hierarchy stands on.

/// The values or items of a dataset that a hierarchy is built over.
pub(in crate::sources) struct Leaves<'a> {
    pub labels: &'a [String],
    /// Whether the labels are numbers in their order.
    pub numeric: bool,
    /// Whether inner nodes with a single node below them stay.
    pub keep_levels: bool,
    /// Every occurrence of every leaf, row by row.
    pub occurrences: Box<dyn Iterator<Item = u32> + 'a>,
    /// The leaves in a random order.
    pub shuffled: Box<dyn FnOnce() -> Vec<u32> + 'a>,
}
