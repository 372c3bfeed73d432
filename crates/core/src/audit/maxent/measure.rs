//! The measure `maximum-entropy`: states what is known, infers, and reads the answer.

use super::from_groups::{Units, state_groups};
use super::from_rules::{ConstraintCounts, ConstraintReading, UnitsOfProfiles, state_rules};
use super::groups_alone::{self, infer_groups};
use super::infer::{Certificate, Inference, InferenceFailure, TOLERANCE, infer};
use super::knowledge::{Depth, Knowledge, Known};
use super::metrics::ALL;
use super::observations::{Collected, Inferred, Solved};
use super::parameters::{MaximumEntropyParameters, NonRules};
use super::posterior_table::{FILE, posterior_table};
use super::problem::{ConstraintSource, Contradiction, Problem};
use super::readings::{Beliefs, UnitsSeen};
use super::surest::{self, surest};
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Workbench};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::mining::Profiles;
use crate::release::{Release, ReleaseKind, rule_in_words};

/// The audit of the maximum-entropy paper: what an adversary infers who assumes nothing beyond the release.
pub struct MaximumEntropy;

impl Measure for MaximumEntropy {
    type Parameters = MaximumEntropyParameters;
    const NAME: &'static str = "maximum-entropy";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "What an adversary who knows everybody's quasi-identifiers infers by maximum entropy",
        paper: "Z. Zhu, G. Wang, W. Du: Deriving Private Information from Association Rule Mining Results, ICDE 2009",
        input: InputKind::Table,
        releases: &[ReleaseKind::Rules, ReleaseKind::Buckets, ReleaseKind::GeneralizedTable],
        metrics: ALL,
    };

    fn measure(subject: Subject<'_>, parameters: &MaximumEntropyParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let release = subject.release()?;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows"));
        }
        let audit = Audit { original: subject.original, microdata, release, parameters };
        let with = audit.infer(bench, parameters.non_rules != NonRules::Ignored, PHASES)?;
        let mut seen = Collected::default();
        seen.sizes(&with);
        seen.certificate(&with.solved.certificate);
        if parameters.count_unpruned {
            seen.unpruned(microdata, &with.profiles, with.beliefs.values);
        }
        if parameters.posteriors {
            seen.posteriors(microdata, &with);
        }
        seen.divergences(&with, &parameters.top);
        seen.disclosures(&with.readings);
        if parameters.non_rules == NonRules::Compared {
            let phases = ["constraints_without_non_rules", "solving_without_non_rules"];
            let without = audit.infer(bench, false, phases)?;
            seen.comparison(&with, &without, parameters);
        }
        bench.attach(FILE, || posterior_table(microdata, &with.profiles, &with.beliefs, &with.readings.divergences));
        Ok(seen.observations)
    }
}

/// Of the inference that the numbers are of; another one is for comparison.
const PHASES: [&str; 2] = ["constraints", "solving"];

struct Audit<'a> {
    original: &'a Dataset,
    microdata: &'a Microdata,
    release: &'a Release,
    parameters: &'a MaximumEntropyParameters,
}

