//! smartcore's multinomial naive Bayes, taught with generalized records.
//!
//! A record is a vector with a number for each value of each quasi-identifier: the share of the cell that the value has, so that a
//! cell of four values counts for a quarter of each. The learner wants whole numbers, so shares are multiples of 2⁻³², and counts are
//! smoothed by as many of these as make 1. It adds up the vectors of each sensitive value before it does anything else; here they
//! are added up before it is given them, since millions of records with all values of all attributes fit into no memory.
//!
//! A record is told by adding up the learner's logarithms for the few values it has. smartcore's own `predict` goes through all values
//! of all attributes for each record; a test holds the two to each other. It takes logarithms from the C library, whose last bits
//! differ between machines: what differs by no more than rounding counts as equally likely.

use crate::data::Microdata;
use crate::lab::LabError;
use crate::lab::math::ln;
use crate::release::generalized_table::{Domain, GeneralizedTable};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::naive_bayes::multinomial::{MultinomialNB, MultinomialNBParameters};

/// What a record counts for.
const WHOLE: u64 = 1 << 32;
/// Far more than a sum of logarithms is off by, far less than a record can weigh.
const ROUNDING: f64 = 1e-9;

pub(super) struct NaiveBayes {
    learner: MultinomialNB<u64, u32, DenseMatrix<u64>, Vec<u32>>,
    /// By sensitive code.
    log_priors: Vec<f64>,
    /// Of each attribute, the place of its first value in the learner's vectors.
    first_place: Vec<usize>,
}

impl NaiveBayes {
    /// Of the rows that are not tested.
    pub fn train(microdata: &Microdata, table: &GeneralizedTable, is_tested: &[bool]) -> Result<Self, LabError> {
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let domains = Domain::all(microdata);
        let mut places = 0;
        let mut place_of = |domain: &Domain<'_>| {
            places += domain.values();
            places - domain.values()
        };
        let first_place: Vec<usize> = domains.iter().map(&mut place_of).collect();
        let taught =
            || (0..table.rows()).filter(|&row| !is_tested[row]).filter_map(|row| Some((row, table.sensitive[row]?)));
        // Sensitive code by sensitive code, the vectors of its records added up.
        let mut sums = vec![0u64; values * places];
        for ((column, domain), first) in table.columns.iter().zip(&domains).zip(&first_place) {
            let mut of_cell = vec![0u32; column.cells.len() * values];
            taught().for_each(|(row, value)| of_cell[column.of_row[row] as usize * values + value as usize] += 1);
            for (cell, seen) in column.cells.iter().zip(of_cell.chunks_exact(values.max(1))) {
                let cover = domain.cover(cell);
                let share = WHOLE / cover.len().max(1) as u64;
                for code in cover.codes() {
                    for (value, &seen) in seen.iter().enumerate() {
                        sums[value * places + first + code as usize] += u64::from(seen) * share;
                    }
                }
            }
        }
        let mut totals = vec![0u32; values];
        taught().for_each(|(_, value)| totals[value as usize] += 1);
        let all = totals.iter().map(|&total| f64::from(total)).sum::<f64>() + values as f64;
        let priors: Vec<f64> = totals.iter().map(|&total| (f64::from(total) + 1.0) / all).collect();
        let log_priors = priors.iter().copied().map(ln).collect();
        let parameters = MultinomialNBParameters::default().with_alpha(WHOLE as f64).with_priors(priors);
        let learner = DenseMatrix::new(values, places, sums, false)
            .and_then(|sums| MultinomialNB::fit(&sums, &(0..values as u32).collect(), parameters))
            .map_err(|error| LabError::no_answer(format!("naive Bayes cannot be trained: {error}")))?;
        Ok(Self { learner, log_priors, first_place })
    }

    /// The sensitive code that the quasi-identifiers of a row make likeliest.
    pub fn tell(&self, microdata: &Microdata, row: usize) -> usize {
        likeliest(self.scores(microdata, row))
    }

    /// The sensitive code that most records had.
    pub fn most_frequent(&self) -> usize {
        likeliest(self.log_priors.iter().copied())
    }

    /// The logarithm of the probability of each sensitive code, up to a number that they share.
    fn scores(&self, microdata: &Microdata, row: usize) -> impl Iterator<Item = f64> {
        let first_place = self.first_place.iter().enumerate();
        let places: Vec<usize> = first_place.map(|(i, first)| first + microdata.quasi_codes(i)[row] as usize).collect();
        let of_value = self.log_priors.iter().zip(self.learner.feature_log_prob());
        of_value.map(move |(prior, logarithms)| prior + places.iter().map(|&place| logarithms[place]).sum::<f64>())
    }
}

