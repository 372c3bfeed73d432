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
    /// The names of items, by code.
    pub labels: Vec<String>,
}

impl Transactions {
    /// No transactions yet, over items of these names.
    pub fn with_labels(labels: Vec<String>) -> Self {
        Self { offsets: vec![0], items: Vec::new(), labels }
    }

    /// Transactions from their compressed rows; items within a row are sorted and repeated ones fall together.
    ///
    /// # Panics
    /// When offsets do not ascend from 0 to the number of items, or an item has no label: a loader's error, never the data's.
    pub fn from_parts(mut offsets: Vec<usize>, mut items: Vec<Item>, labels: Vec<String>) -> Self {
        assert!(offsets.first() == Some(&0) && offsets.last() == Some(&items.len()) && offsets.is_sorted());
        assert!(items.iter().all(|&item| (item as usize) < labels.len()), "every item has a label");
        let (mut start, mut kept) = (0, 0);
        for end in &mut offsets[1..] {
            let row = start..*end;
            start = *end;
            // Most files have sorted rows without repetitions.
            if !items[row.clone()].is_sorted_by(|a, b| a < b) {
                items[row.clone()].sort_unstable();
            }
            let row_start = kept;
            for i in row {
                if kept == row_start || items[i] != items[kept - 1] {
                    items[kept] = items[i];
                    kept += 1;
                }
            }
            *end = kept;
        }
        items.truncate(kept);
        Self { offsets, items, labels }
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

    /// Whether there is no transaction.
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

    /// The items of one transaction, ascending.
    pub fn row(&self, index: usize) -> &[Item] {
        &self.items[self.offsets[index]..self.offsets[index + 1]]
    }

    /// Transaction by transaction, the items, ascending.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Item]> + Clone {
        self.offsets.windows(2).map(|bounds| &self.items[bounds[0]..bounds[1]])
    }

    /// The transactions `rows` alone, in that order, over the same items.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        let mut items = Vec::with_capacity(rows.iter().map(|&row| self.row(row).len()).sum());
        for &row in rows {
            items.extend_from_slice(self.row(row));
            offsets.push(items.len());
        }
        Self { offsets, items, labels: self.labels.clone() }
    }

    /// The same transactions over new items: item `i` becomes `new_item(i)`, which `labels` names. Items that become one
    /// fall together within a transaction.
    pub fn relabel(self, new_item: impl Fn(Item) -> Item, labels: Vec<String>) -> Self {
        let items = self.items.into_iter().map(new_item).collect();
        Self::from_parts(self.offsets, items, labels)
    }

    /// The same transactions over the items that occur.
    pub fn without_absent_items(self) -> Self {
        let supports = self.supports();
        if supports.iter().all(|&support| support > 0) {
            return self;
        }
        let mut new_item = vec![Item::MAX; supports.len()];
        let mut labels = Vec::new();
        for (item, _) in supports.iter().enumerate().filter(|&(_, &support)| support > 0) {
            new_item[item] = labels.len() as Item;
            labels.push(self.labels[item].clone());
        }
        self.relabel(|item| new_item[item as usize], labels)
    }

    /// The number of items in the longest transaction.
    pub fn longest(&self) -> usize {
        self.rows().map(<[Item]>::len).max().unwrap_or(0)
    }

    /// The mean number of items in a transaction.
    pub fn mean_length(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.occurrences() as f64 / self.len() as f64 }
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
        assert_eq!((t.longest(), t.mean_length()), (2, 4.0 / 3.0));
    }

    #[test]
    fn selected_and_relabelled_rows_stay_sorted_sets() {
        let t = Transactions::from_labels(&[vec!["1", "2", "3"], vec!["3"], vec!["2"]]);
        let part = t.select(&[2, 0, 2]).relabel(|item| 1 - item % 2, vec!["odd".into(), "even".into()]);
        assert_eq!(part.rows().collect::<Vec<_>>(), [&[0][..], &[0, 1], &[0]]);
        let part = t.select(&[1]).without_absent_items();
        assert_eq!((part.labels.clone(), part.row(0)), (vec!["3".to_string()], &[0][..]));
    }
}
