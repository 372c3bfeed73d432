//! The rows as classes at some levels of generalization, and the step to the next level of one attribute.
//!
//! Cost. A step is one hash lookup a class, not a row: the higher the levels, the cheaper.

use super::levels::Levels;
use super::rule::Rule;
use crate::data::Microdata;
use crate::lab::LabError;
use rustc_hash::FxHashMap;

/// How the places of all attributes are packed into one key.
pub(super) struct Packing {
    shifts: Vec<u32>,
    masks: Vec<u128>,
}

impl Packing {
    pub fn new(attributes: &[Levels]) -> Result<Self, LabError> {
        let (mut shifts, mut masks, mut shift) = (Vec::new(), Vec::new(), 0);
        for attribute in attributes {
            let values = attribute.levels[0].cells.len().max(1) as u128;
            let bits = (values - 1).checked_ilog2().map_or(0, |log| log + 1);
            shifts.push(shift);
            masks.push(((1u128 << bits) - 1) << shift);
            shift += bits;
            if shift > 120 {
                let message = "the quasi-identifiers have more than 2^120 combinations of values: use fewer of them";
                return Err(LabError::input(message));
            }
        }
        Ok(Self { shifts, masks })
    }

    pub fn place(&self, key: u128, attribute: usize) -> usize {
        ((key & self.masks[attribute]) >> self.shifts[attribute]) as usize
    }

    /// The key of a row with these places.
    pub fn pack(&self, places: impl Iterator<Item = u32>) -> u128 {
        places.zip(&self.shifts).map(|(place, &shift)| u128::from(place) << shift).sum()
    }

    fn replace(&self, key: u128, attribute: usize, place: u32) -> u128 {
        (key & !self.masks[attribute]) | u128::from(place) << self.shifts[attribute]
    }
}

/// Classes with their sizes and, where a rule needs them, the counts of their sensitive values.
#[derive(Clone)]
pub(super) struct Grouping {
    pub keys: Vec<u128>,
    pub sizes: Vec<u32>,
    /// Dense, class by class; empty where only sizes count.
    pub counts: Vec<u32>,
    values: usize,
}

impl Grouping {
    /// The rows as they are.
    pub fn new(microdata: &Microdata, packing: &Packing, rule: &Rule<'_>) -> Self {
        let mut keys = vec![0u128; microdata.rows()];
        for (i, shift) in packing.shifts.iter().enumerate() {
            for (key, &code) in keys.iter_mut().zip(microdata.quasi_codes(i)) {
                *key |= u128::from(code) << shift;
            }
        }
        let values = if rule.needs_counts() { rule.values() } else { 0 };
        let mut grouping = Self { keys: Vec::new(), sizes: Vec::new(), counts: Vec::new(), values };
        let mut known: FxHashMap<u128, usize> = FxHashMap::default();
        for (key, &value) in keys.into_iter().zip(microdata.sensitive_codes()) {
            let class = grouping.class_of(&mut known, key);
            grouping.sizes[class] += 1;
            if values > 0 {
                grouping.counts[class * values + value as usize] += 1;
            }
        }
        grouping
    }

    fn class_of(&mut self, known: &mut FxHashMap<u128, usize>, key: u128) -> usize {
        *known.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.sizes.push(0);
            self.counts.resize(self.counts.len() + self.values, 0);
            self.keys.len() - 1
        })
    }

    /// The classes after `attribute` is brought from the level below to this one.
    pub fn rolled_up(&self, packing: &Packing, attribute: usize, of_lower: &[u32]) -> Self {
        self.merged(|key| packing.replace(key, attribute, of_lower[packing.place(key, attribute)]))
    }

    /// The classes with every attribute from `first` on left out.
    pub fn without(&self, packing: &Packing, first: usize) -> Self {
        let kept: u128 = packing.masks[..first].iter().sum();
        self.merged(|key| key & kept)
    }

    fn merged(&self, new_key: impl Fn(u128) -> u128) -> Self {
        let mut merged = Self { keys: Vec::new(), sizes: Vec::new(), counts: Vec::new(), values: self.values };
        let mut known: FxHashMap<u128, usize> = FxHashMap::default();
        for (class, &key) in self.keys.iter().enumerate() {
            let into = merged.class_of(&mut known, new_key(key));
            merged.sizes[into] += self.sizes[class];
            let counts = &self.counts[class * self.values..(class + 1) * self.values];
            for (sum, &count) in merged.counts[into * self.values..].iter_mut().zip(counts) {
                *sum += count;
            }
        }
        merged
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_allowed(&self, rule: &Rule<'_>, class: usize) -> bool {
        rule.allows(self.sizes[class] as usize, &self.counts[class * self.values..(class + 1) * self.values])
    }

    /// The rows in classes that the rule refuses.
    pub fn refused_rows(&self, rule: &Rule<'_>) -> u64 {
        (0..self.len()).filter(|&class| !self.is_allowed(rule, class)).map(|class| u64::from(self.sizes[class])).sum()
    }
}
