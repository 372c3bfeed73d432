//! What a learner makes of a generalized table: naive Bayes is trained on the released rows of one part of the people and has to
//! tell the sensitive value of the others from their original quasi-identifiers.
//!
//! Readings. The learner takes a cell for an even share of each value it covers; counts are smoothed by one. Of equally likely
//! values the first is told. The people held out are the same for every algorithm. Suppressed rows teach nothing. The
//! accuracy after training on the originals, and that of always telling the most frequent value, stand beside it.
//!
//! Naive Bayes is written out here: of the crates that have it, linfa-bayes (0.8.1) prints its model on every fit, and
//! smartcore's takes whole counts, not shares.
//!
//! Cost. Linear in the rows; the table of the learner has a number for each value of an attribute and each sensitive value.

use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::math::ln;
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
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

    /// The sensitive code that the quasi-identifiers of a row make likeliest.
    fn tell(&self, microdata: &Microdata, row: usize) -> usize {
        let mut scores = self.log_priors.clone();
        let values = scores.len();
        for (i, likelihoods) in self.log_likelihoods.iter().enumerate() {
            let code = microdata.quasi_codes(i)[row] as usize;
            for (score, likelihood) in scores.iter_mut().zip(&likelihoods[code * values..]) {
                *score += likelihood;
            }
        }
        let mut best = 0;
        for (value, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = value;
            }
        }
        best
    }
}
