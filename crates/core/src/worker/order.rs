//! What a worker is sent.

#![forbid(unsafe_code)]

use crate::cell::Cell;
use crate::lab::Limits;
use crate::sources::DataLocations;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// What a worker is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrder {
    /// What to compute.
    pub cell: Cell,
    /// The files behind the dataset with their digests, as they are in the cell's key: other bytes are refused. None takes
    /// whatever there is.
    #[serde(default)]
    pub data: Option<Arc<Vec<(String, String)>>>,
    /// Where data lies on this machine.
    pub locations: DataLocations,
    /// What the cell may take.
    pub limits: Limits,
    /// Where to leave the release and its attachments, if anybody wants them.
    pub keep: Option<PathBuf>,
    /// How its time is taken, if anybody looks at it.
    #[serde(default)]
    pub timing: Timing,
    /// Whether somebody waits who wants to know where the work is: lines that begin with [`TELLS`], before the answer.
    #[serde(default)]
    pub tell: bool,
    /// How many measures may be taken at once, where nobody looks at the time: cores that have no cell of their own.
    #[serde(default = "one")]
    pub threads: usize,
}

fn one() -> usize {
    1
}

/// What a line on standard output begins with that says where a worker is.
pub const TELLS: &str = "# ";

/// How the time of an algorithm is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// A publisher that is quick is called several times, and what else went on is told.
    pub careful: bool,
    /// Keep to this core.
    pub pin: Option<usize>,
}
