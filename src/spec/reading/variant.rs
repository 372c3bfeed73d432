//! Variants: one option for each reading of a figure.

use super::{ReadingChoice, apply};
use crate::spec::SpecFile;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the variant is called in which every reading has its first option.
pub const DEFAULT: &str = "default";

/// More combinations than this in one figure are a slip, not an experiment.
const MOST_VARIANTS: usize = 1_000;

/// The readings of a figure that have another option than their first, with that option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Variant {
    pub options: Vec<(String, String)>,
}

impl Variant {
    pub fn is_default(&self) -> bool {
        self.options.is_empty()
    }

    /// Whether it differs from the default in none but these readings.
    pub fn is_within(&self, readings: &[String]) -> bool {
        self.options.iter().all(|(reading, _)| readings.contains(reading))
    }
}

/// As it stands in files: `default`, `order=frequency`, `order=frequency, modulo=id`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_default() {
            return f.write_str(DEFAULT);
        }
        for (i, (reading, option)) in self.options.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{reading}={option}")?;
        }
        Ok(())
    }
}

/// The variants of a figure that names these readings, the default first.
pub fn variants(file: &SpecFile, readings: &[String], choice: ReadingChoice) -> Result<Vec<Variant>, String> {
    let mut variants = vec![Variant::default()];
    let named = || readings.iter().filter_map(|name| Some((name, file.readings.get(name)?)));
    match choice {
        ReadingChoice::None => {}
        ReadingChoice::Each => {
            for (name, reading) in named() {
                let others = reading.options.keys().skip(1);
                variants.extend(others.map(|option| Variant { options: vec![(name.clone(), option.clone())] }));
            }
        }
        ReadingChoice::All => {
            let count = named().try_fold(1usize, |count, (_, reading)| count.checked_mul(reading.options.len()));
            if count.is_none_or(|count| count > MOST_VARIANTS) {
                let factors: Vec<String> =
                    named().map(|(name, reading)| format!("{} of `{name}`", reading.options.len())).collect();
                return Err(format!(
                    "`--readings all` means every combination of {}, more than {MOST_VARIANTS}; `--readings each` takes \
                     every option alone",
                    factors.join(", ")
                ));
            }
            for (name, reading) in named() {
                let with = |variant: &Variant, option: &String| {
                    let mut options = variant.options.clone();
                    options.push((name.clone(), option.clone()));
                    Variant { options }
                };
                let more: Vec<Variant> = reading
                    .options
                    .keys()
                    .skip(1)
                    .flat_map(|option| variants.iter().map(move |variant| with(variant, option)))
                    .collect();
                variants.extend(more);
            }
        }
    }
    Ok(variants)
}

/// The spec as the variant reads it.
pub fn applied(file: &SpecFile, variant: &Variant) -> Result<SpecFile, String> {
    let mut file = file.clone();
    for (reading, option) in &variant.options {
        let settings = file.readings.get(reading).and_then(|reading| reading.options.get(option)).cloned();
        for (path, value) in settings.unwrap_or_default() {
            apply(&mut file, &path, &value)?;
        }
    }
    Ok(file)
}
