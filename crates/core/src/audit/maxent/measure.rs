//! The measure `maximum-entropy`: states what is known, infers, and reads the answer.

use super::from_groups::state_groups;
use super::from_rules::{Reading, Sizes, UnitsOfProfiles, state_rules};
use super::infer::{Certificate, Failure, Inference, TOLERANCE, infer};
use super::knowledge::{Depth, Knowledge, Known};
use super::metrics::ALL;
use super::observations::Seen;
use super::posterior_table::{FILE, posterior_table};
use super::problem::{Contradiction, Problem, Statement};
use super::readings::Beliefs;
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, needed};
use crate::mining::Profiles;
use crate::release::{Release, ReleaseKind, rule_in_words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct MaximumEntropy;

/// What the adversary makes of patterns that were not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NonRules {
    /// They are no rules, which is knowledge too (NAR-constraints).
    Used,
    /// Nothing.
    Ignored,
    /// Infers both ways and reports the difference; all other metrics are those with non-rules used.
    Compared,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MaximumEntropyParameters {
    /// What the adversary makes of patterns that were not published.
    pub non_rules: NonRules,
    /// Leave out the constraints from unpublished patterns that others imply; the answer is the same.
    pub prune: bool,
    /// Round bounds to the next whole number of records they allow, as an adversary who counts people would.
    pub whole_counts: bool,
    /// What the adversary knows of the original beside the release.
    pub knowledge: Knowledge,
    /// The least support of the positive rules the adversary knows.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub knowledge_support: f64,
    /// The least confidence of the positive rules the adversary knows.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub knowledge_confidence: f64,
    /// The adversary knows how many records rules with exceptions have, not only that they reach support and confidence.
    pub knowledge_exact: bool,
    /// How expected a value must be that never occurs, for the adversary to know that it does not.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub knowledge_min_expectation: f64,
    /// How rare, among those it is expected of, such a value must be: 1 for values that never occur, less for values that
    /// all but the rest do not have.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub knowledge_min_confidence: f64,
    /// The K of means over the K largest and smallest divergences and the K largest differences.
    pub top: Vec<usize>,
    /// How many of the quasi-identifier values that unpublished patterns expose most are shown.
    pub shown: usize,
    /// The posterior from which on a value counts as determined.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub determined_at: f64,
    /// A value is disclosed when its posterior is this many times its prior.
    #[schemars(range(min = 1.0))]
    pub factor: f64,
    /// α: the largest posterior (α, k)-anonymity allows.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alpha: f64,
    /// k: the fewest individuals who look the same that (α, k)-anonymity allows.
    #[schemars(range(min = 1))]
    pub k: usize,
    /// Count the constraints and variables there would be without pruning (2ⁿ patterns for n quasi-identifiers).
    pub count_unpruned: bool,
    /// List the posterior of every value for every quasi-identifier value: for worked examples, not for Adult.
    pub posteriors: bool,
}

impl Default for MaximumEntropyParameters {
    fn default() -> Self {
        Self {
            non_rules: NonRules::Used,
            prune: true,
            whole_counts: false,
            knowledge: Knowledge::None,
            knowledge_support: 0.05,
            knowledge_confidence: 0.2,
            knowledge_exact: true,
            knowledge_min_expectation: 0.9,
            knowledge_min_confidence: 1.0,
            top: vec![1, 2, 5, 10, 20, 50, 100, 200, 500],
            shown: 10,
            determined_at: 0.95,
            factor: 2.0,
            alpha: 0.8,
            k: 2,
            count_unpruned: false,
            posteriors: false,
        }
    }
}

impl Measure for MaximumEntropy {
    type Parameters = MaximumEntropyParameters;
    const NAME: &'static str = "maximum-entropy";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "What an adversary who knows everybody's quasi-identifiers infers by maximum entropy",
        paper: "Z. Zhu, G. Wang, W. Du: Deriving Private Information from Association Rule Mining Results, ICDE 2009",
        input: InputKind::Table,
        releases: &[ReleaseKind::Rules, ReleaseKind::Buckets],
        metrics: ALL,
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &MaximumEntropyParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
        let release = needed(release)?;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows"));
        }
        let audit = Audit { original, microdata, release, parameters };
        let with = audit.infer(bench, parameters.non_rules != NonRules::Ignored, ["constraints", "solving"])?;
        let mut seen = Seen::default();
        seen.sizes(&with);
        seen.certificate(&with.inference.certificate);
        if parameters.count_unpruned {
            seen.unpruned(microdata, &with.profiles, with.beliefs.values);
        }
        if parameters.posteriors {
            seen.posteriors(microdata, &with);
        }
        let divergences = with.beliefs.divergences();
        seen.divergences(&with, &divergences, &parameters.top);
        seen.disclosures(&with.beliefs, parameters);
        if parameters.non_rules == NonRules::Compared {
            let phases = ["constraints_without_non_rules", "solving_without_non_rules"];
            let without = audit.infer(bench, false, phases)?;
            seen.comparison(&with, &without, &divergences, parameters);
        }
        bench.attach(FILE, || posterior_table(microdata, &with.profiles, &with.beliefs, &divergences));
        Ok(seen.observations)
    }
}

