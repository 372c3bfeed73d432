//! How far a generalized table or buckets keep each guarantee, whatever they were made for: the largest k and ℓ, the smallest α, t,
//! β and δ. A group of buckets counts as a class.

use crate::data::{Dataset, InputKind, SensitiveAttribute};
use crate::lab::{
    Better, Foremost, LabError, Metric, Observation, Witness, Workbench, concise, counted, with_defaults,
};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::generalized_table::{
    ClassGroup, ClassWitnesses, Classes, Conventions, Distance, Fraction, Overall, Star, Suppressed, SuppressedIf,
    alpha, basic_beta, closeness, delta, distinct_values, enhanced_beta, entropy_diversity, recursive_c,
    smallest_class,
};
use crate::release::{Release, ReleaseKind};

/// What a generalized table reaches of every privacy model: k, ℓ in its forms, t, β, δ, α.
pub struct ReachedPrivacy;

with_defaults! {
    pub struct ReachedPrivacyParameters {
        /// The ℓ for which the c of recursive (c, ℓ)-diversity is told.
        #[schemars(range(min = 1))]
        pub l: usize = 2,
        /// What a star means.
        pub star: Star = Conventions::default().star,
        /// What suppressed rows count as.
        pub suppressed: Suppressed = Conventions::default().suppressed,
        /// Which rows are suppressed.
        pub suppressed_if: SuppressedIf = Conventions::default().suppressed_if,
    }
}

const K: Metric = Metric::higher("reached_k", "rows", "rows of the smallest class");
const DISTINCT: Metric =
    Metric::higher("reached_l", "values", "distinct ℓ: sensitive values of the class with the fewest");
const ENTROPY: Metric =
    Metric::higher("reached_entropy_l", "values", "entropy ℓ: e to the smallest entropy of a class");
const RECURSIVE: Metric = Metric::lower(
    "reached_recursive_c",
    "",
    "the c above which recursive (c, ℓ)-diversity holds; infinite where a class has fewer than ℓ values",
);
const ALPHA: Metric = Metric::lower("reached_alpha", "", "the largest share of a sensitive value in a class");
const EQUAL: Metric = Metric::lower("reached_t", "", "t by the equal distance");
const ORDERED: Metric = Metric::lower("reached_t_ordered", "", "t by the ordered distance");
const HIERARCHICAL: Metric = Metric::lower(
    "reached_t_hierarchical",
    "",
    "t by the hierarchical distance, where the sensitive attribute has a hierarchy",
);
const BETA: Metric = Metric::lower("reached_beta", "", "basic β: the largest (q − p) / p");
const ENHANCED: Metric = Metric::lower("reached_enhanced_beta", "", "enhanced β; infinite where no β will do");
const DELTA: Metric = Metric::lower(
    "reached_delta",
    "",
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

    fn measure(subject: Subject<'_>, parameters: &ReachedPrivacyParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let &ReachedPrivacyParameters { l, star, suppressed, suppressed_if } = parameters;
        let conventions = Conventions { star, suppressed, suppressed_if, suppression: 1.0 };
        let table = match subject.release {
            Some(Release::Buckets(_)) => None,
            _ => {
                let (_, table) = subject.table()?;
                Some((table, Classes::new(microdata, table, suppressed_if)))
            }
        };
        let groups = match &table {
            Some((table, classes)) => classes.groups(&table.sensitive, conventions),
            None => groups_of_buckets(subject.original, subject.release()?)?,
        };
        // What there is no class for, and what JSON cannot hold, has no row: a missing `reached_delta` is an infinite one.
        let mut observations: Vec<Observation> =
            smallest_class(&groups).map(|rows| Observation::new(&K, f64::from(rows))).into_iter().collect();
        for (i, attribute) in microdata.sensitive_attributes().iter().enumerate() {
            let groups = ClassGroup::of_attribute(&groups, attribute);
            let overall = Overall::of_original(microdata, attribute);
            bench.witness(|| {
                let with = |group: &ClassGroup, witness: Witness| match &table {
                    Some((table, classes)) => {
                        ClassWitnesses { microdata, table, classes, conventions }.of(attribute, group, witness)
                    }
                    None => witness.row(group.first_row as usize),
                };
                // The smallest class is the same for every attribute.
                let cases = worst_classes(&with, attribute, &groups, &overall);
                cases.into_iter().filter(move |case| i == 0 || case.of != K.name)
            });
            let told = |(metric, value): (&Metric, Option<f64>)| {
                let value = value.filter(|value| value.is_finite())?;
                Some(match attribute.is_one_of_several() {
                    true => Observation::at(metric, attribute.name, value),
                    false => Observation::new(metric, value),
                })
            };
            observations.extend(reached(&groups, &overall, l)?.into_iter().filter_map(told));
        }
        Ok(observations)
    }
}

