//! Injector: T. Li, N. Li, "Injector: Mining Background Knowledge for Data Anonymization", ICDE 2008, Sections IV and V.
//!
//! What an adversary could mine from the table (negative rules) says which values each tuple cannot take; tuples are then
//! put into groups in which every one keeps at least ℓ valid values (matching ℓ-diversity).
//!
//! Three publishers. `injector` follows Figure 2 to the letter, where the letter says something. Its line 13 prefers the
//! tuple that is least in the way of others, which leaves the frequent values over: they pile up in the residue and make
//! its groups grow. `injector-balanced` applies lines 3 and 13 only among tuples of one value, the one furthest behind the
//! pace at which all values are used up together (the largest part of it is left, by Webster's method), and breaks ties
//! of line 13 in favour of tuples with more incompatible values. So hardly a tuple is left over, and every part of the
//! table is mixed with all values in their proportions. Residue and promise are the same. `even-pace` is
//! `injector-balanced` without rules: the control that shows what the even pace is worth and what the knowledge.
//!
//! Readings.
//! - Tuples with the same value s and incompatibility set S' are interchangeable. Ties in lines 3 and 13 go to the smaller
//!   s (by code), then to the smaller S' (as a binary number, value 0 being the lowest digit), then to the first row; or, with
//!   `ties: rows`, to the first row whatever its value.
//! - Lines 8 to 11: the seed goes to T_r, the other tuples of g go back to T and into the counts.
//! - Line 18 takes T_r in the order of s, S' and row. Line 19: ties go to the smaller group, then to the older one; line 22
//!   likewise. Line 22 with no other group left: all of T_r joins g, so that the table is one group.
//! - Groups that keep the promise still keep it when merged. So it can be kept exactly when the whole table as one group
//!   keeps it, which is checked first. A value may be in more than 1/ℓ of the rows, where Anatomy refuses: the paper asks
//!   for ℓ valid values, not for how often they occur.
//!
//! Cost, with q classes (s, S') and n rows. Mining: see `mining::negative`. A group costs O(q) for its seed and a fraction
//! of that for each member; the paper scans all tuples, O(q·n²) in all. The residue costs a pass over the groups for each
//! of its classes and O(log n) for each of its tuples. All in all O(q·n), up to the logarithm.

mod classes;
mod counts;
mod grouping;
mod residue;

use super::{About, Publisher};
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Workbench, with_defaults};
use crate::matching::{TupleKind, valid_values};
use crate::mining::{Incompatibilities, NegativeRuleParameters, NegativeRules};
use crate::release::{Buckets, Guarantee, Release, ReleaseKind, check_eligible};
use classes::TupleClasses;
pub use grouping::Ties;
use grouping::{Choice, form_groups};
use residue::place;

pub struct Injector;
pub struct InjectorBalanced;
pub struct EvenPace;

with_defaults! {
    pub struct AsPrintedParameters {
        /// ℓ: the number of sensitive values every tuple must be able to have, for an adversary who knows the rules.
        #[schemars(range(min = 2))]
        pub l: usize = 6,
        /// Which of equally good tuples joins a group.
        pub ties: Ties = Ties::Values,
        /// What the adversary knows.
        #[serde(flatten)]
        pub rules: NegativeRuleParameters,
    }
}

with_defaults! {
    pub struct InjectorParameters {
        /// ℓ: the number of sensitive values every tuple must be able to have, for an adversary who knows the rules.
        #[schemars(range(min = 2))]
        pub l: usize = 6,
        /// What the adversary knows.
        #[serde(flatten)]
        pub rules: NegativeRuleParameters,
    }
}

with_defaults! {
    pub struct ControlParameters {
        /// ℓ: the number of distinct sensitive values every group must have.
        #[schemars(range(min = 2))]
        pub l: usize = 6,
    }
}

const RULES: Metric = Metric::fact("rules", "rules", "negative rules mined");
const CLASSES: Metric = Metric::fact(
    "tuple_classes",
    "classes",
    "classes of tuples with the same sensitive value and the same impossible values",
);
const GROUPS: Metric = Metric::fact("groups", "groups", "groups published");
const RESIDUAL: Metric =
    Metric::lower("residual_tuples", "tuples", "tuples left over when no more groups could be formed");
const MERGED: Metric =
    Metric::lower("merged_groups", "groups", "groups merged into others to make residual tuples safe");
const LARGEST: Metric = Metric::lower("largest_group", "tuples", "tuples in the largest group");

const ABOUT: About = About {
    summary: "Groups whose tuples keep ℓ possible values against an adversary who mined the data for negative rules",
    paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008",
    input: InputKind::Table,
    release: ReleaseKind::Buckets,
    counters: &[RULES, CLASSES, GROUPS, RESIDUAL, MERGED, LARGEST],
    phases: &["mining", "bucketization"],
    randomized: false,
};

impl Publisher for Injector {
    type Parameters = AsPrintedParameters;
    const NAME: &'static str = "injector";
    const ABOUT: About = ABOUT;

