//! A YAML text as a tree that can be changed and written again.
//!
//! Scalars keep their own words: `02138` and `0.10` stay what they are, where a tree of numbers and texts would have
//! made 2138 and 0.1 of them. Anchors, aliases and merge keys are spelled out.

use serde_yaml::granit_parser::{Event, Parser, ScalarStyle};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlNode {
    Scalar(YamlScalar),
    List(Vec<YamlNode>),
    Map(Vec<(YamlScalar, YamlNode)>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlScalar {
    pub text: String,
    /// Written without quotes: it may be a number, true, false or nothing.
    plain: bool,
}

impl From<&str> for YamlScalar {
    fn from(text: &str) -> Self {
        Self { text: text.to_string(), plain: false }
    }
}

/// A collection that is open while the events go by, with the anchor it defines.
struct OpenCollection {
    anchor: usize,
    node: YamlNode,
    /// Of a map: the key whose value comes next.
    key: Option<YamlScalar>,
}

impl YamlNode {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut anchors: BTreeMap<usize, YamlNode> = BTreeMap::new();
        let mut open: Vec<OpenCollection> = Vec::new();
        let mut root = None;
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| format!("this is no YAML: {error}"))?;
            let (node, anchor) = match event {
                Event::Scalar(text, style, anchor, tag) => {
                    let plain = style == ScalarStyle::Plain && tag.is_none();
                    (YamlNode::Scalar(YamlScalar { text: text.into_owned(), plain }), anchor)
                }
                Event::Alias(anchor) => (anchors.get(&anchor).cloned().ok_or("an alias stands inside its anchor")?, 0),
                Event::SequenceStart(_, anchor, _) => {
                    open.push(OpenCollection { anchor, node: YamlNode::List(Vec::new()), key: None });
                    continue;
                }
                Event::MappingStart(_, anchor, _) => {
                    open.push(OpenCollection { anchor, node: YamlNode::Map(Vec::new()), key: None });
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                    Some(OpenCollection { anchor, node, .. }) => (node.merged(), anchor),
                    None => continue,
                },
                _ => continue,
            };
            if anchor > 0 {
                anchors.insert(anchor, node.clone());
            }
            match open.last_mut() {
                None => root = root.or(Some(node)),
                Some(OpenCollection { node: YamlNode::List(list), .. }) => list.push(node),
                Some(OpenCollection { node: YamlNode::Map(map), key, .. }) => match (key.take(), node) {
                    (Some(key), node) => map.push((key, node)),
                    (None, YamlNode::Scalar(scalar)) => *key = Some(scalar),
                    (None, _) => return Err("a key is one word, not a list or a mapping".to_string()),
                },
                Some(OpenCollection { node: YamlNode::Scalar(_), .. }) => {}
            }
        }
        Ok(root.unwrap_or_else(Self::nothing))
    }

    /// An empty value, as in `key:`.
    fn nothing() -> Self {
        Self::Scalar(YamlScalar { text: String::new(), plain: true })
    }

    /// A map with what its `<<` keys bring; its own keys stay.
    fn merged(self) -> Self {
        let Self::Map(entries) = self else { return self };
        let is_merge = |key: &YamlScalar| key.plain && key.text == "<<";
        let (merges, mut own): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| is_merge(key));
        for (_, node) in merges {
            let bases = if let Self::List(list) = node { list } else { vec![node] };
            for entry in bases.into_iter().filter_map(|base| if let Self::Map(map) = base { Some(map) } else { None }) {
                for (key, value) in entry {
                    if !own.iter().any(|(known, _)| known.text == key.text) {
                        own.push((key, value));
                    }
                }
            }
        }
        Self::Map(own)
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(known, _)| known.text == key).map(|(_, node)| node),
            Self::Scalar(_) | Self::List(_) => None,
        }
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Map(entries) => entries.iter_mut().find(|(known, _)| known.text == key).map(|(_, node)| node),
            Self::Scalar(_) | Self::List(_) => None,
        }
    }

    pub fn keys(&self) -> Vec<&str> {
        match self {
            Self::Map(entries) => entries.iter().map(|(key, _)| key.text.as_str()).collect(),
            Self::Scalar(_) | Self::List(_) => Vec::new(),
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Self> {
        match self {
            Self::Map(entries) => {
                let index = entries.iter().position(|(known, _)| known.text == key)?;
                Some(entries.remove(index).1)
            }
            Self::Scalar(_) | Self::List(_) => None,
        }
    }

    /// What stands below `part`: a key of a map, a number of a list, or the entry of a list that has such a key. A key
    /// that is not there yet is made; None where nothing can be below.
    pub fn below(&mut self, part: &str) -> Option<&mut Self> {
        if let Self::Scalar(YamlScalar { text, plain: true }) = self
            && matches!(text.as_str(), "" | "~" | "null")
        {
            *self = Self::Map(Vec::new());
        }
        match self {
            Self::Scalar(_) => None,
            Self::List(list) => match part.parse::<usize>() {
                Ok(index) => list.get_mut(index),
                Err(_) => list.iter_mut().find_map(|entry| entry.get_mut(part)),
            },
            Self::Map(entries) => {
                let index = entries.iter().position(|(key, _)| key.text == part).unwrap_or_else(|| {
                    entries.push((part.into(), Self::nothing()));
                    entries.len() - 1
                });
                Some(&mut entries[index].1)
            }
        }
    }

    /// The tree as YAML on one line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            // An entry of a list needs a word.
            Self::Scalar(scalar) if scalar.plain && scalar.text.is_empty() => text.push('~'),
            Self::Scalar(scalar) => scalar.write(text),
            Self::List(list) => {
                text.push('[');
                for (i, node) in list.iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    node.write(text);
                }
                text.push(']');
            }
            Self::Map(entries) => {
                text.push('{');
                for (i, (key, node)) in entries.iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    key.write(text);
                    text.push_str(": ");
                    node.write(text);
                }
                text.push('}');
            }
        }
    }
}

