//! Generalized transactions as files. `transactions.dat` is FIMI: one transaction a line, numbers apart by blanks, in the
//! order of the original. `cut.csv` says what the numbers mean, one line an original item: `item,id,node`, the item's
//! name, the number it is published as, and the name of the hierarchy's node that number stands for (the item's own name
//! if it was left as it is).
//!
//! Written numbers count the nodes of the cut from 0, items that were left as they are first; any others are read as well.

use super::{Cut, GeneralizedTransactions};
use crate::data::{Baskets, Hierarchy, Item, NodeId, Transactions, line_of, write_csv};
use crate::lab::{LabError, did_you_mean_if_near};
use crate::release::kind::ReleaseFile;
use rustc_hash::FxHashMap;

pub(super) const TRANSACTIONS: &str = "transactions.dat";
pub(super) const CUT: &str = "cut.csv";
const HEADER: [&str; 3] = ["item", "id", "node"];

impl GeneralizedTransactions {
    pub(super) fn to_files(&self, original: &Baskets) -> Result<Vec<ReleaseFile>, LabError> {
        let hierarchy = hierarchy_of(original)?;
        let cut = Cut::new(hierarchy, &self.cut)?;
        let mut lines = String::with_capacity(self.transactions.occurrences() * 4);
        for row in self.transactions.rows() {
            for (i, item) in row.iter().enumerate() {
                lines.push_str(if i == 0 { "" } else { " " });
                lines.push_str(&item.to_string());
            }
            lines.push('\n');
        }
        let id_of: FxHashMap<NodeId, usize> = self.cut.iter().copied().zip(0..).collect();
        let names = hierarchy.unique_names();
        let records = (0..hierarchy.leaves() as Item).map(|item| {
            let node = cut.node_of(item);
            [hierarchy.label(item).to_string(), id_of[&node].to_string(), names[node as usize].to_string()]
        });
        let table = write_csv(std::iter::once(HEADER.map(String::from)).chain(records));
        Ok(vec![ReleaseFile { name: TRANSACTIONS, bytes: lines.into_bytes() }, ReleaseFile { name: CUT, bytes: table }])
    }

    /// Reads what [`GeneralizedTransactions::to_files`] writes, or any program that keeps to the format. Whether it is a
    /// release of `original` is for the verifier.
    pub(super) fn from_files(original: &Baskets, transactions: &[u8], cut: &[u8]) -> Result<Self, LabError> {
        let hierarchy = hierarchy_of(original)?;
        let node_of_id = read_cut(hierarchy, cut)?;
        let mut nodes: Vec<NodeId> = node_of_id.values().copied().collect();
        nodes.sort_unstable();
        let labels = nodes.iter().map(|&node| hierarchy.label(node).to_string()).collect();
        let mut rows = Transactions::with_labels(labels);
        let text = std::str::from_utf8(transactions).map_err(|error| {
            LabError::input(format!("{TRANSACTIONS}: not UTF-8 after {} bytes", error.valid_up_to()))
        })?;
        for (line, text) in (1u64..).zip(text.lines()) {
            let published = text.split_ascii_whitespace().map(|id| {
                let node = id.parse().ok().and_then(|id: u64| node_of_id.get(&id));
                let place = node.and_then(|node| nodes.binary_search(node).ok());
                place
                    .map(|place| place as Item)
                    .ok_or_else(|| LabError::input(format!("{TRANSACTIONS}, line {line}: `{id}` is no id of {CUT}")))
            });
            rows.push(published.collect::<Result<Vec<Item>, _>>()?);
        }
        Ok(Self { cut: nodes, transactions: rows })
    }
}

fn hierarchy_of(original: &Baskets) -> Result<&Hierarchy, LabError> {
    original.hierarchy.as_ref().ok_or_else(|| LabError::input(format!("{CUT}: the original has no hierarchy of items")))
}

