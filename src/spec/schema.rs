use super::model::SpecFile;
use crate::measures::measures;
use crate::publish::publishers;
use schemars::schema_for;
use serde_json::{Value, json};

/// The JSON Schema of specs, so that editors complete and check them. The parameters of every publisher and measure are
/// in it, under the entry that names it.
pub fn json_schema() -> Value {
    let mut schema = schema_for!(SpecFile).to_value();
    let publishers = publishers().iter().map(|publisher| (publisher.name(), publisher.schema()));
    let measures = measures().iter().map(|measure| (measure.name(), measure.schema()));
    specialize(&mut schema["$defs"]["AlgorithmUse"], "publisher", publishers);
    specialize(&mut schema["$defs"]["MeasureUse"], "measure", measures);
    schema
}

/// "When `key` is this name, `parameters` are those."
fn specialize(definition: &mut Value, key: &str, known: impl Iterator<Item = (&'static str, Value)>) {
    let (names, cases): (Vec<&str>, Vec<Value>) = known
        .map(|(name, parameters)| {
            let case = json!({
                "if": { "properties": { key: { "const": name } }, "required": [key] },
                "then": { "properties": { "parameters": parameters } },
            });
            (name, case)
        })
        .unzip();
    definition["properties"][key]["examples"] = json!(names);
    definition["allOf"] = json!(cases);
}
