//! What a dataset is, for whoever reads a release or a report made from it.

use super::definition::{HierarchyDefinition, Missing, ModuloOf, Step};
use super::{DatasetDefinition, Loaded};
use crate::data::{Baskets, ColumnKind, Content, Hierarchy, Microdata, Origin};
use crate::lab::{counted, thousands};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a dataset comes to after loading, as `data show` and audits tell it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Where the data comes from.
    pub origin: Origin,
    /// Where the rows are from, in words.
    pub note: String,
    /// Rows or transactions of the source.
    pub rows_read: usize,
    /// Rows after all steps.
    pub rows_used: usize,
    /// The steps of `derive`, each with the rows it left.
    pub steps: Vec<StepTaken>,
    /// What is in it.
    #[serde(flatten)]
    pub content: Described,
}

/// A derivation step and what it left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTaken {
    /// The step in words.
    pub step: String,
    /// Rows after it.
    pub rows_left: usize,
}

/// The content by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Described {
    /// Microdata.
    Table {
        /// The attributes an adversary may know.
        quasi_identifiers: Vec<AttributeDescription>,
        /// The attribute to protect.
        sensitive: Sensitive,
    },
    /// Transactions.
    Transactions {
        /// Different items.
        items: usize,
        /// Items to protect.
        private_items: usize,
        /// The number of items in the longest transaction.
        longest: usize,
        /// Items in a transaction on average.
        mean: f64,
        /// The hierarchy of items in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hierarchy: Option<String>,
    },
}

/// One quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeDescription {
    /// The column's name.
    pub name: String,
    /// Whether its values are numbers.
    pub numeric: bool,
    /// How many different values occur.
    pub values: usize,
    /// Which one, and how high.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
}

/// The sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensitive {
    /// The column's name.
    pub name: String,
    /// Value to the rows that have it, the most frequent first.
    pub counts: IndexMap<String, usize>,
}

impl Loaded {
    /// What the dataset is. `definition` is what it was loaded from.
    pub fn describe(&self, definition: &DatasetDefinition) -> Description {
        let (rows_used, content) = match &self.dataset.content {
            Content::Table(microdata) => (microdata.rows(), table(microdata, definition)),
            Content::Transactions(baskets) => (baskets.transactions.len(), transactions(baskets, definition)),
        };
        let steps = definition.derive.iter().zip(&self.rows_left);
        Description {
            origin: self.dataset.origin,
            note: self.note.clone(),
            rows_read: self.rows_read,
            rows_used,
            steps: steps.map(|(step, &rows_left)| StepTaken { step: in_words(step, definition), rows_left }).collect(),
            content,
        }
    }
}

fn in_words(step: &Step, definition: &DatasetDefinition) -> String {
    match step {
        Step::DropMissing(Missing::Used) => {
            "rows with a missing value in a column that is used are dropped".to_string()
        }
        Step::DropMissing(Missing::All) => "rows with a missing value in any column are dropped".to_string(),
        Step::First(n) => format!("the first {} are kept", thousands(*n)),
        Step::Sample(n) => format!("a random sample of {} is drawn", thousands(*n)),
        Step::SampleShare(share) => format!("a random share of {share} is drawn"),
        Step::Modulo(n) => match definition.modulo_of {
            ModuloOf::Rank => format!("items become their rank modulo {n}"),
            ModuloOf::Id => format!("items become their id modulo {n}"),
        },
    }
}

fn table(microdata: &Microdata, definition: &DatasetDefinition) -> Described {
    let attributes = microdata.quasi_identifiers.iter().zip(&microdata.hierarchies).map(|(&column, tree)| {
        let column = &microdata.table.columns[column];
        AttributeDescription {
            name: column.name.clone(),
            numeric: column.kind == ColumnKind::Numeric,
            values: column.cardinality(),
            hierarchy: tree.as_ref().map(|tree| hierarchy(definition.hierarchies.get(&column.name), tree)),
        }
    });
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut counts: Vec<(String, usize)> = sensitive.values.iter().cloned().zip(sensitive.histogram()).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Described::Table {
        quasi_identifiers: attributes.collect(),
        sensitive: Sensitive { name: sensitive.name.clone(), counts: counts.into_iter().collect() },
    }
}

