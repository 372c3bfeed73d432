//! The maximum-entropy adversary to the letter: every pattern, every constraint, no reduction, and a general
//! interior-point solver with exponential cones.

use anonlab::data::Microdata;
use anonlab::release::RuleSet;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use std::collections::{BTreeMap, BTreeSet};

/// A quasi-identifier value, by the codes of its attributes.
pub type QiValue = Vec<u32>;

/// Attributes that are left open are None.
type Pattern = Vec<Option<u32>>;

/// lower ≤ Σ P(q, x) over some q ≤ upper, in records.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    pub values: Vec<usize>,
    pub sensitive: u32,
    pub lower: f64,
    pub upper: f64,
}

/// The quasi-identifier values of a table with their numbers of records, in the order of their codes.
pub fn qi_values(microdata: &Microdata) -> BTreeMap<QiValue, f64> {
    let mut counts = BTreeMap::new();
    for row in 0..microdata.rows() {
        let attributes = 0..microdata.quasi_identifiers.len();
        *counts.entry(attributes.map(|i| microdata.quasi_codes(i)[row]).collect()).or_insert(0.0) += 1.0;
    }
    counts
}

/// AR-, NAR- and SA-constraints, with the NAR-constraints that have a non-rule with c·P ≤ s below them left out.
pub struct Constraints {
    pub all: Vec<Constraint>,
    pub nar_constraints: u64,
    pub nar_variables: u64,
}

pub fn constraints(microdata: &Microdata, release: &RuleSet, non_rules: bool, prune: bool) -> Constraints {
    let table = qi_values(microdata);
    let keys: Vec<&QiValue> = table.keys().collect();
    let counts: Vec<f64> = table.values().copied().collect();
    let sensitive_values = microdata.table.columns[microdata.sensitive].cardinality() as u32;
    let matching = |pattern: &Pattern| -> Vec<usize> {
        let fits = |key: &QiValue| pattern.iter().zip(key).all(|(want, have)| want.is_none_or(|want| want == *have));
        (0..keys.len()).filter(|&i| fits(keys[i])).collect()
    };
    let published: BTreeMap<(Pattern, u32), Option<(u64, u64)>> = release
        .rules
        .iter()
        .map(|rule| {
            let mut pattern = vec![None; microdata.quasi_identifiers.len()];
            rule.antecedent.iter().for_each(|&(position, code)| pattern[position as usize] = Some(code));
            ((pattern, rule.consequent), rule.counts)
        })
        .collect();
    let records = counts.iter().sum::<f64>();
    let t = release.thresholds;
    let support = if t.round_down { (t.support * records + 1e-9).floor() } else { t.support * records };
    let is_covering = |pattern: &Pattern, x: u32| {
        let covered: f64 = matching(pattern).iter().map(|&i| counts[i]).sum();
        !published.contains_key(&(pattern.clone(), x)) && t.confidence * covered <= support + 1e-9
    };
    let mut patterns = BTreeSet::new();
    for key in &keys {
        for mask in 0..1u32 << key.len() {
            let pattern: Pattern = key.iter().zip(0..).map(|(&code, i)| (mask >> i & 1 == 1).then_some(code)).collect();
            if mask != 0 || t.empty_antecedent {
                patterns.insert(pattern);
            }
        }
    }
    let mut found = Constraints { all: Vec::new(), nar_constraints: 0, nar_variables: 0 };
    for pattern in &patterns {
        let values = matching(pattern);
        let covered: f64 = values.iter().map(|&i| counts[i]).sum();
        let bound = support.max(t.confidence * covered);
        for sensitive in 0..sensitive_values {
            let mut constrain = |lower, upper| {
                found.all.push(Constraint { values: values.clone(), sensitive, lower, upper });
            };
            match published.get(&(pattern.clone(), sensitive)) {
                Some(Some((_, count))) => constrain(*count as f64, *count as f64),
                Some(None) => constrain(bound, f64::INFINITY),
                None if !non_rules || !release.complete => {}
                None => {
                    let is_sub = |sub: &&Pattern| {
                        *sub != pattern && sub.iter().zip(pattern).all(|(sub, all)| sub.is_none() || sub == all)
                    };
                    if prune && patterns.iter().filter(is_sub).any(|sub| is_covering(sub, sensitive)) {
                        continue;
                    }
                    constrain(f64::NEG_INFINITY, bound);
                    found.nar_constraints += 1;
                    found.nar_variables += values.len() as u64;
                }
            }
        }
    }
    if let Some(distribution) = &release.sensitive_counts {
        for (sensitive, &count) in (0..).zip(distribution) {
            let values = (0..keys.len()).collect();
            found.all.push(Constraint { values, sensitive, lower: count as f64, upper: count as f64 });
        }
    }
    found
}

/// Linear rows Σ coefficient · variable, with their right sides: first equalities, then upper bounds.
struct Rows {
    rows: Vec<(Vec<(usize, f64)>, f64)>,
    equalities: usize,
}

/// The constraints, and that the probabilities of each quasi-identifier value sum to 1.
fn linear_rows(weights: &[f64], sensitive_values: usize, constraints: &[Constraint]) -> Rows {
    let mut rows: Vec<(Vec<(usize, f64)>, f64)> = Vec::new();
    let terms = |constraint: &Constraint, factor: f64| -> Vec<(usize, f64)> {
        let p = |&q: &usize| (q * sensitive_values + constraint.sensitive as usize, factor * weights[q]);
        constraint.values.iter().map(p).collect()
    };
    for q in 0..weights.len() {
        rows.push(((0..sensitive_values).map(|x| (q * sensitive_values + x, 1.0)).collect(), 1.0));
    }
    rows.extend(constraints.iter().filter(|c| c.lower == c.upper).map(|c| (terms(c, 1.0), c.lower)));
    let equalities = rows.len();
    for constraint in constraints.iter().filter(|c| c.lower != c.upper) {
        if constraint.lower > 0.0 {
            rows.push((terms(constraint, -1.0), -constraint.lower));
        }
        if constraint.upper.is_finite() {
            rows.push((terms(constraint, 1.0), constraint.upper));
        }
    }
    Rows { rows, equalities }
}

