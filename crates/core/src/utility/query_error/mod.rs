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
//! Cost. Queries that restrict the same attributes are counted together, and what is summed over the rows once serves all of
//! them (`counting`); an answer then costs what the kind of release says.

mod counting;
mod parameters;
mod workload;

use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{Better, Foremost, LabError, Metric, Observation, Witness, Workbench};
use crate::measure::{About, Measure, MeasureKind, needed};
use crate::release::{Counts, Release, ReleaseKind};
use counting::Counter;
pub use parameters::QueryErrorParameters;
use rand::Rng;
use std::collections::BTreeMap;
use workload::{Query, Workload};

pub struct QueryError;

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
        let asked = Asked::draw(microdata, parameters, &mut bench.rng("queries"))?;
        let signed = errors(&asked, microdata, answers.as_mut());
        bench.witness(|| worst_queries(&asked, microdata, &signed));
        let mut errors: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
        Ok(vec![
            Observation::new(&MEAN, errors.iter().sum::<f64>() / errors.len() as f64),
            Observation::new(&MEDIAN, median(&mut errors)),
            Observation::new(&REDRAWS, asked.redraws as f64),
            Observation::new(&P95, percentile_95(&errors)),
            Observation::new(&SIGNED, signed.iter().sum::<f64>() / signed.len() as f64),
        ])
    }
}

/// The queries of a workload that count anything, with their true counts.
struct Asked {
    queries: Vec<(Query, u64)>,
    /// How many others were drawn on the way.
    redraws: usize,
}

impl Asked {
    /// Draws until there are as many as wanted. Queries are drawn in batches, so that those on the same attributes are counted
    /// together; what is drawn beyond the last one wanted is as if it never was.
    fn draw(microdata: &Microdata, parameters: &QueryErrorParameters, rng: &mut impl Rng) -> Result<Self, LabError> {
        let workload = Workload::new(microdata, parameters)?;
        let wanted = parameters.queries;
        let most_redraws = wanted.saturating_mul(DRAWS_PER_QUERY);
        let (mut queries, mut drawn, mut last) = (Vec::new(), 0, 0);
        while queries.len() < wanted {
            let redraws = drawn - queries.len();
            if redraws >= most_redraws {
                return Err(LabError::no_answer(format!(
                    "only {} of {redraws} queries with dim {} and sel {} had a positive true count",
                    queries.len(),
                    parameters.dim,
                    parameters.sel
                )));
            }
            let batch = next_batch(wanted, queries.len(), drawn).min(most_redraws - redraws);
            let batch: Vec<Query> = (0..batch).map(|_| workload.draw(rng)).collect();
            let counts = true_counts(&batch, microdata);
            for (query, count) in batch.into_iter().zip(counts) {
                drawn += 1;
                if count > 0 {
                    queries.push((query, count));
                    if queries.len() == wanted {
                        last = drawn;
                    }
                }
            }
        }
        queries.truncate(wanted);
        Ok(Self { queries, redraws: last - wanted })
    }
}

/// How many queries to draw next, judged by how many of those drawn so far counted anything.
fn next_batch(wanted: usize, found: usize, drawn: usize) -> usize {
    let missing = wanted - found;
    let needed = match found {
        0 => missing * 5 / 2,
        _ => (missing as f64 * drawn as f64 / found as f64 * 1.1) as usize + 16,
    };
    needed.clamp(1, (wanted * 4).max(64))
}

/// The places of queries by the attributes they restrict.
fn by_attributes<'a>(queries: impl Iterator<Item = &'a Query>) -> BTreeMap<Vec<usize>, Vec<usize>> {
    let mut places: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (place, query) in queries.enumerate() {
        places.entry(query.attributes()).or_default().push(place);
    }
    places
}

fn true_counts(queries: &[Query], microdata: &Microdata) -> Vec<u64> {
    let mut counts = vec![0; queries.len()];
    let mut found = Vec::new();
    for (attributes, places) in by_attributes(queries.iter()) {
        let counter = Counter::new(microdata, &attributes, places.len());
        for place in places {
            counts[place] = counter.count(&queries[place], &mut found);
        }
    }
    counts
}

/// The signed relative error of each answer, in per cent.
fn errors(asked: &Asked, microdata: &Microdata, answers: &mut dyn Counts) -> Vec<f64> {
    let mut errors = vec![0.0; asked.queries.len()];
    let mut found = Vec::new();
    for (attributes, places) in by_attributes(asked.queries.iter().map(|(query, _)| query)) {
        let counter = Counter::new(microdata, &attributes, places.len());
        for place in places {
            let (query, count) = &asked.queries[place];
            counter.count(query, &mut found);
            let answer = answers.count(&query.over(counter.records(&found)));
            errors[place] = (answer - *count as f64) / *count as f64 * 100.0;
        }
    }
    errors
}

