//! Adversaries: what somebody who sees the release and knows something of the world learns from it.

pub mod maxent;
