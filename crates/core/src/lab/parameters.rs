//! Parameters are plain structs; their schema (names, types, defaults, bounds, documentation) is derived once and feeds
//! `algorithms show`, the JSON Schema of specs and every error message.

use super::LabError;
use super::suggestion::{did_you_mean, did_you_mean_if_near};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Mutex;

/// A struct of parameters: made by `with_defaults!`, with doc comments on the fields and bounds as
/// `#[schemars(range(min = 2))]`.
pub trait Parameters: Serialize + DeserializeOwned + JsonSchema + Clone + PartialEq + Debug + 'static {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Clone + PartialEq + Debug + 'static> Parameters for T {}

/// A struct of parameters whose fields stand beside their defaults, `pub l: usize = 6`; without one, it is that of the
/// type. What is not given has its default, what is unknown is refused.
#[macro_export]
macro_rules! with_defaults {
    (
        $(#[$about:meta])*
        pub struct $name:ident { $($(#[$of:meta])* pub $field:ident: $type:ty $(= $default:expr)?),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name { $($(#[$of])* pub $field: $type),* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::lab::with_defaults!(@ $($default)?)),* }
            }
        }
    };
    (@ $default:expr) => { $default };
    (@) => { Default::default() };
}
pub use with_defaults;

with_defaults! {
    /// For algorithms and measures that have none.
    pub struct NoParameters {}
}

/// What kind of value a parameter takes, as far as messages and tables need to know.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterKind {
    /// A whole number.
    Integer,
    /// Any finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Words.
    Text,
    /// One of a few words.
    Choice(Vec<String>),
    /// Several values.
    List,
    /// Anything else; the schema says what.
    Other,
}

impl std::fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer => write!(f, "integer"),
            Self::Number => write!(f, "number"),
            Self::Boolean => write!(f, "true or false"),
            Self::Text => write!(f, "text"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::List => write!(f, "list"),
            Self::Other => write!(f, "structure"),
        }
    }
}

/// One parameter, as its struct documents it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name, as in specs.
    pub name: String,
    /// What values it takes.
    pub kind: ParameterKind,
    /// Whether `null` is a value of it.
    pub optional: bool,
    /// None: it must be given.
    pub default: Option<Value>,
    /// The least it may be.
    pub minimum: Option<f64>,
    /// The most it may be.
    pub maximum: Option<f64>,
    /// The bound itself is excluded.
    pub exclusive: (bool, bool),
    /// What it means, from its documentation.
    pub about: String,
}

impl Parameter {
    /// "2 to 100", "above 0 and below 1", or nothing.
    pub fn bounds(&self) -> Option<String> {
        let low = self.minimum.map(|m| if self.exclusive.0 { format!("above {m}") } else { format!("at least {m}") });
        let high = self.maximum.map(|m| if self.exclusive.1 { format!("below {m}") } else { format!("at most {m}") });
        match (low, high) {
            (Some(low), Some(high)) => Some(format!("{low} and {high}")),
            (low, high) => low.or(high),
        }
    }
}

/// The parameters of `P` in the order of its fields. Derived once a type: a plan asks for them in every cell.
pub fn describe_parameters<P: Parameters>() -> &'static [Parameter] {
    described(TypeId::of::<P>(), parameters_schema::<P>, defaults::<P>)
}

/// What [`describe_parameters`] does for every type, compiled once.
fn described(id: TypeId, schema: fn() -> Value, defaults: fn() -> Option<Value>) -> &'static [Parameter] {
    static KNOWN: Mutex<BTreeMap<TypeId, &'static [Parameter]>> = Mutex::new(BTreeMap::new());
    if let Some(described) = KNOWN.lock().ok().and_then(|all| all.get(&id).copied()) {
        return described;
    }
    // Not under the lock: deriving reads the defaults, which may come back here.
    let described: &'static [Parameter] = derive_parameters(&schema(), defaults().as_ref()).leak();
    if let Ok(mut all) = KNOWN.lock() {
        all.insert(id, described);
    }
    described
}

/// The JSON Schema of `P`, whole in itself, so that it can stand anywhere in a larger one.
pub fn parameters_schema<P: Parameters>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    SchemaGenerator::new(settings).into_root_schema_for::<P>().to_value()
}