/// The queries with the largest errors.
fn worst_queries(asked: &Asked, microdata: &Microdata, errors: &[f64]) -> Vec<Witness> {
    let mut worst: Foremost<f64, usize> = Foremost::new(Witness::MOST);
    errors.iter().enumerate().for_each(|(place, error)| worst.offer(-error.abs(), || place));
    let witness = |(_, place): (f64, usize)| {
        let (query, count) = &asked.queries[place];
        let answer = *count as f64 * (1.0 + errors[place] / 100.0);
        let says = format!("a query for {count} rows is answered with {answer:.4}: {:.2} % off", errors[place].abs());
        Witness::of_metric(&MEAN, says).by([query.in_words(microdata)]).number(answer).against(*count as f64)
    };
    worst.into_cases().map(witness).collect()
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
        /// Whatever the number of queries that are counted together, true count and answer are those of a scan over all rows.
        #[test]
        fn queries_are_answered_as_a_plain_scan_would(
            rows in prop::collection::vec([0u8..4, 0u8..3, 0u8..9, 0u8..5], 1..60),
            groups in 1u32..6,
            together in prop::sample::select(vec![1usize, 4, 32]),
            wide in any::<bool>(),
            seed in any::<u64>(),
        ) {
            // With a column of distinct values the combinations are too many to be counted apart.
            let rows: Vec<Vec<String>> = (rows.iter().enumerate())
                .map(|(i, row)| {
                    let first = if wide { format!("{i:04}") } else { row[0].to_string() };
                    let rest = row[1..].iter().map(u8::to_string);
                    std::iter::once(first).chain(rest).collect()
                })
                .collect();
            let repeated: Vec<&Vec<String>> = rows.iter().cycle().take(if wide { rows.len() } else { 90 }).collect();
            let cells: Vec<Vec<&str>> = repeated.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
            let table = Table::from_rows(&["a", "b", "c", "s"], &cells);
            let dataset = Dataset::of_table(table, &["a", "b", "c"], "s").unwrap();
            let microdata = dataset.microdata().unwrap();
            let number = microdata.rows();
            let group_of: Vec<u32> = (0..number as u32).map(|row| row % groups.min(number as u32)).collect();
            let buckets = Buckets::from_groups(microdata, group_of);
            let release = Release::Buckets(buckets.clone());
            let mut answers = release.counts(&dataset).unwrap();
            let workload = Workload::new(microdata, &QueryErrorParameters { queries: 1, dim: 2, sel: 1.0 }).unwrap();
            let mut rng = Seed(seed).stream("queries", &());
            let mut found = Vec::new();
            for _ in 0..20 {
                let query = workload.draw(&mut rng);
                let counter = Counter::new(microdata, &query.attributes(), together);
                let true_count = counter.count(&query, &mut found);
                let (mut expected_count, mut expected_answer) = (0, 0.0);
                for row in 0..number {
                    if !query.quasi.iter().all(|p| p.values.contains(&microdata.quasi_codes(p.attribute)[row])) {
                        continue;
                    }
                    expected_count += u64::from(query.sensitive[microdata.sensitive_codes()[row] as usize]);
                    let group = &buckets.sensitive[buckets.group_of[row] as usize];
                    let size: u32 = group.iter().map(|&(_, count)| count).sum();
                    let admitted: u32 =
                        group.iter().filter(|&&(s, _)| query.sensitive[s as usize]).map(|&(_, count)| count).sum();
                    expected_answer += f64::from(admitted) / f64::from(size);
                }
                prop_assert_eq!(true_count, expected_count);
                prop_assert!((answers.count(&query.over(counter.records(&found))) - expected_answer).abs() < 1e-9);
            }
        }

        /// Drawing in batches asks the queries, and counts the redraws, of drawing one by one.
        #[test]
        fn batches_ask_the_same_queries(
            rows in prop::collection::vec([0u8..6, 0u8..6, 0u8..9, 0u8..5], 1..12),
            queries in 1usize..40,
            seed in any::<u64>(),
        ) {
            let dataset = dataset(&rows);
            let microdata = dataset.microdata().unwrap();
            let parameters = QueryErrorParameters { queries, dim: 2, sel: 1.0 };
            let asked = Asked::draw(microdata, &parameters, &mut Seed(seed).stream("queries", &())).unwrap();
            let workload = Workload::new(microdata, &parameters).unwrap();
            let mut rng = Seed(seed).stream("queries", &());
            let (mut one_by_one, mut redraws) = (Vec::new(), 0);
            while one_by_one.len() < queries {
                let query = workload.draw(&mut rng);
                match true_counts(std::slice::from_ref(&query), microdata)[0] {
                    0 => redraws += 1,
                    count => one_by_one.push((query.quasi.clone(), query.sensitive, count)),
                }
            }
            let asked_for: Vec<_> =
                asked.queries.into_iter().map(|(query, count)| (query.quasi, query.sensitive, count)).collect();
            prop_assert_eq!(asked_for, one_by_one);
            prop_assert_eq!(asked.redraws, redraws);
        }
    }
}
