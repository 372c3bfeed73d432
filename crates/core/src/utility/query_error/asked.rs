//! The queries that are asked, and their true counts.

use super::counting::Counter;
use super::orders::Orders;
use super::parameters::QueryErrorParameters;
use super::workload::{Query, Workload, by_attributes};
use crate::lab::{LabError, Workbench};
use rand::Rng;

/// Draws per wanted query before the workload is given up as one with hardly a positive count in it.
const DRAWS_PER_QUERY: usize = 10_000;

/// True counts of fewer rows than this, over all queries, are found sooner than they are read.
const WORTH_SHARING: usize = 200_000_000;

/// The queries of a workload that count anything, with their true counts.
pub(super) struct AskedQueries {
    pub queries: Vec<(Query, u64)>,
    /// How many others were drawn on the way.
    pub redraws: usize,
    /// The true count of every query, in the order they were drawn, up to the last one asked.
    pub counts: Vec<u64>,
}

impl AskedQueries {
    /// The true counts depend on data and workload alone: whatever the release, those that another cell found serve.
    pub fn shared(orders: &Orders, parameters: &QueryErrorParameters, bench: &Workbench) -> Result<Self, LabError> {
        let (rows, queries) = (orders.microdata.rows(), parameters.queries);
        let shared = match rows.saturating_mul(queries) >= WORTH_SHARING {
            true => bench.shared_numbers("true counts", parameters),
            false => None,
        };
        if let Some(counts) = shared.as_ref().and_then(|shared| shared.read())
            && let Some(asked) = Self::counted(orders, parameters, &mut bench.rng("queries"), counts)?
        {
            return Ok(asked);
        }
        let asked = Self::draw(orders, parameters, &mut bench.rng("queries"))?;
        if let Some(shared) = shared {
            shared.keep(&format!("true counts of {queries} queries over {rows} rows"), &asked.counts);
        }
        Ok(asked)
    }

    /// The queries that have these counts, in the order they are drawn; None where that is not the wanted number of queries.
    pub fn counted(
        orders: &Orders,
        parameters: &QueryErrorParameters,
        rng: &mut impl Rng,
        counts: Vec<u64>,
    ) -> Result<Option<Self>, LabError> {
        let workload = Workload::new(orders.microdata, parameters)?;
        let drawn = counts.iter().map(|&count| (workload.draw(rng), count));
        let queries: Vec<(Query, u64)> = drawn.filter(|&(_, count)| count > 0).collect();
        let is_whole = queries.len() == parameters.queries && counts.last().is_some_and(|&count| count > 0);
        Ok(is_whole.then(|| Self { redraws: counts.len() - queries.len(), queries, counts }))
    }

    /// Draws until there are as many as wanted. Queries are drawn in batches, so that those on the same attributes are counted
    /// together; what is drawn beyond the last one wanted is as if it never was.
    pub fn draw(orders: &Orders, parameters: &QueryErrorParameters, rng: &mut impl Rng) -> Result<Self, LabError> {
        let workload = Workload::new(orders.microdata, parameters)?;
        let wanted = parameters.queries;
        let most_redraws = wanted.saturating_mul(DRAWS_PER_QUERY);
        let (mut queries, mut drawn, mut last) = (Vec::new(), 0, 0);
        let mut all = Vec::new();
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
            let counts = true_counts(&batch, orders);
            all.extend_from_slice(&counts);
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
        all.truncate(last);
        Ok(Self { queries, redraws: last - wanted, counts: all })
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

pub(super) fn true_counts(queries: &[Query], orders: &Orders) -> Vec<u64> {
    let mut counts = vec![0; queries.len()];
    for (attributes, places) in by_attributes(queries.iter()) {
        let counter = Counter::new(orders, &attributes, places.len());
        for place in places {
            counts[place] = counter.count(&queries[place]);
        }
    }
    counts
}
