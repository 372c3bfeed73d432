//! Small tables of people and their illnesses.

use crate::data::{Content, Dataset, Hierarchy, Table};
use crate::lab::LabError;

/// A table of `age`, `town` and the sensitive `illness`.
pub(in crate::release) fn table<S: AsRef<str>>(rows: &[[S; 3]]) -> Result<Dataset, LabError> {
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
pub(in crate::release) fn people(illnesses: &[&str]) -> Vec<[String; 3]> {
    let towns = ["Aa", "Bo", "Ho"];
    let row =
        |(i, illness): (usize, &&str)| [(20 + i * 7 % 60).to_string(), towns[i % 3].to_string(), illness.to_string()];
    illnesses.iter().enumerate().map(row).collect()
}

/// `n` rows with seven illnesses whose frequencies differ, the most frequent in a fifth of them.
pub(in crate::release) fn many_people(n: usize) -> Vec<[String; 3]> {
    let illnesses = ["flu", "flu", "cold", "cold", "gout", "gout", "asthma", "ulcer", "rash", "mumps"];
    people(&(0..n).map(|i| illnesses[i % illnesses.len()]).collect::<Vec<_>>())
}

pub(in crate::release) fn awkward_people() -> Vec<[&'static str; 3]> {
    vec![
        ["29", "Zürich", "grippe, legère"],
        ["30", "東京", "\"cold\""],
        ["31", "a\nb", "naïve Σ-ität"],
        ["?", "", "grippe, legère"],
        ["31", " padded ", "\"cold\""],
        ["33", "'; --", "naïve Σ-ität"],
    ]
}
