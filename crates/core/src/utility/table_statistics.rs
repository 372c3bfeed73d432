//! The characteristics of a table that papers print of their data: Table III of "Injector" (ICDE 2008), Figure 4 of "Deriving
//! Private Information from Association Rule Mining Results" (ICDE 2009), and the rules these print with support and
//! confidence.

use crate::data::{InputKind, Microdata};
use crate::lab::{LabError, Metric, Observation, Workbench, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};

/// Counts of the original table.
pub struct TableStatistics;

with_defaults! {
    pub struct TableStatisticsParameters {
        /// Rules to count: "sex = Male ∧ race = White ⇒ salary = >50K".
        pub rules: Vec<String>,
    }
}

const RECORDS: Metric = Metric::fact("records", "records", "the number of records");
const DISTINCT: Metric = Metric::fact("distinct_values", "values", "values of the attribute that occur");
const RANGE: Metric = Metric::fact(
    "values_in_range",
    "values",
    "whole numbers from the least to the greatest value of a numeric attribute",
);
const HEIGHT: Metric = Metric::fact(
    "hierarchy_height",
    "levels",
    "levels of the attribute's hierarchy, those of the values and of the root included",
);
const SUPPORT: Metric = Metric::fact("rule_support", "", "share of the records with both sides of a rule asked for");
const CONFIDENCE: Metric =
    Metric::fact("rule_confidence", "", "share of the records with its left side that have its right side");

impl Measure for TableStatistics {
    type Parameters = TableStatisticsParameters;
    const NAME: &'static str = "table-statistics";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The number of records, and for each attribute its values and the height of its hierarchy",
        paper: "",
        input: InputKind::Table,
        releases: &[],
        metrics: &[RECORDS, DISTINCT, RANGE, HEIGHT, SUPPORT, CONFIDENCE],
    };

    fn measure(subject: Subject<'_>, parameters: &TableStatisticsParameters, _: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let columns = &microdata.table.columns;
        let mut observed = vec![Observation::new(&RECORDS, microdata.rows() as f64)];
        let used = microdata.quasi_identifiers.iter().copied().chain([microdata.sensitive]);
        for (place, column) in used.map(|column| &columns[column]).enumerate() {
            observed.push(Observation::at(&DISTINCT, &column.name, column.cardinality() as f64));
            let numbers = (0..column.cardinality() as u32).filter_map(|code| column.number(code));
            let (least, greatest) = numbers
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
            if least <= greatest {
                observed.push(Observation::at(&RANGE, &column.name, greatest - least + 1.0));
            }
            if let Some(Some(hierarchy)) = microdata.hierarchies.get(place) {
                observed.push(Observation::at(&HEIGHT, &column.name, hierarchy.height() as f64));
            }
        }
        for rule in &parameters.rules {
            let (left, both) = count(microdata, rule)?;
            observed.push(Observation::at(&SUPPORT, rule, both as f64 / microdata.rows().max(1) as f64));
            observed.push(Observation::at(&CONFIDENCE, rule, both as f64 / left.max(1) as f64));
        }
        Ok(observed)
    }
}

/// How many records have the left side of a rule, and how many both.
fn count(microdata: &Microdata, rule: &str) -> Result<(usize, usize), LabError> {
    let Some((left, right)) = rule.split_once('⇒') else {
        return Err(LabError::input(format!("`{rule}` is no rule: write `attribute = value ∧ … ⇒ attribute = value`")));
    };
    let conditions = |side: &str| side.split('∧').map(|part| condition(microdata, part)).collect::<Result<Vec<_>, _>>();
    let (left, right) = (conditions(left)?, conditions(right)?);
    let holds = |conditions: &[(usize, u32)], row: usize| {
        conditions.iter().all(|&(column, code)| microdata.table.columns[column].codes[row] == code)
    };
    let with_left: Vec<usize> = (0..microdata.rows()).filter(|&row| holds(&left, row)).collect();
    Ok((with_left.len(), with_left.iter().filter(|&&row| holds(&right, row)).count()))
}

/// "sex = Male" as a column and a code of it.
fn condition(microdata: &Microdata, text: &str) -> Result<(usize, u32), LabError> {
    let text = text.trim();
    let Some((name, value)) = text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
        return Err(LabError::input(format!("`{text}` is no condition: write `attribute = value`")));
    };
    let column = microdata.table.column(name);
    let column = column.ok_or_else(|| LabError::input(format!("the table has no attribute `{name}`")))?;
    let code = microdata.table.columns[column].code(value);
    let code = code.ok_or_else(|| LabError::input(format!("`{name}` is never `{value}`")))?;
    Ok((column, code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Table};
    use crate::lab::Seed;

    #[test]
    fn values_are_counted_as_they_occur_and_as_they_range() {
        let columns = vec![Column::encode("age", &["17", "20", "17"]), Column::encode("job", &["a", "b", "a"])];
        let table = Table::new(columns);
        let dataset = Dataset::of_table(table, &["age"], "job").unwrap();
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = TableStatisticsParameters { rules: vec!["age = 17 ⇒ job = a".to_string()] };
        let found = TableStatistics::measure(Subject::alone(&dataset), &parameters, &mut bench).unwrap();
        let found: Vec<_> = found.iter().map(|o| (&*o.metric, o.at.as_deref(), o.value)).collect();
        assert_eq!(
            found,
            [
                ("records", None, 3.0),
                ("distinct_values", Some("age"), 2.0),
                ("values_in_range", Some("age"), 4.0),
                ("distinct_values", Some("job"), 2.0),
                ("rule_support", Some("age = 17 ⇒ job = a"), 2.0 / 3.0),
                ("rule_confidence", Some("age = 17 ⇒ job = a"), 1.0),
            ]
        );
        let refused = |rule: &str| {
            let parameters = TableStatisticsParameters { rules: vec![rule.to_string()] };
            let mut bench = Workbench::new(Seed(1), "test");
            TableStatistics::measure(Subject::alone(&dataset), &parameters, &mut bench).unwrap_err().to_string()
        };
        assert_eq!(refused("age = 17"), "`age = 17` is no rule: write `attribute = value ∧ … ⇒ attribute = value`");
        assert_eq!(refused("age = 18 ⇒ job = a"), "`age` is never `18`");
        assert_eq!(refused("sex = F ⇒ job = a"), "the table has no attribute `sex`");
    }
}
