//! Hierarchies from their definitions.

use super::MOST_LEVELS;
use super::regular::degree_of_height;
use super::*;
use crate::data::{NodeId, is_missing};
use crate::sources::formats::SourceText;

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
        ("a,*\nb,c,*\n", "work.csv, line 2: 3 levels, but line 1 has 2; every line has as many, up to the root `*`"),
        ("a;x;*\nb\n", "work.csv, line 2: 1 level, but line 1 has 3; every line has as many, up to the root `*`"),
        ("a\nb\n", "work.csv, line 1: 1 level; a line has at least 2, from the value to the root: `29;20-29;*`"),
        ("a,*\nb,+\n", "work.csv, line 2: the line ends with `+`, line 1 with `*`: every line ends with the same root"),
        ("a,x,*\nb,x,*\na,y,*\n", "work.csv, line 3: `a` has a line already: line 1"),
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
    let columns = crate::sources::catalogue::embedded("adult.data").unwrap();
    let text = crate::sources::formats::decompress(columns, 1 << 30).unwrap().into_owned();
    let source = SourceText::new("adult.data", text).unwrap();
    let entry = crate::sources::catalogue::entry("adult-train").unwrap();
    let layout = crate::sources::formats::TableLayout {
        columns: &entry.columns,
        delimiter: b',',
        missing: &[],
        wanted: &|_| true,
    };
    let raw = crate::sources::formats::read(entry.format, layout, &[source]).unwrap();
    let crate::sources::formats::Raw::Table(crate::sources::formats::RawTable { table, .. }) = raw else {
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
