use crate::data::Transactions;

/// Rows of items to mine: transactions as they are, or a table whose values became items.
pub trait Itemized {
    fn transactions(&self) -> &Transactions;

    /// Item to its group, where items are grouped: no two items of one group stand in one itemset. The items of one
    /// attribute are such a group: two of them either exclude each other or the one is the other, generalized.
    fn groups(&self) -> Option<&[u32]> {
        None
    }
}

impl Itemized for Transactions {
    fn transactions(&self) -> &Transactions {
        self
    }
}
