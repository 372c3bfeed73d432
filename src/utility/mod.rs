//! What an analyst can still do with a release.

mod query_error;
mod reconstruction;

pub use query_error::QueryError;
