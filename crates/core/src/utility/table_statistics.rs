//! The characteristics of a table that papers print of their data: Table III of "Injector" (ICDE 2008), Figure 4 of "Deriving
//! Private Information from Association Rule Mining Results" (ICDE 2009).

use crate::data::{Dataset, InputKind};
use crate::lab::{Better, LabError, Metric, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::Release;

pub struct TableStatistics;

const RECORDS: Metric = Metric::new("records", "records", Better::Neither, "the number of records");
const DISTINCT: Metric =
    Metric::new("distinct_values", "values", Better::Neither, "values of the attribute that occur");
const RANGE: Metric = Metric::new(
    "values_in_range",
    "values",
    Better::Neither,
    "whole numbers from the least to the greatest value of a numeric attribute",
);
const HEIGHT: Metric = Metric::new(
    "hierarchy_height",
    "levels",
    Better::Neither,
    "levels of the attribute's hierarchy, those of the values and of the root included",
);

impl Measure for TableStatistics {
    type Parameters = NoParameters;
    const NAME: &'static str = "table-statistics";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The number of records, and for each attribute its values and the height of its hierarchy",
        paper: "",
        input: InputKind::Table,
        releases: &[],
        metrics: &[RECORDS, DISTINCT, RANGE, HEIGHT],
    };

    fn measure(
        original: &Dataset,
        _: Option<&Release>,
        _: &NoParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
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
        Ok(observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Table};
    use crate::lab::Seed;

    #[test]
    fn values_are_counted_as_they_occur_and_as_they_range() {
        let columns = vec![Column::encode("age", &["17", "20", "17"]), Column::encode("job", &["a", "b", "a"])];
        let table = Table::new(columns);
        let dataset = Dataset::of_table(table, &["age"], "job").unwrap();
        let mut bench = Workbench::new(Seed(1), "test");
        let found = TableStatistics::measure(&dataset, None, &NoParameters {}, &mut bench).unwrap();
        let found: Vec<_> = found.iter().map(|o| (&*o.metric, o.at.as_deref(), o.value)).collect();
        assert_eq!(
            found,
            [
                ("records", None, 3.0),
                ("distinct_values", Some("age"), 2.0),
                ("values_in_range", Some("age"), 4.0),
                ("distinct_values", Some("job"), 2.0),
            ]
        );
    }
}
