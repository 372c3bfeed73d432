//! What computes an answer in anonlab: data in its roles, algorithms that publish it, independent verifiers of what they
//! published, adversaries and utility measures. One line goes through the middle:
//!
//! ```text
//! dataset ──▶ publish ──▶ release ──▶ verify · audit · utility
//! ```
//!
//! Every algorithm is a publisher that takes the original and gives a [`release::Release`], exactly what the public would
//! see. Verifiers and measures take the original and the release and never look inside an algorithm.
//!
//! # The way through it
//!
//! 1. **Load.** [`data::load`] takes a [`data::DatasetDefinition`] (YAML: files, roles, hierarchies) and the places where data lies;
//!    [`data::Dataset::of_table`] and [`data::Dataset::of_transactions`] take what is in memory.
//! 2. **Publish.** [`publish::publishers`] lists the algorithms, [`publish::publisher`] finds one by name. It takes the dataset, its
//!    parameters as JSON, and a [`lab::Workbench`] with a seed, and gives a [`release::Release`]; [`release::Release::files`] are the
//!    files that the public would get.
//! 3. **Verify.** [`release::verify`] holds a release to a [`release::Guarantee`] and says where it is broken.
//! 4. **Audit.** [`measures::measures`] lists audits and utilities, [`measures::measure`] finds one; each gives
//!    [`lab::Observation`]s, and [`lab::Witness`]es of single cases.
//!
//! `examples/publish_verify_audit.rs` does that in twenty lines. Somebody else's files are found, read, verified and measured by
//! [`examination`].
//!
//! # For the program `anonlab`
//!
//! The rest is public because the program that plans and reports uses it, or its tests and benchmarks do, and may change with any
//! version: [`cell`], [`answer`] and [`worker`] (the protocol of worker processes), [`publish::external`] (programs as publishers),
//! [`audit::maxent`] and [`mining`] (the solver and the miners, for comparisons), and the digests of the code.
//!
//! # Rooms
//!
//! A room depends only on the rooms above it in this list; the test `architecture` reads the `use` lines and holds it to that.

// The few files that need it say so, and why at each place; whole rooms cannot.
#![deny(unsafe_code)]
#![warn(missing_docs)]
// What a caller can be given has a name that a caller can write.
#![warn(unnameable_types)]
// Tests may compare with the functions of the platform.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod lab;

pub mod data;

pub mod mining;

mod matching;

pub mod release;

pub mod publish;

pub mod measure;

pub mod audit;
mod utility;

pub mod measures;

pub mod examination;

mod code;

pub mod cell;

pub mod answer;

pub mod worker;

pub use code::{build_name, code_digest, family_digest};