/// The defaults of a struct whose every field has one: it tells them best by itself.
fn defaults<P: Parameters>() -> Option<Value> {
    read_parameters::<P>(&Map::new()).ok().and_then(|p| serde_json::to_value(p).ok())
}

fn derive_parameters(schema: &Value, defaults: Option<&Value>) -> Vec<Parameter> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    properties
        .iter()
        .map(|(name, property)| {
            let default = defaults.and_then(|all| all.get(name).cloned()).or_else(|| property.get("default").cloned());
            let number = |key: &str| property.get(key).and_then(Value::as_f64);
            Parameter {
                name: name.clone(),
                kind: kind_of(property),
                optional: default.is_some() || !required.contains(&name.as_str()),
                default,
                minimum: number("minimum").or_else(|| number("exclusiveMinimum")),
                maximum: number("maximum").or_else(|| number("exclusiveMaximum")),
                exclusive: (property.get("exclusiveMinimum").is_some(), property.get("exclusiveMaximum").is_some()),
                about: property["description"].as_str().unwrap_or_default().replace('\n', " "),
            }
        })
        .collect()
}

fn kind_of(property: &Value) -> ParameterKind {
    let words = |values: &Vec<Value>| values.iter().filter_map(Value::as_str).map(String::from).collect::<Vec<_>>();
    if let Some(values) = property["enum"].as_array() {
        return ParameterKind::Choice(words(values));
    }
    // An enum with documented variants becomes a list of constants, its undocumented ones a list within that.
    if let Some(variants) = property["oneOf"].as_array() {
        let constants = variants
            .iter()
            .map(|variant| match (variant.get("const"), variant["enum"].as_array()) {
                (Some(word), _) => Some(vec![word.clone()]),
                (None, several) => several.cloned(),
            })
            .collect::<Option<Vec<_>>>();
        if let Some(constants) = constants {
            return ParameterKind::Choice(words(&constants.concat()));
        }
    }
    let named = |name: &str| match &property["type"] {
        Value::String(kind) => kind == name,
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        _ => false,
    };
    match () {
        () if named("integer") => ParameterKind::Integer,
        () if named("number") => ParameterKind::Number,
        () if named("boolean") => ParameterKind::Boolean,
        () if named("string") => ParameterKind::Text,
        () if named("array") => ParameterKind::List,
        () => ParameterKind::Other,
    }
}

/// Reads `given` as `P` after checking names, types and bounds, so that the message names the parameter and what it takes.
pub fn read_parameters<P: Parameters>(given: &Map<String, Value>) -> Result<P, LabError> {
    serde_json::from_value(checked(describe_parameters::<P>, given)?).map_err(unreadable)
}

/// `given` with every default filled in: what enters a cell's key and a result's columns.
pub fn complete_parameters<P: Parameters>(given: &Map<String, Value>) -> Result<Map<String, Value>, LabError> {
    structure(serde_json::to_value(read_parameters::<P>(given)?))
}

fn checked(known: fn() -> &'static [Parameter], given: &Map<String, Value>) -> Result<Value, LabError> {
    if !given.is_empty() {
        check_parameters(known(), given)?;
    }
    Ok(Value::Object(given.clone()))
}

fn unreadable(error: serde_json::Error) -> LabError {
    LabError::input(error.to_string())
}

fn structure(parameters: serde_json::Result<Value>) -> Result<Map<String, Value>, LabError> {
    match parameters {
        Ok(Value::Object(complete)) => Ok(complete),
        other => Err(LabError::input(format!("parameters are not a structure: {other:?}"))),
    }
}

fn check_parameters(known: &[Parameter], given: &Map<String, Value>) -> Result<(), LabError> {
    for (name, value) in given {
        let Some(parameter) = known.iter().find(|parameter| parameter.name == *name) else {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name.as_str()).collect();
            let hint = did_you_mean(name, &names).unwrap_or_else(|| match names.as_slice() {
                [] => "it takes none".to_string(),
                names => format!("it takes {}", names.join(", ")),
            });
            return Err(LabError::input(format!("there is no parameter `{name}`; {hint}")));
        };
        check_value(parameter, value)?;
    }
    Ok(())
}

