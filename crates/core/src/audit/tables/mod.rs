//! What a generalized table gives away by itself.

mod reached_privacy;
mod risk;

pub use reached_privacy::ReachedPrivacy;
pub use risk::Risk;
