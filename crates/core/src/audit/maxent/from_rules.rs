//! Constraints from published rules, and from the patterns that were not published (Section V of the paper, Figure 3).
//!
//! AR: a published rule Q ⇒ X has exactly its published count, or at least max(s, c·P(Q)) (formulas 4 and 3).
//! NAR: an unpublished pattern has at most max(s, c·P(Q)) (formula 6, with the bound closed).
//! SA: the published sensitive distribution (formula 9). QI (formula 8) is built into the model.
//!
//! Readings. A NAR-constraint is redundant when *any* proper sub-pattern is a non-rule with c·P(sub) ≤ s, kept or not;
//! Figure 3 as printed looks only for sub-patterns whose constraint was kept. A pattern so covered covers whatever extends
//! it, so the walk stops there. The empty pattern is one like others when the publisher counts it. Rules that were cut off
//! after the first T give no NAR-constraints: a pattern that is not there may be a rule. Counts are whole numbers, which
//! the paper's model does not use; with `whole_counts` the bounds are rounded to the next whole number that they allow.
//!
//! Cost. One walk over the patterns that extend no covered one; each costs the number of its quasi-identifier values.
//! Only patterns that more than s·N records have are remembered.

use super::lists::Lists;
use super::problem::{ConstraintSource, Contradiction, Problem, Reach};
use crate::mining::{Pattern, Profiles};
use crate::release::{PublishedRule, RuleSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// How constraints are made of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConstraintReading {
    /// Use the patterns that were not published.
    pub non_rules: bool,
    /// Leave out the NAR-constraints that Theorem 3 shows redundant.
    pub prune: bool,
    /// Round bounds to whole records.
    pub whole_counts: bool,
}

/// How many constraints a release gives, and how many P(Q, X) stand in them, each as often as it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConstraintCounts {
    /// Constraints from published rules.
    pub ar_constraints: u64,
    /// Probabilities that published rules speak of.
    pub ar_variables: u64,
    /// Constraints from patterns that are no rules because they were not published.
    pub nar_constraints: u64,
    /// Probabilities that these patterns speak of.
    pub nar_variables: u64,
    /// Constraints from the distribution of the sensitive attribute.
    pub sa_constraints: u64,
    /// Probabilities that the distribution speaks of.
    pub sa_variables: u64,
}

impl ConstraintCounts {
    /// Probabilities that any constraint speaks of.
    pub fn variables(&self) -> u64 {
        self.ar_variables + self.nar_variables + self.sa_variables
    }
}

/// Adds the constraints of `release` to `problem`; `units_of` are the units of each profile.
pub fn state_rules(
    problem: &mut Problem,
    profiles: &Profiles,
    units: &UnitsOfProfiles,
    release: &RuleSet,
    reading: ConstraintReading,
) -> Result<ConstraintCounts, Contradiction> {
    let mut stated = StatedRules::new(problem, profiles, units, release, reading);
    let everybody: Vec<u32> = (0..profiles.len() as u32).collect();
    stated.sensitive(&everybody);
    let empty_covers = stated.empty(&everybody);
    profiles.walk(|pattern, members| stated.visit(pattern, members, &empty_covers));
    match stated.contradiction {
        Some(contradiction) => Err(contradiction),
        None => Ok(stated.sizes),
    }
}

/// Which units of the problem have which profile.
#[derive(Debug)]
pub enum UnitsOfProfiles {
    /// Each profile is a unit.
    Same,
    /// Profile to its units.
    Several(Lists),
}

impl UnitsOfProfiles {
    /// The units of some profiles, ascending as the profiles are.
    pub fn of<'a>(&'a self, members: &'a [u32], scratch: &'a mut Vec<u32>) -> &'a [u32] {
        match self {
            Self::Same => members,
            Self::Several(units) => {
                scratch.clear();
                members.iter().for_each(|&profile| scratch.extend(units.get(profile as usize)));
                scratch.sort_unstable();
                scratch
            }
        }
    }
}

struct StatedRules<'a> {
    problem: &'a mut Problem,
    profiles: &'a Profiles,
    units: &'a UnitsOfProfiles,
    release: &'a RuleSet,
    reading: ConstraintReading,
    /// Antecedent to its published rules.
    published: FxHashMap<&'a Pattern, Vec<&'a PublishedRule>>,
    /// The beginnings of published antecedents: the walk must not stop there.
    beginnings: FxHashSet<&'a Pattern>,
    /// Pattern to the values for which it is not covered; patterns that are covered for all are not here.
    open: FxHashMap<Vec<(u32, u32)>, Vec<bool>>,
    sizes: ConstraintCounts,
    contradiction: Option<Contradiction>,
    scratch: Vec<u32>,
}

