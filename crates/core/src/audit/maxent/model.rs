//! The problem in its smallest form: *classes* of units that no row tells apart, and the rows over them.

use super::fingerprint::Fingerprint;
use super::problem::{Problem, Reach};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// lower ≤ Σ over members of weight · P(value | member) ≤ upper; members ascend.
#[derive(Debug, Clone)]
pub struct ModelRow {
    /// The sensitive value that the row is about.
    pub value: u32,
    /// The least that its units have of the value, in rows.
    pub lower: f64,
    /// The most that they have of it; equal to `lower` for an equation.
    pub upper: f64,
    /// Whether it is about all units or about some.
    pub reach: Reach,
    /// The units, where it is about some.
    pub members: Vec<u32>,
    /// Where the solver starts.
    pub multiplier: f64,
    /// The row of the problem it comes from.
    pub origin: usize,
}

impl ModelRow {
    /// Whether the bounds leave a single value.
    pub fn is_equality(&self) -> bool {
        self.lower == self.upper
    }
}

/// A problem in the form that the solver takes: units with weights, and rows that bound sums over them.
#[derive(Debug, Clone)]
pub struct Model {
    /// Class to its number of records.
    pub weights: Vec<f64>,
    /// Class to the values it can have, ascending; never empty.
    pub possible: Vec<Arc<Vec<u32>>>,
    /// The bounds.
    pub rows: Vec<ModelRow>,
    /// The number of sensitive values.
    pub values: usize,
    /// Unit of the problem to its class.
    pub class_of: Vec<u32>,
}

impl Model {
    /// The problem with the units merged that no row and no list of possible values tells apart.
    pub fn new(problem: &Problem) -> Self {
        Self::of_rows(problem, &(0..problem.rows.len()).collect::<Vec<_>>())
    }

    /// The same with some of the problem's rows only.
    pub fn of_rows(problem: &Problem, rows: &[usize]) -> Self {
        let units = problem.weights.len();
        let all: Arc<Vec<u32>> = Arc::new((0..problem.values as u32).collect());
        let model_row = |&origin: &usize| {
            let row = &problem.rows[origin];
            let members = problem.members(row).to_vec();
            let (value, lower, upper, reach) = (row.value, row.lower, row.upper, row.reach);
            ModelRow { value, lower, upper, reach, members, multiplier: 0.0, origin }
        };
        let mut model = Self {
            weights: problem.weights.clone(),
            possible: problem.possible.clone().unwrap_or_else(|| vec![all; units]),
            rows: rows.iter().map(model_row).collect(),
            values: problem.values,
            class_of: (0..units as u32).collect(),
        };
        if problem.possible.is_some() {
            model.restrict_to_possible();
        }
        model.merge_classes();
        model
    }

    /// Takes classes out of the rows of values they cannot have.
    fn restrict_to_possible(&mut self) {
        let possible = &self.possible;
        for row in &mut self.rows {
            row.members.retain(|&class| possible[class as usize].binary_search(&row.value).is_ok());
        }
    }

    /// Merges classes that no row and no list of possible values tells apart.
    pub fn merge_classes(&mut self) {
        let mut signatures: Vec<Fingerprint> = self
            .possible
            .iter()
            .map(|values| values.iter().map(|&value| Fingerprint::of(u32::MAX - value)).sum())
            .collect();
        for (row, number) in self.rows.iter().zip(0..) {
            let row_mark = Fingerprint::of(number);
            row.members.iter().for_each(|&class| signatures[class as usize] += row_mark);
        }
        let mut class_of_signature: FxHashMap<Fingerprint, u32> = FxHashMap::default();
        let mut merged_into = Vec::with_capacity(signatures.len());
        let mut is_first = Vec::with_capacity(signatures.len());
        let (mut weights, mut possible) = (Vec::new(), Vec::new());
        for (class, signature) in signatures.iter().enumerate() {
            let next = weights.len() as u32;
            let merged = *class_of_signature.entry(*signature).or_insert(next);
            is_first.push(merged == next);
            if merged == next {
                weights.push(0.0);
                possible.push(self.possible[class].clone());
            }
            weights[merged as usize] += self.weights[class];
            merged_into.push(merged);
        }
        for row in &mut self.rows {
            row.members.retain(|&class| is_first[class as usize]);
            // The first of each class come in the order of the merged classes, so members still ascend.
            row.members.iter_mut().for_each(|class| *class = merged_into[*class as usize]);
        }
        self.class_of.iter_mut().for_each(|class| *class = merged_into[*class as usize]);
        (self.weights, self.possible) = (weights, possible);
    }

    /// The weight of a row's members.
    pub fn weight(&self, members: &[u32]) -> f64 {
        members.iter().map(|&class| self.weights[class as usize]).sum()
    }
}
