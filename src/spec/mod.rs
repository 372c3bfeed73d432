//! The YAML model of a spec.

pub mod claim;
pub mod draw;
pub mod select;
