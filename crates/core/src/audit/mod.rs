//! Adversaries: what somebody who sees the release and knows something of the world learns from it.

mod background_knowledge;
mod breach_probability;
mod mole_border;
mod negative_rules;
mod reached_anonymity;
mod tables;

pub use background_knowledge::{BackgroundKnowledge, BackgroundKnowledgeParameters};
pub use breach_probability::BreachProbability;
pub use mole_border::MoleBorderListing;
pub use negative_rules::NegativeRuleCensus;
pub use reached_anonymity::ReachedAnonymity;
pub use tables::{ReachedPrivacy, Risk};
pub mod maxent;