/// What is reached of each guarantee about the values of one attribute.
fn reached(
    groups: &[ClassGroup],
    overall: &Overall<'_>,
    l: usize,
) -> Result<[(&'static Metric, Option<f64>); 10], LabError> {
    let number = |fraction: Option<Fraction>| fraction.map(Fraction::as_f64);
    let t = |distance| closeness(groups, overall, distance).map(number);
    Ok([
        (&DISTINCT, distinct_values(groups).map(|values| values as f64)),
        (&ENTROPY, entropy_diversity(groups)),
        (&RECURSIVE, recursive_c(groups, l).map(|c| c.map_or(f64::INFINITY, Fraction::as_f64))),
        (&ALPHA, number(alpha(groups))),
        (&EQUAL, t(Distance::Equal)?),
        (&ORDERED, t(Distance::Ordered)?),
        (&HIERARCHICAL, if overall.hierarchy.is_some() { t(Distance::Hierarchical)? } else { None }),
        (&BETA, number(basic_beta(groups, overall))),
        (&ENHANCED, enhanced_beta(groups, overall)),
        (&DELTA, delta(groups, overall)),
    ])
}

/// For each guarantee, the class that keeps it least, `with` what is known of it.
fn worst_classes(
    with: &dyn Fn(&ClassGroup, Witness) -> Witness,
    attribute: &SensitiveAttribute<'_>,
    groups: &[ClassGroup],
    overall: &Overall<'_>,
) -> Vec<Witness> {
    let of = attribute.in_words();
    let alone = std::slice::from_ref::<ClassGroup>;
    let share = |fraction: Option<Fraction>| fraction.map(Fraction::as_f64);
    let t = |group: &ClassGroup| closeness(alone(group), overall, Distance::Equal).ok().and_then(share);
    type Reached<'a> = &'a dyn Fn(&ClassGroup) -> Option<f64>;
    type InWords<'a> = &'a dyn Fn(f64) -> String;
    let reached: [(&Metric, Reached<'_>, InWords<'_>); 5] = [
        (&K, &|group| Some(f64::from(group.rows)), &|rows| counted(rows, "row")),
        (&DISTINCT, &|group| distinct_values(alone(group)).map(|values| values as f64), &|values| match values {
            1.0 => "a single sensitive value".to_string() + &of,
            _ => counted(values, "different sensitive value") + &of,
        }),
        (&ALPHA, &|group| share(alpha(alone(group))), &|share| {
            format!("{} as the largest share of a sensitive value{of}", concise(share))
        }),
        (&EQUAL, &t, &|t| format!("{} as its distance{of} from the whole table", concise(t))),
        (&BETA, &|group| share(basic_beta(alone(group), overall)), &|gain| {
            format!("{} as the largest gain (q − p) / p of a sensitive value{of}", concise(gain))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Content, SensitivePart, Table, combined};
    use crate::lab::Seed;
    use crate::release::generalized_table::GeneralizedTable;

    /// A metric's name, its place and its value.
    type Told = (String, Option<String>, f64);

    fn reached(dataset: &Dataset) -> (Vec<Told>, Vec<Witness>) {
        let table = Release::GeneralizedTable(GeneralizedTable::identity(dataset.microdata().unwrap()));
        let mut bench = Workbench::new(Seed(1), "test").wanting_witnesses(true);
        let seen = ReachedPrivacy::measure(Subject::of(dataset, &table), &Default::default(), &mut bench).unwrap();
        let told = seen.into_iter().map(|one| (one.metric.to_string(), one.at, one.value)).collect();
        (told, bench.witnesses().to_vec())
    }

    /// Of several attributes each is told as if it were the only one, under its name; k is told once.
    #[test]
    fn each_of_several_attributes_is_told_alone() {
        let town = Column::encode("town", &["a", "a", "a", "b", "b", "b"]);
        let ill = Column::encode("ill", &["flu", "cold", "flu", "cold", "cold", "flu"]);
        let pay = Column::encode("pay", &["1", "2", "3", "2", "2", "1"]);
        let both = combined(&[ill.clone(), pay.clone()]).unwrap();
        let table = Table::new(vec![town.clone(), both.clone()]);
        let mut several = Dataset::of_table(table, &["town"], "ill & pay").unwrap();
        let (combination, _) = reached(&several);
        if let Content::Table(microdata) = &mut several.content {
            microdata.sensitive_parts = [&ill, &pay].map(|part| SensitivePart::new(part, &both, None)).to_vec();
        }
        let alone = |attribute: &Column| {
            let table = Table::new(vec![town.clone(), attribute.clone()]);
            let (values, _) = reached(&Dataset::of_table(table, &["town"], &attribute.name).unwrap());
            let (k, others) = values.split_first().unwrap().to_owned();
            assert_eq!(k, &("reached_k".to_string(), None, 3.0));
            let named = |(metric, _, value): &Told| (metric.clone(), Some(attribute.name.clone()), *value);
            others.iter().map(named).collect::<Vec<_>>()
        };
        let (values, witnesses) = reached(&several);
        let expected = [vec![("reached_k".to_string(), None, 3.0)], alone(&ill), alone(&pay)].concat();
        assert_eq!(values, expected);
        assert!(values.contains(&("reached_l".to_string(), Some("pay".to_string()), 2.0)));
        assert!(combination.contains(&("reached_l".to_string(), None, 2.0)));
        let says: Vec<&str> = witnesses.iter().map(|witness| witness.says.as_str()).collect();
        assert_eq!(says.iter().filter(|says| says.ends_with("has 3 rows")).count(), 1);
        assert!(says.contains(&"the class of row 4 has 2 different sensitive values of `pay`"), "{says:?}");
    }
}
