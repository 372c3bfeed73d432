//! Which readings and how many seeds a plan goes through.

use crate::spec::{PlanOptions, ReadingChoice};

/// Options of every command that plans what `run` runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct Variation {
    /// Which readings of each figure to go through
    #[arg(long, value_name = "WHICH", default_value = "each")]
    pub readings: ReadingChoice,
    /// How many seeds to draw everything random with; overrides the spec's `seeds`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(crate::spec::MOST_SEEDS)))]
    pub seeds: Option<u32>,
}

impl Variation {
    /// The words of a command line that ask for the same, less those that are the default anyway.
    pub fn words(readings: ReadingChoice, seeds: Option<u32>) -> Vec<String> {
        let mut words = Vec::new();
        if readings != ReadingChoice::default() {
            words.extend(["--readings".to_string(), readings.name().to_string()]);
        }
        if let Some(seeds) = seeds {
            words.extend(["--seeds".to_string(), seeds.to_string()]);
        }
        words
    }

    pub fn of(self, options: PlanOptions) -> PlanOptions {
        PlanOptions { readings: self.readings, seeds: self.seeds, ..options }
    }
}
