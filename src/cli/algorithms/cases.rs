//! Small and nasty inputs, with what a publisher of each kind must do about them.

use crate::data::{Content, Dataset, Hierarchy, Table, Transactions};
use crate::lab::LabError;
use crate::publish::external::Contract;
use crate::release::ReleaseKind;
use serde_json::{Map, Value, json};

/// One input of the conformance suite.
pub struct Case {
    pub name: &'static str,
    pub about: &'static str,
    pub dataset: Dataset,
    pub parameters: Map<String, Value>,
    pub expected: Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The guarantee can be kept, so there must be a release that keeps it.
    Release,
    /// It cannot be kept by any release, so the program must refuse.
    Refusal,
    /// Refusing is no fault (a program may not be made for it), nor is a release that keeps the guarantee.
    Either,
}

/// The cases for programs held to `contract`.
pub fn cases(contract: &Contract) -> Result<Vec<Case>, LabError> {
    match contract.release {
        ReleaseKind::Buckets => bucket_cases(contract.name == "matching-diversity"),
        ReleaseKind::GeneralizedTransactions => km_cases(),
        ReleaseKind::SuppressedTransactions => cohesion_cases(),
        ReleaseKind::Rules => rule_cases(),
    }
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// A table of `age`, `town` and the sensitive `illness`.
fn table<S: AsRef<str>>(rows: &[[S; 3]]) -> Result<Dataset, LabError> {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(AsRef::as_ref).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let mut dataset =
        Dataset::of_table(Table::from_rows(&["age", "town", "illness"], &rows), &["age", "town"], "illness")?;
    if let Content::Table(microdata) = &mut dataset.content {
        for (i, &column) in microdata.quasi_identifiers.iter().enumerate() {
            let values = &microdata.table.columns[column].values;
            let order: Vec<u32> = (0..values.len() as u32).collect();
            microdata.hierarchies[i] = Some(Hierarchy::by_degree(values, &order, 2)?);
        }
    }
    Ok(dataset)
}

/// Rows whose illness is the `i`-th of `illnesses`, with ages and towns that differ.
fn people(illnesses: &[&str]) -> Vec<[String; 3]> {
    let towns = ["Aa", "Bo", "Ho"];
    let row =
        |(i, illness): (usize, &&str)| [(20 + i * 7 % 60).to_string(), towns[i % 3].to_string(), illness.to_string()];
    illnesses.iter().enumerate().map(row).collect()
}

/// `n` rows with seven illnesses whose frequencies differ, the most frequent in a fifth of them.
fn many_people(n: usize) -> Vec<[String; 3]> {
    let illnesses = ["flu", "flu", "cold", "cold", "gout", "gout", "asthma", "ulcer", "rash", "mumps"];
    people(&(0..n).map(|i| illnesses[i % illnesses.len()]).collect::<Vec<_>>())
}

fn awkward_people() -> Vec<[&'static str; 3]> {
    vec![
        ["29", "Zürich", "grippe, legère"],
        ["30", "東京", "\"cold\""],
        ["31", "a\nb", "naïve Σ-ität"],
        ["?", "", "grippe, legère"],
        ["31", " padded ", "\"cold\""],
        ["33", "'; --", "naïve Σ-ität"],
    ]
}

fn bucket_cases(against_rules: bool) -> Result<Vec<Case>, LabError> {
    use Expected::{Refusal, Release};
    let case = |name, about, dataset: Result<Dataset, LabError>, l: usize, expected| {
        let expected = if against_rules && expected == Release { Expected::Either } else { expected };
        Ok(Case { name, about, dataset: dataset?, parameters: map(json!({"l": l})), expected })
    };
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
            Refusal,
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

fn rule_cases() -> Result<Vec<Case>, LabError> {
    let case = |name, about, dataset: Result<Dataset, LabError>, parameters: Value| {
        Ok(Case { name, about, dataset: dataset?, parameters: map(parameters), expected: Expected::Release })
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

/// Transactions as words in lines; `|` is an empty one.
fn transactions(lines: &[&str], private: &[&str]) -> Result<Dataset, LabError> {
    let rows: Vec<Vec<&str>> =
        lines.iter().map(|line| line.split_whitespace().filter(|&w| w != "|").collect()).collect();
    let transactions = Transactions::from_labels(&rows);
    let labels = &transactions.labels;
    let order: Vec<u32> = (0..labels.len() as u32).collect();
    let hierarchy = Hierarchy::by_degree(labels, &order, 2)?;
    let private: Vec<u32> =
        (0..).zip(labels).filter(|(_, label)| private.contains(&label.as_str())).map(|(item, _)| item).collect();
    Ok(Dataset::of_transactions(transactions, Some(hierarchy), &private))
}

/// `n` transactions of up to five of twenty items, some of them rare.
fn many_transactions(n: usize) -> Vec<String> {
    let line = |i: usize| {
        let items: Vec<String> = (0..1 + i % 5).map(|j| (((i * 7 + j * j * 3) % 20).min(i % 23)).to_string()).collect();
        items.join(" ")
    };
    (0..n).map(line).collect()
}

fn km_cases() -> Result<Vec<Case>, LabError> {
    use Expected::{Either, Refusal, Release};
    let case = |name, about, lines: &[&str], (k, m): (usize, usize), expected| {
        let dataset = transactions(lines, &[])?;
        Ok(Case { name, about, dataset, parameters: map(json!({"k": k, "m": m})), expected })
    };
    let thousand = many_transactions(1_000);
    let thousand: Vec<&str> = thousand.iter().map(String::as_str).collect();
    let plain = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"];
    [
        case("plain", "the example of the paper: k = 2, m = 2", &plain, (2, 2), Release),
        case("one row", "k = 2 cannot be kept", &["a b"], (2, 1), Refusal),
        case("one item", "every transaction is it", &["a"; 5], (3, 2), Release),
        case("all equal", "five times the same", &["a b c"; 5], (5, 3), Release),
        case("ties", "every item equally frequent", &["a b", "b c", "c d", "d a"], (2, 2), Release),
        case("k impossible", "more than there are transactions", &plain, (5, 1), Refusal),
        case("m beyond the longest", "m = 9", &plain, (2, 9), Release),
        case("nothing to do", "k = 1", &plain, (1, 2), Release),
        case("one long transaction", "it has every item", &["a b c d e f g h", "a", "b", "c d"], (2, 3), Release),
        case("unicode", "items of any letters", &["Ä ß", "東京 ß", "Ä 東京", "'; -- ß"], (2, 2), Release),
        case("numbers", "10 comes after 9", &["10 9", "9 100", "10 100", "9 10 100 1"], (2, 2), Release),
        case("empty transactions", "two of five", &["a b", "|", "a", "|", "b"], (2, 2), Either),
        case("1,000 transactions", "twenty items, some rare", &thousand, (5, 2), Release),
    ]
    .into_iter()
    .collect()
}

fn cohesion_cases() -> Result<Vec<Case>, LabError> {
    use Expected::{Either, Refusal, Release};
    let case = |name, about, lines: &[&str], private: &[&str], (h, k, p): (f64, usize, usize), expected| {
        let dataset = transactions(lines, private)?;
        Ok(Case { name, about, dataset, parameters: map(json!({"h": h, "k": k, "p": p})), expected })
    };
    let thousand = many_transactions(1_000);
    let thousand: Vec<&str> = thousand.iter().map(String::as_str).collect();
    let plain = ["a b X", "a b", "a c Y", "b c", "a b c", "c X"];
    [
        case("plain", "two private items", &plain, &["X", "Y"], (0.5, 2, 2), Release),
        case("one row", "k = 2 cannot be kept", &["a X"], &["X"], (0.8, 2, 1), Refusal),
        case("one item", "every transaction is it", &["a"; 5], &[], (0.8, 3, 2), Release),
        case("all equal", "five times the same", &["a b c"; 5], &[], (0.8, 5, 3), Release),
        case("ties", "every item equally frequent", &["a b", "b c", "c d", "d a"], &[], (0.8, 2, 2), Release),
        case("k impossible", "more than there are transactions", &plain, &["X"], (0.5, 7, 1), Refusal),
        case(
            "h impossible",
            "a private item is too frequent",
            &["a X", "b X", "c X", "d"],
            &["X"],
            (0.5, 2, 1),
            Refusal,
        ),
        case("p beyond the longest", "p = 9", &plain, &["X", "Y"], (0.5, 2, 9), Release),
        case(
            "everything private",
            "nothing to suppress",
            &["X Y", "Y", "X", "Z"],
            &["X", "Y", "Z"],
            (0.5, 2, 2),
            Release,
        ),
        case("unicode", "items of any letters", &["Ä ß", "東京 ß", "Ä 東京", "'; -- ß"], &["ß"], (0.8, 2, 2), Release),
        case("empty transactions", "two of five", &["a b", "|", "a", "|", "b"], &[], (0.8, 2, 2), Either),
        case("1,000 transactions", "twenty items, some rare", &thousand, &["0", "7"], (0.8, 5, 2), Release),
    ]
    .into_iter()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::external::contracts;

    #[test]
    fn every_contract_has_cases_whose_parameters_it_takes() {
        for contract in contracts() {
            let cases = cases(contract).unwrap();
            assert!(cases.len() >= 10, "{}", contract.name);
            for case in cases {
                contract.complete(&case.parameters).unwrap();
                assert_eq!(case.dataset.kind(), contract.input());
            }
        }
    }
}