/// P(x | q) of maximum entropy: entry `q * sensitive_values + x`. None when the solver gives up.
///
/// An interior-point method ends some 1e-5 from a bound that holds without a multiplier. A few steps of Newton's method
/// on the entropy itself, each a quadratic program for the same solver, come closer.
pub fn maximize_entropy(weights: &[f64], sensitive_values: usize, constraints: &[Constraint]) -> Option<Vec<f64>> {
    let rows = linear_rows(weights, sensitive_values, constraints);
    let mut p = by_exponential_cones(weights, sensitive_values, &rows)?;
    for _ in 0..2 {
        p = newton_step(weights, sensitive_values, &rows, &p)?;
    }
    Some(p)
}

fn by_exponential_cones(weights: &[f64], sensitive_values: usize, linear: &Rows) -> Option<Vec<f64>> {
    let n = weights.len() * sensitive_values;
    let mut rows = linear.rows.clone();
    let inequalities = rows.len() - linear.equalities;
    let mut cones = vec![SupportedConeT::ZeroConeT(linear.equalities), SupportedConeT::NonnegativeConeT(inequalities)];
    // t ≤ −p ln p: (t, p, 1) is in the exponential cone.
    for p in 0..n {
        rows.push((vec![(n + p, -1.0)], 0.0));
        rows.push((vec![(p, -1.0)], 0.0));
        rows.push((vec![], 1.0));
        cones.push(SupportedConeT::ExponentialConeT());
    }
    let objective: Vec<f64> =
        (0..2 * n).map(|j| if j < n { 0.0 } else { -weights[(j - n) / sensitive_values] }).collect();
    let curvature = vec![0.0; 2 * n];
    solve(&curvature, &objective, &rows, &cones).map(|x| x[..n].to_vec())
}

/// A probability below this is 0 in every solution…
const ZERO: f64 = 1e-8;

/// …one above this in none. Between them the interior-point method cannot tell.
const POSITIVE: f64 = 1e-5;

/// One step of Newton's method on the entropy, over the probabilities that are not 0.
fn newton_step(weights: &[f64], sensitive_values: usize, linear: &Rows, p: &[f64]) -> Option<Vec<f64>> {
    if p.iter().any(|p| (ZERO..POSITIVE).contains(p)) {
        return None;
    }
    let free: Vec<usize> = (0..p.len()).filter(|&i| p[i] > ZERO).collect();
    let kept = |(terms, right): &(Vec<(usize, f64)>, f64)| {
        let terms = terms.iter().filter_map(|&(i, factor)| Some((free.binary_search(&i).ok()?, factor))).collect();
        (terms, *right)
    };
    let says_something = |(terms, _): &(Vec<(usize, f64)>, f64)| !terms.is_empty();
    let (equalities, inequalities) = linear.rows.split_at(linear.equalities);
    let mut rows: Vec<_> = equalities.iter().map(kept).filter(says_something).collect();
    let equalities = rows.len();
    rows.extend(inequalities.iter().map(kept).filter(says_something));
    let cones = [SupportedConeT::ZeroConeT(equalities), SupportedConeT::NonnegativeConeT(rows.len() - equalities)];
    // The entropy's second-order model: w·p·ln p has slope w·(1 + ln p) and curvature w/p.
    let weight = |i: usize| weights[i / sensitive_values];
    let curvature: Vec<f64> = free.iter().map(|&i| weight(i) / p[i]).collect();
    let slope: Vec<f64> = free.iter().map(|&i| weight(i) * p[i].ln()).collect();
    let solved = solve(&curvature, &slope, &rows, &cones)?;
    let mut p = vec![0.0; p.len()];
    free.iter().zip(solved).for_each(|(&i, solved)| p[i] = solved);
    Some(p)
}

/// Minimizes ½ Σ curvature·x² + Σ slope·x.
fn solve(
    curvature: &[f64],
    slope: &[f64],
    rows: &[(Vec<(usize, f64)>, f64)],
    cones: &[SupportedConeT<f64>],
) -> Option<Vec<f64>> {
    let n = slope.len();
    let (mut is, mut js, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (terms, _)) in rows.iter().enumerate() {
        for &(j, entry) in terms {
            is.push(i);
            js.push(j);
            entries.push(entry);
        }
    }
    let a = CscMatrix::new_from_triplets(rows.len(), n, is, js, entries);
    let diagonal: Vec<usize> = (0..n).filter(|&i| curvature[i] != 0.0).collect();
    let quadratic = CscMatrix::new_from_triplets(
        n,
        n,
        diagonal.clone(),
        diagonal,
        curvature.iter().copied().filter(|&c| c != 0.0).collect(),
    );
    let right: Vec<f64> = rows.iter().map(|(_, right)| *right).collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_feas(1e-11)
        .tol_gap_abs(1e-13)
        .tol_gap_rel(1e-13)
        .max_iter(500)
        .build()
        .ok()?;
    let mut solver = DefaultSolver::new(&quadratic, slope, &a, &right, cones, settings).ok()?;
    solver.solve();
    let close = [SolverStatus::Solved, SolverStatus::AlmostSolved];
    close.contains(&solver.solution.status).then(|| solver.solution.x.clone())
}
