//! Whether a guarantee can be reached on some data at all, whatever an algorithm does.

use super::Guarantee;
use super::generalized_table::{Requirement, Star, shortfall_of_whole};
use crate::data::{Dataset, Microdata, SensitiveAttribute};
use crate::lab::{LabError, counted};

/// An error that says why, and what could be reached, where `guarantee` cannot.
pub fn check_reachable(dataset: &Dataset, guarantee: &Guarantee) -> Result<(), LabError> {
    match guarantee {
        Guarantee::Diversity { l } => check_eligible(dataset.microdata()?, *l),
        // What the rules leave of them is known when they are mined.
        Guarantee::DistinctValues { l } | Guarantee::MatchingDiversity { l, .. } => {
            let microdata = dataset.microdata()?;
            let sensitive = &microdata.table.columns[microdata.sensitive];
            check_distinct(&sensitive.name, sensitive.cardinality(), *l)
        }
        // Rows that may be suppressed need not be in any class.
        Guarantee::Table(table) if table.conventions.suppression > 0.0 => Ok(()),
        Guarantee::Table(table) => {
            let microdata = dataset.microdata()?;
            let attributes = microdata.sensitive_attributes();
            // Where a star is a wildcard, rows have no classes, and shares of values among those compatible with each do not average to
            // those of the whole table; but no row has more rows or values than there are.
            let is_bound = |requirement: &&Requirement| {
                table.conventions.star == Star::Value
                    || matches!(requirement, Requirement::KAnonymity { .. } | Requirement::DistinctDiversity { .. })
            };
            table.requirements.iter().filter(is_bound).try_for_each(|requirement| {
                attributes.iter().try_for_each(|attribute| check_requirement(microdata, attribute, requirement))
            })
        }
        Guarantee::KmAnonymity { k, .. } | Guarantee::Cohesion { k, .. } => {
            match dataset.baskets()?.transactions.len() {
                transactions if transactions >= *k => Ok(()),
                transactions => Err(LabError::unreachable(format!(
                    "k = {k} cannot be reached: the data has only {}, so the largest k is {transactions}",
                    counted(transactions, "transaction")
                ))),
            }
        }
        Guarantee::RulesAsStated(_) => Ok(()),
    }
}

/// Of a requirement on a generalized table, for one of its sensitive attributes.
fn check_requirement(
    microdata: &Microdata,
    attribute: &SensitiveAttribute<'_>,
    requirement: &Requirement,
) -> Result<(), LabError> {
    match requirement {
        Requirement::KAnonymity { k } if *k > microdata.rows() => Err(LabError::unreachable(format!(
            "k = {k} cannot be reached: the data has only {}, so the largest k is {}",
            counted(microdata.rows(), "row"),
            microdata.rows()
        ))),
        Requirement::DistinctDiversity { l } => check_distinct(attribute.name, attribute.values.len(), *l),
        Requirement::FrequencyDiversity { l } => {
            let histogram = microdata.table.columns[microdata.sensitive].histogram();
            check_frequencies(attribute.name, attribute.values, &attribute.counts(&histogram), *l)
        }
        other => match shortfall_of_whole(microdata, attribute, other)? {
            None => Ok(()),
            Some(says) => Err(LabError::unreachable(format!(
                "{other}{} cannot be reached: the whole table {says}, and however its rows are divided into classes, one of \
                 these does no better",
                attribute.in_words()
            ))),
        },
    }
}

fn check_distinct(name: &str, values: usize, l: usize) -> Result<(), LabError> {
    match values >= l {
        true => Ok(()),
        false => Err(LabError::unreachable(format!(
            "{name} has only {values} different values, so that no group can have {l}"
        ))),
    }
}

/// ℓ-eligibility: no sensitive value in more than 1/ℓ of the rows, or no grouping can be ℓ-diverse.
pub fn check_eligible(microdata: &Microdata, l: usize) -> Result<(), LabError> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    check_frequencies(&sensitive.name, &sensitive.values, &sensitive.histogram(), l)
}

