//! Small and nasty inputs for programs that publish rules.

use crate::data::Dataset;
use crate::lab::LabError;
use crate::release::conformance::{self, Case, Expected, awkward_people, many_people, people, table};
use serde_json::{Value, json};

pub(super) fn cases() -> Result<Vec<Case>, LabError> {
    let case = |name, about, dataset: Result<Dataset, LabError>, parameters: Value| {
        Ok(Case {
            name,
            about,
            dataset: dataset?,
            parameters: conformance::parameters(parameters),
            expected: Expected::Release,
        })
    };
    let plain = || table(&people(&["flu", "cold", "gout", "flu"].repeat(3)));
    let alike = ["30".to_string(), "Aa".to_string(), "flu".to_string()];
    [
        case("plain", "12 rows", plain(), json!({"support": 0.1, "confidence": 0.5})),
        case("one row", "every pattern of it is a rule", table(&people(&["flu"])), json!({})),
        case("one value", "every row has it", table(&people(&["flu"; 8])), json!({})),
        case("all equal", "8 rows alike in everything", table(&vec![alike; 8]), json!({"exact": true})),
        case("ties", "thresholds met exactly", plain(), json!({"support": 0.25, "confidence": 0.5})),
        case("no rule", "nothing is so frequent", plain(), json!({"support": 1.0, "confidence": 1.0})),
        case(
            "the empty antecedent",
            "∅ ⇒ X is a pattern",
            plain(),
            json!({"confidence": 0.2, "empty_antecedent": true}),
        ),
        case(
            "exact counts",
            "and the sensitive distribution",
            plain(),
            json!({"confidence": 0.3, "exact": true, "sensitive_distribution": true}),
        ),
        case("unicode", "quotes, commas, line breaks, blanks, nothing", table(&awkward_people()), json!({})),
        case("1,000 rows", "seven values, uneven", table(&many_people(1_000)), json!({"support": 0.05})),
    ]
    .into_iter()
    .collect()
}
