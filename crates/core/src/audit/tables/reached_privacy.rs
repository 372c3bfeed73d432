//! How far a generalized table or buckets keep each guarantee, whatever they were made for: the largest k and ℓ, the smallest α, t,
//! β and δ. A group of buckets counts as a class.

use crate::data::{Dataset, InputKind};
use crate::lab::{Better, Foremost, LabError, Metric, Observation, Witness, Workbench, concise, counted};
use crate::measure::{About, Measure, MeasureKind, needed};
use crate::release::generalized_table::{
    ClassGroup, ClassWitnesses, Classes, Conventions, Distance, Fraction, GeneralizedTable, Overall, Star, Suppressed,
    SuppressedIf, alpha, basic_beta, closeness, delta, distinct_values, enhanced_beta, entropy_diversity, recursive_c,
    smallest_class,
};
use crate::release::{Release, ReleaseKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a generalized table reaches of every privacy model: k, ℓ in its forms, t, β, δ, α.
pub struct ReachedPrivacy;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReachedPrivacyParameters {
    /// The ℓ for which the c of recursive (c, ℓ)-diversity is told.
    #[schemars(range(min = 1))]
    pub l: usize,
    /// What a star means.
    pub star: Star,
    /// What suppressed rows count as.
    pub suppressed: Suppressed,
    /// Which rows are suppressed.
    pub suppressed_if: SuppressedIf,
}

impl Default for ReachedPrivacyParameters {
    fn default() -> Self {
        let Conventions { star, suppressed, suppressed_if, .. } = Conventions::default();
        Self { l: 2, star, suppressed, suppressed_if }
    }
}

const K: Metric = Metric::new("reached_k", "rows", Better::Higher, "rows of the smallest class");
const DISTINCT: Metric =
    Metric::new("reached_l", "values", Better::Higher, "distinct ℓ: sensitive values of the class with the fewest");
const ENTROPY: Metric =
    Metric::new("reached_entropy_l", "values", Better::Higher, "entropy ℓ: e to the smallest entropy of a class");
const RECURSIVE: Metric = Metric::new(
    "reached_recursive_c",
    "",
    Better::Lower,
    "the c above which recursive (c, ℓ)-diversity holds; infinite where a class has fewer than ℓ values",
);
const ALPHA: Metric =
    Metric::new("reached_alpha", "", Better::Lower, "the largest share of a sensitive value in a class");
const EQUAL: Metric = Metric::new("reached_t", "", Better::Lower, "t by the equal distance");
const ORDERED: Metric = Metric::new("reached_t_ordered", "", Better::Lower, "t by the ordered distance");
const HIERARCHICAL: Metric = Metric::new(
    "reached_t_hierarchical",
    "",
    Better::Lower,
    "t by the hierarchical distance, where the sensitive attribute has a hierarchy",
);
const BETA: Metric = Metric::new("reached_beta", "", Better::Lower, "basic β: the largest (q − p) / p");
const ENHANCED: Metric =
    Metric::new("reached_enhanced_beta", "", Better::Lower, "enhanced β; infinite where no β will do");
const DELTA: Metric = Metric::new(
    "reached_delta",
    "",
    Better::Lower,
    "the δ above which δ-disclosure privacy holds; infinite where a class lacks a value",
);

impl Measure for ReachedPrivacy {
    type Parameters = ReachedPrivacyParameters;
    const NAME: &'static str = "reached-privacy";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "The strongest guarantee of each kind that a generalized table or buckets keep",
        paper: "The papers of each guarantee; see docs/generalized-tables.md",
        input: InputKind::Table,
        releases: ReleaseKind::TELLING_GROUPS,
        metrics: &[K, DISTINCT, ENTROPY, RECURSIVE, ALPHA, EQUAL, ORDERED, HIERARCHICAL, BETA, ENHANCED, DELTA],
    };
    const OF_RELEASE_ALONE: bool = true;

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &ReachedPrivacyParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
        let &ReachedPrivacyParameters { l, star, suppressed, suppressed_if } = parameters;
        let conventions = Conventions { star, suppressed, suppressed_if, suppression: 1.0 };
        let table = match release {
            Some(Release::Buckets(_)) => None,
            release => {
                let table = GeneralizedTable::of_release(microdata, release)?;
                Some((table, Classes::new(microdata, table, suppressed_if)))
            }
        };
        let groups = match &table {
            Some((table, classes)) => classes.groups(&table.sensitive, conventions),
            None => groups_of_buckets(original, needed(release)?)?,
        };
        let overall = Overall::of_original(microdata);
        let number = |fraction: Option<Fraction>| fraction.map(Fraction::as_f64);
        let t = |distance| closeness(&groups, &overall, distance).map(number);
        let recursive = recursive_c(&groups, l).map(|c| c.map_or(f64::INFINITY, Fraction::as_f64));
        let hierarchical = if overall.hierarchy.is_some() { t(Distance::Hierarchical)? } else { None };
        bench.witness(|| {
            let with = |group: &ClassGroup, witness: Witness| match &table {
                Some((table, classes)) => {
                    ClassWitnesses { microdata, table, classes, conventions }.with(group, witness)
                }
                None => witness.row(group.first_row as usize),
            };
            worst_classes(&with, &groups, &overall)
        });
        let reached = [
            (&K, smallest_class(&groups).map(f64::from)),
            (&DISTINCT, distinct_values(&groups).map(|values| values as f64)),
            (&ENTROPY, entropy_diversity(&groups)),
            (&RECURSIVE, recursive),
            (&ALPHA, number(alpha(&groups))),
            (&EQUAL, t(Distance::Equal)?),
            (&ORDERED, t(Distance::Ordered)?),
            (&HIERARCHICAL, hierarchical),
            (&BETA, number(basic_beta(&groups, &overall))),
            (&ENHANCED, enhanced_beta(&groups, &overall)),
            (&DELTA, delta(&groups, &overall)),
        ];
        // What there is no class for, and what JSON cannot hold, has no row: a missing `reached_delta` is an infinite one.
        let told =
            |(metric, value): (&Metric, Option<f64>)| Some(Observation::new(metric, value.filter(|v| v.is_finite())?));
        Ok(reached.into_iter().filter_map(told).collect())
    }
}

