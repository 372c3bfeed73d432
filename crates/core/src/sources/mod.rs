//! Where data comes from: definitions of datasets (YAML), the catalogue of published ones, their files and formats, hierarchies
//! as people write them, derivations, and stand-ins for what is not here.

#![forbid(unsafe_code)]

mod amnesia;
mod catalogue;
mod check;
mod columnar;
pub mod definition;
mod derive;
mod describe;
mod digest;
mod directories;
mod error;
mod formats;
mod generated_once;
mod identify;
mod inventory;
mod load;
mod load_once;
mod locate;
mod lock;
mod quick;
mod resolve;
mod rows_shown;
mod stand_in;
#[cfg(test)]
mod tests;
mod trees;

pub use catalogue::{
    BasketStatistics, Conversion, DatasetEntry, FileEntry, HierarchyEntry, PartEntry, RecordStatistics, Route,
    SdistMember, Statistics, TableCounts, catalogue, embedded, entry,
};
pub use check::check;
pub use definition::{DatasetDefinition, Fault};
pub use describe::{AttributeDescription, Described, Description, Sensitive, StepTaken};
pub use digest::{Digest, read_regular_file, sha256};
pub use directories::DataLocations;
pub use error::DataError;
pub use formats::{SourceText, decompress, for_each_record};
pub use inventory::{Holding, Verification, holding, inventory, verify};
pub use load::{Loaded, load};
pub use load_once::{LoadedOnce, load_once};
pub use locate::{FoundAt, find_file};
pub use lock::{Locked, record};
pub use quick::is_quick_to_load;
pub use resolve::{Resolution, resolve};
pub use stand_in::{Aggregates, Fit, StandInParameters, aggregates, all_aggregates, fit, generate};
pub(crate) use stand_in::{LifelikeParameters, TableParameters};
pub use trees::built_in_hierarchies;
