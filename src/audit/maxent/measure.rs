//! The measure `maximum-entropy`: states what is known, infers, and reads the answer.

use super::from_buckets::state_buckets;
use super::from_rules::{Reading, Sizes, UnitsOfProfiles, state_rules};
use super::infer::{Certificate, Failure, Inference, TOLERANCE, infer};
use super::knowledge::{Depth, Knowledge, state_knowledge};
use super::metrics as m;
use super::posterior_table::{FILE, posterior_table};
use super::problem::{Contradiction, Problem, Statement};
use super::readings::{Beliefs, mean_of_first};
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
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
    /// The adversary knows how many records these rules have, not only that they reach support and confidence.
    pub knowledge_exact: bool,
    /// How expected a value must be that never occurs, for the adversary to know that it does not.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub knowledge_min_expectation: f64,
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

/// The shares of the records at which individual divergences are shown.
const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

impl Measure for MaximumEntropy {
    type Parameters = MaximumEntropyParameters;
    const NAME: &'static str = "maximum-entropy";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "What an adversary who knows everybody's quasi-identifiers infers by maximum entropy",
        paper: "Z. Zhu, G. Wang, W. Du: Deriving Private Information from Association Rule Mining Results, ICDE 2009",
        input: InputKind::Table,
        releases: &[ReleaseKind::Rules, ReleaseKind::Buckets],
        metrics: m::ALL,
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &MaximumEntropyParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
        let release = release.ok_or_else(|| LabError::input("the maximum-entropy audit needs a release"))?;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows"));
        }
        let audit = Audit { microdata, release, parameters };
        let with = audit.infer(bench, parameters.non_rules != NonRules::Ignored, ["constraints", "solving"])?;
        let mut seen = Seen::default();
        seen.sizes(&with);
        seen.certificate(&with.inference.certificate);
        if parameters.count_unpruned {
            seen.unpruned(&with.profiles, with.beliefs.values);
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
struct Inferred {
    profiles: Profiles,
    beliefs: Beliefs,
    inference: Inference,
    sizes: Sizes,
    variables: u64,
}

struct Audit<'a> {
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
        let Self { microdata, release, parameters } = self;
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
            Release::Buckets(buckets) if buckets.group_of.len() == microdata.rows() => {
                let stated = state_buckets(&profiles, values, buckets).map_err(wrong)?;
                (stated.problem, stated.units, stated.profile_of, Sizes::default(), stated.variables)
            }
            Release::Buckets(buckets) => {
                let (found, rows) = (buckets.group_of.len(), microdata.rows());
                return Err(LabError::input(format!("the buckets hold {found} rows, the original has {rows}")));
            }
            other => {
                return Err(LabError::input(format!("the maximum-entropy audit cannot read {}", other.kind())));
            }
        };
        let depth = Depth {
            kind: parameters.knowledge,
            support: parameters.knowledge_support,
            confidence: parameters.knowledge_confidence,
            exact: parameters.knowledge_exact,
            min_expectation: parameters.knowledge_min_expectation,
        };
        let known = state_knowledge(&mut problem, microdata, &profiles, &units, depth).map_err(wrong)?;
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
            Statement::Bucket { group, value } => {
                let value = &sensitive.values[*value as usize];
                format!("the number of records of group {group} with {} = {value}", sensitive.name)
            }
            Statement::Never { condition, value } => {
                format!("{} never holds", rule_in_words(microdata, &[*condition], *value))
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

/// Observations as they are made.
#[derive(Default)]
struct Seen {
    observations: Vec<Observation>,
}

impl Seen {
    fn push(&mut self, metric: &Metric, value: f64) {
        self.observations.push(Observation::new(metric, value));
    }

    fn push_at(&mut self, metric: &Metric, at: impl ToString, value: f64) {
        self.observations.push(Observation::at(metric, at, value));
    }

    /// At "Doctorate, Male: 50K+".
    fn posteriors(&mut self, microdata: &Microdata, inferred: &Inferred) {
        let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
        let sensitive = &microdata.table.columns[microdata.sensitive];
        for profile in 0..inferred.beliefs.sizes.len() {
            let codes = columns.iter().enumerate().map(|(i, column)| (column, inferred.profiles.code(i, profile)));
            let who: Vec<&str> = codes.map(|(column, code)| column.values[code as usize].as_str()).collect();
            for (value, &posterior) in sensitive.values.iter().zip(inferred.beliefs.posterior_of(profile)) {
                let at = format!("{}: {value}", who.join(", "));
                self.push_at(&m::POSTERIOR, at, posterior);
            }
        }
    }

    fn sizes(&mut self, inferred: &Inferred) {
        self.push(&m::QI_VALUES, inferred.profiles.len() as f64);
        self.push(&m::RULES, inferred.sizes.ar_constraints as f64);
        self.push(&m::NAR_CONSTRAINTS, inferred.sizes.nar_constraints as f64);
        self.push(&m::NAR_VARIABLES, inferred.sizes.nar_variables as f64);
        self.push(&m::VARIABLES, inferred.variables as f64);
        self.push(&m::SOLVED_CLASSES, inferred.inference.classes as f64);
        self.push(&m::SOLVED_ROWS, inferred.inference.rows as f64);
        self.push(&m::STEPS, inferred.inference.steps as f64);
    }

    fn certificate(&mut self, certificate: &Certificate) {
        self.push(&m::RESIDUAL, certificate.residual);
        self.push(&m::DUALITY_GAP, certificate.duality_gap);
        self.push(&m::COMPLEMENTARITY, certificate.complementarity);
    }

    fn unpruned(&mut self, profiles: &Profiles, values: usize) {
        let (mut patterns, mut members) = (0u64, 0u64);
        profiles.walk(|_, matching| {
            patterns += 1;
            members += matching.len() as u64;
            true
        });
        self.push(&m::CONSTRAINTS_UNPRUNED, (patterns * values as u64) as f64);
        self.push(&m::VARIABLES_UNPRUNED, (members * values as u64) as f64);
    }

    fn divergences(&mut self, inferred: &Inferred, divergences: &[f64], top: &[usize]) {
        let beliefs = &inferred.beliefs;
        self.push(&m::D_OVERALL, beliefs.overall(divergences));
        self.push(&m::ENTROPY, inferred.inference.entropy);
        self.push(&m::TRUE_ENTROPY, beliefs.true_entropy());
        let mut by_divergence: Vec<usize> = (0..divergences.len()).collect();
        by_divergence.sort_by(|&a, &b| divergences[a].total_cmp(&divergences[b]));
        let (records, mut seen, mut next) = (beliefs.records(), 0.0, 0);
        for &profile in &by_divergence {
            seen += beliefs.sizes[profile];
            while next < QUANTILES.len() && seen >= QUANTILES[next] * records {
                self.push_at(&m::D_QUANTILE, QUANTILES[next], divergences[profile]);
                next += 1;
            }
        }
        let mut sorted: Vec<f64> = by_divergence.iter().map(|&profile| divergences[profile]).collect();
        for &k in top {
            self.push_at(&m::D_SMALLEST, k, mean_of_first(&sorted, k));
        }
        sorted.reverse();
        for &k in top {
            self.push_at(&m::D_LARGEST, k, mean_of_first(&sorted, k));
        }
    }

    fn disclosures(&mut self, beliefs: &Beliefs, parameters: &MaximumEntropyParameters) {
        self.push(&m::MAX_POSTERIOR, beliefs.max_posterior());
        self.push(&m::L_DISTINCT, beliefs.distinct_l() as f64);
        self.push(&m::L_ENTROPY, beliefs.entropy_l());
        self.push(&m::BEYOND_ALPHA_K, beliefs.beyond_alpha_k(parameters.alpha, parameters.k));
        self.push(&m::SMALLEST_CROWD, beliefs.crowd.iter().copied().fold(f64::INFINITY, f64::min));
        let at = parameters.determined_at;
        let determined = beliefs.individuals(|_, p| p >= at);
        self.push(&m::DETERMINED, determined);
        let sure = (0..beliefs.sizes.len()).filter(|&profile| beliefs.posterior_of(profile).iter().any(|&p| p >= at));
        self.push(&m::MISLED, sure.map(|profile| beliefs.sizes[profile]).sum::<f64>() - determined);
        let disclosed = beliefs.individuals(|value, p| p >= parameters.factor * beliefs.prior[value]);
        self.push(&m::DISCLOSED, disclosed);
    }

    fn comparison(
        &mut self,
        with: &Inferred,
        without: &Inferred,
        divergences: &[f64],
        parameters: &MaximumEntropyParameters,
    ) {
        let divergences_without = without.beliefs.divergences();
        self.push(&m::D_OVERALL_WITHOUT, without.beliefs.overall(&divergences_without));
        self.push(&m::VARIABLES_WITHOUT, without.variables as f64);
        let differences: Vec<f64> = divergences_without.iter().zip(divergences).map(|(b, a)| b - a).collect();
        let mut order: Vec<usize> = (0..differences.len()).collect();
        order.sort_by(|&a, &b| differences[b].total_cmp(&differences[a]));
        let sorted: Vec<f64> = order.iter().map(|&profile| differences[profile]).collect();
        for &k in &parameters.top {
            self.push_at(&m::DIFFERENCE, k, mean_of_first(&sorted, k));
        }
        for (rank, &profile) in (1..=parameters.shown).zip(&order) {
            let counts = with.beliefs.counts_of(profile);
            let value =
                (0..counts.len()).fold(0, |most, value| if counts[value] > counts[most] { value } else { most });
            self.push_at(&m::TOP_DIFFERENCE, rank, differences[profile]);
            self.push_at(&m::TOP_D_WITH, rank, divergences[profile]);
            self.push_at(&m::TOP_D_WITHOUT, rank, divergences_without[profile]);
            self.push_at(&m::TOP_ORIGINAL, rank, counts[value] / with.beliefs.sizes[profile]);
            self.push_at(&m::TOP_WITH, rank, with.beliefs.posterior_of(profile)[value]);
            self.push_at(&m::TOP_WITHOUT, rank, without.beliefs.posterior_of(profile)[value]);
        }
    }
}
