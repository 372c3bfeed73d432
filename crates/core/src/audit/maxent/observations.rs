//! What the audit reports of an inference.

use super::from_rules::Sizes;
use super::infer::{Certificate, Inference};
use super::metrics as m;
use super::parameters::MaximumEntropyParameters;
use super::readings::{Beliefs, mean_of_first};
use crate::data::Microdata;
use crate::lab::{Metric, Observation};
use crate::mining::Profiles;

/// The shares of the records at which individual divergences are shown.
const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

/// One inference and what it took.
pub struct Inferred {
    pub profiles: Profiles,
    pub beliefs: Beliefs,
    pub inference: Inference,
    pub sizes: Sizes,
    /// The variables in all constraints, each as often as it occurs.
    pub variables: u64,
}

/// Observations as they are made.
#[derive(Default)]
pub struct Seen {
    pub observations: Vec<Observation>,
}

impl Seen {
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
        for profile in 0..inferred.beliefs.sizes.len() {
            let codes = columns.iter().enumerate().map(|(i, column)| (column, inferred.profiles.code(i, profile)));
            let who: Vec<&str> = codes.map(|(column, code)| column.values[code as usize].as_str()).collect();
            for (value, &posterior) in sensitive.values.iter().zip(inferred.beliefs.posterior_of(profile)) {
                let at = format!("{}: {value}", who.join(", "));
                self.push_at(&m::POSTERIOR, at, posterior);
            }
        }
    }

    pub fn sizes(&mut self, inferred: &Inferred) {
        self.push(&m::QI_VALUES, inferred.profiles.len() as f64);
        self.push(&m::RULES, inferred.sizes.ar_constraints as f64);
        self.push(&m::NAR_CONSTRAINTS, inferred.sizes.nar_constraints as f64);
        self.push(&m::NAR_VARIABLES, inferred.sizes.nar_variables as f64);
        self.push(&m::VARIABLES, inferred.variables as f64);
        self.push(&m::SOLVED_CLASSES, inferred.inference.classes as f64);
        self.push(&m::SOLVED_ROWS, inferred.inference.rows as f64);
        self.push(&m::STEPS, inferred.inference.steps as f64);
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

    pub fn divergences(&mut self, inferred: &Inferred, divergences: &[f64], top: &[usize]) {
        let beliefs = &inferred.beliefs;
        self.push(&m::D_OVERALL, beliefs.overall(divergences));
        self.push(&m::ENTROPY, inferred.inference.entropy);
        self.push(&m::TRUE_ENTROPY, beliefs.true_entropy());
        let mut by_divergence: Vec<usize> = (0..divergences.len()).collect();
        by_divergence.sort_by(|&a, &b| divergences[a].total_cmp(&divergences[b]));
        let (records, mut seen, mut next) = (beliefs.records(), 0.0, 0);
        for &profile in &by_divergence {
            seen += beliefs.sizes[profile];
            while next < QUANTILES.len() && seen >= QUANTILES[next] * records {
                self.push_at(&m::D_QUANTILE, QUANTILES[next], divergences[profile]);
                next += 1;
            }
        }
        let mut sorted: Vec<f64> = by_divergence.iter().map(|&profile| divergences[profile]).collect();
        for &k in top {
            self.push_at(&m::D_SMALLEST, k, mean_of_first(&sorted, k));
        }
        sorted.reverse();
        for &k in top {
            self.push_at(&m::D_LARGEST, k, mean_of_first(&sorted, k));
        }
    }

    pub fn disclosures(&mut self, beliefs: &Beliefs, parameters: &MaximumEntropyParameters) {
        self.push(&m::MAX_POSTERIOR, beliefs.max_posterior());
        self.push(&m::L_DISTINCT, beliefs.distinct_l() as f64);
        self.push(&m::L_ENTROPY, beliefs.entropy_l());
        self.push(&m::T_CLOSENESS, beliefs.t_closeness());
        self.push(&m::BEYOND_ALPHA_K, beliefs.beyond_alpha_k(parameters.alpha, parameters.k));
        self.push(&m::SMALLEST_CROWD, beliefs.crowd.iter().copied().fold(f64::INFINITY, f64::min));
        let at = parameters.determined_at;
        let determined = beliefs.individuals(|_, p| p >= at);
        self.push(&m::DETERMINED, determined);
        let sure = (0..beliefs.sizes.len()).filter(|&profile| beliefs.posterior_of(profile).iter().any(|&p| p >= at));
        self.push(&m::MISLED, sure.map(|profile| beliefs.sizes[profile]).sum::<f64>() - determined);
        let disclosed = beliefs.individuals(|value, p| p >= parameters.factor * beliefs.prior[value]);
        self.push(&m::DISCLOSED, disclosed);
    }

    pub fn comparison(
        &mut self,
        with: &Inferred,
        without: &Inferred,
        divergences: &[f64],
        parameters: &MaximumEntropyParameters,
    ) {
        let divergences_without = without.beliefs.divergences();
        self.push(&m::D_OVERALL_WITHOUT, without.beliefs.overall(&divergences_without));
        self.push(&m::VARIABLES_WITHOUT, without.variables as f64);
        let differences: Vec<f64> = divergences_without.iter().zip(divergences).map(|(b, a)| b - a).collect();
        let mut order: Vec<usize> = (0..differences.len()).collect();
        order.sort_by(|&a, &b| differences[b].total_cmp(&differences[a]));
        let sorted: Vec<f64> = order.iter().map(|&profile| differences[profile]).collect();
        for &k in &parameters.top {
            self.push_at(&m::DIFFERENCE, k, mean_of_first(&sorted, k));
        }
        for (rank, &profile) in (1..=parameters.shown).zip(&order) {
            let counts = with.beliefs.counts_of(profile);
            let value =
                (0..counts.len()).fold(0, |most, value| if counts[value] > counts[most] { value } else { most });
            self.push_at(&m::TOP_DIFFERENCE, rank, differences[profile]);
            self.push_at(&m::TOP_D_WITH, rank, divergences[profile]);
            self.push_at(&m::TOP_D_WITHOUT, rank, divergences_without[profile]);
            self.push_at(&m::TOP_ORIGINAL, rank, counts[value] / with.beliefs.sizes[profile]);
            self.push_at(&m::TOP_WITH, rank, with.beliefs.posterior_of(profile)[value]);
            self.push_at(&m::TOP_WITHOUT, rank, without.beliefs.posterior_of(profile)[value]);
        }
    }
}
