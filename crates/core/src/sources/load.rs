//! From a definition to a dataset.

use super::catalogue::unknown;
use super::definition::{HierarchyDefinition, Private, Source, SyntheticSource};
use super::derive::{Derived, derive_table, derive_transactions};
use super::formats::{Raw, RawTable};
use super::generated_once::GeneratedOnce;
use super::locate::locate;
use super::resolve::read_hierarchies;
use super::trees::{self, Leaves};
use super::{DataError, DataLocations, DatasetDefinition, Digest, Fault, check};
use crate::data::Hierarchy;
use crate::data::combined;
use crate::data::{
    Baskets, Column, ColumnKind, Content, Dataset, Item, Microdata, SensitivePart, Table, Transactions, is_missing,
};
use crate::lab::{Seed, did_you_mean_if_near};
use rand::Rng;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A dataset with the story of where it came from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The data, ready for publishers.
    pub dataset: Dataset,
    /// As in its `Resolution`.
    pub digests: Vec<Digest>,
    /// What a reader of results should know of it; empty for published data as it is.
    pub note: String,
    /// Rows or transactions of the source.
    pub rows_read: usize,
    /// How many of them each step of `derive` left.
    pub rows_left: Vec<usize>,
}

/// Loads, derives, and puts columns and items into their roles. `dataset.name` is that of the source; a spec gives its
/// own. Everything random comes from `seed` and the definition alone.
pub fn load(definition: &DatasetDefinition, locations: &DataLocations, seed: Seed) -> Result<Loaded, DataError> {
    load_with(definition, locations, seed, GeneratedOnce::anew())
}

/// [`load`], with generated transactions from where they are kept.
pub(super) fn load_with(
    definition: &DatasetDefinition,
    locations: &DataLocations,
    seed: Seed,
    generated: GeneratedOnce,
) -> Result<Loaded, DataError> {
    let faults = check(definition, locations);
    if !faults.is_empty() {
        return Err(DataError::Definition(faults));
    }
    let located = locate(definition, locations)?;
    let lots = Lots { definition, seed };
    let roles = || definition.quasi_identifiers.iter().chain(&definition.sensitive.0);
    let (raw, mut digests) = located.read(&|column| roles().any(|role| role == column), generated)?;
    let (trees, tree_digests) = read_hierarchies(definition, locations)?;
    digests.extend(tree_digests);
    let (rows_read, content, rows_left) = match raw {
        Raw::Table(table) => {
            let (microdata, left) = microdata(&table, definition, &trees, &lots)?;
            (table.table.rows(), Content::Table(microdata), left)
        }
        Raw::Transactions(transactions) => {
            let rows = transactions.len();
            let (baskets, left) = baskets(transactions, definition, &trees, &lots)?;
            (rows, Content::Transactions(baskets), left)
        }
    };
    let dataset = Dataset { name: source_name(&definition.source), origin: located.origin(), content };
    Ok(Loaded { dataset, digests, note: located.note(), rows_read, rows_left })
}

pub(super) fn source_name(source: &Source) -> String {
    match source {
        Source::Catalogue(name) => name.clone(),
        Source::File(source) => source.file.clone(),
        Source::Inline(_) => "inline".to_string(),
        Source::Synthetic(_) => "synthetic".to_string(),
    }
}

