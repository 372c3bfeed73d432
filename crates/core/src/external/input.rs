//! The original data as the files a program reads, and back: `anonlab` can play the program's part.

use super::request::{Input, QuasiIdentifier, SensitiveInput, TableInput, TransactionsInput};
use crate::data::{
    AND, Baskets, Column, ColumnBuilder, Content, Dataset, Hierarchy, HierarchyBuilder, Microdata, NodeId, Origin,
    SensitivePart, Table, Transactions, write_csv,
};
use crate::lab::{LabError, counted};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

const PUBLIC: &str = "public";
const PRIVATE: &str = "private";

/// Writes `dataset` into `directory`.
pub fn write(dataset: &Dataset, directory: &Path) -> Result<Input, LabError> {
    match &dataset.content {
        Content::Table(microdata) => write_table(microdata, directory).map(Input::Table),
        Content::Transactions(baskets) => write_transactions(baskets, directory).map(Input::Transactions),
    }
}

fn write_table(microdata: &Microdata, directory: &Path) -> Result<TableInput, LabError> {
    let quasi_identifiers = || microdata.quasi_identifiers.iter().map(|&column| &microdata.table.columns[column]);
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let columns: Vec<&Column> = quasi_identifiers().chain([sensitive]).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| &column.name)).expect("writing to memory does not fail");
    for row in 0..microdata.rows() {
        writer.write_record(columns.iter().map(|column| column.text(row))).expect("writing to memory does not fail");
    }
    let table = writer.into_inner().expect("writing to memory does not fail");
    let table = write_file(directory.join("table.csv"), &table)?;
    let roles = quasi_identifiers()
        .zip(&microdata.hierarchies)
        .enumerate()
        .map(|(i, (column, hierarchy))| {
            let path = directory.join(format!("hierarchy-{}.csv", i + 1));
            let hierarchy = hierarchy.as_ref().map(|hierarchy| write_hierarchy(hierarchy, path)).transpose()?;
            Ok(QuasiIdentifier { name: column.name.clone(), kind: column.kind.into(), hierarchy })
        })
        .collect::<Result<Vec<_>, LabError>>()?;
    let sensitive_tree = microdata.sensitive_hierarchy.as_ref();
    Ok(TableInput {
        table,
        rows: microdata.rows(),
        quasi_identifiers: roles,
        sensitive: sensitive.name.clone(),
        sensitive_hierarchy: sensitive_tree
            .map(|tree| write_hierarchy(tree, directory.join("hierarchy-sensitive.csv")))
            .transpose()?,
        sensitive_attributes: (microdata.sensitive_parts.iter().enumerate())
            .map(|(i, SensitivePart { name, hierarchy, .. })| {
                let path = directory.join(format!("hierarchy-sensitive-{}.csv", i + 1));
                let hierarchy = hierarchy.as_ref().map(|tree| write_hierarchy(tree, path)).transpose()?;
                Ok(SensitiveInput { name: name.clone(), hierarchy })
            })
            .collect::<Result<_, LabError>>()?,
    })
}

fn write_transactions(baskets: &Baskets, directory: &Path) -> Result<TransactionsInput, LabError> {
    let transactions = &baskets.transactions;
    let labels = &transactions.labels;
    if let Some(label) = labels.iter().find(|label| label.is_empty() || label.contains(char::is_whitespace)) {
        return Err(LabError::input(format!("item `{label}` has a blank or no character at all; FIMI cannot hold it")));
    }
    let mut text = String::with_capacity(transactions.occurrences() * 5);
    for row in transactions.rows() {
        for (i, &item) in row.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(&labels[item as usize]);
        }
        text.push('\n');
    }
    let roles = baskets.private.iter().map(|&private| if private { PRIVATE } else { PUBLIC });
    let items = labels.iter().map(String::as_str).zip(roles).map(|(item, role)| [item, role]);
    let hierarchy = baskets.hierarchy.as_ref();
    Ok(TransactionsInput {
        transactions: write_file(directory.join("transactions.dat"), text.as_bytes())?,
        rows: transactions.len(),
        items: write_file(directory.join("items.csv"), &write_csv(std::iter::once(["item", "role"]).chain(items)))?,
        hierarchy: hierarchy.map(|tree| write_hierarchy(tree, directory.join("hierarchy.csv"))).transpose()?,
    })
}