/// No parameter is a larger number than this.
const LARGEST_INTEGER: f64 = 1e12;

fn check_value(parameter: &Parameter, value: &Value) -> Result<(), LabError> {
    let name = &parameter.name;
    let fits = match &parameter.kind {
        ParameterKind::Integer => value.is_i64() || value.is_u64(),
        ParameterKind::Number => value.is_number(),
        ParameterKind::Boolean => value.is_boolean(),
        ParameterKind::Text => value.is_string(),
        ParameterKind::Choice(words) => {
            if let Some(word) = value.as_str()
                && !words.iter().any(|known| known == word)
            {
                let hint = did_you_mean_if_near(word, words);
                return Err(LabError::input(format!("`{name}` is {}, not `{word}`{hint}", parameter.kind)));
            }
            value.is_string()
        }
        ParameterKind::List => value.is_array(),
        ParameterKind::Other => true,
    };
    let left_out = value.is_null() && parameter.optional;
    if !fits && !left_out {
        return Err(LabError::input(format!("`{name}` takes {}, not {value}", parameter.kind)));
    }
    if let Some(number) = value.as_f64() {
        let too_low = parameter.minimum.is_some_and(|m| number < m || (parameter.exclusive.0 && number <= m));
        let too_high = parameter.maximum.is_some_and(|m| number > m || (parameter.exclusive.1 && number >= m));
        if too_low || too_high {
            let bounds = parameter.bounds().unwrap_or_default();
            return Err(LabError::input(format!("`{name}` must be {bounds}, not {value}")));
        }
        // Beyond this nothing could be counted, listed or waited for, whatever the parameter means.
        if parameter.kind == ParameterKind::Integer && number.abs() > LARGEST_INTEGER {
            return Err(LabError::input(format!("`{name}` must be at most {LARGEST_INTEGER}, not {value}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Sample {
        /// Distinct values a group must have.
        #[schemars(range(min = 2))]
        l: usize,
        /// How sure a rule must be.
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence: f64,
        order: Order,
        limit: Option<usize>,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Order {
        /// By id.
        Id,
        /// Shuffled.
        Random,
    }

    impl Default for Sample {
        fn default() -> Self {
            Self { l: 6, confidence: 0.9, order: Order::Id, limit: None }
        }
    }

    fn read(json: &str) -> Result<Sample, String> {
        let given: Map<String, Value> = serde_json::from_str(json).unwrap();
        read_parameters(&given).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_describe_themselves() {
        let described = describe_parameters::<Sample>();
        let l = &described[0];
        assert_eq!((l.name.as_str(), &l.kind, l.minimum), ("l", &ParameterKind::Integer, Some(2.0)));
        assert_eq!(l.default, Some(Value::from(6)));
        assert_eq!(l.about, "Distinct values a group must have.");
        assert_eq!(described[2].kind, ParameterKind::Choice(vec!["id".into(), "random".into()]));
        assert_eq!(described[3].kind, ParameterKind::Integer);
        assert!(describe_parameters::<NoParameters>().is_empty());
    }

    #[test]
    fn defaults_fill_in_and_bad_values_are_named() {
        assert_eq!(read("{}").unwrap(), Sample::default());
        assert_eq!(read(r#"{"l": 3, "order": "random"}"#).unwrap().order, Order::Random);
        assert_eq!(read(r#"{"l": 1}"#).unwrap_err(), "`l` must be at least 2, not 1");
        assert_eq!(
            read(r#"{"confidence": 1.5}"#).unwrap_err(),
            "`confidence` must be at least 0 and at most 1, not 1.5"
        );
        assert_eq!(read(r#"{"l": "x"}"#).unwrap_err(), "`l` takes integer, not \"x\"");
        assert_eq!(
            read(r#"{"confidense": 1}"#).unwrap_err(),
            "there is no parameter `confidense`; did you mean `confidence`?"
        );
        assert_eq!(
            read(r#"{"order": "randon"}"#).unwrap_err(),
            "`order` is one of id, random, not `randon`; did you mean `random`?"
        );
    }
}
