//! What the adversary knows, as linear constraints on P(X | Q).
//!
//! A *unit* is a set of people the adversary cannot tell apart from the start: one quasi-identifier value, or one in one
//! group. P(x | unit) is unknown for every sensitive value x; a *row* bounds the number of people in some units who have
//! one value. Everything is counted in records, so that equalities have whole, exact sides.
//!
//! Rows that say nothing are dropped as they come, and rows about the same units and value become one, so that a stream of
//! hundreds of thousands of constraints leaves a few thousand rows.
//!
//! Cost. Linear in the units a row has.

use super::fingerprint::Fingerprint;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// What a row was derived from: the names in messages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConstraintSource {
    /// A published rule (an AR-constraint), with its counts where they are known.
    Rule {
        /// Positions and codes of the quasi-identifier values.
        antecedent: Vec<(u32, u32)>,
        /// The code of the sensitive value.
        consequent: u32,
        /// Records with the antecedent and with the rule, where they are published.
        counts: Option<(u64, u64)>,
    },
    /// A pattern that was not published (a NAR-constraint).
    NonRule {
        /// Positions and codes of the quasi-identifier values.
        antecedent: Vec<(u32, u32)>,
        /// The code of the sensitive value.
        consequent: u32,
    },
    /// The published number of records with a sensitive value (an SA-constraint).
    Sensitive {
        /// The code of the sensitive value.
        value: u32,
    },
    /// The published number of records of a group with a sensitive value.
    Group {
        /// The number of the group.
        group: u32,
        /// The code of the sensitive value.
        value: u32,
    },
    /// The negative rules against a value.
    Denied {
        /// The code of the sensitive value.
        value: u32,
    },
}

/// Which rows a stated constraint can be eliminated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Units of one block (a group), which no other block's rows of this kind touch.
    Block(u32),
    /// Every unit.
    Everywhere,
}

/// lower ≤ Σ over members of weight · P(value | member) ≤ upper.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// The sensitive value that it bounds.
    pub value: u32,
    /// The least, in rows.
    pub lower: f64,
    /// The most, in rows.
    pub upper: f64,
    /// The weight of all members: what the sum can reach.
    pub weight: f64,
    /// The units that it is about.
    pub reach: Reach,
    members: Range<usize>,
    lower_from: Option<usize>,
    upper_from: Option<usize>,
}

/// Two statements that cannot both be true.
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction(pub Vec<ConstraintSource>);

/// Units of rows with their weights, and what is known of their sensitive values.
#[derive(Debug)]
pub struct Problem {
    /// Unit to its number of records.
    pub weights: Vec<f64>,
    /// The number of sensitive values.
    pub values: usize,
    /// The values each unit can have, where that is not all of them; ascending. Units of a group share one list.
    pub possible: Option<Vec<Arc<Vec<u32>>>>,
    /// What is known.
    pub rows: Vec<Constraint>,
    members: Vec<u32>,
    marks: Vec<Fingerprint>,
    statements: Vec<ConstraintSource>,
    row_of: FxHashMap<(u32, Fingerprint), usize>,
}

impl Problem {
    /// Nothing known yet of units that weigh `weights` rows, with `values` sensitive values.
    pub fn new(weights: Vec<f64>, values: usize) -> Self {
        Self {
            marks: (0..weights.len() as u32).map(Fingerprint::of).collect(),
            weights,
            values,
            possible: None,
            rows: Vec::new(),
            members: Vec::new(),
            statements: Vec::new(),
            row_of: FxHashMap::default(),
        }
    }

    /// The number of records.
    pub fn records(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The units that a constraint is about.
    pub fn members(&self, row: &Constraint) -> &[u32] {
        &self.members[row.members.clone()]
    }

    /// The statements behind a row's lower and upper bound, where it has them.
    pub fn statements(&self, row: &Constraint) -> (Option<&ConstraintSource>, Option<&ConstraintSource>) {
        (row.lower_from.map(|i| &self.statements[i]), row.upper_from.map(|i| &self.statements[i]))
    }

    /// The statements on some units, those on the fewest records first, as long as `wanted` asks for more.
    pub fn statements_on(&self, units: &[u32], wanted: &mut dyn FnMut(&ConstraintSource) -> bool) {
        let is_on = |row: &&Constraint| units.iter().any(|unit| self.members(row).binary_search(unit).is_ok());
        let mut rows: Vec<&Constraint> = self.rows.iter().filter(is_on).collect();
        rows.sort_by(|a, b| a.weight.total_cmp(&b.weight));
        for row in rows {
            let (lower, upper) = self.statements(row);
            if !lower.into_iter().chain(upper).all(&mut *wanted) {
                return;
            }
        }
    }

    /// Adds: at least `lower` and at most `upper` records of `members` have `value`. `statement` is asked for only when
    /// the row is kept. The members ascend.
    pub fn state(
        &mut self,
        value: u32,
        members: &[u32],
        (lower, upper): (f64, f64),
        reach: Reach,
        statement: impl FnOnce() -> ConstraintSource,
    ) -> Result<(), Contradiction> {
        let weight: f64 = members.iter().map(|&unit| self.weights[unit as usize]).sum();
        let (has_lower, has_upper) = (lower > 0.0, upper < weight);
        if !has_lower && !has_upper {
            return Ok(());
        }
        // Of two values, the one is what the other is not: half the rows, and equal ones meet.
        let flip = self.values == 2 && value == 1;
        let (value, lower, upper) = if flip { (0, weight - upper, weight - lower) } else { (value, lower, upper) };
        let (has_lower, has_upper) = if flip { (has_upper, has_lower) } else { (has_lower, has_upper) };
        let (lower, upper) = (lower.max(0.0), upper.min(weight));
        let key = (value, members.iter().map(|&unit| self.marks[unit as usize]).sum());
        let from = self.statements.len();
        let row = match self.row_of.get(&key) {
            Some(&row) => row,
            None => {
                let start = self.members.len();
                self.members.extend_from_slice(members);
                let members = start..self.members.len();
                let row = Constraint {
                    value,
                    lower: 0.0,
                    upper: weight,
                    weight,
                    reach,
                    members,
                    lower_from: None,
                    upper_from: None,
                };
                self.row_of.insert(key, self.rows.len());
                self.rows.push(row);
                self.rows.len() - 1
            }
        };
        let row = &mut self.rows[row];
        let mut used = false;
        if has_lower && (lower > row.lower || row.lower_from.is_none()) {
            (row.lower, row.lower_from, used) = (lower, Some(from), true);
        }
        if has_upper && (upper < row.upper || row.upper_from.is_none()) {
            (row.upper, row.upper_from, used) = (upper, Some(from), true);
        }
        if used {
            self.statements.push(statement());
        }
        let row = &self.rows[self.row_of[&key]];
        if row.lower > row.upper + rounding(row.weight) {
            let (low, high) = self.statements(row);
            return Err(Contradiction(low.into_iter().chain(high).cloned().collect()));
        }
        Ok(())
    }
}

/// By how much sides of rows over `weight` records may differ by rounding alone.
pub fn rounding(weight: f64) -> f64 {
    1e-12 * weight.max(1.0)
}
