//! Accuracy of COUNT queries answered from a release of a table: T. Li, N. Li, "Injector", ICDE 2008, Section VI-D.
//!
//! A query names `dim` quasi-identifiers, a set of values V_i for each and a set V_S of sensitive values, and counts the
//! tuples with all of them. The size of each V_i is drawn from {0, 1, …, ⌊sel·|D_i|⌋}, D_i being the values that occur.
//!
//! Readings. V_S is drawn like the V_i. More than half of the draws have a true count of 0, for which no relative error
//! exists: such a query is drawn again, attributes and all, until the wanted number is there; the redraws are reported.
//! What a release answers is for its kind to say: from buckets, a tuple of group g has value s with the share of s in g.
//! A tenth of the queries carries most of the mean, so the median is reported too.
//!
//! Cost. A draw looks only at the rows of its most selective quasi-identifier (rows are kept sorted by value) and leaves
//! a row at its first mismatch; an answer then costs what the kind of release says.

use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, needed};
use crate::release::{Admitted, CountQuery, Release, ReleaseKind};
use rand::seq::index::sample;
use rand::{Rng, RngExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct QueryError;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct QueryErrorParameters {
    /// How many queries with a positive true count are asked.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub queries: usize,
    /// The number of quasi-identifiers a query restricts.
    #[schemars(range(min = 1))]
    pub dim: usize,
    /// The largest part of an attribute's values that a query may admit.
    #[schemars(range(min = 0.0, max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub sel: f64,
}

impl Default for QueryErrorParameters {
    fn default() -> Self {
        Self { queries: 1000, dim: 3, sel: 0.5 }
    }
}

const MEAN: Metric = Metric::new(
    "mean_relative_error",
    "%",
    Better::Lower,
    "mean over the queries of |answer − true count| / true count",
);
const MEDIAN: Metric = Metric::new(
    "median_relative_error",
    "%",
    Better::Lower,
    "median over the queries of |answer − true count| / true count",
);
const P95: Metric = Metric::new(
    "p95_relative_error",
    "%",
    Better::Lower,
    "95th percentile over the queries of |answer − true count| / true count",
);
const SIGNED: Metric = Metric::new(
    "mean_signed_error",
    "%",
    Better::Neither,
    "mean over the queries of (answer − true count) / true count: below 0 where answers are too small",
);
const REDRAWS: Metric =
    Metric::new("redraws", "queries", Better::Neither, "queries thrown away because their true count was 0");

/// Draws per wanted query before the workload is given up as one with hardly a positive count in it.
const DRAWS_PER_QUERY: usize = 10_000;

impl Measure for QueryError {
    type Parameters = QueryErrorParameters;
    const NAME: &'static str = "query-error";
    const DRAWS: bool = true;
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Relative error of random COUNT queries answered from the release",
        paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008, Section VI-D",
        input: InputKind::Table,
        releases: ReleaseKind::ANSWERING_COUNTS,
        metrics: &[MEAN, MEDIAN, REDRAWS, P95, SIGNED],
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &QueryErrorParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
        let mut answers = needed(release)?.counts(original)?;
        let workload = Workload::new(microdata, parameters)?;
        let mut rng = bench.rng("queries");
        let mut errors = Vec::with_capacity(parameters.queries);
        let (mut redraws, mut signed) = (0, 0.0);
        let mut rows = Vec::new();
        while errors.len() < parameters.queries {
            let query = workload.draw(&mut rng);
            let true_count = workload.select(&query, &mut rows);
            if true_count == 0 {
                redraws += 1;
                if redraws >= parameters.queries.saturating_mul(DRAWS_PER_QUERY) {
                    return Err(LabError::no_answer(format!(
                        "only {} of {redraws} queries with dim {} and sel {} had a positive true count",
                        errors.len(),
                        parameters.dim,
                        parameters.sel
                    )));
                }
                continue;
            }
            let answer = answers.count(&query.over(&rows));
            let error = (answer - true_count as f64) / true_count as f64 * 100.0;
            signed += error;
            errors.push(error.abs());
        }
        Ok(vec![
            Observation::new(&MEAN, errors.iter().sum::<f64>() / errors.len() as f64),
            Observation::new(&MEDIAN, median(&mut errors)),
            Observation::new(&REDRAWS, redraws as f64),
            Observation::new(&P95, percentile_95(&errors)),
            Observation::new(&SIGNED, signed / errors.len() as f64),
        ])
    }
}

/// The smallest of the sorted values that at least 95 in 100 do not exceed.
fn percentile_95(sorted: &[f64]) -> f64 {
    let place = (sorted.len() * 95).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(0.0)
}

/// The middle value, or the mean of the two in the middle.
pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// A COUNT query: admitted codes, as a flag per code.
struct Query {
    quasi: Vec<Admitted>,
    sensitive: Vec<bool>,
}

