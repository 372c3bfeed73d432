//! A loaded dataset as bytes that are quick to read: a header (names, dictionaries, hierarchies) and columns of codes as narrow as
//! their dictionaries allow.

use crate::data::{
    Baskets, Column, ColumnKind, Content, Hierarchy, HierarchyBuilder, Item, Microdata, NodeId, SensitivePart, Table,
    Transactions,
};
use serde::{Deserialize, Serialize};

/// What is kept of a load besides what its resolution says.
#[derive(Debug, Clone)]
pub(super) struct Columnar {
    pub content: Content,
    pub rows_read: usize,
    pub rows_left: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    rows_read: usize,
    rows_left: Vec<usize>,
    content: ContentHeader,
}

#[derive(Serialize, Deserialize)]
enum ContentHeader {
    Table {
        rows: usize,
        columns: Vec<ColumnHeader>,
        quasi_identifiers: Vec<usize>,
        sensitive: usize,
        hierarchies: Vec<Option<Tree>>,
        sensitive_hierarchy: Option<Tree>,
        sensitive_parts: Vec<PartHeader>,
    },
    Transactions {
        rows: usize,
        occurrences: usize,
        longest: usize,
        labels: Vec<String>,
        hierarchy: Option<Tree>,
        private: Vec<Item>,
    },
}

#[derive(Serialize, Deserialize)]
struct ColumnHeader {
    name: String,
    numeric: bool,
    values: Vec<String>,
}

/// One of several sensitive attributes.
#[derive(Serialize, Deserialize)]
struct PartHeader {
    name: String,
    values: Vec<String>,
    of_code: Vec<u32>,
    hierarchy: Option<Tree>,
}

impl PartHeader {
    fn of(part: &SensitivePart) -> Self {
        let SensitivePart { name, values, of_code, hierarchy } = part.clone();
        Self { name, values, of_code, hierarchy: hierarchy.as_ref().map(Tree::of) }
    }

    fn build(self) -> Option<SensitivePart> {
        let Self { name, values, of_code, hierarchy } = self;
        Some(SensitivePart { name, values, of_code, hierarchy: build(hierarchy)? })
    }
}

/// A hierarchy as its builder takes it.
#[derive(Serialize, Deserialize)]
struct Tree {
    leaves: Vec<String>,
    inner: Vec<(String, Vec<NodeId>)>,
    other_names: Vec<(String, NodeId)>,
}

impl Tree {
    fn of(hierarchy: &Hierarchy) -> Self {
        let (leaves, nodes) = (hierarchy.leaves() as NodeId, hierarchy.nodes() as NodeId);
        let label = |node: NodeId| hierarchy.label(node).to_string();
        Self {
            leaves: (0..leaves).map(label).collect(),
            inner: (leaves..nodes).map(|node| (label(node), hierarchy.children(node).to_vec())).collect(),
            other_names: hierarchy.other_names().map(|(name, node)| (name.to_string(), node)).collect(),
        }
    }

    fn build(self) -> Option<Hierarchy> {
        let mut builder = HierarchyBuilder::new(self.leaves);
        for (label, children) in self.inner {
            builder.group(label, &children);
        }
        for (name, node) in self.other_names {
            builder.also_called(node, name);
        }
        builder.finish().ok()
    }
}

/// `None` becomes `Some(None)`, what cannot be built `None`.
fn build(tree: Option<Tree>) -> Option<Option<Hierarchy>> {
    match tree {
        None => Some(None),
        Some(tree) => tree.build().map(Some),
    }
}