impl Audit<'_> {
    fn infer(&self, bench: &mut Workbench, non_rules: bool, phases: [&str; 2]) -> Result<Inferred, LabError> {
        if self.parameters.knowledge == Knowledge::None
            && !matches!(self.release, Release::Rules(_))
            && let Some(inferred) = self.infer_groups(bench, phases)?
        {
            return Ok(inferred);
        }
        let stated = bench.phase(phases[0], |_| self.state(non_rules))?;
        let StatedKnowledge { problem, profiles, profile_of, sizes, variables } = stated;
        let inference = bench.phase(phases[1], |_| infer(&problem)).map_err(|failure| match failure {
            InferenceFailure::Contradictory(statements) => self.contradiction(&statements),
            InferenceFailure::Inexact(certificate) => inexact(&certificate),
        })?;
        let unit_sizes: Vec<u32> = problem.weights.iter().map(|&weight| weight as u32).collect();
        let inferred = self.inferred(profiles, inference, (&unit_sizes, &profile_of), (sizes, variables))?;
        if phases == PHASES {
            self.witness(bench, &inferred, &|profile, wanted| {
                let is_own = |(_, of): &(u32, &u32)| **of as usize == profile;
                let units: Vec<u32> = (0..).zip(&profile_of).filter(is_own).map(|(unit, _)| unit).collect();
                problem.statements_on(&units, wanted);
            });
        }
        Ok(inferred)
    }

    /// What groups say where nothing else is known; None where that is for the solver to find.
    fn infer_groups(&self, bench: &mut Workbench, phases: [&str; 2]) -> Result<Option<Inferred>, LabError> {
        let groups = self.release.groups(self.original)?;
        let values = self.values();
        let (profiles, units) = bench.phase(phases[0], |_| {
            let profiles = Profiles::new(self.microdata);
            let units = Units::new(&profiles, &groups);
            (profiles, units)
        });
        let Some(inference) = bench.phase(phases[1], |_| infer_groups(&units, values, &groups)) else {
            return Ok(None);
        };
        let variables = units.variables(&groups) + (units.sizes.len() * values) as u64;
        let Units { profile_of, sizes, .. } = units;
        let inferred =
            self.inferred(profiles, inference, (&sizes, &profile_of), (ConstraintCounts::default(), variables))?;
        if phases == PHASES {
            self.witness(bench, &inferred, &|profile, wanted| {
                groups_alone::statements_on(profile as u32, &inferred.profiles, &groups, wanted);
            });
        }
        Ok(Some(inferred))
    }

    /// An inference with what it means.
    fn inferred(
        &self,
        profiles: Profiles,
        inference: Inference,
        (unit_sizes, profile_of): (&[u32], &[u32]),
        (sizes, variables): (ConstraintCounts, u64),
    ) -> Result<Inferred, LabError> {
        let Inference { of_classes, class_of, entropy, certificate, classes, rows, steps, .. } = inference;
        let units = UnitsSeen { sizes: unit_sizes, profile_of, class_of: &class_of };
        let beliefs = Beliefs::new(self.microdata, &profiles, &units, of_classes);
        let readings = beliefs.read(self.microdata, self.parameters)?;
        let solved = Solved { entropy, certificate, classes, rows, steps };
        Ok(Inferred { profiles, beliefs, readings, solved, sizes, variables })
    }

    fn witness(&self, bench: &mut Workbench, inferred: &Inferred, stated: surest::Stated<'_>) {
        let in_words = |statement: &ConstraintSource| self.in_words(statement);
        bench.witness(|| surest(self.microdata, &inferred.profiles, &inferred.beliefs, stated, &in_words));
    }

    fn values(&self) -> usize {
        self.microdata.table.columns[self.microdata.sensitive].cardinality()
    }

    /// What the adversary knows, as a problem.
    fn state(&self, non_rules: bool) -> Result<StatedKnowledge, LabError> {
        let Self { microdata, release, parameters, .. } = self;
        let profiles = Profiles::new(microdata);
        let values = self.values();
        let wrong = |Contradiction(statements)| self.contradiction(&statements);
        let (mut problem, units, profile_of, mut sizes, own_variables) = match release {
            Release::Rules(rules) => {
                let weights = profiles.sizes().iter().map(|&size| f64::from(size)).collect();
                let mut problem = Problem::new(weights, values);
                let reading =
                    ConstraintReading { non_rules, prune: parameters.prune, whole_counts: parameters.whole_counts };
                let units = UnitsOfProfiles::Same;
                let sizes = state_rules(&mut problem, &profiles, &units, rules, reading).map_err(wrong)?;
                let profile_of = (0..profiles.len() as u32).collect();
                (problem, units, profile_of, sizes, 0)
            }
            Release::Buckets(_)
            | Release::GeneralizedTable(_)
            | Release::GeneralizedTransactions(_)
            | Release::SuppressedTransactions(_) => {
                let groups = release.groups(self.original)?;
                let stated = state_groups(&profiles, values, &groups).map_err(wrong)?;
                (stated.problem, stated.units, stated.profile_of, ConstraintCounts::default(), stated.variables)
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
        Ok(StatedKnowledge { problem, profiles, profile_of, sizes, variables })
    }

    fn contradiction(&self, statements: &[ConstraintSource]) -> LabError {
        const NAMED: usize = 10;
        let mut names: Vec<String> = statements.iter().take(NAMED).map(|s| self.in_words(s)).collect();
        if statements.len() > NAMED {
            names.push(format!("and {} more", statements.len() - NAMED));
        }
        LabError::input(format!("the release contradicts itself; these cannot all be true: {}", names.join("; ")))
    }

    fn in_words(&self, statement: &ConstraintSource) -> String {
        let microdata = self.microdata;
        let sensitive = &microdata.table.columns[microdata.sensitive];
        match statement {
            ConstraintSource::Rule { antecedent, consequent, counts } => {
                let rule = rule_in_words(microdata, antecedent, *consequent);
                match counts {
                    Some((covered, count)) => format!("{rule} ({count} of {covered} records)"),
                    None => rule,
                }
            }
            ConstraintSource::NonRule { antecedent, consequent } => {
                format!("{} is no rule", rule_in_words(microdata, antecedent, *consequent))
            }
            ConstraintSource::Sensitive { value } => {
                format!("the number of records with {} = {}", sensitive.name, sensitive.values[*value as usize])
            }
            ConstraintSource::Group { group, value } => {
                let value = &sensitive.values[*value as usize];
                let of = match self.release.groups(self.original) {
                    Ok(groups) => groups.name(*group as usize),
                    Err(_) => format!("group {group}"),
                };
                format!("the number of records of {of} with {} = {value}", sensitive.name)
            }
            ConstraintSource::Denied { value } => {
                format!("the negative rules against {} = {}", sensitive.name, sensitive.values[*value as usize])
            }
        }
    }
}

/// What the adversary knows, ready to be solved.
struct StatedKnowledge {
    problem: Problem,
    profiles: Profiles,
    profile_of: Vec<u32>,
    sizes: ConstraintCounts,
    variables: u64,
}

fn inexact(certificate: &Certificate) -> LabError {
    let Certificate { residual, duality_gap, complementarity } = certificate;
    LabError::no_answer(format!(
        "the solver came no closer than residual {residual:.1e}, duality gap {duality_gap:.1e}, complementarity \
         {complementarity:.1e}; {TOLERANCE:.0e} is needed"
    ))
}
