//! `consecutive`: groups of rows that follow each other. A complete publisher, as `docs/adding-an-algorithm.md` shows it.
//!
//! Readings. None: the algorithm was made up for that page. Cost. n·log ℓ for n rows: each group is sorted.

use anonlab::data::{Dataset, InputKind};
use anonlab::lab::{LabError, Metric, Workbench, with_defaults};
use anonlab::publish::{About, Publisher};
use anonlab::release::{Buckets, Guarantee, Release, ReleaseKind};

pub struct Consecutive;

with_defaults! {
    /// Documentation, defaults and bounds are defined only here: `algorithms show`, the schema of specs and every error
    /// message take them from this struct.
    pub struct ConsecutiveParameters {
        /// ℓ: the number of distinct sensitive values every group must have.
        #[schemars(range(min = 2))]
        pub l: usize = 2,
    }
}

const GROUPS: Metric = Metric::fact("groups", "groups", "groups formed");

impl Publisher for Consecutive {
    type Parameters = ConsecutiveParameters;
    const NAME: &'static str = "consecutive";
    const ABOUT: About = About {
        summary: "Rows in their order, a new group as soon as ℓ different values are together",
        paper: "docs/adding-an-algorithm.md",
        input: InputKind::Table,
        release: ReleaseKind::Buckets,
        counters: &[GROUPS],
        phases: &["grouping"],
        randomized: false,
    };

    /// It follows from the parameters alone; the verifier holds the release to it.
    fn guarantee(parameters: &ConsecutiveParameters) -> Guarantee {
        Guarantee::Diversity { l: parameters.l }
    }

    fn publish(
        dataset: &Dataset,
        parameters: &ConsecutiveParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let group_of = bench.phase("grouping", |_| form_groups(microdata.sensitive_codes(), parameters.l))?;
        let buckets = Buckets::from_groups(microdata, group_of);
        bench.count(GROUPS.name, buckets.groups() as f64);
        Ok(Release::Buckets(buckets))
    }
}

/// A group is closed when ℓ different values are in it, each once. What does not fit has no group to go to.
fn form_groups(values: &[u32], l: usize) -> Result<Vec<u32>, LabError> {
    let mut group_of = Vec::with_capacity(values.len());
    for (group, rows) in (0..).zip(values.chunks(l)) {
        let mut distinct = rows.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < l {
            let first = group as usize * l + 1;
            let message = format!("from row {first} on, {} rows have fewer than {l} different values", rows.len());
            return Err(LabError::unreachable(message));
        }
        group_of.extend(rows.iter().map(|_| group));
    }
    Ok(group_of)
}
