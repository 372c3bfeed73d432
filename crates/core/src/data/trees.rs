//! Hierarchies as definitions describe them, over the values or items a dataset has.
//!
//! A tree may have values that the data lacks: they drop out, and so does an inner node that is left with a single node
//! below it, since it would say no more than that node; its label becomes another name of that node. Where the levels count
//! (distances within a hierarchy), such nodes stay. A value of the data that the tree lacks is an error.

use super::definition::{ByIntervals, HierarchyDefinition, Label, Node, Order};
use super::formats::{SourceText, read_records};
use super::hierarchy::MOST_LEVELS;
use super::{DataError, Hierarchy, HierarchyBuilder, NodeId, is_missing};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why there is no hierarchy, and the value of the data that is the reason, if one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeFault {
    pub message: String,
    pub value: Option<String>,
}

impl From<String> for TreeFault {
    fn from(message: String) -> Self {
        Self { message, value: None }
    }
}

impl From<&str> for TreeFault {
    fn from(message: &str) -> Self {
        Self::from(message.to_string())
    }
}

impl std::fmt::Display for TreeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// What a hierarchy stands on.
pub(super) struct Leaves<'a> {
    pub labels: &'a [String],
    /// Whether the labels are numbers in their order.
    pub numeric: bool,
    /// Whether inner nodes with a single node below them stay.
    pub keep_levels: bool,
    /// Every occurrence of every leaf, row by row.
    pub occurrences: Box<dyn Iterator<Item = u32> + 'a>,
    /// The leaves in a random order.
    pub shuffled: Box<dyn FnOnce() -> Vec<u32> + 'a>,
}

const BUILT_IN: [(&str, &str); 7] = [
    ("adult/age", include_str!("../../datasets/hierarchies/adult/age.yaml")),
    ("adult/age-5", include_str!("../../datasets/hierarchies/adult/age-5.yaml")),
    ("adult/workclass", include_str!("../../datasets/hierarchies/adult/workclass.yaml")),
    ("adult/education", include_str!("../../datasets/hierarchies/adult/education.yaml")),
    ("adult/marital_status", include_str!("../../datasets/hierarchies/adult/marital_status.yaml")),
    ("adult/race", include_str!("../../datasets/hierarchies/adult/race.yaml")),
    ("adult/sex", include_str!("../../datasets/hierarchies/adult/sex.yaml")),
];

/// The names of the hierarchies that come with the project.
pub fn built_in_hierarchies() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

