//! What the audit reports of an inference.

use super::from_rules::ConstraintCounts;
use super::infer::Certificate;
use super::metrics as m;
use super::parameters::MaximumEntropyParameters;
use super::readings::{Beliefs, Readings, mean_of_first};
use crate::data::Microdata;
use crate::lab::{Metric, Observation};
use crate::mining::Profiles;

/// The shares of the records at which individual divergences are shown.
const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

/// One inference and what it took.
pub struct Inferred {
    pub profiles: Profiles,
    pub beliefs: Beliefs,
    pub readings: Readings,
    pub solved: Solved,
    pub sizes: ConstraintCounts,
    /// The variables in all constraints, each as often as it occurs.
    pub variables: u64,
}

/// What was solved, and how well.
pub struct Solved {
    /// H*, in nats per record.
    pub entropy: f64,
    pub certificate: Certificate,
    pub classes: usize,
    pub rows: usize,
    pub steps: usize,
}

/// Observations as they are made.
#[derive(Default)]
pub struct Collected {
    pub observations: Vec<Observation>,
}

impl Collected {
    fn push(&mut self, metric: &Metric, value: f64) {
        self.observations.push(Observation::new(metric, value));
    }

    fn push_at(&mut self, metric: &Metric, at: impl ToString, value: f64) {
        self.observations.push(Observation::at(metric, at, value));
    }

    /// At "Doctorate, Male: 50K+".
    pub fn posteriors(&mut self, microdata: &Microdata, inferred: &Inferred) {
        let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
        let sensitive = &microdata.table.columns[microdata.sensitive];
        inferred.beliefs.each(|profile, belief| {
            let codes = columns.iter().enumerate().map(|(i, column)| (column, inferred.profiles.code(i, profile)));
            let who: Vec<&str> = codes.map(|(column, code)| column.values[code as usize].as_str()).collect();
            for (value, &posterior) in sensitive.values.iter().zip(&belief.posterior) {
                let at = format!("{}: {value}", who.join(", "));
                self.push_at(&m::POSTERIOR, at, posterior);
            }
        });
    }

    pub fn sizes(&mut self, inferred: &Inferred) {
        self.push(&m::QI_VALUES, inferred.profiles.len() as f64);
        self.push(&m::RULES, inferred.sizes.ar_constraints as f64);
        self.push(&m::NAR_CONSTRAINTS, inferred.sizes.nar_constraints as f64);
        self.push(&m::NAR_VARIABLES, inferred.sizes.nar_variables as f64);
        self.push(&m::VARIABLES, inferred.variables as f64);
        self.push(&m::SOLVED_CLASSES, inferred.solved.classes as f64);
        self.push(&m::SOLVED_ROWS, inferred.solved.rows as f64);
        self.push(&m::STEPS, inferred.solved.steps as f64);
    }

    pub fn certificate(&mut self, certificate: &Certificate) {
        self.push(&m::RESIDUAL, certificate.residual);
        self.push(&m::DUALITY_GAP, certificate.duality_gap);
        self.push(&m::COMPLEMENTARITY, certificate.complementarity);
    }

    pub fn unpruned(&mut self, microdata: &Microdata, profiles: &Profiles, values: usize) {
        let (mut patterns, mut members) = (0u64, 0u64);
        profiles.walk(|_, matching| {
            patterns += 1;
            members += matching.len() as u64;
            true
        });
        self.push(&m::CONSTRAINTS_UNPRUNED, (patterns * values as u64) as f64);
        self.push(&m::VARIABLES_UNPRUNED, (members * values as u64) as f64);
        // Theorem 2, whose k is the number of values of every attribute, for attributes of different numbers of values.
        let columns = microdata.quasi_identifiers.iter().map(|&column| &microdata.table.columns[column]);
        let patterns = columns.map(|column| 1.0 + column.cardinality() as f64).product::<f64>() - 1.0;
        self.push(&m::CONSTRAINTS_BY_THEOREM, values as f64 * patterns);
    }