/// One inference and what it took.
pub struct Inferred {
    pub profiles: Profiles,
    pub beliefs: Beliefs,
    pub inference: Inference,
    pub sizes: Sizes,
    /// The variables in all constraints, each as often as it occurs.
    pub variables: u64,
}

struct Audit<'a> {
    original: &'a Dataset,
    microdata: &'a Microdata,
    release: &'a Release,
    parameters: &'a MaximumEntropyParameters,
}

impl Audit<'_> {
    fn infer(&self, bench: &mut Workbench, non_rules: bool, phases: [&str; 2]) -> Result<Inferred, LabError> {
        let stated = bench.phase(phases[0], |_| self.state(non_rules))?;
        let inference = bench.phase(phases[1], |_| infer(&stated.problem)).map_err(|failure| match failure {
            Failure::Contradictory(statements) => self.contradiction(&statements),
            Failure::Inexact(certificate) => inexact(&certificate),
        })?;
        let units = (&stated.problem.weights[..], &stated.profile_of[..]);
        let profiles = stated.profiles;
        let beliefs = Beliefs::new(self.microdata, &profiles, units, &inference.posterior, &inference.class_of);
        beliefs.check_truth_is_possible(self.microdata)?;
        Ok(Inferred { profiles, beliefs, inference, sizes: stated.sizes, variables: stated.variables })
    }

    /// What the adversary knows, as a problem.
    fn state(&self, non_rules: bool) -> Result<Stated, LabError> {
        let Self { microdata, release, parameters, .. } = self;
        let profiles = Profiles::new(microdata);
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let wrong = |Contradiction(statements)| self.contradiction(&statements);
        let (mut problem, units, profile_of, mut sizes, own_variables) = match release {
            Release::Rules(rules) => {
                let weights = profiles.sizes().iter().map(|&size| f64::from(size)).collect();
                let mut problem = Problem::new(weights, values);
                let reading = Reading { non_rules, prune: parameters.prune, whole_counts: parameters.whole_counts };
                let units = UnitsOfProfiles::Same;
                let sizes = state_rules(&mut problem, &profiles, &units, rules, reading).map_err(wrong)?;
                let profile_of = (0..profiles.len() as u32).collect();
                (problem, units, profile_of, sizes, 0)
            }
            other => {
                let groups = other.groups(self.original)?;
                let stated = state_groups(&profiles, values, &groups).map_err(wrong)?;
                (stated.problem, stated.units, stated.profile_of, Sizes::default(), stated.variables)
            }
        };
        let depth = Depth {
            kind: parameters.knowledge,
            support: parameters.knowledge_support,
            confidence: parameters.knowledge_confidence,
            exact: parameters.knowledge_exact,
            min_expectation: parameters.knowledge_min_expectation,
            min_confidence: parameters.knowledge_min_confidence,
        };
        let known = Known::new(microdata, &profiles, depth)?.state(&mut problem, &profiles, &units).map_err(wrong)?;
        sizes.ar_constraints += known.ar_constraints;
        sizes.ar_variables += known.ar_variables;
        let normalization = (problem.weights.len() * values) as u64;
        let variables = sizes.variables() + own_variables + normalization;
        Ok(Stated { problem, profiles, profile_of, sizes, variables })
    }

    fn contradiction(&self, statements: &[Statement]) -> LabError {
        const NAMED: usize = 10;
        let mut names: Vec<String> = statements.iter().take(NAMED).map(|s| self.in_words(s)).collect();
        if statements.len() > NAMED {
            names.push(format!("and {} more", statements.len() - NAMED));
        }
        LabError::input(format!("the release contradicts itself; these cannot all be true: {}", names.join("; ")))
    }

    fn in_words(&self, statement: &Statement) -> String {
        let microdata = self.microdata;
        let sensitive = &microdata.table.columns[microdata.sensitive];
        match statement {
            Statement::Rule { antecedent, consequent, counts } => {
                let rule = rule_in_words(microdata, antecedent, *consequent);
                match counts {
                    Some((covered, count)) => format!("{rule} ({count} of {covered} records)"),
                    None => rule,
                }
            }
            Statement::NonRule { antecedent, consequent } => {
                format!("{} is no rule", rule_in_words(microdata, antecedent, *consequent))
            }
            Statement::Sensitive { value } => {
                format!("the number of records with {} = {}", sensitive.name, sensitive.values[*value as usize])
            }
            Statement::Group { group, value } => {
                let value = &sensitive.values[*value as usize];
                format!("the number of records of group {group} with {} = {value}", sensitive.name)
            }
            Statement::Denied { value } => {
                format!("the negative rules against {} = {}", sensitive.name, sensitive.values[*value as usize])
            }
        }
    }
}

/// What the adversary knows, ready to be solved.
struct Stated {
    problem: Problem,
    profiles: Profiles,
    profile_of: Vec<u32>,
    sizes: Sizes,
    variables: u64,
}

fn inexact(certificate: &Certificate) -> LabError {
    let Certificate { residual, duality_gap, complementarity } = certificate;
    LabError::no_answer(format!(
        "the solver came no closer than residual {residual:.1e}, duality gap {duality_gap:.1e}, complementarity \
         {complementarity:.1e}; {TOLERANCE:.0e} is needed"
    ))
}
