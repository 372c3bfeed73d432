//! What the adversary's beliefs mean: divergences from the truth, and the privacy measures that follow from P*(X | Q).
//!
//! Readings. An individual divergence belongs to a quasi-identifier value, as in the paper (Section VI); counts of
//! individuals are of records. The prior a disclosure is compared with is the share of a value in the original. ℓ is the
//! smallest over the quasi-identifier values of: the values with a posterior above 0; the exponential of the posterior's
//! entropy. t is the largest distance of a posterior from the shares of the values in the original. (α, k): an individual is exposed when some value has a posterior above α, or fewer than k individuals look the
//! same to the adversary (have quasi-identifier values that no constraint tells apart).
//!
//! Cost. One pass over the quasi-identifier values, times the sensitive values; a sort of the divergences. What is kept of a
//! quasi-identifier value is the classes of its units, from which its posterior is joined when it is asked for.

use super::lists::Lists;
use super::parameters::MaximumEntropyParameters;
use super::posteriors::Posteriors;
use crate::data::Microdata;
use crate::lab::math::{exp, ln};
use crate::lab::{LabError, counted};
use crate::mining::Profiles;

/// Profiles whose posteriors are joined at the same time.
const BLOCK: usize = 128;

/// A posterior below this is 0.
const NEXT_TO_NOTHING: f64 = 1e-9;

/// Units of one or several quasi-identifier values, with the classes they are in.
pub struct UnitsSeen<'a> {
    /// Unit to its number of records.
    pub sizes: &'a [u32],
    /// Unit to its profile.
    pub profile_of: &'a [u32],
    /// Unit to its class: units of one class look the same to the adversary.
    pub class_of: &'a [u32],
}

/// The original's and the adversary's distribution of the sensitive value for each quasi-identifier value.
#[derive(Debug)]
pub struct Beliefs {
    pub values: usize,
    /// The share of each value in the original.
    pub prior: Vec<f64>,
    /// Records of each profile.
    sizes: Vec<u32>,
    /// The sensitive codes of the records of each profile.
    codes: Lists,
    /// The classes of the units of each profile, and the records of each unit.
    classes: Lists,
    unit_sizes: Vec<u32>,
    of_classes: Posteriors,
    /// Class to the number of individuals in it.
    crowds: Vec<f64>,
}

/// The distributions of one profile, by value.
#[derive(Debug, Clone)]
pub struct Belief {
    /// How many records have each value.
    pub counts: Vec<f64>,
    pub posterior: Vec<f64>,
}

impl Beliefs {
    /// The beliefs of units, joined to profiles.
    pub fn new(microdata: &Microdata, profiles: &Profiles, units: &UnitsSeen<'_>, of_classes: Posteriors) -> Self {
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let UnitsSeen { sizes, profile_of, class_of } = *units;
        let mut crowds = vec![0.0; of_classes.classes()];
        for (&class, &size) in class_of.iter().zip(sizes) {
            crowds[class as usize] += f64::from(size);
        }
        let of_profiles =
            |items: &'_ [u32]| Lists::new(profiles.len(), profile_of.iter().copied().zip(items.iter().copied()));
        Self {
            values: sensitive.cardinality(),
            prior: sensitive.histogram().iter().map(|&count| count as f64 / microdata.rows() as f64).collect(),
            sizes: profiles.sizes().to_vec(),
            codes: Lists::new(
                profiles.len(),
                profiles.of_row().iter().copied().zip(microdata.sensitive_codes().iter().copied()),
            ),
            classes: of_profiles(class_of),
            unit_sizes: of_profiles(sizes).into_items(),
            of_classes,
            crowds,
        }
    }

    pub fn profiles(&self) -> usize {
        self.sizes.len()
    }

    pub fn size(&self, profile: usize) -> f64 {
        f64::from(self.sizes[profile])
    }

    pub fn records(&self) -> f64 {
        self.sizes.iter().map(|&size| f64::from(size)).sum()
    }

    /// The distributions of a profile.
    pub fn of(&self, profile: usize) -> Belief {
        let mut belief = self.blank();
        self.join(profile, self.parts(profile), &mut belief);
        belief
    }

