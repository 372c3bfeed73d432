//! What a learner makes of a generalized table: naive Bayes is trained on the released rows of one part of the people and has to
//! tell the sensitive value of the others from their original quasi-identifiers.
//!
//! Readings. The learner takes a cell for an even share of each value it covers; counts are smoothed by one. Of equally likely
//! values the first is told. The people held out are the same for every algorithm. Suppressed rows teach nothing. The
//! accuracy after training on the originals, and that of always telling the most frequent value, stand beside it.
//!
//! The learner is smartcore's; [`NaiveBayes`] says how generalized records are put to it, and docs/generalized-tables.md why it
//! is this one. A test holds it to scikit-learn's.
//!
//! Cost. Linear in the rows; the tables of the learner have a number for each value of an attribute and each sensitive value.

use super::naive_bayes::NaiveBayes;
use crate::data::InputKind;
use crate::lab::{LabError, Metric, Observation, Witness, Workbench, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;
use crate::release::generalized_table::GeneralizedTable;
use rand::seq::index::sample;

/// How well a classifier does that learns from the release.
pub struct Classification;

with_defaults! {
    pub struct ClassificationParameters {
        /// The share of the rows that the learner is tested on and not shown.
        #[schemars(range(max = 0.9), extend("exclusiveMinimum" = 0.0))]
        pub held_out: f64 = 0.3,
    }
}

const ACCURACY: Metric = Metric::higher(
    "accuracy",
    "%",
    "people held out whose sensitive value is told rightly after training on the release",
);
const ORIGINAL: Metric = Metric::fact("accuracy_original", "%", "the same after training on the original");
const MAJORITY: Metric = Metric::fact("accuracy_majority", "%", "the same by always telling the most frequent value");

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

    fn measure(subject: Subject<'_>, parameters: &ClassificationParameters, bench: &mut Workbench) -> Observed {
        let (microdata, table) = subject.table()?;
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
        let truth = |row: usize| microdata.sensitive_codes()[row] as usize;
        let accuracy = |told: &dyn Fn(usize) -> usize| {
            let right = (0..rows).filter(|&row| is_tested[row] && told(row) == truth(row));
            right.count() as f64 / tested as f64 * 100.0
        };
        let from_release = NaiveBayes::train(microdata, table, &is_tested)?;
        let from_original = NaiveBayes::train(microdata, &GeneralizedTable::identity(microdata), &is_tested)?;
        let most_frequent = from_original.most_frequent();
        bench.witness(|| {
            let name = |value: usize| microdata.table.columns[microdata.sensitive].values[value].as_str();
            let told = |row: usize| (from_release.tell(microdata, row), from_original.tell(microdata, row));
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
            Observation::new(&ACCURACY, accuracy(&|row| from_release.tell(microdata, row))),
            Observation::new(&ORIGINAL, accuracy(&|row| from_original.tell(microdata, row))),
            Observation::new(&MAJORITY, accuracy(&|_| most_frequent)),
        ])
    }
}