/// One line a node, leaves first, the root last: `node,parent`. Labels that recur are told apart by a number.
fn write_hierarchy(hierarchy: &Hierarchy, path: PathBuf) -> Result<PathBuf, LabError> {
    let names = hierarchy.unique_names();
    let parent = |node| hierarchy.parent(node).map_or("", |parent| names[parent as usize].as_ref());
    let lines = (0..).zip(&names).map(|(node, name)| [name.as_ref(), parent(node)]);
    write_file(path, &write_csv(std::iter::once(["node", "parent"]).chain(lines)))
}

fn write_file(path: PathBuf, bytes: &[u8]) -> Result<PathBuf, LabError> {
    fs::write(&path, bytes)
        .map_err(|error| LabError::no_answer(format!("cannot write {}: {error}", path.display())))?;
    Ok(path)
}

/// Reads what [`write`] wrote.
pub fn read(input: &Input) -> Result<Dataset, LabError> {
    let (name, content) = match input {
        Input::Table(table) => ("table", Content::Table(read_table(table)?)),
        Input::Transactions(transactions) => ("transactions", Content::Transactions(read_transactions(transactions)?)),
    };
    Ok(Dataset { name: name.to_string(), origin: Origin::Real, content })
}

fn read_table(input: &TableInput) -> Result<Microdata, LabError> {
    let bad = |error: csv::Error| LabError::input(format!("cannot read {}: {error}", input.table.display()));
    let mut reader = csv::Reader::from_path(&input.table).map_err(bad)?;
    let header = reader.headers().map_err(bad)?.clone();
    let mut columns: Vec<ColumnBuilder> = header.iter().map(|_| ColumnBuilder::default()).collect();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(bad)? {
        for (column, cell) in columns.iter_mut().zip(&record) {
            column.push(Cow::Owned(cell.to_string()));
        }
    }
    let table = Table::new(columns.into_iter().zip(&header).map(|(column, name)| column.finish(name)).collect());
    // Columns are told apart by their place: two may have one name.
    let quasi_identifiers: Vec<usize> = (0..input.quasi_identifiers.len()).collect();
    if table.columns.len() != quasi_identifiers.len() + 1 {
        return Err(LabError::input(format!(
            "{} has {}",
            input.table.display(),
            counted(table.columns.len(), "column")
        )));
    }
    let hierarchies = input
        .quasi_identifiers
        .iter()
        .zip(&table.columns)
        .map(|(role, column)| role.hierarchy.as_ref().map(|path| read_hierarchy(path, &column.values)).transpose())
        .collect::<Result<Vec<_>, _>>()?;
    let sensitive = quasi_identifiers.len();
    let values = &table.columns[sensitive].values;
    let sensitive_hierarchy =
        input.sensitive_hierarchy.as_ref().map(|path| read_hierarchy(path, values)).transpose()?;
    let parts = input.sensitive_attributes.iter().enumerate();
    let sensitive_parts =
        parts.map(|(i, part)| read_part(i, part, &table.columns[sensitive])).collect::<Result<_, _>>()?;
    Ok(Microdata { table, quasi_identifiers, sensitive, hierarchies, sensitive_hierarchy, sensitive_parts })
}

/// The `i`-th of the attributes that are joined in `combined`.
fn read_part(i: usize, input: &SensitiveInput, combined: &Column) -> Result<SensitivePart, LabError> {
    let mut part = ColumnBuilder::default();
    for &code in &combined.codes {
        let value = &combined.values[code as usize];
        let own = value.split(AND).nth(i).ok_or_else(|| {
            LabError::input(format!("`{value}` of `{}` has no value of `{}`", combined.name, input.name))
        })?;
        part.push(Cow::Borrowed(own));
    }
    let part = part.finish(input.name.as_str());
    let hierarchy = input.hierarchy.as_ref().map(|path| read_hierarchy(path, &part.values)).transpose()?;
    Ok(SensitivePart::new(&part, combined, hierarchy))
}

