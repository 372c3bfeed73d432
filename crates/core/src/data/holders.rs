use super::transactions::{Item, Transactions};

/// An index of transactions by item: which of them hold each item.
pub struct Holders<'a> {
    transactions: &'a Transactions,
    rows_of: Vec<Vec<u32>>,
}

impl<'a> Holders<'a> {
    /// Item by item, the transactions that have it.
    pub fn new(transactions: &'a Transactions) -> Self {
        let mut rows_of = vec![Vec::new(); transactions.items()];
        for (index, row) in transactions.rows().enumerate() {
            row.iter().for_each(|&item| rows_of[item as usize].push(index as u32));
        }
        Self { transactions, rows_of }
    }

    /// The number of transactions that hold all of a nonempty `set`. Walks those that hold its rarest item.
    pub fn support(&self, set: &[Item]) -> usize {
        let rarest = set.iter().map(|&item| &self.rows_of[item as usize]).min_by_key(|rows| rows.len());
        let holds = |row: &[Item]| set.iter().all(|item| row.binary_search(item).is_ok());
        rarest.map_or(0, |rows| rows.iter().filter(|&&row| holds(self.transactions.row(row as usize))).count())
    }
}