/// Id to node. Every item must be there once, and the items of an id be all those below its node.
fn read_cut(hierarchy: &Hierarchy, cut: &[u8]) -> Result<FxHashMap<u64, NodeId>, LabError> {
    let names: Vec<&str> = (0..hierarchy.leaves() as Item).map(|item| hierarchy.label(item)).collect();
    let items: FxHashMap<&str, Item> = names.iter().copied().zip(0..).collect();
    let mut reader = csv::ReaderBuilder::new().from_reader(cut);
    let header = reader.headers().map_err(|error| LabError::input(format!("{CUT}: {error}")))?;
    if header.iter().ne(HEADER) {
        let found: Vec<&str> = header.iter().collect();
        let (expected, found) = (HEADER.join(","), found.join(","));
        return Err(LabError::input(format!("{CUT}: the header must be `{expected}`, not `{found}`")));
    }
    let node_names = hierarchy.unique_names();
    let mut node_of_id = FxHashMap::default();
    let mut id_of_item = vec![None; hierarchy.leaves()];
    for record in reader.records() {
        let record = record.map_err(|error| LabError::input(format!("{CUT}: {error}")))?;
        let line = line_of(&record, cut);
        let bad = |problem: String| LabError::input(format!("{CUT}, line {line}: {problem}"));
        let (name, id, node) = (&record[0], &record[1], &record[2]);
        let &item = items
            .get(name)
            .ok_or_else(|| bad(format!("`{name}` is no item of the original{}", did_you_mean_if_near(name, &names))))?;
        let id: u64 = id.parse().map_err(|_| bad(format!("`{id}` is no id: a whole number is needed")))?;
        let above = hierarchy.path_to_root(item).find(|&above| node_names[above as usize] == *node);
        let above = above.ok_or_else(|| bad(format!("`{node}` is not above `{name}` in the hierarchy")))?;
        if id_of_item[item as usize].replace(id).is_some() {
            return Err(bad(format!("item `{name}` is there twice")));
        }
        let known = *node_of_id.entry(id).or_insert(above);
        if known != above {
            return Err(bad(format!("id {id} is `{}` elsewhere, not `{node}`", node_names[known as usize])));
        }
    }
    if let Some(item) = id_of_item.iter().position(Option::is_none) {
        return Err(LabError::input(format!("{CUT}: item `{}` is missing", names[item])));
    }
    let mut nodes: Vec<NodeId> = node_of_id.values().copied().collect();
    nodes.sort_unstable();
    // Two ids for one node, or an item that is not where its neighbours are, leave no cut behind.
    Cut::new(hierarchy, &nodes).map_err(|error| LabError::input(format!("{CUT}: {error}")))?;
    Ok(node_of_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Content, Dataset, HierarchyBuilder};

    fn sample() -> (Dataset, GeneralizedTransactions) {
        let transactions = Transactions::from_labels(&[vec!["a1", "b1"], vec!["a2", "b, 2"], vec!["a1", "a2"]]);
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        let hierarchy = builder.finish().unwrap();
        let cut = Cut::new(&hierarchy, &[4, 2, 3]).unwrap();
        let release = GeneralizedTransactions::through(&cut, &hierarchy, &transactions);
        (Dataset::of_transactions(transactions, Some(hierarchy), &[]), release)
    }

    pub(super) const CUT_FILE: &str = "item,id,node\na1,2,A\na2,2,A\n\"b, 2\",0,\"b, 2\"\nb1,1,b1\n";

    #[test]
    fn files_are_read_back() {
        let (dataset, release) = sample();
        let baskets = dataset.baskets().unwrap();
        let files = release.to_files(baskets).unwrap();
        let texts: Vec<_> = files.iter().map(|file| (file.name, std::str::from_utf8(&file.bytes).unwrap())).collect();
        assert_eq!(texts, [("transactions.dat", "1 2\n0 2\n2\n"), ("cut.csv", CUT_FILE)]);
        assert_eq!(GeneralizedTransactions::from_files(baskets, &files[0].bytes, &files[1].bytes).unwrap(), release);
    }

    #[test]
    fn ids_are_free() {
        let (dataset, release) = sample();
        let cut = b"item,id,node\nb1,70,b1\na2,9,A\na1,9,A\n\"b, 2\",5,\"b, 2\"\n";
        let read = GeneralizedTransactions::from_files(dataset.baskets().unwrap(), b"9 70\n5 9\n9\n", cut).unwrap();
        assert_eq!(read, release);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let (dataset, _) = sample();
        let read = |transactions: &str, cut: &str| {
            let baskets = dataset.baskets().unwrap();
            GeneralizedTransactions::from_files(baskets, transactions.as_bytes(), cut.as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(read("1 2\n7\n", CUT_FILE), "transactions.dat, line 2: `7` is no id of cut.csv");
        assert_eq!(read("A\n", CUT_FILE), "transactions.dat, line 1: `A` is no id of cut.csv");
        let with = |from: &str, to: &str| read("", &CUT_FILE.replace(from, to));
        assert_eq!(with("item,id,node", "item,id"), "cut.csv: the header must be `item,id,node`, not `item,id`");
        assert_eq!(with("b1,1", "b7,1"), "cut.csv, line 5: `b7` is no item of the original; did you mean `b1`?");
        assert_eq!(with("b1,1", "b1,x"), "cut.csv, line 5: `x` is no id: a whole number is needed");
        assert_eq!(with("a1,2,A", "a1,2,B"), "cut.csv, line 2: `B` is not above `a1` in the hierarchy");
        assert_eq!(with("a2,2,A", "a1,2,A"), "cut.csv, line 3: item `a1` is there twice");
        assert_eq!(with("b1,1,b1", "b1,2,B"), "cut.csv, line 5: id 2 is `A` elsewhere, not `B`");
        assert_eq!(with("b1,1,b1\n", ""), "cut.csv: item `b1` is missing");
        assert_eq!(with("a2,2,A", "a2,3,A"), "cut.csv: item `a1` is under two nodes of the cut, `A` and `A`");
        assert!(with("b1,1,b1", "b1,1").starts_with("cut.csv: "));
    }

    #[test]
    fn a_hierarchy_is_needed() {
        let (mut dataset, release) = sample();
        if let Content::Transactions(baskets) = &mut dataset.content {
            baskets.hierarchy = None;
        }
        let error = release.to_files(dataset.baskets().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "cut.csv: the original has no hierarchy of items");
    }
}
