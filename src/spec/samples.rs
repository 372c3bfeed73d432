//! How often times are taken: `samples:` of a figure.

use crate::run::{Samples, TimeLimit};
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// How often the same work is timed: a number, or bounds between which it is timed until the times are known.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SamplesGiven {
    Number(u32),
    Bounds(Bounds),
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Samples of every cell.
    #[serde(default = "at_least")]
    pub at_least: u32,
    /// Samples of a cell on which a claim about times hangs, as long as `until` is not reached.
    #[serde(default = "at_most")]
    pub at_most: u32,
    /// The half-width of the interval (95 %) of every ratio of two contenders' times, relative to the ratio.
    #[serde(default = "until")]
    pub until: f64,
    /// What samples beyond the least may take together.
    #[serde(default = "budget")]
    pub budget: TimeLimit,
}

fn at_least() -> u32 {
    6
}

fn at_most() -> u32 {
    50
}

fn until() -> f64 {
    0.03
}

fn budget() -> TimeLimit {
    TimeLimit(Duration::from_secs(600))
}

/// More samples than this are a slip.
const MOST: u32 = 10_000;

impl SamplesGiven {
    /// What is wrong with it, if anything is.
    pub fn fault(&self) -> Option<String> {
        let (least, most, until) = match *self {
            Self::Number(number) => (number, number, 0.0),
            Self::Bounds(bounds) => (bounds.at_least, bounds.at_most, bounds.until),
        };
        match () {
            () if least == 0 => Some("at least one sample is needed".to_string()),
            () if most > MOST => Some(format!("{most} samples are too many; at most {MOST} are taken")),
            () if least > most => Some(format!("`at_least` ({least}) is above `at_most` ({most})")),
            () if !(0.0..=1.0).contains(&until) => {
                Some(format!("`until` is a share of the ratio, from 0 to 1, not {until}"))
            }
            () => None,
        }
    }

    /// As a run takes them; `judged` where a claim hangs on times.
    pub fn samples(&self, judged: bool) -> Samples {
        match *self {
            Self::Number(number) => Samples { at_least: number as usize, at_most: number as usize, ..Samples::ONE },
            Self::Bounds(Bounds { at_least, at_most, until, budget }) => Samples {
                at_least: at_least as usize,
                at_most: if judged { at_most } else { at_least } as usize,
                until,
                budget: budget.0,
            },
        }
    }
}
