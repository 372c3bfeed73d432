//! The literal, slow versions of the papers' algorithms, and property tests that the fast ones give the same answers.

mod injector;
mod injector_literal;
mod km;
mod km_literal;
mod negative_rules;
