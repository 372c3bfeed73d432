//! Transactions in any order, or fewer than the original's: what each original was published as is known from the cut or from
//! the list of suppressed items, so that equal ones only need counting.

use super::rows::{MatchedRows, named};
use crate::data::{Baskets, Item, Transactions};
use crate::lab::LabError;
use crate::release::{Cut, GeneralizedTransactions, Release, SuppressedTransactions};
use rustc_hash::FxHashMap;

/// The originals that were released and the released transactions, both in the order of the originals.
pub(super) fn arrange(original: &Baskets, release: &Release) -> Result<(Baskets, Release, MatchedRows), LabError> {
    let (published, mapped) = match release {
        Release::GeneralizedTransactions(release) => (&release.transactions, through_cut(original, release)?),
        Release::SuppressedTransactions(release) => (&release.transactions, less_suppressed(original, release)),
        Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_) => {
            return Err(LabError::input("transactions are needed"));
        }
    };
    let mut originals: FxHashMap<&[Item], Vec<usize>> = FxHashMap::default();
    for (row, items) in mapped.iter().enumerate().rev() {
        originals.entry(items).or_default().push(row);
    }
    let mut released_of: Vec<Option<usize>> = vec![None; mapped.len()];
    let mut unmatched = Vec::new();
    for (row, items) in published.rows().enumerate() {
        match originals.get_mut(items).and_then(Vec::pop) {
            Some(original) => released_of[original] = Some(row),
            None => unmatched.push(row),
        }
    }
    let kept: Vec<usize> = (0..released_of.len()).filter(|&row| released_of[row].is_some()).collect();
    let order: Vec<usize> = released_of.iter().flatten().copied().collect();
    let dropped = (0..released_of.len()).filter(|&row| released_of[row].is_none());
    let matched = MatchedRows {
        original: mapped.len(),
        released: published.len(),
        matched: order.len(),
        in_order: order.is_sorted(),
        dropped: mapped.len() - kept.len(),
        dropped_rows: named(dropped),
        unmatched: unmatched.len(),
        unmatched_rows: named(unmatched.iter().copied()),
        shortage: unmatched.first().map(|&row| {
            let names: Vec<&str> =
                published.row(row).iter().map(|&item| published.labels[item as usize].as_str()).collect();
            let (row, names) = (row + 1, names.join(", "));
            format!(
                "transaction {row} of the release ({{{names}}}) is in it more often than originals are published so"
            )
        }),
        undecided: None,
    };
    let baskets = Baskets { transactions: original.transactions.select(&kept), ..original.clone() };
    let transactions = published.select(&order);
    let release = match release {
        Release::GeneralizedTransactions(release) => {
            Release::GeneralizedTransactions(GeneralizedTransactions { transactions, ..release.clone() })
        }
        Release::SuppressedTransactions(release) => {
            Release::SuppressedTransactions(SuppressedTransactions { transactions, ..release.clone() })
        }
        Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_) => release.clone(),
    };
    Ok((baskets, release, matched))
}

fn through_cut(original: &Baskets, release: &GeneralizedTransactions) -> Result<Vec<Vec<Item>>, LabError> {
    let hierarchy = original.hierarchy.as_ref();
    let hierarchy = hierarchy.ok_or_else(|| LabError::input("the original has no hierarchy over its items"))?;
    let cut = Cut::new(hierarchy, &release.cut)?;
    Ok(GeneralizedTransactions::through(&cut, hierarchy, &original.transactions)
        .transactions
        .rows()
        .map(<[_]>::to_vec)
        .collect())
}

fn less_suppressed(original: &Baskets, release: &SuppressedTransactions) -> Vec<Vec<Item>> {
    let published = SuppressedTransactions::suppressing(&original.transactions, release.suppressed.iter().copied());
    let rows = |transactions: &Transactions| transactions.rows().map(<[_]>::to_vec).collect();
    rows(&published.transactions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;

    #[test]
    fn shuffled_transactions_find_their_originals() {
        let rows = [vec!["a", "b"], vec!["a"], vec!["b", "c"], vec!["a"]];
        let dataset = Dataset::of_transactions(Transactions::from_labels(&rows), None, &[]);
        let original = dataset.baskets().unwrap();
        let release = |rows: &[&[Item]]| {
            let mut transactions = Transactions::with_labels(original.transactions.labels.clone());
            rows.iter().for_each(|row| transactions.push(row.iter().copied()));
            Release::SuppressedTransactions(SuppressedTransactions { suppressed: vec![2], transactions })
        };
        let (baskets, arranged, matched) = arrange(original, &release(&[&[1], &[0], &[0, 1]])).unwrap();
        assert_eq!((matched.matched, matched.dropped_rows.clone(), matched.in_order), (3, vec![4], false));
        assert_eq!(baskets.transactions.rows().collect::<Vec<_>>(), [&[0, 1][..], &[0], &[1, 2]]);
        assert_eq!(arranged, release(&[&[0, 1], &[0], &[1]]));
        let (_, _, matched) = arrange(original, &release(&[&[1], &[1]])).unwrap();
        assert_eq!((matched.unmatched, matched.unmatched_rows), (1, vec![2]));
        assert_eq!(
            matched.shortage.unwrap(),
            "transaction 2 of the release ({b}) is in it more often than originals are published so"
        );
    }
}
