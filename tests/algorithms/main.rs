//! The algorithms beside literal, slow versions of themselves: the paper's pseudocode line by line, and property tests that
//! both give the same answer.

mod cohesion;
mod cohesion_literal;
mod corruptions;
mod example;
mod example_publisher;
mod injector;
mod injector_literal;
mod km;
mod maxent;
mod maxent_literal;
mod mining;
mod negative_rules;
mod paper_releases;
mod witnesses;
