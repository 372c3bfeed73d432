//! Small and nasty inputs for programs that publish buckets.

use crate::data::Dataset;
use crate::lab::LabError;
use crate::release::conformance::{Case, Expected, awkward_people, many_people, parameters, people, table};
use serde_json::json;

pub(super) fn cases(against_rules: bool) -> Result<Vec<Case>, LabError> {
    use Expected::{Refusal, Release};
    let case = |name, about, dataset: Result<Dataset, LabError>, l: usize, expected| {
        let expected = if against_rules && expected == Release { Expected::Either } else { expected };
        Ok(Case { name, about, dataset: dataset?, parameters: parameters(json!({"l": l})), expected })
    };
    // Rules or none, ℓ values are enough there: how often they occur is Anatomy's concern.
    let too_frequent = if against_rules { Expected::Either } else { Refusal };
    let alike = |illness: &str| ["30".to_string(), "Aa".to_string(), illness.to_string()];
    [
        case(
            "plain",
            "12 rows, 4 values, ℓ = 3",
            table(&people(&["flu", "cold", "gout", "rash"].repeat(3))),
            3,
            Release,
        ),
        case("one row", "ℓ = 2 cannot be kept", table(&people(&["flu"])), 2, Refusal),
        case("one value", "every row has it", table(&people(&["flu"; 8])), 2, Refusal),
        case("all equal", "8 rows alike in everything", table(&vec![alike("flu"); 8]), 2, Refusal),
        case(
            "alike but for the value",
            "quasi-identifiers tell nothing",
            table(&["flu", "cold", "gout", "rash"].map(alike)),
            2,
            Release,
        ),
        case("ties", "every value equally frequent", table(&people(&["a", "b", "c", "d", "e"].repeat(4))), 5, Release),
        case(
            "at the limit",
            "a value in exactly 1 of ℓ rows",
            table(&people(&["flu", "flu", "cold", "gout"])),
            2,
            Release,
        ),
        case(
            "just beyond",
            "a value in more than 1 of ℓ rows",
            table(&people(&["flu", "flu", "flu", "cold", "gout"])),
            2,
            too_frequent,
        ),
        case("a remainder", "7 rows, ℓ = 3", table(&people(&["a", "b", "c", "a", "b", "c", "d"])), 3, Release),
        case(
            "ℓ impossible",
            "more than there are values",
            table(&people(&["flu", "cold", "gout"].repeat(4))),
            4,
            Refusal,
        ),
        case("unicode", "quotes, commas, line breaks, blanks, nothing", table(&awkward_people()), 3, Release),
        case("1,000 rows", "seven values, uneven", table(&many_people(1_000)), 4, Release),
    ]
    .into_iter()
    .collect()
}
