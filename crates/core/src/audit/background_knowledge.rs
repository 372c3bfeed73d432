//! The background-knowledge attack on groups of tuples: T. Li, N. Li, "Injector", ICDE 2008, Section VI-A (Figure 4).
//!
//! The adversary knows the negative rules that can be mined from the original. Simple elimination strikes out the values
//! of a tuple's group that a rule forbids it; by matching she also uses that the group's values belong to its tuples one
//! to one (Definition 1), which never leaves more. A tuple with fewer than ℓ values left is vulnerable.
//!
//! Cost. Mining the rules, then per group a matching between its kinds of tuples and its values.

use crate::data::InputKind;
use crate::lab::{Foremost, LabError, Metric, Observation, Witness, Workbench, with_defaults};
use crate::matching::{TupleKind, valid_values};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::mining::{Incompatibilities, NegativeRuleParameters, NegativeRules};
use crate::release::{Groups, ReleaseKind};

/// An adversary who knows negative rules: what remains possible for each row once they are applied to its group.
pub struct BackgroundKnowledge;

with_defaults! {
    /// What the adversary is assumed to know.
    pub struct BackgroundKnowledgeParameters {
        /// ℓ: a tuple with fewer possible values is vulnerable.
        #[schemars(range(min = 2))]
        pub l: usize = 6,
        /// List how many values each row can have, by its number: for worked examples.
        pub each_row: bool = false,
        /// What the adversary knows.
        #[serde(flatten)]
        pub rules: NegativeRuleParameters,
    }
}

const VULNERABLE: Metric =
    Metric::lower("vulnerable_tuples", "tuples", "tuples with fewer than ℓ valid values in their group, by matching")
        .relative_to_guarantee();
const BY_ELIMINATION: Metric = Metric::lower(
    "vulnerable_tuples_elimination",
    "tuples",
    "tuples with fewer than ℓ values of their group left when those the rules forbid are struck out",
)
.relative_to_guarantee();
const FEWEST: Metric =
    Metric::higher("fewest_possible_values", "values", "valid values of the tuple that has the fewest, by matching");
const POSSIBLE: Metric =
    Metric::higher("possible_values", "values", "valid values of each row, by matching, when `each_row` asks for it");
const RULES: Metric = Metric::fact("known_rules", "rules", "negative rules the adversary knows");

impl Measure for BackgroundKnowledge {
    type Parameters = BackgroundKnowledgeParameters;
    const NAME: &'static str = "background-knowledge";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "Tuples exposed to an adversary who knows the negative rules of the data",
        paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008, Section VI-A",
        input: InputKind::Table,
        releases: ReleaseKind::TELLING_GROUPS,
        metrics: &[VULNERABLE, BY_ELIMINATION, FEWEST, RULES, POSSIBLE],
    };

    /// ℓ, and what decides which rules there are to know; Injector guarantees both.
    const OF_GUARANTEE: &'static [&'static str] =
        &["l", "min_exp", "min_conf", "rule_length", "generalized", "quantitative", "fuzzy_reach"];

    fn measure(subject: Subject<'_>, parameters: &BackgroundKnowledgeParameters, bench: &mut Workbench) -> Observed {
        let groups = subject.release()?.groups(subject.original)?;
        let microdata = subject.original.microdata()?;
        let rules = NegativeRules::mine(microdata, &parameters.rules)?;
        let incompatible = rules.incompatibilities();
        let domain = microdata.table.columns[microdata.sensitive].cardinality();
        let (mut vulnerable, mut by_elimination, mut fewest) = (0, 0, usize::MAX);
        // By the values left, then by those that the rules alone leave: the simpler case first.
        let mut exposed: Foremost<(usize, usize), Exposed> = Foremost::new(Witness::MOST);
        let mut possible = vec![0; if parameters.each_row { microdata.rows() } else { 0 }];
        let rows = groups.rows_in_order();
        let mut sets = Vec::new();
        for (group, rows) in groups.runs(&rows) {
            let values = groups.values(group);
            let kinds = kinds(&incompatible, rows, &mut sets);
            let valid = valid_values(domain, &kinds, values).ok_or_else(|| {
                LabError::input(format!("the sensitive values of {} are not those of its rows", groups.name(group)))
            })?;
            if parameters.each_row {
                for row in rows.iter().map(|&row| row as usize) {
                    let own = incompatible.of(row);
                    let kind = kinds.iter().position(|kind| kind.cannot_take == own);
                    possible[row] = kind.map_or(0, |kind| valid[kind].len());
                }
            }
            for (kind, valid) in kinds.iter().zip(valid) {
                let left = values.iter().filter(|&&(value, _)| !kind.cannot_take.contains(value)).count();
                if left < parameters.l {
                    by_elimination += kind.tuples;
                }
                if valid.len() < parameters.l {
                    vulnerable += kind.tuples;
                }
                fewest = fewest.min(valid.len());
                exposed.offer((valid.len(), left), || Exposed {
                    row: (rows.iter().map(|&row| row as usize))
                        .find(|&row| incompatible.of(row) == kind.cannot_take)
                        .unwrap_or(rows[0] as usize),
                    group,
                    left: valid.iter().collect(),
                });
            }
        }
        bench.attach("negative-rules.csv", || rules.to_csv());
        bench.witness(|| {
            let mut witnesses = Vec::new();
            for (number, ((left, _), exposed)) in exposed.into_cases().enumerate() {
                if left < parameters.l {
                    witnesses.push(exposed.witness(&VULNERABLE, &rules, &groups).against(parameters.l as f64));
                }
                if number == 0 {
                    witnesses.push(exposed.witness(&FEWEST, &rules, &groups));
                }
            }
            witnesses
        });
        let mut observed = vec![
            Observation::new(&VULNERABLE, f64::from(vulnerable)),
            Observation::new(&BY_ELIMINATION, f64::from(by_elimination)),
            Observation::new(&FEWEST, fewest as f64),
            Observation::new(&RULES, rules.rules.len() as f64),
        ];
        observed.extend((1..).zip(possible).map(|(row, values)| Observation::at(&POSSIBLE, row, values as f64)));
        Ok(observed)
    }
}

/// A row that the rules leave few values. Of rows that cannot take the same, the first of their group.
struct Exposed {
    row: usize,
    group: usize,
    left: Vec<u32>,
}

impl Exposed {
    fn witness(&self, metric: &Metric, rules: &NegativeRules<'_>, groups: &Groups<'_>) -> Witness {
        let Self { row, group, left } = self;
        let (group, values) = (groups.name(*group), groups.values(*group));
        let values: Vec<u32> = values.iter().map(|&(value, _)| value).collect();
        let names = rules.names(left);
        let says = format!("row {} of {group} can only have {}", row + 1, names.join(" or "));
        Witness::of_metric(metric, says)
            .row(*row)
            .group(group)
            .by(rules.why_left(*row, &values, left))
            .number(left.len() as f64)
            .left(names)
    }
}

/// The tuples of a group by what they cannot take; `sets` is scratch space.
fn kinds<'a>(incompatible: &'a Incompatibilities, rows: &[u32], sets: &mut Vec<u32>) -> Vec<TupleKind<'a>> {
    sets.clear();
    sets.extend(rows.iter().map(|&row| incompatible.set_of(row as usize)));
    sets.sort_unstable();
    let kind = |run: &[u32]| {
        let cannot_take = &incompatible.sets()[run[0] as usize];
        TupleKind { cannot_take, tuples: run.len() as u32 }
    };
    sets.chunk_by(|a, b| a == b).map(kind).collect()
}