    fn guarantee(parameters: &AsPrintedParameters) -> Guarantee {
        Guarantee::MatchingDiversity { l: parameters.l, rules: parameters.rules.clone() }
    }

    fn publish(
        dataset: &Dataset,
        parameters: &AsPrintedParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        publish(dataset, parameters.l, Some(&parameters.rules), Choice::AsPrinted(parameters.ties), bench)
    }
}

impl Publisher for InjectorBalanced {
    type Parameters = InjectorParameters;
    const NAME: &'static str = "injector-balanced";
    const ABOUT: About = About {
        summary: "Injector that uses up all sensitive values at an even pace, so that few tuples are left over",
        ..ABOUT
    };

    fn guarantee(parameters: &InjectorParameters) -> Guarantee {
        Guarantee::MatchingDiversity { l: parameters.l, rules: parameters.rules.clone() }
    }

    fn publish(dataset: &Dataset, parameters: &InjectorParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        publish(dataset, parameters.l, Some(&parameters.rules), Choice::EvenPace, bench)
    }
}

impl Publisher for EvenPace {
    type Parameters = ControlParameters;
    const NAME: &'static str = "even-pace";
    const ABOUT: About = About {
        summary: "Groups of ℓ different values, all values used up at an even pace: injector-balanced without its rules",
        paper: "",
        ..ABOUT
    };

    fn guarantee(parameters: &ControlParameters) -> Guarantee {
        Guarantee::DistinctValues { l: parameters.l }
    }

    fn publish(dataset: &Dataset, parameters: &ControlParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        publish(dataset, parameters.l, None, Choice::EvenPace, bench)
    }
}

/// Without rules, whatever is different is compatible.
fn publish(
    dataset: &Dataset,
    l: usize,
    rules: Option<&NegativeRuleParameters>,
    choice: Choice,
    bench: &mut Workbench,
) -> Result<Release, LabError> {
    let microdata = dataset.microdata()?;
    if l < 2 {
        return Err(LabError::input(format!("`l` must be at least 2, not {l}")));
    }
    match rules {
        // The control is compared with Anatomy, and serves the same tables.
        None => check_eligible(microdata, l)?,
        Some(_) if microdata.rows() == 0 => return Err(LabError::input("the table has no rows")),
        Some(_) => {}
    }
    let incompatible = bench.phase("mining", |bench| {
        let Some(rules) = rules else { return Ok(Incompatibilities::none(microdata)) };
        let rules = NegativeRules::mine(microdata, rules)?;
        bench.count(RULES.name, rules.rules.len() as f64);
        Ok::<_, LabError>(rules.incompatibilities())
    })?;
    bench.phase("bucketization", |bench| {
        check_reachable(microdata, &incompatible, l)?;
        let classes = TupleClasses::new(microdata, &incompatible);
        bench.count(CLASSES.name, classes.classes.len() as f64);
        let grouping = form_groups(&classes, l, choice);
        bench.count(RESIDUAL.name, grouping.residue.iter().map(Vec::len).sum::<usize>() as f64);
        let placement = place(&classes, grouping, l);
        bench.count(GROUPS.name, placement.groups.len() as f64);
        bench.count(MERGED.name, placement.merged as f64);
        bench.count(LARGEST.name, placement.groups.iter().map(Vec::len).max().unwrap_or(0) as f64);
        let mut group_of = vec![0; microdata.rows()];
        for (group, members) in placement.groups.iter().enumerate() {
            for member in members {
                group_of[member.row as usize] = group as u32;
            }
        }
        Ok(Release::Buckets(Buckets::from_groups(microdata, group_of)))
    })
}

/// Matching ℓ-diversity is within reach exactly when the whole table as one group has it.
fn check_reachable(microdata: &Microdata, incompatible: &Incompatibilities, l: usize) -> Result<(), LabError> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut tuples = vec![0; incompatible.sets().len()];
    for row in 0..microdata.rows() {
        tuples[incompatible.set_of(row) as usize] += 1;
    }
    let kinds: Vec<TupleKind<'_>> =
        incompatible.sets().iter().zip(tuples).map(|(cannot_take, tuples)| TupleKind { cannot_take, tuples }).collect();
    let values: Vec<(u32, u32)> = (0..).zip(sensitive.histogram().into_iter().map(|count| count as u32)).collect();
    let valid = valid_values(sensitive.cardinality(), &kinds, &values)
        .expect("what a row has is never incompatible with it, so the true values are an assignment");
    let exposed = (0..microdata.rows()).find(|&row| valid[incompatible.set_of(row) as usize].len() < l);
    let Some(row) = exposed else { return Ok(()) };
    let possible: Vec<&str> = valid[incompatible.set_of(row) as usize]
        .iter()
        .map(|value| sensitive.values[value as usize].as_str())
        .collect();
    Err(LabError::unreachable(format!(
        "matching {l}-diversity cannot be reached: even among all rows, the rules leave row {} only {} possible values of {} ({})",
        row + 1,
        possible.len(),
        sensitive.name,
        possible.join(", ")
    )))
}
