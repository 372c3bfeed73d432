//! What of a spec is planned, and with which data.

use crate::external::Jail;
use crate::sources::DataLocations;
use crate::spec::Spec;
use crate::spec::reading::ReadingChoice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More cells than this are most likely a slip; `--max-cells` says otherwise. A cell takes half a kilobyte of a plan.
pub const MOST_CELLS: u64 = 10_000_000;

/// What of a spec is planned, and with which data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanOptions {
    /// The small variant of each sweep.
    pub quick: bool,
    /// These figures alone; all when empty.
    pub only: Vec<String>,
    /// The first seed, instead of the spec's own.
    pub seed: Option<u64>,
    /// How many seeds, instead of the spec's own number.
    pub seeds: Option<u32>,
    /// The same for specs that are not for thorough runs alone (`thorough: true` has its own number), unless `seeds` is given.
    #[serde(default)]
    pub thorough_seeds: Option<u32>,
    pub readings: ReadingChoice,
    pub locations: DataLocations,
    /// Whether programs that the spec names may run. Even planning runs them: they are asked for their version.
    pub allow_external: bool,
    /// Where they may be looked for and not run: the versions that are known, by command. No program is asked for its own.
    #[serde(skip)]
    pub versions: Option<BTreeMap<Vec<String>, String>>,
    /// Whether they must run in a jail.
    #[serde(default)]
    pub jail: Jail,
    /// A plan of more cells is refused before it is made.
    #[serde(default = "most_cells")]
    pub max_cells: u64,
}

fn most_cells() -> u64 {
    MOST_CELLS
}

impl PlanOptions {
    /// Every figure as the spec stands, under each of its readings.
    pub fn of(locations: &DataLocations) -> Self {
        Self {
            quick: false,
            only: Vec::new(),
            seed: None,
            seeds: None,
            thorough_seeds: None,
            readings: ReadingChoice::default(),
            locations: locations.clone(),
            allow_external: false,
            versions: None,
            jail: Jail::default(),
            max_cells: MOST_CELLS,
        }
    }

    /// What they mean for one spec.
    pub fn for_spec(&self, spec: &Spec) -> Self {
        let seeds = self.seeds.or(self.thorough_seeds.filter(|_| !spec.file.thorough));
        Self { seeds, thorough_seeds: None, ..self.clone() }
    }
}
