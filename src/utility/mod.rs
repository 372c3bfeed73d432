//! What an analyst can still do with a release.

mod query_error;

pub use query_error::QueryError;
