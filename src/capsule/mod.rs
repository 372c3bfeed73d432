//! Capsules: a result as one file that anybody can check.
//!
//! ```text
//! output directory ──▶ stage ──▶ crate metadata, README ──▶ pack ──▶ result.zip        (bundle)
//! result.zip ──▶ unpack ──▶ digests ──▶ manifest ──▶ matching ──▶ sample ──▶ verdict   (recheck)
//! ```
//!
//! A capsule is an RO-Crate with the Workflow Run profile. Reading one runs nothing, and trusts no name and no length in it.

mod chance;
mod digests;
mod error;
mod manifest;
mod matching;
mod metadata;
mod names;
mod opened;
mod pack;
mod readme;
mod sample;
mod unpack;
mod verdict;

pub use chance::missed;
pub use digests::check_digests;
pub use error::CapsuleError;
pub use manifest::{CapsuleRun, MadeBy, Manifest};
pub use matching::{Difference, MatchedCell, match_cells};
pub use metadata::{CrateMetadata, DataFile, DataPlace, Performed};
pub use names::fault as name_fault;
pub use opened::{Capsule, is_capsule};
pub use pack::pack;
pub use readme::{Readme, ReadmeExperiment, readme};
pub use sample::{CellShare, SampleSize, draw};
pub use unpack::{CapsuleBounds, unpack};
pub use verdict::{Agreement, CapsuleCheck, CellCheck, compare, slower};

/// Where things lie in a capsule.
pub const SPECS: &str = "specs";
pub const DATA: &str = "data";
pub const RESULTS: &str = "results";
pub const STORE: &str = "store";
pub const MANIFEST: &str = "capsule.json";
pub const METADATA: &str = "ro-crate-metadata.json";
pub const README: &str = "README.md";
