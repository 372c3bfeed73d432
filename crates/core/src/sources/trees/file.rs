//! Files of hierarchies: YAML, CSV, and the text format of Amnesia.

use super::MOST_LEVELS;
use crate::lab::counted;
use crate::sources::definition::{HierarchyDefinition, HierarchyTree, Label, Node};
use crate::sources::formats::{SourceText, read_records};
use crate::sources::{DataError, amnesia};
use rustc_hash::FxHashMap;

/// The definition in a hierarchy file: YAML with `tree` or `intervals`, CSV where the name ends with `.csv`, the text format
/// of Amnesia where it ends with `.txt`.
pub(in crate::sources) fn parse(name: &str, bytes: Vec<u8>) -> Result<HierarchyDefinition, DataError> {
    let source = SourceText::new(name, bytes)?;
    if name.trim_end_matches(".gz").to_lowercase().ends_with(".csv") {
        return parse_csv(&source);
    }
    if name.trim_end_matches(".gz").to_lowercase().ends_with(".txt") {
        return amnesia::parse(&source);
    }
    // `y` and `no` are values like any other.
    let options = serde_yaml::options! { strict_booleans: true };
    let definition: HierarchyDefinition =
        serde_yaml::from_str_with_options(source.body(), options).map_err(|error| DataError::file(name, error))?;
    match definition {
        HierarchyDefinition::Tree(_) | HierarchyDefinition::Intervals(_) => Ok(definition),
        _ => Err(DataError::file(name, "a hierarchy file has a `tree` or `intervals`")),
    }
}

/// One line a value, from the value to the root: `Federal-gov,Government,*`; fields apart by commas or semicolons.
fn parse_csv(source: &SourceText) -> Result<HierarchyDefinition, DataError> {
    let first_line = source.lines().next().map_or("", |(_, line)| line);
    let delimiter = if first_line.contains(';') { b';' } else { b',' };
    let rows = read_records(source, delimiter)?;
    let Some((_, first)) = rows.first() else {
        return Err(source.error(1, "no hierarchy: the file is empty"));
    };
    let (levels, root) = (first.len(), first.last().cloned().unwrap_or_default());
    if levels > MOST_LEVELS {
        return Err(source.error(1, format!("{levels} levels; a hierarchy has at most {MOST_LEVELS}")));
    }
    let first_line = rows[0].0;
    let mut line_of: FxHashMap<&str, usize> = FxHashMap::default();
    for (line, row) in &rows {
        if levels < 2 {
            return Err(source.error(*line, "1 level; a line has at least 2, from the value to the root: `29;20-29;*`"));
        }
        if row.len() != levels {
            let found = counted(row.len(), "level");
            let message =
                format!("{found}, but line {first_line} has {levels}; every line has as many, up to the root `{root}`");
            return Err(source.error(*line, message));
        }
        if row.last() != Some(&root) {
            let found = row.last().map_or("", String::as_str);
            let message = format!(
                "the line ends with `{found}`, line {first_line} with `{root}`: every line ends with the same root"
            );
            return Err(source.error(*line, message));
        }
        if row.iter().any(String::is_empty) {
            return Err(source.error(*line, "a level without a name"));
        }
        if let Some(before) = line_of.insert(&row[0], *line) {
            return Err(source.error(*line, format!("`{}` has a line already: line {before}", row[0])));
        }
    }
    let rows: Vec<&[String]> = rows.iter().map(|(_, row)| &row[..levels - 1]).collect();
    let tree = Node::Inner(Label(root), group(&rows));
    Ok(HierarchyDefinition::Tree(HierarchyTree { tree }))
}

/// Nodes by their last field, in the order of first appearance.
fn group(rows: &[&[String]]) -> Vec<Node> {
    let mut groups: indexmap::IndexMap<&str, Vec<&[String]>> = indexmap::IndexMap::new();
    for row in rows {
        if let [below @ .., label] = *row {
            groups.entry(label).or_default().push(below);
        }
    }
    groups
        .into_iter()
        .map(|(label, below)| match below.first() {
            Some([]) => Node::Leaf(Label(label.to_string())),
            _ => Node::Inner(Label(label.to_string()), group(&below)),
        })
        .collect()
}
