//! Adversaries: what somebody who sees the release and knows something of the world learns from it.

mod background_knowledge;
mod breach_probability;
mod mole_border;
mod negative_rules;
mod reached_anonymity;
mod tables;

pub(crate) use background_knowledge::BackgroundKnowledge;
pub(crate) use breach_probability::BreachProbability;
pub(crate) use mole_border::MoleBorderListing;
pub(crate) use negative_rules::NegativeRuleCensus;
pub(crate) use reached_anonymity::ReachedAnonymity;
pub(crate) use tables::{ReachedPrivacy, Risk};
pub mod maxent;
