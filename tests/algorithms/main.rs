//! The algorithms against literal, slow versions of themselves.

mod maxent;
mod maxent_literal;
