use super::Label;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize as DeriveDeserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A hierarchy over the values of an attribute or over items: the name of a built-in one (`adult/age`), or a structure
/// with one of `file`, `tree`, `degree`, `height` and `intervals`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum HierarchyDefinition {
    /// One that comes with the project.
    BuiltIn(String),
    /// One from a file.
    File(HierarchyFile),
    /// One written in the spec.
    Tree(HierarchyTree),
    /// Consecutive runs of values under a parent, level by level to one root.
    Degree(ByDegree),
    /// As by degree, with the smallest degree that gives this height.
    Height(ByHeight),
    /// Numeric values: intervals of growing width.
    Intervals(ByIntervals),
}

/// A hierarchy in a file of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HierarchyFile {
    /// A YAML file with a tree as it is written under `tree`, or a CSV file with one line a value, from the value to the
    /// root (`Federal-gov,Government,*`). Absolute, or relative to the spec or to the data directory.
    pub file: String,
}

/// A hierarchy written out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HierarchyTree {
    /// A node with its children in a list: `{Any: [{Government: [Federal-gov, Local-gov]}, Private]}`.
    pub tree: Node,
}

/// A hierarchy in which every node has the same number of children.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ByDegree {
    /// How many children a node has (the last of a level may have fewer).
    #[schemars(range(min = 2))]
    pub degree: usize,
    /// In which order the values stand below it.
    #[serde(default)]
    pub order: Order,
}

/// A hierarchy of a given height.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ByHeight {
    /// The number of levels, root and leaves included.
    #[schemars(range(min = 2))]
    pub height: usize,
    /// In which order the values stand below it.
    #[serde(default)]
    pub order: Order,
}

/// Intervals over numbers, from narrow to wide.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ByIntervals {
    /// The widths of the intervals, from the narrowest level to the widest; each a multiple of the one before.
    pub intervals: Vec<f64>,
    /// Where an interval of every level begins.
    #[serde(default)]
    pub from: f64,
}

/// How the values stand side by side under a hierarchy by degree. The loss depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// By id: numbers in their order, else by text.
    #[default]
    Id,
    /// By the first row they occur in, then by id.
    Appearance,
    /// At random, by the run's seed.
    Random,
    /// The most frequent first, then by id.
    Frequency,
}

/// A value, or an inner node over nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A value of the data.
    Leaf(Label),
    /// A label with what is below it.
    Inner(Label, Vec<Node>),
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(label) => label.serialize(serializer),
            Self::Inner(label, children) => serializer.collect_map([(label, children)]),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeVisitor;
        impl<'de> Visitor<'de> for NodeVisitor {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value, or a node with the list of its children (`Government: [Federal-gov, Local-gov]`)")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Leaf(Label(text.to_string())))
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
                Ok(Node::Leaf(Label(number.to_string())))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
                Ok(Node::Leaf(Label(number.to_string())))
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
                Ok(Node::Leaf(Label(number.to_string())))
            }
            fn visit_bool<E: Error>(self, word: bool) -> Result<Node, E> {
                Ok(Node::Leaf(Label(word.to_string())))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let node = map.next_entry::<Label, Vec<Node>>()?;
                let (label, children) = node.ok_or_else(|| A::Error::custom("a node needs a name"))?;
                if map.next_key::<Label>()?.is_some() {
                    return Err(A::Error::custom("a node has one name; put nodes side by side in a list"));
                }
                Ok(Node::Inner(label, children))
            }
        }
        deserializer.deserialize_any(NodeVisitor)
    }
}

impl JsonSchema for Node {
    fn schema_name() -> Cow<'static, str> {
        "HierarchyNode".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let label = generator.subschema_for::<Label>();
        let children = generator.subschema_for::<Vec<Node>>();
        json_schema!({
            "anyOf": [label, {
                "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": children,
            }]
        })
    }
}

/// Every key a hierarchy may have; which of them belong together is said below, in words an untagged enum does not have.
#[derive(DeriveDeserialize)]
#[serde(deny_unknown_fields)]
struct HierarchyWire {
    file: Option<String>,
    tree: Option<Node>,
    degree: Option<usize>,
    height: Option<usize>,
    intervals: Option<Vec<f64>>,
    order: Option<Order>,
    from: Option<f64>,
}

impl HierarchyWire {
    fn into_definition(self) -> Result<HierarchyDefinition, &'static str> {
        if self.order.is_some() && self.degree.is_none() && self.height.is_none() {
            return Err("`order` belongs to a hierarchy by `degree` or `height`");
        }
        if self.from.is_some() && self.intervals.is_none() {
            return Err("`from` belongs to a hierarchy of `intervals`");
        }
        let order = self.order.unwrap_or_default();
        match (self.file, self.tree, self.degree, self.height, self.intervals) {
            (Some(file), None, None, None, None) => Ok(HierarchyDefinition::File(HierarchyFile { file })),
            (None, Some(tree), None, None, None) => Ok(HierarchyDefinition::Tree(HierarchyTree { tree })),
            (None, None, Some(degree), None, None) => Ok(HierarchyDefinition::Degree(ByDegree { degree, order })),
            (None, None, None, Some(height), None) => Ok(HierarchyDefinition::Height(ByHeight { height, order })),
            (None, None, None, None, Some(intervals)) => {
                let from = self.from.unwrap_or(0.0);
                Ok(HierarchyDefinition::Intervals(ByIntervals { intervals, from }))
            }
            _ => Err("a hierarchy has one of `file`, `tree`, `degree`, `height` and `intervals`, \
                      or is the name of a built-in one"),
        }
    }
}

impl<'de> Deserialize<'de> for HierarchyDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DefinitionVisitor;
        impl<'de> Visitor<'de> for DefinitionVisitor {
            type Value = HierarchyDefinition;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(
                    "the name of a built-in hierarchy, or a structure with `file`, `tree`, `degree`, `height` or `intervals`",
                )
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<HierarchyDefinition, E> {
                Ok(HierarchyDefinition::BuiltIn(name.to_string()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HierarchyDefinition, A::Error> {
                let wire: HierarchyWire = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
                wire.into_definition().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(DefinitionVisitor)
    }
}
