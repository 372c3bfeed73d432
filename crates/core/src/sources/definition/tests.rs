use super::*;

fn read(yaml: &str) -> Result<DatasetDefinition, String> {
    serde_yaml::from_str(yaml).map_err(|error| error.to_string())
}

/// Each kind of source and hierarchy, as a user would write it.
const SPECS: [&str; 5] = [
    "
source: adult-train
quasi_identifiers: [age, workclass, sex, education]
sensitive: occupation
derive:
  - drop_missing: used
  - first: 1000
hierarchies:
  age: {intervals: [5, 10, 20], from: 17}
  workclass: adult/workclass
  education: {file: trees/education.yaml}
  sex: {tree: {Any: [Male, Female]}}
",
    "
source: {file: mine.csv, format: csv, delimiter: ;}
quasi_identifiers: [zip]
sensitive: [disease, income]
derive: [sample_share: 0.5]
",
    "
source: bms-pos
part: a
stand_in: allowed
derive: [{modulo: 40}, {sample: 1000}]
hierarchy: {degree: 5, order: random}
private: {items: [7, x]}
",
    "
source:
  format: fimi
  inline: |
    1 2 3
    2 3
hierarchy:
  tree: {all: [{odd: [1, 3]}, 2]}
private: {least_frequent: 0.05}
",
    "
source: {synthetic: {like: bms-pos, transactions: 5000000, seed: 3}}
hierarchy: {height: 4}
private: {share: 0.05}
seed: 2
",
];

#[test]
fn definitions_survive_yaml_and_json() {
    for spec in SPECS {
        let definition = read(spec).unwrap();
        let json = serde_json::to_string(&definition).unwrap();
        assert_eq!(serde_json::from_str::<DatasetDefinition>(&json).unwrap(), definition, "{json}");
    }
    let json = serde_json::to_string(&read(SPECS[2]).unwrap()).unwrap();
    assert_eq!(
        json,
        r#"{"source":"bms-pos","part":"a","derive":[{"modulo":40},{"sample":1000}],"hierarchy":{"degree":5,"order":"random"},"private":{"items":["7","x"]},"stand_in":"allowed"}"#
    );
}

#[test]
fn definitions_fit_their_schema() {
    let schema = schemars::schema_for!(DatasetDefinition).to_value();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for spec in SPECS {
        let definition: serde_json::Value = serde_yaml::from_str(spec).unwrap();
        let errors: Vec<String> = validator.iter_errors(&definition).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let unknown = serde_json::json!({"source": "adult", "sensitiv": "occupation"});
    assert!(!validator.is_valid(&unknown));
    let unknown = serde_json::json!({"source": {"file": "a", "format": "csv", "delimeter": ";"}});
    assert!(!validator.is_valid(&unknown));
}

#[test]
fn what_does_not_belong_is_named_with_its_place() {
    for (yaml, words) in [
        ("source: a\nsensitiv: b", "sensitiv"),
        ("source: {file: a}", "needs its `format`"),
        ("source: {file: a, inline: b, format: csv}", "one of `file`, `inline` and `synthetic`"),
        ("source: {file: a, format: cvs}", "cvs"),
        ("source: [a]", "the name of a catalogue entry"),
        ("source: a\nderive: [{frist: 1}]", "frist"),
        ("source: a\nderive: [{first: x}]", "first"),
        ("source: a\nhierarchy: {degree: 5, height: 3}", "one of `file`, `tree`"),
        ("source: a\nhierarchy: {file: x, order: id}", "`order` belongs to"),
        ("source: a\nhierarchy: {tree: {a: [1], b: [2]}}", "a node has one name"),
        ("source: a\nsource: b", "duplicate"),
    ] {
        let error = read(yaml).unwrap_err();
        assert!(error.contains(words) && error.contains("line"), "{yaml}: {error}");
    }
}