impl Query {
    /// As a release is asked; `rows` are those that have the quasi-identifiers.
    fn over<'a>(&'a self, rows: &'a [u32]) -> CountQuery<'a> {
        CountQuery { quasi: &self.quasi, rows, sensitive: &self.sensitive }
    }
}

/// The distribution queries are drawn from, and the rows in an order that answers them fast.
struct Workload<'a> {
    microdata: &'a Microdata,
    indexes: Vec<ValueIndex>,
    dim: usize,
    /// Per quasi-identifier, the largest number of values a query may admit.
    most_values: Vec<u32>,
    most_sensitive: u32,
}

impl<'a> Workload<'a> {
    fn new(microdata: &'a Microdata, parameters: &QueryErrorParameters) -> Result<Self, LabError> {
        let &QueryErrorParameters { dim, sel, .. } = parameters;
        let quasi = microdata.quasi_identifiers.len();
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows to count"));
        }
        if dim == 0 || dim > quasi {
            return Err(LabError::input(format!(
                "`dim` must be from 1 to {quasi}, the number of quasi-identifiers, not {dim}"
            )));
        }
        if !(sel > 0.0 && sel <= 1.0) {
            return Err(LabError::input(format!("`sel` must be above 0 and at most 1, not {sel}")));
        }
        // 0.29 · 100 is a hair below 29 in binary; the hair is not meant.
        let most = |column: usize| (sel * microdata.table.columns[column].cardinality() as f64 + 1e-9).floor() as u32;
        let most_values: Vec<u32> = microdata.quasi_identifiers.iter().map(|&column| most(column)).collect();
        let most_sensitive = most(microdata.sensitive);
        let usable = most_values.iter().filter(|&&most| most > 0).count();
        if most_sensitive == 0 || usable < dim {
            return Err(LabError::input(format!(
                "with `sel` {sel} a query can admit a value of {usable} quasi-identifiers and {most_sensitive} sensitive values; \
                 {dim} quasi-identifiers and a sensitive value are needed, so every count would be 0: raise `sel` or lower `dim`"
            )));
        }
        let indexes = (0..quasi)
            .map(|i| {
                let values = microdata.table.columns[microdata.quasi_identifiers[i]].cardinality();
                ValueIndex::new(microdata.quasi_codes(i), values)
            })
            .collect();
        Ok(Self { microdata, indexes, dim, most_values, most_sensitive })
    }

    fn draw(&self, rng: &mut impl Rng) -> Query {
        let quasi = sample(rng, self.indexes.len(), self.dim)
            .into_iter()
            .map(|attribute| {
                let mut values = draw_values(self.indexes[attribute].values(), self.most_values[attribute], rng);
                values.sort_unstable();
                Admitted { attribute, values }
            })
            .collect();
        let domain = self.microdata.table.columns[self.microdata.sensitive].cardinality();
        let mut sensitive = vec![false; domain];
        for value in draw_values(domain, self.most_sensitive, rng) {
            sensitive[value as usize] = true;
        }
        Query { quasi, sensitive }
    }

    /// Puts the rows that have the quasi-identifiers of `query` into `rows` and returns how many of them have its
    /// sensitive values too.
    fn select(&self, query: &Query, rows: &mut Vec<u32>) -> usize {
        rows.clear();
        let admitted_rows = |predicate: &&Admitted| self.indexes[predicate.attribute].count(&predicate.values);
        let Some(narrowest) = query.quasi.iter().min_by_key(admitted_rows) else { return 0 };
        let others: Vec<(&[u32], Vec<bool>)> = query
            .quasi
            .iter()
            .filter(|predicate| predicate.attribute != narrowest.attribute)
            .map(|predicate| {
                let mut admits = vec![false; self.indexes[predicate.attribute].values()];
                predicate.values.iter().for_each(|&value| admits[value as usize] = true);
                (self.microdata.quasi_codes(predicate.attribute), admits)
            })
            .collect();
        let index = &self.indexes[narrowest.attribute];
        for &row in narrowest.values.iter().flat_map(|&value| index.rows(value)) {
            if others.iter().all(|(codes, admits)| admits[codes[row as usize] as usize]) {
                rows.push(row);
            }
        }
        let sensitive = self.microdata.sensitive_codes();
        rows.iter().filter(|&&row| query.sensitive[sensitive[row as usize] as usize]).count()
    }
}

/// A set of codes below `domain` whose size is drawn from 0 to `most`.
fn draw_values(domain: usize, most: u32, rng: &mut impl Rng) -> Vec<u32> {
    let size = rng.random_range(0..=most) as usize;
    sample(rng, domain, size).into_iter().map(|value| value as u32).collect()
}

/// The rows of a column sorted by value.
struct ValueIndex {
    rows: Vec<u32>,
    /// Where the rows of each value start in `rows`, and one entry more for the end of the last.
    starts: Vec<usize>,
}

