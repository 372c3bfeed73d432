/// A dense item number; `Transactions::labels` has the item's name.
pub type Item = u32;

/// Sets of items in compressed rows: one array of items, one of offsets.
///
/// Items are dense numbers in the order of their labels (numeric where all labels are numbers), each occurring at least
/// once unless a derivation or suppression emptied it. Within a row they ascend and do not repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transactions {
    offsets: Vec<usize>,
    items: Vec<Item>,
    pub labels: Vec<String>,
}

impl Transactions {
    pub fn with_labels(labels: Vec<String>) -> Self {
        Self { offsets: vec![0], items: Vec::new(), labels }
    }

    /// Appends a row; items are sorted and repeated ones fall together.
    ///
    /// # Panics
    /// When an item has no label: a caller's error, never the data's.
    pub fn push(&mut self, row: impl IntoIterator<Item = Item>) {
        let start = self.items.len();
        self.items.extend(row);
        self.items[start..].sort_unstable();
        let mut kept = start;
        for i in start..self.items.len() {
            if i == start || self.items[i] != self.items[kept - 1] {
                self.items[kept] = self.items[i];
                kept += 1;
            }
        }
        self.items.truncate(kept);
        assert!(
            self.items[start..].last().is_none_or(|&item| (item as usize) < self.labels.len()),
            "every item has a label"
        );
        self.offsets.push(kept);
    }

    /// Transactions over labels, for loaders, tests and examples. Items are numbered in numeric order when every label is
    /// an integer, else in the order of the text.
    pub fn from_labels<S: AsRef<str>>(rows: &[Vec<S>]) -> Self {
        let mut labels: Vec<&str> = rows.iter().flatten().map(AsRef::as_ref).collect();
        labels.sort_unstable();
        labels.dedup();
        if let Some(mut numbered) =
            labels.iter().map(|label| label.parse::<u64>().ok().map(|n| (n, *label))).collect::<Option<Vec<_>>>()
        {
            numbered.sort_unstable();
            labels = numbered.into_iter().map(|(_, label)| label).collect();
        }
        let index: rustc_hash::FxHashMap<&str, Item> =
            labels.iter().enumerate().map(|(item, label)| (*label, item as Item)).collect();
        let mut transactions = Self::with_labels(labels.iter().map(|label| label.to_string()).collect());
        for row in rows {
            transactions.push(row.iter().map(|label| index[label.as_ref()]));
        }
        transactions
    }

    /// The number of transactions.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of the item domain.
    pub fn items(&self) -> usize {
        self.labels.len()
    }

    /// The number of item occurrences in all rows.
    pub fn occurrences(&self) -> usize {
        self.items.len()
    }

    pub fn row(&self, index: usize) -> &[Item] {
        &self.items[self.offsets[index]..self.offsets[index + 1]]
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Item]> + Clone {
        self.offsets.windows(2).map(|bounds| &self.items[bounds[0]..bounds[1]])
    }

    /// How many transactions hold each item.
    pub fn supports(&self) -> Vec<u32> {
        let mut supports = vec![0; self.labels.len()];
        for &item in &self.items {
            supports[item as usize] += 1;
        }
        supports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_sets_over_dense_items() {
        let t = Transactions::from_labels(&[vec!["10", "9", "10"], vec![], vec!["9", "200"]]);
        assert_eq!(t.labels, ["9", "10", "200"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[0, 1][..], &[], &[0, 2]]);
        assert_eq!((t.len(), t.items(), t.occurrences()), (3, 3, 4));
        assert_eq!(t.supports(), [2, 1, 1]);
    }
}