/// For each guarantee, the class that keeps it least, `with` what is known of it.
fn worst_classes(
    with: &dyn Fn(&ClassGroup, Witness) -> Witness,
    groups: &[ClassGroup],
    overall: &Overall<'_>,
) -> Vec<Witness> {
    let alone = std::slice::from_ref::<ClassGroup>;
    let share = |fraction: Option<Fraction>| fraction.map(Fraction::as_f64);
    let t = |group: &ClassGroup| closeness(alone(group), overall, Distance::Equal).ok().and_then(share);
    type Reached<'a> = &'a dyn Fn(&ClassGroup) -> Option<f64>;
    type InWords<'a> = &'a dyn Fn(f64) -> String;
    let reached: [(&Metric, Reached<'_>, InWords<'_>); 5] = [
        (&K, &|group| Some(f64::from(group.rows)), &|rows| counted(rows, "row")),
        (&DISTINCT, &|group| distinct_values(alone(group)).map(|values| values as f64), &|values| {
            counted(values, "different sensitive value")
        }),
        (&ALPHA, &|group| share(alpha(alone(group))), &|share| {
            format!("{} as the largest share of a sensitive value", concise(share))
        }),
        (&EQUAL, &t, &|t| format!("{} as its distance from the whole table", concise(t))),
        (&BETA, &|group| share(basic_beta(alone(group), overall)), &|gain| {
            format!("{} as the largest gain (q − p) / p of a sensitive value", concise(gain))
        }),
    ];
    let mut witnesses = Vec::new();
    for (metric, reached, in_words) in reached {
        let mut worst: Foremost<f64, &ClassGroup> = Foremost::new(1);
        for group in groups {
            if let Some(value) = reached(group) {
                worst.offer(if metric.better == Better::Higher { value } else { -value }, || group);
            }
        }
        witnesses.extend(worst.into_cases().map(|(rank, group)| {
            let says = format!("the class of row {} has {}", group.first_row + 1, in_words(rank.abs()));
            with(group, Witness::of_metric(metric, says).number(rank.abs()))
        }));
    }
    witnesses
}

/// The groups of buckets, as if they were classes.
fn groups_of_buckets(original: &Dataset, release: &Release) -> Result<Vec<ClassGroup>, LabError> {
    let groups = release.groups(original)?;
    let mut first_rows = vec![None; groups.number()];
    for (&group, row) in groups.of_rows().iter().zip(0u32..) {
        first_rows[group as usize].get_or_insert(row);
    }
    let group = |(number, first_row): (usize, Option<u32>)| ClassGroup {
        rows: groups.size(number),
        values: groups.values(number).to_vec(),
        first_row: first_row.unwrap_or(0),
    };
    Ok(first_rows.into_iter().enumerate().map(group).collect())
}
