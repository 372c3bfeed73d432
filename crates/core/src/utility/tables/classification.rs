//! What a learner makes of a generalized table: naive Bayes is trained on the released rows of one part of the people and has to
//! tell the sensitive value of the others from their original quasi-identifiers.
//!
//! Readings. The learner takes a cell for an even share of each value it covers; counts are smoothed by one. Of equally likely
//! values the first is told. The people held out are the same for every algorithm. Suppressed rows teach nothing. The
//! accuracy after training on the originals, and that of always telling the most frequent value, stand beside it.
//!
//! Naive Bayes is written out here, since the learners of crates take records one by one and whole: docs/generalized-tables.md
//! tells more. On tables that are not generalized a test holds it to scikit-learn's `CategoricalNB`.
//!
//! Cost. Linear in the rows; the table of the learner has a number for each value of an attribute and each sensitive value.

use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::math::ln;
use crate::lab::{Better, LabError, Metric, Observation, Witness, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::generalized_table::{Domain, GeneralizedTable};
use crate::release::{Release, ReleaseKind};
use rand::seq::index::sample;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How well a classifier does that learns from the release.
pub struct Classification;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ClassificationParameters {
    /// The share of the rows that the learner is tested on and not shown.
    #[schemars(range(max = 0.9), extend("exclusiveMinimum" = 0.0))]
    pub held_out: f64,
}

impl Default for ClassificationParameters {
    fn default() -> Self {
        Self { held_out: 0.3 }
    }
}

const ACCURACY: Metric = Metric::new(
    "accuracy",
    "%",
    Better::Higher,
    "people held out whose sensitive value is told rightly after training on the release",
);
const ORIGINAL: Metric =
    Metric::new("accuracy_original", "%", Better::Neither, "the same after training on the original");
const MAJORITY: Metric =
    Metric::new("accuracy_majority", "%", Better::Neither, "the same by always telling the most frequent value");

impl Measure for Classification {
    type Parameters = ClassificationParameters;
    const NAME: &'static str = "classification";
    const DRAWS: bool = true;
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Accuracy of naive Bayes trained on a generalized table and tested on held-out originals",
        paper: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Workload-Aware Anonymization, KDD 2006",
        input: InputKind::Table,
        releases: &[ReleaseKind::GeneralizedTable],
        metrics: &[ACCURACY, ORIGINAL, MAJORITY],
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &ClassificationParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let microdata = original.microdata()?;
        let table = GeneralizedTable::of_release(microdata, release)?;
        let rows = microdata.rows();
        let tested = (rows as f64 * parameters.held_out) as usize;
        if tested == 0 || tested >= rows {
            return Err(LabError::input(format!(
                "of {rows} rows, {tested} would be held out: too few to learn and test"
            )));
        }
        let mut is_tested = vec![false; rows];
        for row in sample(&mut bench.rng("held out"), rows, tested) {
            is_tested[row] = true;
        }
        let accuracy = |learner: &NaiveBayes| {
            let right = (0..rows)
                .filter(|&row| is_tested[row])
                .filter(|&row| learner.tell(microdata, row) == microdata.sensitive_codes()[row] as usize);
            right.count() as f64 / tested as f64 * 100.0
        };
        let from_release = NaiveBayes::train(microdata, table, &is_tested);
        let from_original = NaiveBayes::train(microdata, &GeneralizedTable::identity(microdata), &is_tested);
        let majority = NaiveBayes { log_likelihoods: Vec::new(), ..from_original.clone() };
        bench.witness(|| {
            let name = |value: usize| microdata.table.columns[microdata.sensitive].values[value].as_str();
            let told = |row: usize| (from_release.tell(microdata, row), from_original.tell(microdata, row));
            let truth = |row: usize| microdata.sensitive_codes()[row] as usize;
            let lost = (0..rows).filter(|&row| is_tested[row] && told(row).1 == truth(row) && told(row).0 != truth(row));
            let witness = |row: usize| {
                let (released, original) = (name(told(row).0), name(told(row).1));
                let shown = format!(
                    "row {}, held out, is told as {released} after training on the release, and rightly as {original} after \
                     training on the original",
                    row + 1
                );
                let by_number = format!(
                    "row {}, held out, is told wrongly after training on the release, and rightly after training on the \
                     original",
                    row + 1
                );
                Witness::of_metric(&ACCURACY, shown).or_by_number(by_number).row(row)
            };
            lost.take(Witness::MOST).map(witness).collect::<Vec<_>>()
        });
        Ok(vec![
            Observation::new(&ACCURACY, accuracy(&from_release)),
            Observation::new(&ORIGINAL, accuracy(&from_original)),
            Observation::new(&MAJORITY, accuracy(&majority)),
        ])
    }
}

