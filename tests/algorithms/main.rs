//! The literal, slow versions of the papers' algorithms, and property tests that the fast ones give the same answers.

mod cohesion;
mod cohesion_literal;
mod km;
mod km_literal;
//! The algorithms against literal, slow versions of themselves.

mod maxent;
mod maxent_literal;