/// The text of a built-in hierarchy.
pub(super) fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The definition in a hierarchy file: YAML with `tree` or `intervals`, CSV where the name ends with `.csv`, the text format
/// of Amnesia where it ends with `.txt`.
pub(super) fn parse(name: &str, bytes: Vec<u8>) -> Result<HierarchyDefinition, DataError> {
    let source = SourceText::new(name, bytes)?;
    if name.trim_end_matches(".gz").to_lowercase().ends_with(".csv") {
        return parse_csv(&source);
    }
    if name.trim_end_matches(".gz").to_lowercase().ends_with(".txt") {
        return super::amnesia::parse(&source);
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
    for (line, row) in &rows {
        if row.len() != levels || levels < 2 {
            return Err(
                source.error(*line, format!("{} levels; every line has the same number, at least 2", row.len()))
            );
        }
        if row.last() != Some(&root) {
            return Err(source.error(*line, format!("the line ends with another root than `{root}`")));
        }
        if row.iter().any(String::is_empty) {
            return Err(source.error(*line, "a level without a name"));
        }
    }
    let rows: Vec<&[String]> = rows.iter().map(|(_, row)| &row[..levels - 1]).collect();
    let tree = Node::Inner(Label(root), group(&rows));
    Ok(HierarchyDefinition::Tree(super::definition::HierarchyTree { tree }))
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
        .flat_map(|(label, below)| match below.first() {
            // A value that stands twice stays so, to be refused as such.
            Some([]) => below.iter().map(|_| Node::Leaf(Label(label.to_string()))).collect(),
            _ => vec![Node::Inner(Label(label.to_string()), group(&below))],
        })
        .collect()
}

/// The hierarchy over `leaves`. `definition` is none that names another place: those are read before.
pub(super) fn build(definition: &HierarchyDefinition, leaves: Leaves) -> Result<Hierarchy, TreeFault> {
    if leaves.labels.is_empty() {
        return Err("there is nothing to put a hierarchy over: the data is empty".into());
    }
    match definition {
        HierarchyDefinition::BuiltIn(name) => Err(format!("`{name}` was not read").into()),
        HierarchyDefinition::File(file) => Err(format!("{} was not read", file.file).into()),
        HierarchyDefinition::Tree(tree) => from_tree(&tree.tree, leaves.labels, leaves.keep_levels),
        HierarchyDefinition::Intervals(intervals) => by_intervals(intervals, &leaves),
        HierarchyDefinition::Degree(by) => Ok(by_degree(leaves, by.degree, by.order)?),
        HierarchyDefinition::Height(by) => {
            let degree = degree_of_height(leaves.labels.len(), by.height)?;
            Ok(by_degree(leaves, degree, by.order)?)
        }
    }
}

fn by_degree(leaves: Leaves, degree: usize, order: Order) -> Result<Hierarchy, String> {
    let mut sequence: Vec<u32> = (0..leaves.labels.len() as u32).collect();
    match order {
        Order::Id => {}
        Order::Appearance => {
            let mut seen = vec![false; sequence.len()];
            sequence = leaves.occurrences.filter(|&leaf| !std::mem::replace(&mut seen[leaf as usize], true)).collect();
        }
        Order::Frequency => {
            let mut counts = vec![0u64; sequence.len()];
            for leaf in leaves.occurrences {
                counts[leaf as usize] += 1;
            }
            sequence.sort_by_key(|&leaf| std::cmp::Reverse(counts[leaf as usize]));
        }
        Order::Random => sequence = (leaves.shuffled)(),
    }
    Hierarchy::by_degree(leaves.labels, &sequence, degree).map_err(|error| error.to_string())
}

/// The smallest degree with which `leaves` need no more than `height` levels, if it needs no fewer either.
fn degree_of_height(leaves: usize, height: usize) -> Result<usize, String> {
    let levels = |degree: usize| {
        let (mut nodes, mut levels) = (leaves.div_ceil(degree), 2);
        while nodes > 1 {
            nodes = nodes.div_ceil(degree);
            levels += 1;
        }
        levels
    };
    let degree = (2..=leaves.max(2)).find(|&degree| levels(degree) <= height);
    match degree {
        Some(degree) if levels(degree) == height => Ok(degree),
        _ => Err(format!(
            "no degree gives {leaves} values a hierarchy of height {height}; they have at most {}",
            levels(2)
        )),
    }
}

/// A tree without what the data lacks.
struct Pruned<'a> {
    /// The labels of the nodes above that said no more than this one.
    other_names: Vec<&'a str>,
    node: PrunedNode<'a>,
}

enum PrunedNode<'a> {
    Leaf(u32),
    Inner(&'a str, Vec<Pruned<'a>>),
}

fn from_tree(root: &Node, labels: &[String], keep_levels: bool) -> Result<Hierarchy, TreeFault> {
    let Node::Inner(name, children) = root else {
        return Err("a tree needs a root above its values".into());
    };
    let codes = labels.iter().map(String::as_str).zip(0..).collect();
    let mut pruning = Pruning { codes, keep_levels, seen: FxHashSet::default() };
    let mut below = pruning.all(children)?;
    let absent: Vec<&String> = labels.iter().filter(|label| !pruning.seen.contains(label.as_str())).collect();
    if !absent.is_empty() {
        return Err(not_in_hierarchy(&absent));
    }
    // What remains of the tree may hang on one branch; the root keeps its name.
    let mut other_names = Vec::new();
    while let ([Pruned { node: PrunedNode::Inner(..), .. }], false) = (below.as_slice(), keep_levels) {
        if let Some(Pruned { other_names: names, node: PrunedNode::Inner(label, children) }) = below.pop() {
            other_names.push(label);
            other_names.extend(names);
            below = children;
        }
    }
    let mut builder = HierarchyBuilder::new(labels.to_vec());
    emit(&Pruned { other_names, node: PrunedNode::Inner(&name.0, below) }, &mut builder);
    builder.finish().map_err(|error| error.to_string().into())
}

struct Pruning<'a> {
    /// The values of the data.
    codes: FxHashMap<&'a str, u32>,
    keep_levels: bool,
    /// The values of the tree so far.
    seen: FxHashSet<&'a str>,
}