fn check_frequencies(name: &str, values: &[String], counts: &[usize], l: usize) -> Result<(), LabError> {
    let rows: usize = counts.iter().sum();
    if rows == 0 {
        return Err(LabError::input("the table has no rows"));
    }
    // The most frequent value sets the bound; of equally frequent ones the first is named.
    let (mut most_frequent, mut most) = ("", 0);
    for (value, &count) in values.iter().zip(counts) {
        if count > most {
            (most_frequent, most) = (value, count);
        }
    }
    if most * l > rows {
        return Err(LabError::unreachable(format!(
            "not {l}-eligible: the most frequent {name}, `{most_frequent}`, is that of {most} of {rows} rows, more than 1 in {l}; \
             the largest ℓ this data allows is {}",
            rows / most
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Table, Transactions};
    use crate::release::generalized_table::{Conventions, Distance, GeneralizedCell, TableGuarantee};
    use crate::release::{GeneralizedTable, PrivacyVerdict, Release, verify};

    #[test]
    fn what_is_out_of_reach_says_what_is_within() {
        let rows: [&[&str]; 5] = [&["q", "a"], &["q", "b"], &["q", "b"], &["q", "c"], &["q", "b"]];
        let table = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
        let said = |dataset: &Dataset, guarantee| check_reachable(dataset, &guarantee).unwrap_err().to_string();
        let diversity = said(&table, Guarantee::Diversity { l: 4 });
        assert!(diversity.contains("`b`, is that of 3 of 5 rows") && diversity.ends_with("allows is 1"), "{diversity}");
        assert_eq!(
            said(&table, Guarantee::DistinctValues { l: 4 }),
            "s has only 3 different values, so that no group can have 4"
        );
        assert!(check_reachable(&table, &Guarantee::DistinctValues { l: 3 }).is_ok());
        let of_table = |requirement| {
            let conventions = Conventions::default();
            Guarantee::Table(TableGuarantee { requirements: vec![requirement], conventions })
        };
        let no_better = ", and however its rows are divided into classes, one of these does no better";
        for (requirement, says) in [
            (
                Requirement::Alpha { alpha: 0.5 },
                "α = 0.5 cannot be reached: the whole table has a sensitive value in 3 of its 5 rows, more than 0.5 of them",
            ),
            (
                Requirement::EntropyDiversity { l: 2.9 },
                "entropy 2.9-diversity cannot be reached: the whole table has the entropy of 2.5864 equally frequent sensitive \
                 values, fewer than 2.9",
            ),
            (
                Requirement::RecursiveDiversity { c: 1.5, l: 2 },
                "recursive (1.5, 2)-diversity cannot be reached: the whole table has its most frequent sensitive value 3 times \
                 and those from number 2 on 2 times: 3 is not below 1.5 · 2",
            ),
            (
                Requirement::DeltaDisclosure { delta: 0.0 },
                "0-disclosure cannot be reached: the whole table has |ln(q / p)| = 0.000000 for a sensitive value, not below 0",
            ),
        ] {
            assert_eq!(said(&table, of_table(requirement)), format!("{says}{no_better}"));
        }
        let t = |distance| of_table(Requirement::TCloseness { t: 0.0, distance });
        assert!(check_reachable(&table, &t(Distance::Ordered)).is_ok());
        assert!(said(&table, t(Distance::Hierarchical)).starts_with("the hierarchical distance needs a hierarchy"));
        let baskets = Dataset::of_transactions(Transactions::from_labels(&[vec!["x"], vec!["y"]]), None, &[]);
        assert!(said(&baskets, Guarantee::KmAnonymity { k: 3, m: 1 }).ends_with("the largest k is 2"));
        assert!(check_reachable(&baskets, &Guarantee::KmAnonymity { k: 2, m: 1 }).is_ok());
    }

    /// Three of five have `x`, and with stars as wildcards nobody is among more than one in two with it: the fourth and the fifth row
    /// hide all others.
    #[test]
    fn shares_among_compatible_rows_may_be_less_than_those_of_all() {
        let rows: [&[&str]; 5] = [
            &["1", "b", "e", "x"],
            &["2", "b", "e", "x"],
            &["3", "c", "d", "x"],
            &["4", "b", "d", "y"],
            &["4", "c", "d", "z"],
        ];
        let table = Table::from_rows(&["p", "q", "r", "s"], &rows);
        let dataset = Dataset::of_table(table, &["p", "q", "r"], "s").unwrap();
        let mut release = GeneralizedTable::identity(dataset.microdata().unwrap());
        for (column, rows) in [(0, vec![3, 4]), (1, vec![4]), (2, vec![3])] {
            let column = &mut release.columns[column];
            rows.into_iter().for_each(|row: usize| column.of_row[row] = column.cells.len() as u32);
            column.cells.push(GeneralizedCell::Any);
        }
        let guarantee = |star, requirement| {
            let conventions = Conventions { star, ..Conventions::default() };
            Guarantee::Table(TableGuarantee { requirements: vec![requirement], conventions })
        };
        let half = |star| guarantee(star, Requirement::Alpha { alpha: 0.5 });
        let verdict = verify(&dataset, &Release::GeneralizedTable(release), &half(Star::Wildcard)).unwrap();
        assert_eq!(verdict, PrivacyVerdict::Private);
        assert!(check_reachable(&dataset, &half(Star::Wildcard)).is_ok());
        assert!(check_reachable(&dataset, &half(Star::Value)).is_err());
        let too_many = guarantee(Star::Wildcard, Requirement::KAnonymity { k: 6 });
        assert!(check_reachable(&dataset, &too_many).is_err());
    }
}
