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
//! 1. **Data.** [`data::Dataset::of_table`] and [`data::Dataset::of_transactions`] take what is in memory, with hierarchies made by
//!    [`data::HierarchyBuilder`].
//! 2. **Publish.** [`publish::publishers`] lists the algorithms, [`publish::publisher`] finds one by name. It takes the dataset, its
//!    parameters as JSON, and a [`lab::Workbench`] with a seed, and gives a [`release::Release`]; [`release::Release::files`] are the
//!    files that the public would get.
//! 3. **Verify.** [`release::verify`] holds a release to a [`release::Guarantee`] and says where it is broken.
//! 4. **Audit.** [`measures::measures`] lists audits and utilities, [`measures::measure`] finds one; each gives
//!    [`lab::Observation`]s, and [`lab::Witness`]es of single cases.
//!
//! `examples/publish_verify_audit.rs` does that in twenty lines.
//!
//! # Features
//!
//! None is on by default, and none changes what is computed: each adds whole rooms, with the crates that they alone need.
//!
//! - `sources`: data from files. `sources::load` takes a `sources::DatasetDefinition` (YAML: files, roles, hierarchies, derivations)
//!   and the places where data lies; the catalogue of published data sets and the generators of stand-ins are there, too.
//! - `examination`: somebody else's files are found, read, verified and measured; with `sources`.
//! - `worker`: what the program `anonlab` needs besides: `external` (programs as publishers), `cell`, `answer` and `worker` (the
//!   protocol of worker processes), and the digests of the code; with both others.
//!
//! What `worker` adds, [`audit::maxent`] and [`mining`] (the solver and the miners, for comparisons) are public because the program
//! that plans and reports uses them, or its tests and benchmarks do, and may change with any version.
//!
//! # Rooms
//!
//! A room depends only on the rooms above it in this list; the test `architecture` reads the `use` lines and holds it to that, and
//! the rooms of a feature to being used by rooms of a feature that includes it.

// The few files that need it say so, and why at each place; whole rooms cannot.
#![deny(unsafe_code)]
#![warn(missing_docs)]
// What a caller can be given has a name that a caller can write.
#![warn(unnameable_types)]
// Tests may compare with the functions of the platform.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(all(test, not(feature = "worker")))]
compile_error!("tests go through all rooms: cargo test -p anonlab-core --features worker");

pub mod lab;

pub mod data;

#[cfg(feature = "sources")]
pub mod sources;

pub mod mining;

mod matching;

pub mod release;

pub mod publish;

#[cfg(feature = "worker")]
pub mod external;

pub mod measure;

pub mod audit;
mod utility;

pub mod measures;

#[cfg(feature = "examination")]
pub mod examination;

#[cfg(feature = "worker")]
mod code;

#[cfg(feature = "worker")]
pub mod cell;

#[cfg(feature = "worker")]
pub mod answer;

#[cfg(feature = "worker")]
pub mod worker;

#[cfg(feature = "worker")]
pub use code::{build_name, code_digest, family_digest};
