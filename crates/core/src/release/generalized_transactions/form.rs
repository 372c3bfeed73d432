//! What `transactions.dat` says by the order of its numbers and by those that stand twice in a line.

use super::files::{CUT, TRANSACTIONS};
use crate::data::{Baskets, Item};
use crate::release::form::{FormFault, by_number, unordered};
use crate::release::transaction_lines::{repeated, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// A number that stands twice says that two items of its node were bought; numbers in the order of the items that they stand for say
/// more of these items than their nodes do.
pub(super) fn faults(original: &Baskets, transactions: &[u8], cut: &[u8], is_original: bool) -> Vec<FormFault> {
    let lines = words(transactions);
    let mut faults = repeated(&lines, true, |line, id| {
        format!(
            "{TRANSACTIONS}, line {line}: `{id}` stands there more than once, which says how many items it stands for; write it once"
        )
    });
    let id_of = ids(cut);
    let mut listed: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, id) in &id_of {
        let place = listed.len();
        listed.entry(id).or_insert(place);
    }
    let as_listed = |a: &&str, b: &&str| listed.get(a).cmp(&listed.get(b));
    if let Some(line) =
        unordered(&lines, &[&|a, b| by_number(a, b), &|a, b| by_number(b, a), &|a, b| a.cmp(b), &as_listed])
    {
        let leaks = is_original && in_order_of_items(original, &lines, &id_of.into_iter().collect());
        let what = if leaks {
            "are in the order of the items that they stand for"
        } else {
            "are in no order that everybody knows, and the order may say what they stand for"
        };
        faults.push(FormFault::new(
            leaks,
            format!(
                "{TRANSACTIONS}, line {}: its numbers {what}; write them ascending, or in the order of {CUT}",
                line + 1
            ),
        ));
    }
    faults
}

/// (item, id), as `cut.csv` lists them.
fn ids(cut: &[u8]) -> Vec<(String, String)> {
    let records = csv::ReaderBuilder::new().from_reader(cut).into_records().flatten();
    records.filter_map(|record| Some((record.get(0)?.to_string(), record.get(1)?.to_string()))).collect()
}

/// Whether every line has its numbers in the order of the original's items, as a program writes them that maps these one by one.
fn in_order_of_items(original: &Baskets, lines: &[Vec<&str>], id_of: &FxHashMap<String, String>) -> bool {
    let original = &original.transactions;
    let id = |item: &Item| id_of.get(&original.labels[*item as usize]).map(String::as_str).unwrap_or_default();
    lines.len() == original.len()
        && lines.iter().zip(original.rows()).all(|(words, row)| {
            let (mut seen, mut written) = (FxHashSet::default(), FxHashSet::default());
            let expected = row.iter().map(id).filter(|&id| seen.insert(id));
            expected.eq(words.iter().copied().filter(|&word| written.insert(word)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Transactions};

    fn found(lines: &str) -> Vec<FormFault> {
        let transactions =
            Transactions::from_labels(&[vec!["a1", "b", "c"], vec!["a2", "b", "c"], vec!["a1", "a2", "c"]]);
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        let cut = b"item,id,node\na1,2,A\na2,2,A\nb,0,b\nc,1,c\n";
        faults(dataset.baskets().unwrap(), lines.as_bytes(), cut, true)
    }

    #[test]
    fn numbers_stand_once_and_in_an_order_that_everybody_knows() {
        assert_eq!(found("0 1 2\n0 1 2\n1 2\n"), []);
        // The order of cut.csv: the same for every transaction, whatever is in it.
        assert_eq!(found("2 0 1\n2 0 1\n2 1\n"), []);
        let twice = found("0 1 2\n0 1 2\n1 2 2\n");
        let [fault] = twice.as_slice() else { panic!("{twice:?}") };
        assert!(fault.leaks);
        assert_eq!(
            fault.says,
            "transactions.dat, line 3: `2` stands there more than once, which says how many items it stands for; write it once"
        );
        let odd = found("0 2 1\n1 2 0\n1 2\n");
        let [fault] = odd.as_slice() else { panic!("{odd:?}") };
        assert!(!fault.leaks && fault.says.contains("in no order that everybody knows"), "{}", fault.says);
    }

    #[test]
    fn the_order_of_items_is_a_leak() {
        let transactions = Transactions::from_labels(&[vec!["a", "k", "z"], vec!["k", "z"], vec!["a", "k"]]);
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        // `a` and `z` are below one node: before `k` it was `a`, behind it `z`.
        let cut = b"item,id,node\na,1,AZ\nk,0,k\nz,1,AZ\n";
        let found = faults(dataset.baskets().unwrap(), b"1 0\n0 1\n1 0\n", cut, true);
        let [fault] = found.as_slice() else { panic!("{found:?}") };
        assert!(fault.leaks && fault.says.contains("in the order of the items"), "{}", fault.says);
    }
}