/// With how many rows each step left.
fn microdata(
    raw: &RawTable,
    definition: &DatasetDefinition,
    trees: &Trees,
    lots: &Lots,
) -> Result<(Microdata, Vec<usize>), DataError> {
    let column = |path: String, name: &String| {
        let names = || raw.table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        raw.table.column(name).ok_or_else(|| DataError::fault(path, unknown("column", name, &names())))
    };
    let quasi = &definition.quasi_identifiers;
    let sensitive = &definition.sensitive.0;
    let mut used = Vec::with_capacity(quasi.len() + sensitive.len());
    for (i, name) in quasi.iter().enumerate() {
        used.push(column(format!("quasi_identifiers[{i}]"), name)?);
    }
    for name in sensitive {
        used.push(column("sensitive".to_string(), name)?);
    }
    let Derived { data: mut table, left, chosen } = derive_table(raw, definition, &used, lots.seed);
    // Where a value of the data stands in its file.
    let misfit = |column: &Column, value: &str, message: String| {
        let row = column.code(value).and_then(|code| column.codes.iter().position(|&known| known == code));
        let source_row = |row: usize| chosen.as_ref().and_then(|chosen| chosen.get(row).copied()).unwrap_or(row);
        raw.places.error(row.map_or(0, source_row), format!("column `{}`: {message}", column.name))
    };
    if !says_what_is_missing(&definition.source) {
        for column in &table.columns {
            if let Some(word) = missing_among_numbers(column) {
                let message = format!(
                    "`{word}` among numbers; `missing: [{word}]` below `source` makes it a missing value, `missing: []` a value like others"
                );
                return Err(misfit(column, word, message));
            }
        }
    }
    let mut hierarchies = table
        .columns
        .iter()
        .enumerate()
        .map(|(i, column)| {
            let path = format!("hierarchies.{}", column.name);
            let Some(tree) = trees.get(&path) else { return Ok(None) };
            let leaves = Leaves {
                labels: &column.values,
                numeric: column.kind == ColumnKind::Numeric,
                // Distances between sensitive values are counted in levels.
                keep_levels: i >= quasi.len(),
                occurrences: Box::new(column.codes.iter().copied()),
                shuffled: Box::new(|| lots.order(&format!("order of {}", column.name), &column.values)),
            };
            trees::build(tree, leaves).map(Some).map_err(|fault| match &fault.value {
                Some(value) => misfit(column, value, fault.message.clone()),
                None => DataError::fault(path, fault.message),
            })
        })
        .collect::<Result<Vec<_>, DataError>>()?;
    let mut of_sensitive = hierarchies.split_off(quasi.len());
    let (mut sensitive_hierarchy, mut sensitive_parts) = (None, Vec::new());
    if sensitive.len() > 1 {
        let mut columns = table.columns;
        let parts = columns.split_off(quasi.len());
        let combined = combined(&parts).map_err(|message| DataError::fault("sensitive", message))?;
        if !definition.combine_sensitive {
            let part = |(part, tree): (&Column, Option<Hierarchy>)| SensitivePart::new(part, &combined, tree);
            sensitive_parts = parts.iter().zip(of_sensitive).map(part).collect();
        }
        columns.push(combined);
        table = Table::new(columns);
    } else {
        sensitive_hierarchy = of_sensitive.pop().flatten();
    }
    let quasi_identifiers: Vec<usize> = (0..quasi.len()).collect();
    let sensitive = quasi.len();
    Ok((Microdata { table, quasi_identifiers, sensitive, hierarchies, sensitive_hierarchy, sensitive_parts }, left))
}

/// Whether it is known of a source what stands for a missing value in it.
fn says_what_is_missing(source: &Source) -> bool {
    source.written().is_none_or(|written| written.missing.is_some())
}

/// A usual word for "missing" in a column whose other values are numbers, which would make text of all of them.
fn missing_among_numbers(column: &Column) -> Option<&str> {
    const WORDS: [&str; 9] = ["na", "n/a", "nan", "null", "none", "nil", "-", ".", "missing"];
    if column.kind == ColumnKind::Numeric {
        return None;
    }
    let is_number = |value: &String| value.parse::<f64>().is_ok_and(f64::is_finite);
    let (numbers, others): (Vec<&String>, Vec<&String>) =
        column.values.iter().filter(|value| !is_missing(value)).partition(|value| is_number(value));
    let usual = |value: &&String| WORDS.contains(&value.to_lowercase().as_str());
    let word = others.first()?;
    (!numbers.is_empty() && others.iter().all(usual)).then_some(word.as_str())
}

