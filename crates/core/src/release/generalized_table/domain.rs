//! The values of one quasi-identifier, and what cells mean over them.

use super::cell::{parse_set, write_set};
use super::{Cover, GeneralizedCell, Interval};
use crate::data::{Column, ColumnKind, Hierarchy, Microdata, NodeId};
use crate::lab::{nearest, shortened};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// One quasi-identifier of the original.
pub struct Domain<'a> {
    /// The column of the original.
    pub column: &'a Column,
    /// Its hierarchy, where it has one.
    pub hierarchy: Option<&'a Hierarchy>,
    /// Code to number; empty for categories. Missing values are no numbers.
    numbers: Vec<Option<f64>>,
    /// Text to the value and the nodes it names.
    named: FxHashMap<Cow<'a, str>, Vec<NodeId>>,
}

impl<'a> Domain<'a> {
    /// Of the `i`-th quasi-identifier.
    pub fn new(microdata: &'a Microdata, i: usize) -> Self {
        let column = &microdata.table.columns[microdata.quasi_identifiers[i]];
        let hierarchy = microdata.hierarchies.get(i).and_then(Option::as_ref);
        let numbers = match column.kind {
            ColumnKind::Numeric => (0..column.cardinality() as u32).map(|code| column.number(code)).collect(),
            ColumnKind::Categorical => Vec::new(),
        };
        let mut named: FxHashMap<Cow<'_, str>, Vec<NodeId>> = FxHashMap::default();
        for (value, code) in column.values.iter().zip(0..) {
            named.entry(Cow::Borrowed(value)).or_default().push(code);
        }
        if let Some(tree) = hierarchy {
            for (name, node) in tree.unique_names().into_iter().zip(0..).skip(tree.leaves()) {
                let label = tree.label(node);
                if name != label {
                    named.entry(name).or_default().push(node);
                }
                named.entry(Cow::Borrowed(label)).or_default().push(node);
            }
            for (name, node) in tree.other_names() {
                named.entry(Cow::Borrowed(name)).or_default().push(node);
            }
        }
        Self { column, hierarchy, numbers, named }
    }

    /// One for each quasi-identifier.
    pub fn all(microdata: &'a Microdata) -> Vec<Self> {
        (0..microdata.quasi_identifiers.len()).map(|i| Self::new(microdata, i)).collect()
    }

    /// How many values occur.
    pub fn values(&self) -> usize {
        self.column.cardinality()
    }

    /// The number a code stands for, if it is one.
    pub fn number(&self, code: u32) -> Option<f64> {
        self.numbers.get(code as usize).copied().flatten()
    }

    /// The smallest and the largest number that occurs.
    pub fn range(&self) -> Option<(f64, f64)> {
        let mut numbers = self.numbers.iter().flatten();
        let first = *numbers.next()?;
        Some((first, numbers.next_back().copied().unwrap_or(first)))
    }

    /// Whether the attribute has every value, or the node, that a cell names.
    pub fn has(&self, cell: &GeneralizedCell) -> bool {
        let is_value = |code: &u32| (*code as usize) < self.values();
        match cell {
            GeneralizedCell::Value(code) => is_value(code),
            GeneralizedCell::Node(node) => self.hierarchy.is_some_and(|tree| (*node as usize) < tree.nodes()),
            GeneralizedCell::Set(codes) => codes.iter().all(is_value),
            GeneralizedCell::Interval(_) | GeneralizedCell::Any => true,
        }
    }

    /// The values that a cell stands for.
    pub fn cover(&self, cell: &GeneralizedCell) -> Cover {
        match cell {
            GeneralizedCell::Value(code) => Cover::of([*code]),
            GeneralizedCell::Node(node) => match self.hierarchy {
                Some(tree) => Cover::of(tree.leaves_of(*node)),
                None => Cover::of([]),
            },
            GeneralizedCell::Interval(interval) => {
                let inside = |code: &u32| self.number(*code).is_some_and(|number| interval.contains(number));
                Cover::of((0..self.values() as u32).filter(inside))
            }
            GeneralizedCell::Set(codes) => Cover::of(codes.iter().copied()),
            GeneralizedCell::Any => Cover::all(self.values()),
        }
    }