impl<'a> StatedRules<'a> {
    fn new(
        problem: &'a mut Problem,
        profiles: &'a Profiles,
        units: &'a UnitsOfProfiles,
        release: &'a RuleSet,
        reading: ConstraintReading,
    ) -> Self {
        let mut published: FxHashMap<&Pattern, Vec<&PublishedRule>> = FxHashMap::default();
        let mut beginnings: FxHashSet<&Pattern> = FxHashSet::default();
        for rule in &release.rules {
            published.entry(&rule.antecedent).or_default().push(rule);
            beginnings.extend((0..rule.antecedent.len()).map(|end| &rule.antecedent[..end]));
        }
        let reading = ConstraintReading { non_rules: reading.non_rules && release.complete, ..reading };
        Self {
            problem,
            profiles,
            units,
            release,
            reading,
            published,
            beginnings,
            open: FxHashMap::default(),
            sizes: ConstraintCounts::default(),
            contradiction: None,
            scratch: Vec::new(),
        }
    }

    fn sensitive(&mut self, everybody: &[u32]) {
        let Some(counts) = &self.release.sensitive_counts else { return };
        for (value, &count) in (0..).zip(counts) {
            self.sizes.sa_constraints += 1;
            self.sizes.sa_variables += everybody.len() as u64;
            self.state(value, everybody, (count as f64, count as f64), || ConstraintSource::Sensitive { value });
        }
    }

    /// The constraints of ∅ ⇒ X; returns for which values it covers everything.
    fn empty(&mut self, everybody: &[u32]) -> Vec<bool> {
        if self.release.thresholds.empty_antecedent {
            let covered = vec![false; self.problem.values];
            return self.constrain(&[], everybody, &covered);
        }
        vec![false; self.problem.values]
    }

    fn visit(&mut self, pattern: &Pattern, members: &[u32], empty_covers: &[bool]) -> bool {
        if !self.reading.non_rules {
            if self.published.contains_key(pattern) {
                self.constrain(pattern, members, &[]);
            }
            return self.beginnings.contains(pattern);
        }
        let mut covered = empty_covers.to_vec();
        if self.reading.prune {
            self.inherit_cover(pattern, &mut covered);
        }
        let covers = self.constrain(pattern, members, &covered);
        if !self.reading.prune {
            return true;
        }
        let open: Vec<bool> = covered.iter().zip(&covers).map(|(covered, covers)| !covered && !covers).collect();
        let goes_on = open.contains(&true);
        if goes_on {
            self.open.insert(pattern.to_vec(), open);
        }
        goes_on || self.beginnings.contains(pattern)
    }

    /// Marks the values for which some sub-pattern covers `pattern`. Those one shorter know of all others.
    fn inherit_cover(&self, pattern: &Pattern, covered: &mut [bool]) {
        if pattern.len() < 2 {
            return;
        }
        let mut sub = pattern[1..].to_vec();
        for left_out in 0..pattern.len() {
            if left_out > 0 {
                sub[left_out - 1] = pattern[left_out - 1];
            }
            match self.open.get(&sub) {
                Some(open) => covered.iter_mut().zip(open).for_each(|(covered, open)| *covered |= !open),
                None => covered.fill(true),
            }
        }
    }

    /// States what is known of one antecedent: its rules, and unless they are covered its non-rules. Returns for which
    /// values the antecedent covers whatever extends it.
    fn constrain(&mut self, antecedent: &Pattern, members: &[u32], covered: &[bool]) -> Vec<bool> {
        let release = self.release;
        let (records, thresholds) = (release.records, &release.thresholds);
        let covered_records = self.profiles.rows_of(members);
        let bound = thresholds.bound(covered_records, records);
        let least = thresholds.least_count(covered_records, records) as f64;
        let (at_least, at_most) = if self.reading.whole_counts { (least, least - 1.0) } else { (bound, bound) };
        // Theorem 3: c·P(Q) ≤ s.
        let may_cover = thresholds.support_decides(covered_records, records);
        let rules = self.published.get(antecedent).cloned().unwrap_or_default();
        for rule in &rules {
            self.sizes.ar_constraints += 1;
            self.sizes.ar_variables += members.len() as u64;
            let bounds = match rule.counts {
                Some((_, count)) => (count as f64, count as f64),
                None => (at_least, f64::INFINITY),
            };
            self.state(rule.consequent, members, bounds, || ConstraintSource::Rule {
                antecedent: antecedent.to_vec(),
                consequent: rule.consequent,
                counts: rule.counts,
            });
        }
        let mut covers = vec![false; self.problem.values];
        if !self.reading.non_rules {
            return covers;
        }
        for consequent in 0..self.problem.values as u32 {
            if rules.iter().any(|rule| rule.consequent == consequent) {
                continue;
            }
            covers[consequent as usize] = self.reading.prune && may_cover;
            if covered[consequent as usize] {
                continue;
            }
            self.sizes.nar_constraints += 1;
            self.sizes.nar_variables += members.len() as u64;
            self.state(consequent, members, (f64::NEG_INFINITY, at_most), || ConstraintSource::NonRule {
                antecedent: antecedent.to_vec(),
                consequent,
            });
        }
        covers
    }

    fn state(&mut self, value: u32, members: &[u32], bounds: (f64, f64), statement: impl FnOnce() -> ConstraintSource) {
        if self.contradiction.is_some() {
            return;
        }
        let units = self.units.of(members, &mut self.scratch);
        self.contradiction = self.problem.state(value, units, bounds, Reach::Everywhere, statement).err();
    }
}
