//! What the conformance cases of all kinds of release have in common. Each kind has its own in `cases.rs`: small and nasty
//! inputs, with what a program that publishes this kind must do about them.

mod tables;
mod transactions;

pub(super) use tables::{awkward_people, many_people, people, table};
pub(super) use transactions::{many_transactions, transactions};

use crate::data::Dataset;
use serde_json::{Map, Value};

/// One input of the conformance suite.
pub struct Case {
    /// As `algorithms check` prints it.
    pub name: &'static str,
    /// What it is there to find.
    pub about: &'static str,
    /// The original.
    pub dataset: Dataset,
    /// What the program is asked for.
    pub parameters: Map<String, Value>,
    /// What a sound program does.
    pub expected: Expected,
}

/// What a program must do with a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The guarantee can be kept, so there must be a release that keeps it.
    Release,
    /// It cannot be kept by any release, so the program must refuse.
    Refusal,
    /// Refusing is no fault (a program may not be made for it), nor is a release that keeps the guarantee.
    Either,
}

pub(in crate::release) fn parameters(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
