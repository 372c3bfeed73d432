//! Hierarchies as Amnesia writes them: a first block with `distinct`, `name`, `type` and `height`, then blocks of lines
//! `parent has child child …`, the lowest level first, with blanks between the names and empty lines between the levels.

use super::DataError;
use super::definition::{HierarchyDefinition, HierarchyTree, Label, Node};
use super::formats::SourceText;
use super::trees::MOST_LEVELS;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

pub(super) fn parse(source: &SourceText) -> Result<HierarchyDefinition, DataError> {
    // Every node that is under no other so far, with the levels it has.
    let mut nodes: IndexMap<String, (Node, usize)> = IndexMap::new();
    // Values without anything below them so far, and where they stand.
    let mut leaves: FxHashMap<String, String> = FxHashMap::default();
    let mut last_line = 1;
    for (line, text) in source.lines() {
        last_line = line;
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (Some("range"), None) => {
                let message = "Amnesia's ranges are not read; `intervals` in a spec or YAML file say the same";
                return Err(source.error(line, message));
            }
            (None, _) | (Some("distinct"), None) | (Some("name" | "type" | "height"), Some(_)) => {}
            (Some(parent), Some("has")) => {
                // What was a parent before hangs here with all that is below it.
                if let Some(above) = leaves.get(parent) {
                    let message = format!(
                        "`{parent}` has its children told after it was put under `{above}`; write the lowest level first"
                    );
                    return Err(source.error(line, message));
                }
                let mut take = |child: &str| match nodes.shift_remove(child) {
                    Some(node) => Ok(node),
                    None => match leaves.insert(child.to_string(), parent.to_string()) {
                        None => Ok((Node::Leaf(Label(child.to_string())), 1)),
                        Some(above) => Err(source.error(line, format!("`{child}` is under `{above}` already"))),
                    },
                };
                let taken = words.map(&mut take).collect::<Result<Vec<_>, _>>()?;
                let (children, levels): (Vec<Node>, Vec<usize>) = taken.into_iter().unzip();
                if children.is_empty() {
                    return Err(source.error(line, format!("`{parent}` has nothing below it")));
                }
                let levels = 1 + levels.into_iter().max().unwrap_or(0);
                if levels > MOST_LEVELS {
                    let message = format!("`{parent}` has {levels} levels; a hierarchy has at most {MOST_LEVELS}");
                    return Err(source.error(line, message));
                }
                let node = Node::Inner(Label(parent.to_string()), children);
                if nodes.insert(parent.to_string(), (node, levels)).is_some() {
                    return Err(source.error(line, format!("`{parent}` has its children told twice")));
                }
            }
            (Some(word), _) => {
                let message =
                    format!("`{word} …` is none of `distinct`, `name`, `type`, `height` and `parent has child`");
                return Err(source.error(line, message));
            }
        }
    }
    let roots: Vec<&String> = nodes.keys().collect();
    match nodes.len() {
        1 => {}
        0 => return Err(source.error(last_line, "no hierarchy: there is no line `parent has child`")),
        _ => {
            let message = format!("`{}` and `{}` are both under no other node: not one tree", roots[0], roots[1]);
            return Err(source.error(last_line, message));
        }
    }
    match nodes.into_values().next() {
        Some((tree, _)) => Ok(HierarchyDefinition::Tree(HierarchyTree { tree })),
        None => Err(source.error(last_line, "no hierarchy")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HierarchyDefinition, String> {
        let source = SourceText::new("h.txt", text.into()).unwrap();
        parse(&source).map_err(|error| error.to_string())
    }

    #[test]
    fn levels_come_from_the_lowest_up() {
        let head = "distinct\nname work\ntype string\nheight 3\n\n";
        let text = format!("{head}gov has fed loc \nown has inc not\n\nall has gov own priv\n\n");
        let wanted: HierarchyTree = HierarchyTree {
            tree: serde_yaml::from_str("{all: [{gov: [fed, loc]}, {own: [inc, not]}, priv]}").unwrap(),
        };
        assert_eq!(read(&text), Ok(HierarchyDefinition::Tree(wanted)));
    }

    #[test]
    fn levels_have_a_bound() {
        let chain = |n: usize| (0..n).map(|i| format!("n{} has n{i}\n", i + 1)).collect::<String>();
        assert!(read(&chain(999)).is_ok());
        let message = "h.txt, line 1000: `n1000` has 1001 levels; a hierarchy has at most 1000";
        assert_eq!(read(&chain(200_000)), Err(message.to_string()));
    }

    #[test]
    fn what_is_no_tree_is_named_by_line() {
        for (text, message) in [
            ("distinct\n", "h.txt, line 1: no hierarchy: there is no line `parent has child`"),
            (
                "range\n",
                "h.txt, line 1: Amnesia's ranges are not read; `intervals` in a spec or YAML file say the same",
            ),
            ("a has b\nc has d\n", "h.txt, line 2: `a` and `c` are both under no other node: not one tree"),
            ("a has\n", "h.txt, line 1: `a` has nothing below it"),
            ("a has b\na has c\n", "h.txt, line 2: `a` has its children told twice"),
            ("a has x y\nb has z x\nr has a b\n", "h.txt, line 2: `x` is under `a` already"),
            ("a b c\n", "h.txt, line 1: `a …` is none of `distinct`, `name`, `type`, `height` and `parent has child`"),
        ] {
            assert_eq!(read(text), Err(message.to_string()), "{text:?}");
        }
    }
}