impl Columnar {
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = match &self.content {
            Content::Table(microdata) => table_header(microdata),
            Content::Transactions(baskets) => transactions_header(baskets),
        };
        let header = Header { rows_read: self.rows_read, rows_left: self.rows_left.clone(), content };
        let header = serde_json::to_vec(&header).expect("a header is plain data, which always serializes");
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        match &self.content {
            Content::Table(microdata) => {
                for column in &microdata.table.columns {
                    put(&mut bytes, column.codes.iter().copied(), column.cardinality());
                }
            }
            Content::Transactions(Baskets { transactions, .. }) => {
                put(&mut bytes, transactions.rows().map(|row| row.len() as u32), transactions.longest() + 1);
                put(&mut bytes, transactions.rows().flatten().copied(), transactions.items());
            }
        }
        bytes
    }

    /// None where the bytes are not what `to_bytes` gave.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (header, mut rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let Header { rows_read, rows_left, content } = serde_json::from_slice(header).ok()?;
        let content = match content {
            ContentHeader::Table {
                rows,
                columns,
                quasi_identifiers,
                sensitive,
                hierarchies,
                sensitive_hierarchy,
                sensitive_parts,
            } => {
                let column = |header: ColumnHeader| {
                    let ColumnHeader { name, numeric, values } = header;
                    let codes = take(&mut rest, rows, values.len())?;
                    let kind = if numeric { ColumnKind::Numeric } else { ColumnKind::Categorical };
                    Some(Column { name, kind, values, codes })
                };
                let table = Table::new(columns.into_iter().map(column).collect::<Option<_>>()?);
                let hierarchies = hierarchies.into_iter().map(build).collect::<Option<_>>()?;
                let sensitive_hierarchy = build(sensitive_hierarchy)?;
                let sensitive_parts = sensitive_parts.into_iter().map(PartHeader::build).collect::<Option<_>>()?;
                Content::Table(Microdata {
                    table,
                    quasi_identifiers,
                    sensitive,
                    hierarchies,
                    sensitive_hierarchy,
                    sensitive_parts,
                })
            }
            ContentHeader::Transactions { rows, occurrences, longest, labels, hierarchy, private } => {
                let lengths = take(&mut rest, rows, longest + 1)?;
                let items = take(&mut rest, occurrences, labels.len())?;
                let mut offsets = Vec::with_capacity(rows + 1);
                offsets.push(0);
                let mut end = 0;
                offsets.extend(lengths.into_iter().map(|length| {
                    end += length as usize;
                    end
                }));
                let mut is_private = vec![false; labels.len()];
                private.into_iter().for_each(|item| is_private[item as usize] = true);
                let transactions = Transactions::from_parts(offsets, items, labels);
                Content::Transactions(Baskets { transactions, hierarchy: build(hierarchy)?, private: is_private })
            }
        };
        rest.is_empty().then_some(Self { content, rows_read, rows_left })
    }
}

fn table_header(microdata: &Microdata) -> ContentHeader {
    let column = |column: &Column| ColumnHeader {
        name: column.name.clone(),
        numeric: column.kind == ColumnKind::Numeric,
        values: column.values.clone(),
    };
    ContentHeader::Table {
        rows: microdata.rows(),
        columns: microdata.table.columns.iter().map(column).collect(),
        quasi_identifiers: microdata.quasi_identifiers.clone(),
        sensitive: microdata.sensitive,
        hierarchies: microdata.hierarchies.iter().map(|tree| tree.as_ref().map(Tree::of)).collect(),
        sensitive_hierarchy: microdata.sensitive_hierarchy.as_ref().map(Tree::of),
        sensitive_parts: microdata.sensitive_parts.iter().map(PartHeader::of).collect(),
    }
}

fn transactions_header(baskets: &Baskets) -> ContentHeader {
    let Baskets { transactions, hierarchy, private } = baskets;
    ContentHeader::Transactions {
        rows: transactions.len(),
        occurrences: transactions.occurrences(),
        longest: transactions.longest(),
        labels: transactions.labels.clone(),
        hierarchy: hierarchy.as_ref().map(Tree::of),
        private: (0..).zip(private).filter(|(_, private)| **private).map(|(item, _)| item).collect(),
    }
}

/// How many bytes a number below `end` takes.
fn width(end: usize) -> usize {
    match end {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// Appends numbers below `end`.
fn put(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = u32>, end: usize) {
    match width(end) {
        1 => bytes.extend(numbers.map(|number| number as u8)),
        2 => numbers.for_each(|number| bytes.extend((number as u16).to_le_bytes())),
        _ => numbers.for_each(|number| bytes.extend(number.to_le_bytes())),
    }
}

/// Takes as many numbers below `end` from the front of `bytes`.
fn take(bytes: &mut &[u8], number: usize, end: usize) -> Option<Vec<u32>> {
    let (numbers, rest) = bytes.split_at_checked(number.checked_mul(width(end))?)?;
    *bytes = rest;
    let (pairs, quads) = (numbers.as_chunks::<2>().0, numbers.as_chunks::<4>().0);
    Some(match width(end) {
        1 => numbers.iter().map(|&byte| u32::from(byte)).collect(),
        2 => pairs.iter().map(|&pair| u32::from(u16::from_le_bytes(pair))).collect(),
        _ => quads.iter().map(|&quad| u32::from_le_bytes(quad)).collect(),
    })
}