fn read_transactions(input: &TransactionsInput) -> Result<Baskets, LabError> {
    let mut labels = Vec::new();
    let mut private = Vec::new();
    for record in read_csv(&input.items)?.into_iter().skip(1) {
        private.push(record.get(1).is_some_and(|role| role == PRIVATE));
        labels.extend(record.into_iter().next());
    }
    let text = read_text(&input.transactions)?;
    let items: FxHashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
    let mut transactions = Transactions::with_labels(labels.clone());
    for line in text.lines() {
        let row = line.split_whitespace().map(|label| {
            let unknown = || LabError::input(format!("item `{label}` is not in {}", input.items.display()));
            items.get(label).copied().ok_or_else(unknown)
        });
        transactions.push(row.collect::<Result<Vec<_>, _>>()?);
    }
    let hierarchy = input.hierarchy.as_ref().map(|path| read_hierarchy(path, &labels)).transpose()?;
    Ok(Baskets { transactions, hierarchy, private })
}

/// `leaves` are the values in the order of their codes.
fn read_hierarchy(path: &Path, leaves: &[String]) -> Result<Hierarchy, LabError> {
    let records: Vec<Vec<String>> = read_csv(path)?.into_iter().skip(1).collect();
    let bad = |problem: String| LabError::input(format!("{}: {problem}", path.display()));
    let mut children: FxHashMap<&str, Vec<NodeId>> = FxHashMap::default();
    let mut builder = HierarchyBuilder::new(leaves.to_vec());
    for (node, record) in (0..).zip(&records) {
        let [label, parent] = record.as_slice() else { return Err(bad("a line has not two fields".to_string())) };
        match leaves.get(node as usize) {
            Some(leaf) if leaf == label => {}
            Some(leaf) => return Err(bad(format!("`{label}` stands where the leaf `{leaf}` should"))),
            None => {
                builder.group(label, &children.remove(label.as_str()).unwrap_or_default());
            }
        }
        children.entry(parent).or_default().push(node);
    }
    builder.finish()
}

fn read_csv(path: &Path) -> Result<Vec<Vec<String>>, LabError> {
    let bad = |error: csv::Error| LabError::input(format!("cannot read {}: {error}", path.display()));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).map_err(bad)?;
    reader.records().map(|record| Ok(record.map_err(bad)?.iter().map(String::from).collect())).collect()
}