/// The first of those with the highest score.
fn likeliest(scores: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (value, score) in scores.enumerate() {
        if score > best.1 + ROUNDING {
            best = (value, score);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};
    use crate::release::generalized_table::CellColumn;

    /// People, what a release shows of them, and what scikit-learn's `MultinomialNB` makes of each after training on the first
    /// two thirds of the originals and of the release: written by scripts/check-learner.sh.
    const BY_SCIKIT_LEARN: &str = include_str!("multinomial_nb.csv");
    const QUASI: [&str; 3] = ["age", "town", "job"];

    /// The lines, the people as a dataset, and the release.
    fn people() -> (Vec<Vec<&'static str>>, Dataset, GeneralizedTable) {
        let lines: Vec<Vec<&str>> = BY_SCIKIT_LEARN.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let rows: Vec<&[&str]> = lines.iter().map(|line| &line[..4]).collect();
        let table = Table::from_rows(&["age", "town", "job", "illness"], &rows);
        let dataset = Dataset::of_table(table, &QUASI, "illness").unwrap();
        let microdata = dataset.microdata().unwrap();
        let mut release = GeneralizedTable::identity(microdata);
        for (i, (column, domain)) in release.columns.iter_mut().zip(Domain::all(microdata)).enumerate() {
            let cells = lines.iter().map(|line| domain.parse(line[4 + i]).unwrap()).collect();
            *column = CellColumn { cells, of_row: (0..lines.len() as u32).collect() };
        }
        (lines, dataset, release)
    }

    #[test]
    fn it_tells_what_scikit_learn_tells_of_a_table_and_of_a_generalized_one() {
        let (lines, dataset, release) = people();
        let microdata = dataset.microdata().unwrap();
        let is_tested: Vec<bool> = lines.iter().map(|line| line[7] == "1").collect();
        assert_eq!(is_tested.iter().filter(|tested| **tested).count(), 80);
        for (trained_on, expected) in [(GeneralizedTable::identity(microdata), 8), (release, 10)] {
            let learner = NaiveBayes::train(microdata, &trained_on, &is_tested).unwrap();
            for (row, line) in lines.iter().enumerate() {
                let told = learner.tell(microdata, row);
                assert_eq!(microdata.table.columns[microdata.sensitive].values[told], line[expected], "row {row}");
                let score = learner.scores(microdata, row).nth(told).unwrap();
                let wanted: f64 = line[expected + 1].parse().unwrap();
                assert!((score - wanted).abs() < 1e-6, "row {row}: {score} is not {wanted}");
            }
        }
    }

    #[test]
    fn it_tells_what_smartcore_predicts() {
        let (lines, dataset, release) = people();
        let microdata = dataset.microdata().unwrap();
        let learner = NaiveBayes::train(microdata, &release, &vec![false; lines.len()]).unwrap();
        let places = learner.learner.n_features();
        for row in 0..lines.len() {
            let mut record = vec![0; places];
            for (i, first) in learner.first_place.iter().enumerate() {
                record[first + microdata.quasi_codes(i)[row] as usize] = 1;
            }
            let predicted = learner.learner.predict(&DenseMatrix::new(1, places, record, false).unwrap()).unwrap();
            assert_eq!(predicted, [learner.tell(microdata, row) as u32], "row {row}");
        }
    }

    #[test]
    fn of_equally_likely_values_the_first_is_told() {
        assert_eq!(likeliest([-1.5, -1.0, -1.0 + 1e-14, -2.0].into_iter()), 1);
        assert_eq!(likeliest([-1.5, -1.0, -1.0 + 1e-6].into_iter()), 2);
    }
}
