//! What the adversary's beliefs mean: divergences from the truth, and the privacy measures that follow from P*(X | Q).
//!
//! Readings. An individual divergence belongs to a quasi-identifier value, as in the paper (Section VI); counts of
//! individuals are of records. The prior a disclosure is compared with is the share of a value in the original. ℓ is the
//! smallest over the quasi-identifier values of: the values with a posterior above 0; the exponential of the posterior's
//! entropy. t is the largest distance of a posterior from the shares of the values in the original. (α, k): an individual is exposed when some value has a posterior above α, or fewer than k individuals look the
//! same to the adversary (have quasi-identifier values that no constraint tells apart).
//!
//! Cost. Linear in the quasi-identifier values, times the sensitive values; a sort of the divergences.

use crate::data::Microdata;
use crate::lab::LabError;
use crate::lab::math::{exp, ln};
use crate::mining::Profiles;

/// A posterior below this is 0.
const NEXT_TO_NOTHING: f64 = 1e-9;

/// The original's and the adversary's distribution of the sensitive value for each quasi-identifier value.
#[derive(Debug)]
pub struct Beliefs {
    pub values: usize,
    /// Records of each profile.
    pub sizes: Vec<f64>,
    /// Records of each profile with each value: entry `profile * values + value`.
    pub counts: Vec<f64>,
    /// P*(value | profile), laid out alike.
    pub posterior: Vec<f64>,
    /// Profile to the number of individuals that look the same.
    pub crowd: Vec<f64>,
    /// The share of each value in the original.
    pub prior: Vec<f64>,
}

impl Beliefs {
    /// The beliefs of units, joined to profiles. A unit's class is what it looks like, and has its posterior.
    pub fn new(
        microdata: &Microdata,
        profiles: &Profiles,
        units: (&[f64], &[u32]),
        of_classes: &[f64],
        class_of: &[u32],
    ) -> Self {
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let values = sensitive.cardinality();
        let (weights, profile_of) = units;
        let sizes: Vec<f64> = profiles.sizes().iter().map(|&size| f64::from(size)).collect();
        let mut crowd_of_class = vec![0.0; class_of.iter().max().map_or(0, |&last| last as usize + 1)];
        for (&class, &weight) in class_of.iter().zip(weights) {
            crowd_of_class[class as usize] += weight;
        }
        let mut joined = vec![0.0; profiles.len() * values];
        let mut crowd = vec![f64::INFINITY; profiles.len()];
        for (unit, (&profile, &weight)) in profile_of.iter().zip(weights).enumerate() {
            let profile = profile as usize;
            let class = class_of[unit] as usize;
            for value in 0..values {
                joined[profile * values + value] += weight / sizes[profile] * of_classes[class * values + value];
            }
            crowd[profile] = crowd[profile].min(crowd_of_class[class]);
        }
        let counts = profiles.count_classes(microdata.sensitive_codes(), values);
        Self {
            values,
            counts: counts.into_iter().map(f64::from).collect(),
            posterior: joined,
            crowd,
            prior: sensitive.histogram().iter().map(|&count| count as f64 / microdata.rows() as f64).collect(),
            sizes,
        }
    }

    fn profiles(&self) -> usize {
        self.sizes.len()
    }

    pub fn records(&self) -> f64 {
        self.sizes.iter().sum()
    }

    pub fn posterior_of(&self, profile: usize) -> &[f64] {
        &self.posterior[profile * self.values..][..self.values]
    }

    pub fn counts_of(&self, profile: usize) -> &[f64] {
        &self.counts[profile * self.values..][..self.values]
    }

    /// The truth satisfies every constraint, so only a wrong answer calls it impossible. Says so rather than clip it.
    pub fn check_truth_is_possible(&self, microdata: &Microdata) -> Result<(), LabError> {
        let denied = |&i: &usize| self.counts[i] > 0.0 && self.posterior[i] <= 0.0;
        let denied: Vec<usize> = (0..self.counts.len()).filter(denied).collect();
        let Some(&first) = denied.first() else { return Ok(()) };
        let records: f64 = denied.iter().map(|&i| self.counts[i]).sum();
        let value = &microdata.table.columns[microdata.sensitive].values[first % self.values];
        Err(LabError::no_answer(format!(
            "the solver gives probability 0 to the true value of {records} records (the first: `{value}` for \
             quasi-identifier value {} of {})",
            first / self.values + 1,
            self.profiles()
        )))
    }

    /// The divergence of the adversary's belief from the truth, per profile: D_individual.
    pub fn divergences(&self) -> Vec<f64> {
        (0..self.profiles())
            .map(|profile| {
                let terms = self.counts_of(profile).iter().zip(self.posterior_of(profile));
                let size = self.sizes[profile];
                terms.filter(|(count, _)| **count > 0.0).map(|(count, p)| count / size * ln(count / size / p)).sum()
            })
            .collect()
    }

    /// D_overall, of the divergences of the profiles.
    pub fn overall(&self, divergences: &[f64]) -> f64 {
        self.sizes.iter().zip(divergences).map(|(size, d)| size * d).sum::<f64>() / self.records()
    }

    /// H(X | Q) of the original, in nats per record.
    pub fn true_entropy(&self) -> f64 {
        let terms = self.counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        let sum: f64 = terms.map(|(i, count)| -count * ln(count / self.sizes[i / self.values])).sum();
        sum / self.records()
    }

    pub fn max_posterior(&self) -> f64 {
        self.posterior.iter().copied().fold(0.0, f64::max)
    }

    /// The fewest values any profile may have.
    pub fn distinct_l(&self) -> usize {
        let possible = |p: &[f64]| p.iter().filter(|&&p| p > NEXT_TO_NOTHING).count();
        self.posterior.chunks_exact(self.values).map(possible).min().unwrap_or(0)
    }

    /// The smallest exponential of a profile's entropy.
    pub fn entropy_l(&self) -> f64 {
        let entropy = |p: &[f64]| -> f64 { p.iter().filter(|&&p| p > 0.0).map(|p| -p * ln(*p)).sum() };
        self.posterior.chunks_exact(self.values).map(|p| exp(entropy(p))).fold(f64::INFINITY, f64::min)
    }

    /// The largest distance of a profile's posterior from the prior: the earth mover's, where values are equally far apart.
    pub fn t_closeness(&self) -> f64 {
        let distance = |p: &[f64]| p.iter().zip(&self.prior).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
        self.posterior.chunks_exact(self.values).map(distance).fold(0.0, f64::max)
    }

    /// Individuals with a posterior above `alpha`, or among fewer than `k` who look the same.
    pub fn beyond_alpha_k(&self, alpha: f64, k: usize) -> f64 {
        let exposed =
            |&profile: &usize| self.posterior_of(profile).iter().any(|&p| p > alpha) || self.crowd[profile] < k as f64;
        (0..self.profiles()).filter(exposed).map(|profile| self.sizes[profile]).sum()
    }

    /// The number of individuals whose own value satisfies `holds(value, posterior)`.
    pub fn individuals(&self, holds: impl Fn(usize, f64) -> bool) -> f64 {
        let pairs = self.counts.iter().zip(&self.posterior).enumerate();
        pairs.filter(|(i, (_, p))| holds(i % self.values, **p)).map(|(_, (count, _))| count).sum()
    }
}

/// The mean of the `k` first of `sorted` (of all, when there are fewer).
pub fn mean_of_first(sorted: &[f64], k: usize) -> f64 {
    let first = &sorted[..k.min(sorted.len())];
    if first.is_empty() { 0.0 } else { first.iter().sum::<f64>() / first.len() as f64 }
}