#[derive(Debug, Clone)]
struct NaiveBayes {
    /// By sensitive code.
    log_priors: Vec<f64>,
    /// Attribute by attribute: `code * values + sensitive code`.
    log_likelihoods: Vec<Vec<f64>>,
}

impl NaiveBayes {
    fn train(microdata: &Microdata, table: &GeneralizedTable, is_tested: &[bool]) -> Self {
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let taught =
            || (0..table.rows()).filter(|&row| !is_tested[row]).filter_map(|row| Some((row, table.sensitive[row]?)));
        let mut totals = vec![0.0; values];
        taught().for_each(|(_, value)| totals[value as usize] += 1.0);
        let all: f64 = totals.iter().sum();
        let log_priors = totals.iter().map(|total| ln((total + 1.0) / (all + values as f64))).collect();
        let log_likelihoods = table
            .columns
            .iter()
            .zip(Domain::all(microdata))
            .map(|(column, domain)| {
                let mut of_cell = vec![0u32; column.cells.len() * values];
                taught().for_each(|(row, value)| of_cell[column.of_row[row] as usize * values + value as usize] += 1);
                let mut counts = vec![1.0; domain.values() * values];
                for (cell, seen) in column.cells.iter().zip(of_cell.chunks_exact(values.max(1))) {
                    let cover = domain.cover(cell);
                    for code in cover.codes() {
                        for (count, &seen) in counts[code as usize * values..].iter_mut().zip(seen) {
                            *count += f64::from(seen) / cover.len() as f64;
                        }
                    }
                }
                let smoothed = |value: usize| totals[value] + domain.values() as f64;
                counts.iter().enumerate().map(|(i, count)| ln(count / smoothed(i % values))).collect()
            })
            .collect();
        Self { log_priors, log_likelihoods }
    }

    /// The logarithm of the probability of each sensitive code, up to a number that they share.
    fn scores(&self, microdata: &Microdata, row: usize) -> Vec<f64> {
        let mut scores = self.log_priors.clone();
        let values = scores.len();
        for (i, likelihoods) in self.log_likelihoods.iter().enumerate() {
            let code = microdata.quasi_codes(i)[row] as usize;
            for (score, likelihood) in scores.iter_mut().zip(&likelihoods[code * values..]) {
                *score += likelihood;
            }
        }
        scores
    }

    /// The sensitive code that the quasi-identifiers of a row make likeliest.
    fn tell(&self, microdata: &Microdata, row: usize) -> usize {
        let scores = self.scores(microdata, row);
        let mut best = 0;
        for (value, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = value;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;

    /// The table and what `CategoricalNB` says of each row: written by scripts/check-learner.sh.
    const BY_SCIKIT_LEARN: &str = include_str!("categorical_nb.csv");

    #[test]
    fn it_tells_what_scikit_learn_tells_of_a_table_that_is_not_generalized() {
        let lines: Vec<Vec<&str>> = BY_SCIKIT_LEARN.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let people: Vec<&[&str]> = lines.iter().map(|line| &line[..4]).collect();
        let names = ["age", "town", "job", "illness"];
        let dataset = Dataset::of_table(Table::from_rows(&names, &people), &names[..3], names[3]).unwrap();
        let microdata = dataset.microdata().unwrap();
        let is_tested: Vec<bool> = lines.iter().map(|line| line[4] == "1").collect();
        let learner = NaiveBayes::train(microdata, &GeneralizedTable::identity(microdata), &is_tested);
        for (row, line) in lines.iter().enumerate() {
            let told = learner.tell(microdata, row);
            assert_eq!(microdata.table.columns[microdata.sensitive].values[told], line[5], "row {row}");
            let (score, expected): (f64, f64) = (learner.scores(microdata, row)[told], line[6].parse().unwrap());
            assert!((score - expected).abs() < 1e-9, "row {row}: {score} is not {expected}");
        }
        assert!(is_tested.iter().filter(|tested| **tested).count() == 80);
    }
}