fn read_text(path: &Path) -> Result<String, LabError> {
    fs::read_to_string(path).map_err(|error| LabError::input(format!("cannot read {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(dataset: &Dataset) -> Dataset {
        let directory = tempfile::tempdir().unwrap();
        read(&write(dataset, directory.path()).unwrap()).unwrap()
    }

    #[test]
    fn tables_keep_their_codes_and_hierarchies() {
        let table = Table::from_rows(
            &["s", "age", "na,me"],
            &[&["x", "9", "\"é\""], &["y", "100", "a\nb"], &["x", "?", ""], &["z", "20", " b "]],
        );
        let mut dataset = Dataset::of_table(table, &["na,me", "age"], "s").unwrap();
        if let Content::Table(microdata) = &mut dataset.content {
            let values = &microdata.table.columns[1].values;
            microdata.hierarchies[1] = Some(Hierarchy::by_degree(values, &[2, 0, 3, 1], 2).unwrap());
            let mut tree = HierarchyBuilder::new(microdata.table.columns[0].values.clone());
            let low = tree.group("low", &[0, 2]);
            tree.group("all", &[1, low]);
            microdata.sensitive_hierarchy = Some(tree.finish().unwrap());
        }
        let (before, after) = (dataset.microdata().unwrap(), there_and_back(&dataset));
        let after = after.microdata().unwrap();
        for i in 0..2 {
            let column = |data: &Microdata| data.table.columns[data.quasi_identifiers[i]].clone();
            assert_eq!(column(before), column(after));
        }
        assert_eq!(before.sensitive_codes(), after.sensitive_codes());
        let tree = |data: &Microdata| {
            let tree = data.hierarchies[1].clone().unwrap();
            (0..=tree.root()).map(|node| (tree.label(node).to_string(), tree.parent(node))).collect::<Vec<_>>()
        };
        assert_eq!(tree(before), tree(after));
        assert_eq!(before.sensitive_hierarchy, after.sensitive_hierarchy);
    }

    #[test]
    fn several_sensitive_attributes_come_back() {
        let ill = Column::encode("ill", &["flu", "cold", "flu"]);
        let pay = Column::encode("pay", &["9", "100", "20"]);
        let both = crate::data::combined(&[ill.clone(), pay.clone()]).unwrap();
        let table = Table::new(vec![Column::encode("age", &["1", "2", "3"]), both.clone()]);
        let mut dataset = Dataset::of_table(table, &["age"], "ill & pay").unwrap();
        let tree = Hierarchy::by_degree(&pay.values, &[0, 1, 2], 2).unwrap();
        if let Content::Table(microdata) = &mut dataset.content {
            microdata.sensitive_parts =
                vec![SensitivePart::new(&ill, &both, None), SensitivePart::new(&pay, &both, Some(tree))];
        }
        let after = there_and_back(&dataset);
        assert_eq!(after.microdata().unwrap().sensitive_parts, dataset.microdata().unwrap().sensitive_parts);
    }

    #[test]
    fn labels_that_recur_name_one_node_each() {
        let table = Table::from_rows(&["q", "s"], &[&["a", "1"], &["b", "2"], &["c", "1"]]);
        let mut dataset = Dataset::of_table(table, &["q"], "s").unwrap();
        let mut tree = HierarchyBuilder::new(["a", "b", "c"].map(String::from).to_vec());
        let low = tree.group("x", &[0, 1]);
        tree.group("x", &[low, 2]);
        if let Content::Table(microdata) = &mut dataset.content {
            microdata.hierarchies[0] = Some(tree.finish().unwrap());
        }
        let after = there_and_back(&dataset);
        let tree = after.microdata().unwrap().hierarchies[0].clone().unwrap();
        assert_eq!((3..5).map(|node| tree.label(node)).collect::<Vec<_>>(), ["x", "x#2"]);
        assert_eq!((tree.leaves_of(3), tree.parent(3)), (vec![0, 1], Some(4)));
        // Both the label and the name of a node are known in a release.
        let domain = crate::release::generalized_table::Domain::new(dataset.microdata().unwrap(), 0);
        let covered = |text: &str| domain.cover(&domain.parse(text).unwrap()).len();
        assert_eq!((covered("x"), covered("x#2")), (3, 3));
    }

    #[test]
    fn transactions_keep_their_domain_roles_and_empty_rows() {
        let transactions = Transactions::from_labels(&[vec!["10", "9"], vec![], vec!["200"]]).select(&[0, 1]);
        let hierarchy = Hierarchy::by_degree(&transactions.labels, &[0, 1, 2], 2).unwrap();
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[1]);
        let after = there_and_back(&dataset);
        let (before, after) = (dataset.baskets().unwrap(), after.baskets().unwrap());
        assert_eq!(before.transactions, after.transactions);
        assert_eq!((&before.hierarchy, &before.private), (&after.hierarchy, &after.private));
    }

    #[test]
    fn what_the_formats_cannot_hold_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let blank = Dataset::of_transactions(Transactions::from_labels(&[vec!["a b"]]), None, &[]);
        let error = write(&blank, directory.path()).unwrap_err().to_string();
        assert_eq!(error, "item `a b` has a blank or no character at all; FIMI cannot hold it");
    }
}
