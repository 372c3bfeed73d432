//! Reads a release beside its original.

use super::foreign::ForeignTable;
use super::found::FoundRelease;
use super::rows::{MatchedRows, RowPairing};
use super::{bucket_rows, table_rows, transaction_rows};
use crate::data::{Baskets, Content, Dataset, Item, write_csv};
use crate::lab::{LabError, counted};
use crate::release::{Beside, FormFault, ListedBuckets, Release, ReleaseKind};
use crate::sources::{SourceText, read_regular_file};
use rustc_hash::FxHashSet;

/// A release that was read, with the original as it is compared with.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Without the transactions that the release lacks, where rows may be missing.
    pub dataset: Dataset,
    /// What the files say.
    pub release: Release,
    /// What was taken for what, in words.
    pub notes: Vec<String>,
    /// None where rows were not matched.
    pub rows: Option<MatchedRows>,
    /// What the files say by their form.
    pub form: Vec<FormFault>,
}

/// Reads the files of `found` as a release of `dataset`.
pub fn take(dataset: Dataset, found: &FoundRelease, rows: RowPairing) -> Result<Taken, LabError> {
    let mut notes = Vec::new();
    if found.kind == ReleaseKind::GeneralizedTable {
        return take_table(dataset, found, rows);
    }
    let files = found.files.iter().map(|path| read_regular_file(path)).collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let suppressed;
    if let (ReleaseKind::SuppressedTransactions, [transactions]) = (found.kind, files.as_slice()) {
        suppressed = absent_items(dataset.baskets()?, transactions);
        files.push(&suppressed);
    }
    if let (ReleaseKind::Buckets, RowPairing::Any, [qit, st]) = (found.kind, rows, files.as_slice()) {
        let listed = ListedBuckets::read(dataset.microdata()?, qit, st).map_err(|error| located(found, &error))?;
        let (dataset, buckets, matched) = bucket_rows::arrange(dataset, &listed)?;
        notes.extend(without_dropped(&matched));
        let release = Release::Buckets(buckets);
        // Whose values they are is not known otherwise, so that no order can be shown to tell it.
        let form = if matched.in_order { release.form_faults(Beside::Original(&dataset), &files)? } else { Vec::new() };
        return Ok(Taken { dataset, release, notes, rows: Some(matched), form });
    }
    let release = found.kind.read(&dataset, &files).map_err(|error| located(found, &error))?;
    let form = release.form_faults(Beside::Original(&dataset), &files)?;
    match (rows, &release) {
        (RowPairing::Aligned, Release::GeneralizedTransactions(_) | Release::SuppressedTransactions(_)) => {
            let (released, original) = (transactions_of(&release), dataset.baskets()?.transactions.len());
            if released != original {
                return Err(LabError::input(format!(
                    "{}: it has {}, the original {original}; with `--rows any` some may be missing",
                    found.files[0].display(),
                    counted(released, "transaction")
                )));
            }
            Ok(Taken { dataset, release, notes, rows: None, form })
        }
        (RowPairing::Any, Release::GeneralizedTransactions(_) | Release::SuppressedTransactions(_)) => {
            let (baskets, release, matched) = transaction_rows::arrange(dataset.baskets()?, &release)?;
            notes.extend(without_dropped(&matched));
            let dataset = Dataset { content: Content::Transactions(baskets), ..dataset };
            Ok(Taken { dataset, release, notes, rows: Some(matched), form })
        }
        (RowPairing::Any, Release::Rules(_)) => {
            notes.push("rules have no rows to match".to_string());
            Ok(Taken { dataset, release, notes, rows: None, form })
        }
        (RowPairing::Aligned, _) | (RowPairing::Any, Release::Buckets(_) | Release::GeneralizedTable(_)) => {
            Ok(Taken { dataset, release, notes, rows: None, form })
        }
    }
}

/// How rows are called where dropped ones are left out.
fn without_dropped(matched: &MatchedRows) -> Option<String> {
    let says = "in what follows, rows are numbered without the dropped ones";
    (matched.dropped > 0 && matched.is_complete()).then(|| says.to_string())
}

fn take_table(dataset: Dataset, found: &FoundRelease, rows: RowPairing) -> Result<Taken, LabError> {
    let path = &found.files[0];
    let source = SourceText::new(path.display().to_string(), read_regular_file(path)?)?;
    let microdata = dataset.microdata()?;
    let foreign = ForeignTable::read(microdata, &source)?;
    let form = Release::GeneralizedTable(foreign.table.clone()).form_faults(Beside::Original(&dataset), &[])?;
    let mut notes = foreign.readings;
    if !foreign.ignored.is_empty() {
        let names: Vec<String> = foreign.ignored.iter().map(|name| format!("`{name}`")).collect();
        notes.push(format!("not looked at: {}", names.join(", ")));
    }
    let (table, matched) = match rows {
        RowPairing::Any => {
            let (table, matched) = table_rows::arrange(microdata, &foreign.table);
            (table, Some(matched))
        }
        RowPairing::Aligned => {
            let (released, original) = (foreign.table.rows(), microdata.rows());
            if released != original {
                return Err(LabError::input(format!(
                    "{}: it has {}, the original {original}; with `--rows any` rows may be missing or in another order",
                    path.display(),
                    counted(released, "row")
                )));
            }
            (foreign.table, None)
        }
    };
    Ok(Taken { dataset, release: Release::GeneralizedTable(table), notes, rows: matched, form })
}

fn transactions_of(release: &Release) -> usize {
    match release {
        Release::GeneralizedTransactions(release) => release.transactions.len(),
        Release::SuppressedTransactions(release) => release.transactions.len(),
        Release::Buckets(_) | Release::GeneralizedTable(_) | Release::Rules(_) => 0,
    }
}

/// The list of suppressed items where there is none: those of the original that no released transaction has.
fn absent_items(original: &Baskets, transactions: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(transactions);
    let present: FxHashSet<&str> = text.split_ascii_whitespace().collect();
    let private = |item: Item| original.private[item as usize];
    let labels = (0..).zip(&original.transactions.labels);
    let absent = labels.filter(|(item, label)| !private(*item) && !present.contains(label.as_str()));
    write_csv(std::iter::once(["item".to_string()]).chain(absent.map(|(_, label)| [label.clone()])))
}

/// An error of a reader, which names its file as the kind calls it, with the directory before it.
pub(super) fn located(found: &FoundRelease, error: &LabError) -> LabError {
    let message = error.to_string();
    let names_its_file = found.kind.about().files.iter().any(|file| message.starts_with(file));
    let directory = found.files[0].parent().filter(|parent| parent.as_os_str() != "");
    LabError::input(match (names_its_file, directory) {
        (true, Some(directory)) => format!("{}/{message}", directory.display()),
        (true, None) => message,
        (false, _) => format!("{}: {message}", found.files[0].display()),
    })
}