impl YamlScalar {
    fn write(&self, text: &mut String) {
        // Whatever has other characters is text in any case, and quoted text is the same text.
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.+-~".contains(c);
        let starts_well = self.text.starts_with(|c: char| c.is_ascii_alphanumeric() || "_.~".contains(c))
            || self.text.len() > 1 && self.text.starts_with(['-', '+']);
        if self.plain && starts_well && self.text.chars().all(is_word) {
            text.push_str(&self.text);
        } else {
            text.push_str(&serde_json::Value::from(self.text.as_str()).to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_keep_their_words_and_merges_are_spelled_out() {
        let node = YamlNode::parse(
            "a: &x {zip: 02138, share: 0.10, 'no': \"1\"}\nb: {<<: *x, zip: -1}\nc: [*x, ~, 'it: is']\nd:\n",
        )
        .unwrap();
        assert_eq!(
            node.text(),
            "{a: {zip: 02138, share: 0.10, \"no\": \"1\"}, b: {zip: -1, share: 0.10, \"no\": \"1\"}, \
             c: [{zip: 02138, share: 0.10, \"no\": \"1\"}, ~, \"it: is\"], d: ~}"
        );
        assert_eq!(YamlNode::parse(&node.text()).unwrap().text(), node.text());
        assert!(YamlNode::parse("a: [").is_err());
    }

    #[test]
    fn what_is_not_there_yet_is_made_but_not_below_a_word() {
        let mut node = YamlNode::parse("{steps: [{first: 3}, {sample: 5}], word: x}").unwrap();
        *node.below("steps").unwrap().below("sample").unwrap() = YamlNode::parse("7").unwrap();
        *node.below("new").unwrap().below("deep").unwrap() = YamlNode::parse("[1, 2]").unwrap();
        assert_eq!(node.text(), "{steps: [{first: 3}, {sample: 7}], word: x, \"new\": {\"deep\": [1, 2]}}");
        assert!(node.below("word").unwrap().below("letter").is_none());
        assert!(node.below("steps").unwrap().below("modulo").is_none());
        assert!(node.below("steps").unwrap().below("2").is_none());
    }
}
