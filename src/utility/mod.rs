//! What an analyst can still do with a release.

mod association;
mod confidence_error;
mod identification_error;
mod nuggets_kept;
mod query_error;
mod reconstruction;

pub use association::AssociationParameters;
pub use confidence_error::ConfidenceError;
pub use identification_error::IdentificationError;
pub use nuggets_kept::NuggetsKept;
pub use query_error::QueryError;
