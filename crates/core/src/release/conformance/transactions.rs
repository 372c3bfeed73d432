//! Small sets of transactions.

use crate::data::{Dataset, Hierarchy, Transactions};
use crate::lab::LabError;

/// Transactions as words in lines; `|` is an empty one.
pub(in crate::release) fn transactions(lines: &[&str], private: &[&str]) -> Result<Dataset, LabError> {
    let rows: Vec<Vec<&str>> =
        lines.iter().map(|line| line.split_whitespace().filter(|&w| w != "|").collect()).collect();
    let transactions = Transactions::from_labels(&rows);
    let labels = &transactions.labels;
    let order: Vec<u32> = (0..labels.len() as u32).collect();
    let hierarchy = Hierarchy::by_degree(labels, &order, 2)?;
    let private: Vec<u32> =
        (0..).zip(labels).filter(|(_, label)| private.contains(&label.as_str())).map(|(item, _)| item).collect();
    Ok(Dataset::of_transactions(transactions, Some(hierarchy), &private))
}

/// `n` transactions of up to five of twenty items, some of them rare.
pub(in crate::release) fn many_transactions(n: usize) -> Vec<String> {
    let line = |i: usize| {
        let items: Vec<String> = (0..1 + i % 5).map(|j| (((i * 7 + j * j * 3) % 20).min(i % 23)).to_string()).collect();
        items.join(" ")
    };
    (0..n).map(line).collect()
}
