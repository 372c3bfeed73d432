//! What a claim is known to come to: `expected:` of a claim. Only a change of it is an error.
//!
//! ```yaml
//! expected: fails                              # the verdict, as the spec stands
//! expected: depends_on_reading                 # the standing; `robust` alone is a claim that holds
//! expected: {verdict: fails, standing: depends_on_reading, options: {order: {frequency: holds}}}
//! ```

use crate::lab::named;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A verdict that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    Holds,
    /// Known to fail on our data, for the reason `because` gives.
    Fails,
}

named! {
    /// What a claim's verdicts under all readings and seeds come to.
    #[derive(PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Standing {
        /// The same verdict under all readings and in at least 95 % of the seeds.
        Robust = "robust",
        /// Readings settle it differently.
        DependsOnReading = "depends_on_reading",
        /// Seeds disagree.
        DependsOnChance = "depends_on_chance",
        /// Not known.
        Open = "open",
    }
}

impl Standing {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Robust => "robust",
            Self::DependsOnReading => "depends on the reading",
            Self::DependsOnChance => "depends on chance",
            Self::Open => "open",
        }
    }
}

/// What a claim is known to come to. What is not said is not judged, but that a claim holds unless it is said otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Expectation {
    /// As the spec stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Expected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Reading → option → verdict.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub options: IndexMap<String, IndexMap<String, Expected>>,
}

impl Default for Expectation {
    fn default() -> Self {
        Self::of_verdict(Expected::Holds)
    }
}

impl Expectation {
    pub fn of_verdict(verdict: Expected) -> Self {
        Self { verdict: Some(verdict), standing: None, options: IndexMap::new() }
    }

    /// Nothing is known.
    pub fn nothing() -> Self {
        Self { verdict: None, standing: None, options: IndexMap::new() }
    }

    fn of_standing(standing: Standing) -> Self {
        let verdict = (standing == Standing::Robust).then_some(Expected::Holds);
        Self { verdict, standing: Some(standing), options: IndexMap::new() }
    }

    /// "fails", "robust", "fails, depends_on_reading, order=frequency holds": as it stands in CSV.
    pub fn told(&self) -> String {
        let name = |expected: Expected| match expected {
            Expected::Holds => "holds",
            Expected::Fails => "fails",
        };
        let mut parts: Vec<String> = self.verdict.iter().map(|verdict| name(*verdict).to_string()).collect();
        parts.extend(self.standing.iter().map(|standing| standing.name().to_string()));
        for (reading, options) in &self.options {
            parts.extend(options.iter().map(|(option, verdict)| format!("{reading}={option} {}", name(*verdict))));
        }
        parts.join(", ")
    }
}

/// The long form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parts {
    /// The verdict as the spec stands: holds or fails.
    #[serde(default)]
    verdict: Option<Expected>,
    #[serde(default)]
    standing: Option<Standing>,
    /// Verdicts of single options: reading → option → verdict.
    #[serde(default)]
    options: IndexMap<String, IndexMap<String, Expected>>,
}

impl JsonSchema for Expectation {
    fn schema_name() -> Cow<'static, str> {
        "Expectation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                generator.subschema_for::<Expected>(),
                generator.subschema_for::<Standing>(),
                generator.subschema_for::<Parts>(),
            ],
            "description": "A verdict, a standing, or both with the verdicts of single options.",
        })
    }
}

const WORDS: [&str; 6] = ["holds", "fails", "robust", "depends_on_reading", "depends_on_chance", "open"];

impl<'de> Deserialize<'de> for Expectation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ExpectationVisitor;

        impl<'de> Visitor<'de> for ExpectationVisitor {
            type Value = Expectation;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "one of {}, or {{verdict, standing, options}}", WORDS.join(", "))
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Expectation, E> {
                match word {
                    "holds" => Ok(Expectation::of_verdict(Expected::Holds)),
                    "fails" => Ok(Expectation::of_verdict(Expected::Fails)),
                    word => Standing::ALL
                        .into_iter()
                        .find(|standing| standing.name() == word)
                        .map(Expectation::of_standing)
                        .ok_or_else(|| E::unknown_variant(word, &WORDS)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expectation, A::Error> {
                let Parts { verdict, standing, options } = Parts::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Expectation { verdict, standing, options })
            }
        }

        deserializer.deserialize_any(ExpectationVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Expectation, String> {
        serde_yaml::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn words_and_parts() {
        assert_eq!(read("fails").unwrap().told(), "fails");
        assert_eq!(read("robust").unwrap().told(), "holds, robust");
        assert_eq!(read("depends_on_chance").unwrap().told(), "depends_on_chance");
        let long = "{verdict: fails, standing: depends_on_reading, options: {order: {frequency: holds}}}";
        assert_eq!(read(long).unwrap().told(), "fails, depends_on_reading, order=frequency holds");
        assert!(read("hold").unwrap_err().contains("hold"));
        assert!(read("{verdict: robust}").is_err());
        assert!(read("{verdicts: holds}").is_err());
    }

    #[test]
    fn the_schema_agrees_with_the_parser() {
        let schema = schemars::schema_for!(Expectation).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (text, right) in [
            ("fails", true),
            ("open", true),
            ("{options: {a: {b: fails}}}", true),
            ("often", false),
            ("{often: 1}", false),
        ] {
            let value: serde_json::Value = serde_yaml::from_str(text).unwrap();
            assert_eq!((validator.is_valid(&value), read(text).is_ok()), (right, right), "{text}");
        }
    }
}