impl<'a> Pruning<'a> {
    fn all(&mut self, nodes: &'a [Node]) -> Result<Vec<Pruned<'a>>, String> {
        let mut kept = Vec::new();
        for node in nodes {
            kept.extend(self.one(node)?);
        }
        Ok(kept)
    }

    fn one(&mut self, node: &'a Node) -> Result<Option<Pruned<'a>>, String> {
        let pruned = |node| Pruned { other_names: Vec::new(), node };
        match node {
            Node::Leaf(label) => {
                if !self.seen.insert(&label.0) {
                    return Err(format!("`{}` stands twice in the hierarchy", label.0));
                }
                Ok(self.codes.get(label.0.as_str()).map(|&code| pruned(PrunedNode::Leaf(code))))
            }
            Node::Inner(label, children) => {
                let mut below = self.all(children)?;
                if below.len() > 1 || (self.keep_levels && !below.is_empty()) {
                    return Ok(Some(pruned(PrunedNode::Inner(&label.0, below))));
                }
                let mut only = below.pop();
                if let Some(only) = &mut only {
                    only.other_names.push(&label.0);
                }
                Ok(only)
            }
        }
    }
}

fn emit(pruned: &Pruned<'_>, builder: &mut HierarchyBuilder) -> NodeId {
    let node = match &pruned.node {
        PrunedNode::Leaf(code) => *code,
        PrunedNode::Inner(label, children) => {
            let children: Vec<NodeId> = children.iter().map(|child| emit(child, builder)).collect();
            builder.group(*label, &children)
        }
    };
    pruned.other_names.iter().for_each(|name| builder.also_called(node, *name));
    node
}

fn not_in_hierarchy(absent: &[&String]) -> TreeFault {
    let named: Vec<String> = absent.iter().take(5).map(|label| format!("`{label}`")).collect();
    let more = if absent.len() > 5 { format!(" and {} more", absent.len() - 5) } else { String::new() };
    let hint = if absent.iter().any(|label| is_missing(label)) {
        "; `drop_missing` drops rows with missing values"
    } else {
        ""
    };
    let message = format!("the hierarchy lacks {}{more}, which the data has{hint}", named.join(", "));
    TreeFault { message, value: absent.first().map(|label| label.to_string()) }
}

fn by_intervals(intervals: &ByIntervals, leaves: &Leaves) -> Result<Hierarchy, TreeFault> {
    if !leaves.numeric {
        let is_number = |label: &&String| label.parse::<f64>().is_ok_and(f64::is_finite) || is_missing(label);
        let value = leaves.labels.iter().find(|label| !is_number(label)).cloned();
        let named = value.as_ref().map(|value| format!(", and `{value}` is none")).unwrap_or_default();
        return Err(TreeFault { message: format!("intervals are for numbers{named}"), value });
    }
    let ByIntervals { intervals: widths, from } = intervals;
    let mut level: Vec<(f64, NodeId)> = Vec::with_capacity(leaves.labels.len());
    for (label, code) in leaves.labels.iter().zip(0..) {
        let number: f64 = label.parse().map_err(|_| not_in_hierarchy(&[label]))?;
        level.push((number, code));
    }
    let whole = |number: &f64| number.fract() == 0.0;
    let all_whole = level.iter().map(|(number, _)| number).chain(widths).chain([from]).all(whole);
    let mut builder = HierarchyBuilder::new(leaves.labels.to_vec());
    for &width in widths {
        let interval = |number: f64| ((number - from) / width).floor();
        let mut above: Vec<(f64, NodeId)> = Vec::new();
        for run in level.chunk_by(|(a, _), (b, _)| interval(*a) == interval(*b)) {
            if run.len() == level.len() {
                break;
            }
            let node = match run {
                [(_, only)] => *only,
                several => {
                    let low = from + interval(several[0].0) * width;
                    let label = if all_whole {
                        format!("{low}-{}", low + width - 1.0)
                    } else {
                        format!("[{low}, {})", low + width)
                    };
                    builder.group(label, &several.iter().map(|&(_, node)| node).collect::<Vec<_>>())
                }
            };
            above.push((run[0].0, node));
        }
        // One interval over everything would be a second root.
        if above.is_empty() {
            break;
        }
        level = above;
    }
    builder.group("*", &level.iter().map(|&(_, node)| node).collect::<Vec<_>>());
    builder.finish().map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(words: &str) -> Vec<String> {
        words.split_whitespace().map(String::from).collect()
    }

    fn over(definition: &str, words: &str) -> Result<Hierarchy, String> {
        built(definition, words, false)
    }

    fn built(definition: &str, words: &str, keep_levels: bool) -> Result<Hierarchy, String> {
        let labels = labels(words);
        let definition = match definition.starts_with('{') {
            true => serde_yaml::from_str(definition).unwrap(),
            false => parse("x.yaml", definition.into()).unwrap(),
        };
        let n = labels.len() as u32;
        let leaves = Leaves {
            labels: &labels,
            numeric: labels.iter().all(|label| label.parse::<f64>().is_ok()),
            keep_levels,
            occurrences: Box::new([2, 0, 2, 1].into_iter().chain(0..n)),
            shuffled: Box::new(move || (0..n).rev().collect()),
        };
        build(&definition, leaves).map_err(|fault| fault.message)
    }

    /// The nodes as text, root last.
    fn shape(tree: &Hierarchy) -> Vec<String> {
        let leaves = |node| tree.leaves_of(node).iter().map(|&leaf| tree.label(leaf)).collect::<Vec<_>>().join(" ");
        (tree.leaves() as NodeId..tree.nodes() as NodeId)
            .map(|node| format!("{}: {}", tree.label(node), leaves(node)))
            .collect()
    }

    const WORK: &str = "{tree: {Any: [{Gov: [fed, loc]}, {Own: [inc, not]}, priv, {Un: [without, never]}]}}";

    #[test]
    fn trees_shrink_to_the_values_of_the_data() {
        let all = over(WORK, "fed inc loc never not priv without").unwrap();
        assert_eq!(
            shape(&all),
            ["Gov: fed loc", "Own: inc not", "Un: never without", "Any: fed inc loc never not priv without"]
        );
        let some = over(WORK, "fed inc loc priv without").unwrap();
        assert_eq!(shape(&some), ["Gov: fed loc", "Any: fed inc loc priv without"]);
        assert_eq!(some.height(), 3);
        assert_eq!(shape(&over(WORK, "fed loc").unwrap()), ["Any: fed loc"]);
        assert_eq!(shape(&over(WORK, "priv").unwrap()), ["Any: priv"]);
    }

    #[test]
    fn labels_of_nodes_that_say_no_more_are_other_names() {
        let names = |tree: &Hierarchy| {
            tree.other_names().map(|(name, node)| format!("{name}: {}", tree.label(node))).collect::<Vec<_>>()
        };
        // `Own` is left with `inc` alone, `Un` with nothing.
        assert_eq!(names(&over(WORK, "fed inc loc priv").unwrap()), ["Own: inc"]);
        assert_eq!(names(&over(WORK, "fed loc").unwrap()), ["Gov: Any"]);
        let deep = over("tree: {top: [{a: [{b: [{c: [x, y]}]}]}]}", "x y").unwrap();
        assert_eq!(names(&deep), ["c: top", "b: top", "a: top"]);
    }

    #[test]
    fn levels_stay_where_they_count() {
        let kept = built(WORK, "fed inc loc priv", true).unwrap();
        assert_eq!(shape(&kept), ["Gov: fed loc", "Own: inc", "Any: fed inc loc priv"]);
        let deep = built("tree: {top: [{a: [{b: [x, y]}]}, {c: [{d: [z]}]}]}", "x y", true).unwrap();
        assert_eq!(shape(&deep), ["b: x y", "a: x y", "top: x y"]);
        assert_eq!((deep.height(), deep.other_names().count()), (4, 0));
    }

    #[test]
    fn values_the_tree_lacks_are_named() {
        assert_eq!(over(WORK, "fed Private").unwrap_err(), "the hierarchy lacks `Private`, which the data has");
        assert_eq!(
            over(WORK, "? fed").unwrap_err(),
            "the hierarchy lacks `?`, which the data has; `drop_missing` drops rows with missing values"
        );
        assert_eq!(over("tree: {a: [x, {b: [y, x]}]}", "x").unwrap_err(), "`x` stands twice in the hierarchy");
        assert_eq!(over("{tree: x}", "x").unwrap_err(), "a tree needs a root above its values");
    }

    #[test]
    fn intervals_grow_level_by_level() {
        let tree = over("{intervals: [5, 10], from: 17}", "17 21 22 30 37 90").unwrap();
        assert_eq!(shape(&tree), ["17-21: 17 21", "17-26: 17 21 22", "*: 17 21 22 30 37 90"]);
        let tree = over("{intervals: [0.5]}", "0.1 0.2 0.7 0.9").unwrap();
        assert_eq!(shape(&tree), ["[0, 0.5): 0.1 0.2", "[0.5, 1): 0.7 0.9", "*: 0.1 0.2 0.7 0.9"]);
        assert_eq!(shape(&over("{intervals: [5, 10]}", "0 1 2").unwrap()), ["*: 0 1 2"]);
        assert!(over("{intervals: [5]}", "a b").unwrap_err().contains("`a` is none"));
    }

    #[test]
    fn leaves_stand_in_the_order_asked_for() {
        let first_pair = |order: &str| {
            let tree = over(&format!("{{degree: 2, order: {order}}}"), "a b c d").unwrap();
            shape(&tree)[0].clone()
        };
        assert_eq!(first_pair("id"), "L1.0: a b");
        assert_eq!(first_pair("appearance"), "L1.0: a c");
        assert_eq!(first_pair("frequency"), "L1.0: a c");
        assert_eq!(first_pair("random"), "L1.0: c d");
    }

    #[test]
    fn the_degree_follows_from_the_height() {
        for (height, degree) in [(4, 12), (5, 7), (6, 5), (7, 4), (2, 1657)] {
            assert_eq!(degree_of_height(1657, height), Ok(degree));
        }
        assert!(degree_of_height(4, 5).unwrap_err().contains("at most 3"));
        assert_eq!(degree_of_height(1, 2), Ok(2));
    }

    #[test]
    fn csv_files_go_from_the_value_to_the_root() {
        let text = "fed;Gov;*\nloc;Gov;*\npriv;priv;*\n";
        let definition = parse("work.csv", text.into()).unwrap();
        let yaml = parse("work.yaml", "tree: {'*': [{Gov: [fed, loc]}, {priv: [priv]}]}".into()).unwrap();
        assert_eq!(definition, yaml);
        for (text, message) in [
            ("a,*\nb,c,*\n", "work.csv, line 2: 3 levels; every line has the same number, at least 2"),
            ("a,*\nb,+\n", "work.csv, line 2: the line ends with another root than `*`"),
            ("a,,*\n", "work.csv, line 1: a level without a name"),
            ("", "work.csv, line 1: no hierarchy: the file is empty"),
        ] {
            assert_eq!(parse("work.csv", text.into()).unwrap_err().to_string(), message);
        }
        let deep = |levels: usize| format!("1,{}*\n2,{}*\n", "x,".repeat(levels - 2), "x,".repeat(levels - 2));
        assert!(parse("work.csv", deep(MOST_LEVELS).into()).is_ok());
        assert_eq!(
            parse("work.csv", deep(20_000).into()).unwrap_err().to_string(),
            "work.csv, line 1: 20000 levels; a hierarchy has at most 1000"
        );
        assert!(parse("x.yaml", "degree: 3".into()).unwrap_err().to_string().contains("`tree` or `intervals`"));
    }

    #[test]
    fn the_hierarchies_of_the_injector_paper_have_its_heights() {
        let columns = crate::data::catalogue::embedded("adult.data").unwrap();
        let text = crate::data::formats::decompress(columns, 1 << 30).unwrap().into_owned();
        let source = SourceText::new("adult.data", text).unwrap();
        let entry = crate::data::catalogue::entry("adult-train").unwrap();
        let layout = crate::data::formats::TableLayout {
            columns: &entry.columns,
            delimiter: b',',
            missing: &[],
            wanted: &|_| true,
        };
        let raw = crate::data::formats::read(entry.format, layout, &[source]).unwrap();
        let crate::data::formats::Raw::Table(crate::data::formats::RawTable { table, .. }) = raw else {
            unreachable!()
        };
        for (name, height) in
            [("age", 5), ("workclass", 3), ("education", 4), ("marital_status", 3), ("race", 3), ("sex", 2)]
        {
            let column = &table.columns[table.column(name).unwrap()];
            let values: Vec<&str> = column.values.iter().map(String::as_str).filter(|v| !is_missing(v)).collect();
            let text = built_in(&format!("adult/{name}")).unwrap();
            assert_eq!(over(text, &values.join(" ")).unwrap().height(), height, "{name}");
        }
        assert_eq!(over(built_in("adult/age-5").unwrap(), "17 18 90").unwrap().height(), 3);
    }
}
