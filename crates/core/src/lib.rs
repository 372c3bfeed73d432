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
//! The way through it for a caller: make or load a [`data::Dataset`], find a publisher ([`publish::publisher`]), publish, hold
//! the release to the guarantee ([`release::verify`]), and take measures ([`measures::measure`]).
//! `examples/publish_verify_audit.rs` does that in twenty lines.
//!
//! A room depends only on the rooms above it in this list; the test `architecture` reads the `use` lines and holds it to that.

// The few files that need it say so, and why at each place; whole rooms cannot.
#![deny(unsafe_code)]
#![warn(missing_docs)]
// Tests may compare with the functions of the platform.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod lab;

pub mod data;

pub mod mining;

pub mod matching;

pub mod release;

pub mod publish;

pub mod measure;

pub mod audit;
pub mod utility;

pub mod measures;

pub mod examination;

mod code;

pub mod cell;

pub mod answer;

pub mod worker;

pub use code::{build_name, code_digest, family_digest};