    pub fn divergences(&mut self, inferred: &Inferred, top: &[usize]) {
        let Inferred { beliefs, readings, .. } = inferred;
        let divergences = readings.divergences.as_slice();
        self.push(&m::D_OVERALL, beliefs.overall(divergences));
        self.push(&m::ENTROPY, inferred.solved.entropy);
        self.push(&m::TRUE_ENTROPY, readings.true_entropy);
        let mut by_divergence: Vec<u32> = (0..divergences.len() as u32).collect();
        by_divergence
            .sort_unstable_by(|&a, &b| divergences[a as usize].total_cmp(&divergences[b as usize]).then(a.cmp(&b)));
        let (records, mut seen, mut next) = (beliefs.records(), 0.0, 0);
        for &profile in &by_divergence {
            seen += beliefs.size(profile as usize);
            while next < QUANTILES.len() && seen >= QUANTILES[next] * records {
                self.push_at(&m::D_QUANTILE, QUANTILES[next], divergences[profile as usize]);
                next += 1;
            }
        }
        let mut sorted: Vec<f64> = by_divergence.iter().map(|&profile| divergences[profile as usize]).collect();
        for &k in top {
            self.push_at(&m::D_SMALLEST, k, mean_of_first(&sorted, k));
        }
        sorted.reverse();
        for &k in top {
            self.push_at(&m::D_LARGEST, k, mean_of_first(&sorted, k));
        }
    }

    pub fn disclosures(&mut self, readings: &Readings) {
        self.push(&m::MAX_POSTERIOR, readings.max_posterior);
        self.push(&m::L_DISTINCT, readings.distinct_l as f64);
        self.push(&m::L_ENTROPY, readings.entropy_l);
        self.push(&m::T_CLOSENESS, readings.t_closeness);
        self.push(&m::BEYOND_ALPHA_K, readings.beyond_alpha_k);
        self.push(&m::SMALLEST_CROWD, readings.smallest_crowd);
        self.push(&m::DETERMINED, readings.determined);
        self.push(&m::MISLED, readings.sure - readings.determined);
        self.push(&m::DISCLOSED, readings.disclosed);
    }

    pub fn comparison(&mut self, with: &Inferred, without: &Inferred, parameters: &MaximumEntropyParameters) {
        let (divergences, divergences_without) = (&with.readings.divergences, &without.readings.divergences);
        self.push(&m::D_OVERALL_WITHOUT, without.beliefs.overall(divergences_without));
        self.push(&m::VARIABLES_WITHOUT, without.variables as f64);
        let differences: Vec<f64> = divergences_without.iter().zip(divergences).map(|(b, a)| b - a).collect();
        let mut order: Vec<usize> = (0..differences.len()).collect();
        order.sort_by(|&a, &b| differences[b].total_cmp(&differences[a]));
        let sorted: Vec<f64> = order.iter().map(|&profile| differences[profile]).collect();
        for &k in &parameters.top {
            self.push_at(&m::DIFFERENCE, k, mean_of_first(&sorted, k));
        }
        for (rank, &profile) in (1..=parameters.shown).zip(&order) {
            let (belief, belief_without) = (with.beliefs.of(profile), without.beliefs.of(profile));
            let counts = &belief.counts;
            let value =
                (0..counts.len()).fold(0, |most, value| if counts[value] > counts[most] { value } else { most });
            self.push_at(&m::TOP_DIFFERENCE, rank, differences[profile]);
            self.push_at(&m::TOP_D_WITH, rank, divergences[profile]);
            self.push_at(&m::TOP_D_WITHOUT, rank, divergences_without[profile]);
            self.push_at(&m::TOP_ORIGINAL, rank, counts[value] / with.beliefs.size(profile));
            self.push_at(&m::TOP_WITH, rank, belief.posterior[value]);
            self.push_at(&m::TOP_WITHOUT, rank, belief_without.posterior[value]);
        }
    }
}