    /// Visits all profiles in order.
    pub fn each(&self, mut visit: impl FnMut(usize, &Belief)) {
        let mut belief = self.blank();
        let mut joined = Vec::new();
        for start in (0..self.profiles()).step_by(BLOCK) {
            let block = start..self.profiles().min(start + BLOCK);
            // The classes of neighbouring profiles are anywhere in memory: what is asked of many of them at a time arrives together.
            joined.clear();
            let mut ends = [0; BLOCK];
            for (profile, end) in block.clone().zip(&mut ends) {
                joined.extend(self.parts(profile));
                *end = joined.len();
            }
            let mut from = 0;
            for (profile, to) in block.zip(ends) {
                belief.counts.fill(0.0);
                belief.posterior.fill(0.0);
                self.join(profile, joined[from..to].iter().copied(), &mut belief);
                visit(profile, &belief);
                from = to;
            }
        }
    }

    fn blank(&self) -> Belief {
        Belief { counts: vec![0.0; self.values], posterior: vec![0.0; self.values] }
    }

    /// What each unit of a profile adds to its posterior: values and probabilities.
    fn parts(&self, profile: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let size = self.size(profile);
        let unit_sizes = &self.unit_sizes[self.classes.places(profile)];
        self.classes.get(profile).iter().zip(unit_sizes).flat_map(move |(&class, &unit_size)| {
            let weight = f64::from(unit_size) / size;
            self.of_classes.of(class as usize).map(move |(value, p)| (value, weight * p))
        })
    }

    fn join(&self, profile: usize, parts: impl Iterator<Item = (u32, f64)>, belief: &mut Belief) {
        self.codes.get(profile).iter().for_each(|&code| belief.counts[code as usize] += 1.0);
        parts.for_each(|(value, part)| belief.posterior[value as usize] += part);
    }

    /// The fewest individuals among whom somebody of a profile is not told apart.
    fn crowd(&self, profile: usize) -> f64 {
        let crowds = self.classes.get(profile).iter().map(|&class| self.crowds[class as usize]);
        crowds.fold(f64::INFINITY, f64::min)
    }

    /// Everything that is read from the distributions, in one pass. The truth satisfies every constraint, so only a wrong answer calls
    /// it impossible: says so rather than clip it.
    pub fn read(&self, microdata: &Microdata, asked: &MaximumEntropyParameters) -> Result<Readings, LabError> {
        let mut readings = Readings::new(self.profiles());
        let mut impossible = ImpossibleRecords::default();
        self.each(|profile, belief| {
            impossible.look(profile, belief);
            readings.add(self, profile, belief, asked);
        });
        readings.true_entropy /= self.records();
        impossible.check(microdata, self.profiles())?;
        Ok(readings)
    }

    /// D_overall, of the divergences of the profiles.
    pub fn overall(&self, divergences: &[f64]) -> f64 {
        self.sizes.iter().zip(divergences).map(|(&size, d)| f64::from(size) * d).sum::<f64>() / self.records()
    }
}

/// Records whose true value has probability 0.
#[derive(Debug, Default)]
struct ImpossibleRecords {
    records: f64,
    /// Profile and value.
    first: Option<(usize, usize)>,
}

impl ImpossibleRecords {
    fn look(&mut self, profile: usize, belief: &Belief) {
        for (value, (&count, &p)) in belief.counts.iter().zip(&belief.posterior).enumerate() {
            if count > 0.0 && p <= 0.0 {
                self.records += count;
                self.first.get_or_insert((profile, value));
            }
        }
    }

    fn check(self, microdata: &Microdata, profiles: usize) -> Result<(), LabError> {
        let Some((profile, value)) = self.first else { return Ok(()) };
        let (records, value) =
            (counted(self.records, "record"), &microdata.table.columns[microdata.sensitive].values[value]);
        Err(LabError::no_answer(format!(
            "the solver gives probability 0 to the true value of {records} (the first: `{value}` for \
             quasi-identifier value {} of {profiles})",
            profile + 1,
        )))
    }
}