/// Hierarchies as they were read, by their paths in the definition.
type Trees = BTreeMap<String, HierarchyDefinition>;

/// With how many transactions each step left.
fn baskets(
    transactions: Transactions,
    definition: &DatasetDefinition,
    trees: &Trees,
    lots: &Lots,
) -> Result<(Baskets, Vec<usize>), DataError> {
    let Derived { data: transactions, left, .. } = derive_transactions(transactions, definition, lots.seed)?;
    let tree = match trees.get("hierarchy") {
        None => None,
        Some(tree) => {
            let leaves = Leaves {
                labels: &transactions.labels,
                numeric: transactions.labels.iter().all(|label| label.parse::<u64>().is_ok()),
                keep_levels: false,
                occurrences: Box::new(transactions.rows().flatten().copied()),
                shuffled: Box::new(|| lots.order("order of items", &transactions.labels)),
            };
            Some(trees::build(tree, leaves).map_err(|fault| DataError::fault("hierarchy", fault.message))?)
        }
    };
    let private = match &definition.private {
        None => vec![false; transactions.items()],
        Some(private) => private_items(private, &transactions, lots)?,
    };
    Ok((Baskets { transactions, hierarchy: tree, private }, left))
}

fn private_items(private: &Private, transactions: &Transactions, lots: &Lots) -> Result<Vec<bool>, DataError> {
    let items = transactions.items();
    let share = |share: f64| (share * items as f64).round() as usize;
    let chosen: Vec<Item> = match private {
        Private::Items(labels) => {
            let codes: FxHashMap<&str, Item> = transactions.labels.iter().map(String::as_str).zip(0..).collect();
            let mut chosen = Vec::with_capacity(labels.len());
            let mut faults = Vec::new();
            for (i, label) in labels.iter().enumerate() {
                match codes.get(label.0.as_str()) {
                    Some(&item) => chosen.push(item),
                    None => {
                        let hint = did_you_mean_if_near(&label.0, &transactions.labels);
                        let message = format!("no transaction has the item `{}`{hint}", label.0);
                        faults.push(Fault::new(format!("private.items[{i}]"), message));
                    }
                }
            }
            if !faults.is_empty() {
                return Err(DataError::Definition(faults));
            }
            chosen
        }
        Private::Share(of_items) => {
            let order = lots.order("private items", &transactions.labels);
            order.into_iter().take(share(*of_items)).collect()
        }
        Private::LeastFrequent(of_items) => {
            let supports = transactions.supports();
            let mut order: Vec<Item> = (0..items as Item).rev().collect();
            order.sort_by_key(|&item| supports[item as usize]);
            order.into_iter().take(share(*of_items)).collect()
        }
    };
    let mut is_private = vec![false; items];
    for item in chosen {
        is_private[item as usize] = true;
    }
    Ok(is_private)
}

/// The lots that labels draw. A label draws the same lot in every derivation of a source, so that growing data keeps its
/// private items and its order.
struct Lots<'a> {
    definition: &'a DatasetDefinition,
    seed: Seed,
}

impl Lots<'_> {
    /// The labels' numbers in the order of their lots.
    fn order(&self, purpose: &str, labels: &[String]) -> Vec<u32> {
        let DatasetDefinition { source, part, seed, .. } = self.definition;
        let mut key = [0; 32];
        // What is generated like a data set has its labels, and draws as it does.
        let source = match source {
            Source::Synthetic(SyntheticSource { synthetic }) if synthetic.sizes_only() => {
                synthetic.like.clone().map_or_else(|| source.clone(), Source::Catalogue)
            }
            _ => source.clone(),
        };
        self.seed.stream(purpose, &(source, part, seed)).fill_bytes(&mut key);
        let mut lots: Vec<([u8; 32], u32)> =
            labels.iter().map(|label| *blake3::keyed_hash(&key, label.as_bytes()).as_bytes()).zip(0..).collect();
        lots.sort_unstable();
        lots.into_iter().map(|(_, label)| label).collect()
    }
}
