//! The examination of a finished release: files that any tool may have written, beside the original or without it.
//!
//! The files are found and recognized ([`FoundRelease`]), read and put into the original's order ([`take`]; [`alone`] where there is no
//! original), held to what is asked for and measured by everything that applies ([`examine`]).

mod alone;
mod asked;
mod bucket_kinds;
mod bucket_rows;
mod bucket_words;
mod examine;
mod finished;
mod flow;
mod foreign;
mod found;
mod rows;
mod table_rows;
mod take;
mod three_way;
mod transaction_rows;
mod truth;

pub use alone::{Roles, alone};
pub use asked::{Asked, Question};
pub use examine::{Examination, Held, Measured, SeenNumber, Unsaid, examine};
pub use finished::FinishedRelease;
pub use found::FoundRelease;
pub use rows::{MatchedRows, RowPairing};
pub use take::{Taken, take};