    /// The cell as `table.csv` writes it.
    pub fn text(&self, cell: &GeneralizedCell) -> String {
        match cell {
            GeneralizedCell::Value(code) => self.column.values[*code as usize].clone(),
            GeneralizedCell::Node(node) => self.node_text(*node),
            GeneralizedCell::Interval(interval) => interval.to_string(),
            GeneralizedCell::Set(codes) => self.set_text(codes),
            GeneralizedCell::Any => "*".to_string(),
        }
    }

    /// The label of a node, or the set of its values where a reader would take the label for more: it recurs.
    fn node_text(&self, node: NodeId) -> String {
        let Some(tree) = self.hierarchy else { return String::new() };
        let (label, leaves) = (tree.label(node), tree.leaves_of(node));
        let is_read_as = self.parse(label).map(|cell| self.cover(&cell));
        if is_read_as == Ok(Cover::of(leaves.iter().copied())) { label.to_string() } else { self.set_text(&leaves) }
    }

    fn set_text(&self, codes: &[u32]) -> String {
        write_set(codes.iter().map(|&code| self.column.values[code as usize].as_str()))
    }

    /// Reads a cell: `*`, a value, a node's label, an interval of a numeric attribute, a set of values or nodes.
    ///
    /// A text that names several nodes (labels may recur on several levels) means all that any of them covers: whoever sees
    /// it cannot tell which was meant.
    pub fn parse(&self, text: &str) -> Result<GeneralizedCell, String> {
        if text == "*" {
            return Ok(GeneralizedCell::Any);
        }
        if let Some(nodes) = self.named.get(text) {
            return Ok(self.union(nodes));
        }
        if let Some(interval) = Interval::parse(text) {
            let cell = GeneralizedCell::Interval(interval);
            let name = &self.column.name;
            if self.numbers.is_empty() {
                return Err(format!("`{text}` is an interval, and `{name}` is not numeric"));
            }
            if self.cover(&cell).is_empty() {
                return Err(format!("`{text}` has none of the values of `{name}` in it"));
            }
            return Ok(cell);
        }
        if let Some(values) = parse_set(text) {
            let mut codes = Vec::with_capacity(values.len());
            for value in &values {
                let nodes = self.named.get(value.as_str()).ok_or_else(|| self.unknown(value))?;
                codes.extend(self.cover(&self.union(nodes)).codes());
            }
            codes.sort_unstable();
            codes.dedup();
            return Ok(GeneralizedCell::Set(codes));
        }
        Err(self.unknown(text))
    }

    fn union(&self, nodes: &[NodeId]) -> GeneralizedCell {
        let cell = |&node: &NodeId| {
            if (node as usize) < self.values() { GeneralizedCell::Value(node) } else { GeneralizedCell::Node(node) }
        };
        let [first, others @ ..] = nodes else { return GeneralizedCell::Any };
        if others.is_empty() {
            return cell(first);
        }
        let covers: Vec<(GeneralizedCell, Cover)> =
            nodes.iter().map(cell).map(|cell| (cell.clone(), self.cover(&cell))).collect();
        if let Some((widest, _)) = covers.iter().find(|(_, cover)| covers.iter().all(|(_, one)| cover.includes(one))) {
            return widest.clone();
        }
        let mut codes: Vec<u32> = covers.iter().flat_map(|(_, cover)| cover.codes()).collect();
        codes.sort_unstable();
        codes.dedup();
        GeneralizedCell::Set(codes)
    }

    fn unknown(&self, text: &str) -> String {
        let (name, shown) = (&self.column.name, shortened(text));
        let hint = match nearest(text, self.named.keys().map(Cow::as_ref)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if self.numbers.is_empty() => {
                "; a cell is a value, a node of the hierarchy, `{a;b}` or `*`".to_string()
            }
            None => "; a cell is a value, a node of the hierarchy, `[20,30)`, `{a;b}` or `*`".to_string(),
        };
        format!("`{shown}` is neither a value of `{name}` nor a node of its hierarchy{hint}")
    }
}