/// What the distributions of all profiles come to.
#[derive(Debug)]
pub struct Readings {
    /// The divergence of the adversary's belief from the truth, per profile: D_individual.
    pub divergences: Vec<f64>,
    /// H(X | Q) of the original, in nats per record.
    pub true_entropy: f64,
    pub max_posterior: f64,
    /// The fewest values any profile may have.
    pub distinct_l: usize,
    /// The smallest exponential of a profile's entropy.
    pub entropy_l: f64,
    /// The largest distance of a profile's posterior from the prior: the earth mover's, where values are equally far apart.
    pub t_closeness: f64,
    /// Individuals with a posterior above `alpha`, or among fewer than `k` who look the same.
    pub beyond_alpha_k: f64,
    pub smallest_crowd: f64,
    /// Individuals whose own value has a posterior of `determined_at` or more.
    pub determined: f64,
    /// Individuals some value of whom has one.
    pub sure: f64,
    /// Individuals whose own value has `factor` times its prior or more.
    pub disclosed: f64,
}

impl Readings {
    fn new(profiles: usize) -> Self {
        // Has a sign, and tables show it.
        let nothing: f64 = std::iter::empty::<f64>().sum();
        Self {
            divergences: Vec::with_capacity(profiles),
            true_entropy: nothing,
            max_posterior: 0.0,
            distinct_l: if profiles == 0 { 0 } else { usize::MAX },
            entropy_l: f64::INFINITY,
            t_closeness: 0.0,
            beyond_alpha_k: nothing,
            smallest_crowd: f64::INFINITY,
            determined: nothing,
            sure: nothing,
            disclosed: nothing,
        }
    }

    fn add(&mut self, beliefs: &Beliefs, profile: usize, belief: &Belief, asked: &MaximumEntropyParameters) {
        let Belief { counts, posterior } = belief;
        let (size, crowd) = (beliefs.size(profile), beliefs.crowd(profile));
        self.divergences.push(divergence(belief, size));
        let true_values = || counts.iter().zip(posterior).filter(|(count, _)| **count > 0.0);
        true_values().for_each(|(count, _)| self.true_entropy += -count * ln(count / size));
        let (mut possible, mut entropy, mut distance, mut largest) = (0, 0.0, 0.0, 0.0f64);
        for ((&p, prior), count) in posterior.iter().zip(&beliefs.prior).zip(counts) {
            if p >= asked.determined_at {
                self.determined += count;
            }
            if p >= asked.factor * prior {
                self.disclosed += count;
            }
            possible += usize::from(p > NEXT_TO_NOTHING);
            if p > 0.0 {
                entropy += -p * ln(p);
            }
            distance += (p - prior).abs();
            largest = largest.max(p);
        }
        self.distinct_l = self.distinct_l.min(possible);
        self.entropy_l = self.entropy_l.min(exp(entropy));
        self.t_closeness = self.t_closeness.max(distance / 2.0);
        self.max_posterior = self.max_posterior.max(largest);
        self.smallest_crowd = self.smallest_crowd.min(crowd);
        if largest > asked.alpha || crowd < asked.k as f64 {
            self.beyond_alpha_k += size;
        }
        if largest >= asked.determined_at {
            self.sure += size;
        }
    }
}

/// How far a belief is from the truth about `size` records. No divergence is below 0 (Gibbs' inequality): a sum that is, is so by rounding.
fn divergence(belief: &Belief, size: f64) -> f64 {
    let true_values = belief.counts.iter().zip(&belief.posterior).filter(|(count, _)| **count > 0.0);
    true_values.map(|(count, p)| count / size * ln(count / size / p)).sum::<f64>().max(0.0)
}

/// The mean of the `k` first of `sorted` (of all, when there are fewer).
pub fn mean_of_first(sorted: &[f64], k: usize) -> f64 {
    let first = &sorted[..k.min(sorted.len())];
    if first.is_empty() { 0.0 } else { first.iter().sum::<f64>() / first.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_divergence_is_below_0() {
        let of =
            |posterior: [f64; 2]| divergence(&Belief { counts: vec![1.0, 2.0], posterior: posterior.to_vec() }, 3.0);
        let truth = [1.0 / 3.0, 2.0 / 3.0];
        assert_eq!((of(truth), of(truth.map(f64::next_up))), (0.0, 0.0), "rounded upwards");
        assert!(of([0.5, 0.5]) > 0.05);
    }
}
