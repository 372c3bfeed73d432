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
//! them (`counting`); the records that an answer needs are found a block of rows at a time (`selecting`, `lanes`); an answer then
//! costs what the kind of release says.

mod asked;
mod attached;
mod counting;
mod lanes;
mod orders;
mod parameters;
mod selecting;
#[cfg(test)]
mod tests;
mod workload;

use crate::data::{InputKind, Microdata};
use crate::lab::{Foremost, Metric, Observation, Witness, Workbench, concise, counted};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::{Counts, Records, ReleaseKind};
use asked::AskedQueries;
use orders::Orders;
pub use parameters::QueryErrorParameters;
use selecting::Selector;
use workload::by_attributes;

/// The error of counting queries over quasi-identifiers and the sensitive attribute.
pub struct QueryError;

const MEAN: Metric =
    Metric::lower("mean_relative_error", "%", "mean over the queries of |answer − true count| / true count");
const MEDIAN: Metric =
    Metric::lower("median_relative_error", "%", "median over the queries of |answer − true count| / true count");
const P95: Metric =
    Metric::lower("p95_relative_error", "%", "95th percentile over the queries of |answer − true count| / true count");
const SIGNED: Metric = Metric::fact(
    "mean_signed_error",
    "%",
    "mean over the queries of (answer − true count) / true count: below 0 where answers are too small",
);
const REDRAWS: Metric =
    Metric::fact("redraws", "queries", "queries thrown away because their true count was 0").diagnostic();

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

    fn measure(subject: Subject<'_>, parameters: &QueryErrorParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let mut answers = subject.release()?.counts(subject.original)?;
        let orders = Orders::new(microdata);
        let asked = AskedQueries::shared(&orders, parameters, bench)?;
        let signed = errors(&asked, &orders, answers.as_mut(), bench);
        bench.attach(attached::FILE, || attached::queries(microdata, &asked, &signed));
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

/// The signed relative error of each answer, in per cent.
fn errors(asked: &AskedQueries, orders: &Orders, answers: &mut dyn Counts, bench: &Workbench) -> Vec<f64> {
    let mut errors = vec![0.0; asked.queries.len()];
    let (mut found, mut answered) = (Vec::new(), 0);
    for (attributes, places) in by_attributes(asked.queries.iter().map(|(query, _)| query)) {
        let selector = answers.needs_records().then(|| Selector::new(orders, &attributes, places.len()));
        for place in places {
            let (query, count) = &asked.queries[place];
            let records =
                selector.as_ref().map_or(Records::Listed(&[]), |selector| selector.records(query, &mut found));
            errors[place] = (answers.count(&query.over(records)) - *count as f64) / *count as f64 * 100.0;
            answered += 1;
            bench.reached(answered, errors.len());
        }
    }
    errors
}

/// The queries with the largest errors.
fn worst_queries(asked: &AskedQueries, microdata: &Microdata, errors: &[f64]) -> Vec<Witness> {
    let mut worst: Foremost<f64, usize> = Foremost::new(Witness::MOST);
    errors.iter().enumerate().for_each(|(place, error)| worst.offer(-error.abs(), || place));
    let witness = |(_, place): (f64, usize)| {
        let (query, count) = &asked.queries[place];
        let answer = *count as f64 * (1.0 + errors[place] / 100.0);
        let says = format!(
            "a query for {} is answered with {}: {} % off",
            counted(count, "row"),
            concise(answer),
            concise(errors[place].abs())
        );
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
