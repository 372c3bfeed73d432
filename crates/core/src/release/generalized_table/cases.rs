//! Small and nasty inputs for programs that publish generalized tables.

use crate::data::Dataset;
use crate::lab::LabError;
use crate::release::conformance::{Case, Expected, awkward_people, many_people, parameters, people, table};
use serde_json::{Value, json};

/// Every contract of generalized tables asks for k. What else it asks for is within reach of the whole table in one class, unless
/// a single sensitive value is one too few: so that every case has one right answer, and a program that refuses too much fails.
pub(super) fn cases(guarantee: &str) -> Result<Vec<Case>, LabError> {
    use Expected::{Refusal, Release};
    let case = |name, about, dataset: Result<Dataset, LabError>, given: Value, expected| {
        let mut given = parameters(given);
        let asked = match guarantee {
            "l-diversity" => json!({"l": 2}),
            "alpha-k-anonymity" => json!({"alpha": 0.75}),
            "t-closeness" => json!({"t": 0.5}),
            "beta-likeness" => json!({"beta": 2}),
            "delta-disclosure" => json!({"delta": 3}),
            _ => json!({}),
        };
        let dataset = dataset?;
        let microdata = dataset.microdata()?;
        let has_one_value = microdata.table.columns[microdata.sensitive].cardinality() == 1;
        let asks_for_two = matches!(guarantee, "l-diversity" | "alpha-k-anonymity");
        let expected = if has_one_value && asks_for_two { Refusal } else { expected };
        given.extend(parameters(asked));
        Ok(Case { name, about, dataset, parameters: given, expected })
    };
    let plain = || table(&people(&["flu", "cold", "gout", "rash"].repeat(3)));
    let alike = |illness: &str| ["30".to_string(), "Aa".to_string(), illness.to_string()];
    [
        case("plain", "12 rows, k = 3", plain(), json!({"k": 3}), Release),
        case("one row", "k = 2 cannot be kept", table(&people(&["flu"])), json!({"k": 2}), Refusal),
        case("one row, k = 1", "nothing to hide it among", table(&people(&["flu"])), json!({"k": 1}), Release),
        case("one value", "every row has it", table(&people(&["flu"; 8])), json!({"k": 2}), Release),
        case("all equal", "8 rows alike in everything", table(&vec![alike("flu"); 8]), json!({"k": 8}), Release),
        case(
            "alike but for the value",
            "nothing to generalize",
            table(&["flu", "cold", "gout", "rash"].map(alike)),
            json!({"k": 4}),
            Release,
        ),
        case("k of all rows", "one class of 12", plain(), json!({"k": 12}), Release),
        case("k impossible", "more than there are rows", plain(), json!({"k": 13}), Refusal),
        case("an outlier", "nothing may be suppressed", table(&outlier()), json!({"k": 3, "suppression": 0}), Release),
        case(
            "an outlier, suppressed",
            "one row of 10 may go",
            table(&outlier()),
            json!({"k": 3, "suppression": 0.1}),
            Release,
        ),
        case(
            "unicode",
            "quotes, commas, line breaks, blanks, nothing",
            table(&awkward_people()),
            json!({"k": 2}),
            Release,
        ),
        case("1,000 rows", "seven values, uneven", table(&many_people(1_000)), json!({"k": 10}), Release),
    ]
    .into_iter()
    .collect()
}

/// Nine alike and one far off.
fn outlier() -> Vec<[String; 3]> {
    let mut rows: Vec<[String; 3]> = people(&["flu", "cold", "gout"].repeat(3));
    rows.iter_mut().enumerate().for_each(|(i, row)| row[0] = (30 + i).to_string());
    rows.push(["90".to_string(), "Ho".to_string(), "cold".to_string()]);
    rows
}
