//! What every algorithm is handed, and what it hands back: typed parameters, a workbench (clock, counters, seeded
//! randomness), metrics that know their direction, and errors that say what would be right.

mod atomic;
mod cache;
mod clock;
mod cost;
mod decimal;
mod error;
mod killed;
mod limits;
pub mod math;
mod metric;
mod name;
mod named;
mod parameters;
mod plain_file;
mod seed;
mod shared;
mod suggestion;
mod temporary;
#[cfg(feature = "worker")]
mod usage;
mod whereabouts;
mod witness;
mod words;
mod workbench;

pub use atomic::{Durability, write_atomically, write_atomically_with, write_whole};
pub use cache::{CACHE_SIZE, Cache, CacheContent, CacheEntry, CacheKey, allowed_size};
pub use clock::cpu_time;
pub use cost::Cost;
pub use decimal::Decimal;
pub(crate) use decimal::wide_product;
pub use error::LabError;
pub use killed::{Killed, MemoryKills};
pub use limits::{Limits, MemoryLimit, TimeLimit};
pub use metric::{Better, Metric, Observation};
pub use name::Name;
pub use named::named;
pub(crate) use parameters::{NoParameters, complete_parameters, parameters_schema};
pub use parameters::{Parameter, ParameterKind, Parameters, describe_parameters, read_parameters, with_defaults};
pub use plain_file::{open_plain, open_plain_as};
pub use seed::Seed;
pub use shared::{Shared, SharedNumbers};
pub use suggestion::{did_you_mean, did_you_mean_or_list};
pub(crate) use suggestion::{did_you_mean_if_near, nearest};
pub use temporary::{abandoned_directories, sweep_files, temporary_directory};
#[cfg(feature = "worker")]
pub(crate) use usage::resource_usage;
pub use whereabouts::Whereabouts;
pub(crate) use witness::Foremost;
pub use witness::Witness;
pub use words::counted;
#[cfg(feature = "sources")]
pub(crate) use words::thousands;
pub(crate) use words::{concise, shortened};
pub use workbench::{Aside, Attachment, Phase, Workbench};