impl ValueIndex {
    fn new(codes: &[u32], values: usize) -> Self {
        let mut starts = vec![0; values + 1];
        for &code in codes {
            starts[code as usize + 1] += 1;
        }
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; codes.len()];
        for (row, &code) in codes.iter().enumerate() {
            rows[next[code as usize]] = row as u32;
            next[code as usize] += 1;
        }
        Self { rows, starts }
    }

    fn values(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows(&self, value: u32) -> &[u32] {
        &self.rows[self.starts[value as usize]..self.starts[value as usize + 1]]
    }

    /// How many rows have one of `values`.
    fn count(&self, values: &[u32]) -> usize {
        values.iter().map(|&value| self.rows(value).len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::Seed;
    use crate::release::Buckets;
    use proptest::prelude::*;

    fn dataset(rows: &[[u8; 4]]) -> Dataset {
        let text: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u8::to_string).collect()).collect();
        let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        Dataset::of_table(Table::from_rows(&["a", "b", "c", "s"], &cells), &["a", "b", "c"], "s").unwrap()
    }

    fn measure(dataset: &Dataset, group_of: Vec<u32>, parameters: &QueryErrorParameters) -> Result<Vec<f64>, LabError> {
        let release = Release::Buckets(Buckets::from_groups(dataset.microdata()?, group_of));
        let mut bench = Workbench::new(Seed(7), "test");
        let observed = QueryError::measure(dataset, Some(&release), parameters, &mut bench)?;
        Ok(observed.into_iter().map(|observation| observation.value).collect())
    }

    #[test]
    fn groups_of_one_value_answer_every_query_exactly() {
        let rows: Vec<[u8; 4]> = (0..40).map(|i| [i % 3, i % 5, i % 7, i % 4]).collect();
        let parameters = QueryErrorParameters { queries: 50, dim: 2, sel: 1.0 };
        let by_value =
            measure(&dataset(&rows), rows.iter().map(|row| u32::from(row[3])).collect(), &parameters).unwrap();
        assert_eq!(by_value[..2], [0.0, 0.0]);
        let together = measure(&dataset(&rows), vec![0; rows.len()], &parameters).unwrap();
        assert!(together[0] > 0.0);
        assert_eq!(by_value[2], together[2], "the queries do not depend on the release");
    }

    #[test]
    fn workloads_without_a_positive_count_are_refused() {
        let dataset = dataset(&[[0, 0, 0, 0], [1, 1, 1, 1]]);
        let refused = |dim, sel| {
            let parameters = QueryErrorParameters { queries: 10, dim, sel };
            measure(&dataset, vec![0, 0], &parameters).unwrap_err().to_string()
        };
        assert_eq!(refused(4, 0.5), "`dim` must be from 1 to 3, the number of quasi-identifiers, not 4");
        assert_eq!(refused(2, 0.0), "`sel` must be above 0 and at most 1, not 0");
        assert!(refused(2, 0.4).starts_with("with `sel` 0.4 a query can admit a value of 0 quasi-identifiers"));
        let empty = super::tests::dataset(&[]);
        let error = measure(&empty, vec![], &QueryErrorParameters::default()).unwrap_err();
        assert_eq!(error.to_string(), "the table has no rows to count");
    }

    proptest! {
        /// Rows, true count and answer are those of a scan over all rows.
        #[test]
        fn queries_are_answered_as_a_plain_scan_would(
            rows in prop::collection::vec([0u8..4, 0u8..3, 0u8..9, 0u8..5], 1..60),
            groups in 1u32..6,
            seed in any::<u64>(),
        ) {
            let dataset = dataset(&rows);
            let microdata = dataset.microdata().unwrap();
            let group_of: Vec<u32> = (0..rows.len() as u32).map(|row| row % groups.min(rows.len() as u32)).collect();
            let buckets = Buckets::from_groups(microdata, group_of);
            let release = Release::Buckets(buckets.clone());
            let mut answers = release.counts(&dataset).unwrap();
            let workload = Workload::new(microdata, &QueryErrorParameters { queries: 1, dim: 2, sel: 1.0 }).unwrap();
            let mut rng = Seed(seed).stream("queries", &());
            let mut selected = Vec::new();
            for _ in 0..20 {
                let query = workload.draw(&mut rng);
                let true_count = workload.select(&query, &mut selected);
                let (mut expected_count, mut expected_answer) = (0, 0.0);
                for row in 0..rows.len() {
                    if !query.quasi.iter().all(|p| p.values.contains(&microdata.quasi_codes(p.attribute)[row])) {
                        continue;
                    }
                    expected_count += usize::from(query.sensitive[microdata.sensitive_codes()[row] as usize]);
                    let group = &buckets.sensitive[buckets.group_of[row] as usize];
                    let size: u32 = group.iter().map(|&(_, count)| count).sum();
                    let admitted: u32 =
                        group.iter().filter(|&&(s, _)| query.sensitive[s as usize]).map(|&(_, count)| count).sum();
                    expected_answer += f64::from(admitted) / f64::from(size);
                }
                prop_assert_eq!(true_count, expected_count);
                prop_assert!((answers.count(&query.over(&selected)) - expected_answer).abs() < 1e-9);
            }
        }
    }
}
