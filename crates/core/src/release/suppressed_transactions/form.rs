//! What `transactions.dat` says by the order of its items and by those that stand twice in a line.

use super::files::TRANSACTIONS;
use crate::data::Baskets;
use crate::release::form::{FormFault, by_number, unordered};
use crate::release::transaction_lines::{repeated, words};
use rustc_hash::FxHashMap;

/// Items are published as they are, so that neither gives away what was suppressed; but transactions are sets, and what a program says
/// beyond them is of its own.
pub(super) fn faults(original: &Baskets, transactions: &[u8]) -> Vec<FormFault> {
    let lines = words(transactions);
    let mut faults = repeated(&lines, false, |line, item| {
        format!(
            "{TRANSACTIONS}, line {line}: `{item}` stands there more than once, and a transaction is a set; write it once"
        )
    });
    let labels = &original.transactions.labels;
    let codes: FxHashMap<&str, usize> = labels.iter().map(String::as_str).zip(0..).collect();
    let by_code = |a: &&str, b: &&str| codes.get(a).cmp(&codes.get(b));
    if let Some(line) = unordered(&lines, &[&by_code, &|a, b| by_number(a, b), &|a, b| a.cmp(b)]) {
        faults.push(FormFault::new(
            false,
            format!(
                "{TRANSACTIONS}, line {}: its items are in no order that everybody knows, and the order may say something; write them \
                 in the order of the original's items",
                line + 1
            ),
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Transactions};

    #[test]
    fn items_stand_once_and_in_an_order_that_everybody_knows() {
        let transactions = Transactions::from_labels(&[vec!["9", "10", "milk"], vec!["10", "9"]]);
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        let found = |lines: &str| faults(dataset.baskets().unwrap(), lines.as_bytes());
        assert_eq!(found("9 10 milk\n9 10\n"), []);
        assert_eq!(found("10 9 milk\n10 9\n"), []);
        let [fault] = &found("10 9 milk\n9 10\n")[..] else { panic!() };
        assert!(!fault.leaks && fault.says.starts_with("transactions.dat, line 2: its items are in no order"));
        let [fault] = &found("9 10 10 milk\n9 10\n")[..] else { panic!() };
        assert!(!fault.leaks && fault.says.starts_with("transactions.dat, line 1: `10` stands there more than once"));
    }
}
