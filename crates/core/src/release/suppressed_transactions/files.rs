//! Suppressed transactions as files: `transactions.dat` has the items of one transaction a line, apart by blanks (an empty
//! line is a transaction without items), `suppressed.csv` the suppressed items, one a line under the header `item`.

use super::SuppressedTransactions;
use crate::data::{Baskets, Item, Transactions, line_of};
use crate::lab::{LabError, did_you_mean_if_near};
use crate::release::kind::ReleaseFile;
use rustc_hash::FxHashMap;

pub(super) const TRANSACTIONS: &str = "transactions.dat";
pub(super) const SUPPRESSED: &str = "suppressed.csv";
const HEADER: &str = "item";

impl SuppressedTransactions {
    /// Refuses items whose names cannot be told apart once blanks stand between them.
    pub(super) fn to_files(&self, original: &Baskets) -> Result<Vec<ReleaseFile>, LabError> {
        let labels = &original.transactions.labels;
        if let Some(label) = labels.iter().find(|label| label.is_empty() || label.contains(char::is_whitespace)) {
            return Err(LabError::input(format!("{TRANSACTIONS}: `{label}` is no item: it is empty or has a blank")));
        }
        let mut lines = String::with_capacity(self.transactions.occurrences() * 6);
        for row in self.transactions.rows() {
            for (i, &item) in row.iter().enumerate() {
                lines.push_str(if i == 0 { "" } else { " " });
                lines.push_str(&labels[item as usize]);
            }
            lines.push('\n');
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.suppressed.iter().map(|&item| labels[item as usize].as_str());
        for name in [HEADER].into_iter().chain(names) {
            writer.write_record([name]).expect("writing to memory does not fail");
        }
        let list = writer.into_inner().expect("writing to memory does not fail");
        Ok(vec![
            ReleaseFile { name: TRANSACTIONS, bytes: lines.into_bytes() },
            ReleaseFile { name: SUPPRESSED, bytes: list },
        ])
    }

    /// Reads what [`SuppressedTransactions::to_files`] writes. Whether it is a release of `original` is for the verifier.
    pub(super) fn from_files(original: &Baskets, transactions: &[u8], suppressed: &[u8]) -> Result<Self, LabError> {
        let labels = &original.transactions.labels;
        let items = Items { labels, numbers: labels.iter().map(String::as_str).zip(0..).collect() };
        let text = std::str::from_utf8(transactions).map_err(|error| {
            LabError::input(format!("{TRANSACTIONS}: not UTF-8 after {} bytes", error.valid_up_to()))
        })?;
        let mut rows = Transactions::with_labels(labels.clone());
        for (line, text) in (1..).zip(text.lines()) {
            let row: Result<Vec<Item>, _> =
                text.split_ascii_whitespace().map(|name| items.find(name, TRANSACTIONS, line)).collect();
            rows.push(row?);
        }
        Ok(Self { suppressed: read_list(suppressed, &items)?, transactions: rows })
    }
}

fn read_list(suppressed: &[u8], items: &Items) -> Result<Vec<Item>, LabError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(suppressed);
    let header = reader.headers().map_err(|error| LabError::input(format!("{SUPPRESSED}: {error}")))?;
    if header.iter().ne([HEADER]) {
        let found: Vec<&str> = header.iter().collect();
        return Err(LabError::input(format!("{SUPPRESSED}: the header must be `{HEADER}`, not `{}`", found.join(","))));
    }
    let mut list = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| LabError::input(format!("{SUPPRESSED}: {error}")))?;
        let line = line_of(&record, suppressed);
        list.push(items.find(&record[0], SUPPRESSED, line)?);
    }
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

struct Items<'a> {
    labels: &'a [String],
    numbers: FxHashMap<&'a str, Item>,
}

impl Items<'_> {
    fn find(&self, name: &str, file: &str, line: u64) -> Result<Item, LabError> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let hint = did_you_mean_if_near(name, self.labels);
            LabError::input(format!("{file}, line {line}: `{name}` is no item of the original{hint}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;

    fn sample() -> (Dataset, SuppressedTransactions) {
        let transactions = Transactions::from_labels(&[vec!["milk", "pills"], vec!["bread"], vec!["bread", "milk"]]);
        let release = SuppressedTransactions::suppressing(&transactions, [0]);
        (Dataset::of_transactions(transactions, None, &[2]), release)
    }

    #[test]
    fn files_are_read_back() {
        let (dataset, release) = sample();
        let baskets = dataset.baskets().unwrap();
        let files = release.to_files(baskets).unwrap();
        let texts: Vec<_> = files.iter().map(|file| (file.name, std::str::from_utf8(&file.bytes).unwrap())).collect();
        assert_eq!(texts, [("transactions.dat", "milk pills\n\nmilk\n"), ("suppressed.csv", "item\nbread\n")]);
        assert_eq!(SuppressedTransactions::from_files(baskets, &files[0].bytes, &files[1].bytes).unwrap(), release);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let (dataset, _) = sample();
        let baskets = dataset.baskets().unwrap();
        let read = |transactions: &[u8], list: &str| {
            SuppressedTransactions::from_files(baskets, transactions, list.as_bytes()).unwrap_err().to_string()
        };
        assert_eq!(
            read(b"milk\nmilc\n", "item\n"),
            "transactions.dat, line 2: `milc` is no item of the original; did you mean `milk`?"
        );
        assert_eq!(read(b"milk \xff\n", "item\n"), "transactions.dat: not UTF-8 after 5 bytes");
        assert_eq!(read(b"", "item\nbeer-crate\n"), "suppressed.csv, line 2: `beer-crate` is no item of the original");
        assert_eq!(read(b"", "name\n"), "suppressed.csv: the header must be `item`, not `name`");
        assert_eq!(read(b"", ""), "suppressed.csv: the header must be `item`, not ``");
        assert!(read(b"", "item\nmilk,2\n").starts_with("suppressed.csv: "));

        let spaced = Transactions::from_labels(&[vec!["oat milk"]]);
        let release = SuppressedTransactions::suppressing(&spaced, []);
        let dataset = Dataset::of_transactions(spaced, None, &[]);
        let error = release.to_files(dataset.baskets().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "transactions.dat: `oat milk` is no item: it is empty or has a blank");
    }
}