fn transactions(baskets: &Baskets, definition: &DatasetDefinition) -> Described {
    let sizes = baskets.transactions.rows().map(<[_]>::len);
    let (longest, total) = sizes.fold((0, 0), |(longest, total), size| (size.max(longest), total + size));
    Described::Transactions {
        items: baskets.transactions.items(),
        private_items: baskets.private.iter().filter(|&&private| private).count(),
        longest,
        mean: total as f64 / baskets.transactions.len().max(1) as f64,
        hierarchy: baskets.hierarchy.as_ref().map(|tree| hierarchy(definition.hierarchy.as_ref(), tree)),
    }
}

fn hierarchy(definition: Option<&HierarchyDefinition>, tree: &Hierarchy) -> String {
    let which = match definition {
        Some(HierarchyDefinition::BuiltIn(name)) => name.clone(),
        Some(HierarchyDefinition::File(file)) => file.file.clone(),
        Some(HierarchyDefinition::Degree(by)) => format!("degree {}", by.degree),
        Some(HierarchyDefinition::Height(_)) => "the smallest degree for the height".to_string(),
        Some(HierarchyDefinition::Intervals(by)) => {
            let widths: Vec<String> = by.intervals.iter().map(ToString::to_string).collect();
            format!("intervals of {}", widths.join(", "))
        }
        Some(HierarchyDefinition::Tree(_)) | None => "a tree in the spec".to_string(),
    };
    format!("{which}, {} levels", tree.height())
}

/// Of more values than these, the rest is counted.
const SHOWN: usize = 8;

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, note, rows_read, rows_used, steps, content } = self;
        writeln!(f, "data: {origin}; {note}")?;
        let rows = match content {
            Described::Table { .. } => "rows",
            Described::Transactions { .. } => "transactions",
        };
        write!(f, "{rows}: {} used of {} read", thousands(*rows_used), thousands(*rows_read))?;
        let taken = |StepTaken { step, rows_left }: &StepTaken| format!("{step}: {} left", thousands(*rows_left));
        match steps.is_empty() {
            true => writeln!(f, ", none dropped")?,
            false => writeln!(f, "; {}", steps.iter().map(taken).collect::<Vec<_>>().join("; "))?,
        }
        match content {
            Described::Table { quasi_identifiers, sensitive } => {
                let shown: Vec<String> = quasi_identifiers.iter().map(ToString::to_string).collect();
                writeln!(f, "quasi-identifiers: {}", shown.join("; "))?;
                writeln!(f, "sensitive: {sensitive}")
            }
            Described::Transactions { items, private_items, longest, mean, hierarchy } => {
                let tree = hierarchy.as_deref().unwrap_or("none");
                writeln!(
                    f,
                    "items: {}, {} of them private; {mean:.1} a transaction, at most {}",
                    thousands(*items),
                    thousands(*private_items),
                    thousands(*longest)
                )?;
                writeln!(f, "hierarchy: {tree}")
            }
        }
    }
}

impl fmt::Display for AttributeDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.numeric { "numbers" } else { "values" };
        let tree = self.hierarchy.as_deref().map_or("no hierarchy".to_string(), |tree| format!("hierarchy {tree}"));
        write!(f, "{} ({} {kind}; {tree})", self.name, thousands(self.values))
    }
}

impl fmt::Display for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: usize = self.counts.values().sum();
        let share = |count: usize| 100.0 * count as f64 / rows.max(1) as f64;
        let told = |(value, &count): (&String, &usize)| format!("{value} {} ({:.1} %)", thousands(count), share(count));
        let shown: Vec<String> = self.counts.iter().take(SHOWN).map(told).collect();
        let values = counted(thousands(self.counts.len()), "value");
        write!(f, "{}, {values}: {}", self.name, shown.join(", "))?;
        match self.counts.len() > SHOWN {
            true => write!(f, " and {} more", thousands(self.counts.len() - SHOWN)),
            false => Ok(()),
        }
    }
}
