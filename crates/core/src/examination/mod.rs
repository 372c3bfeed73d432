//! The examination of a finished release: files that any tool may have written, beside the original or without it.
//!
//! The files are found and recognized ([`Found`]), read and put into the original's order ([`take`]; [`alone`] where there is no
//! original), held to what is asked for and measured by everything that applies ([`examine`]).

mod alone;
mod asked;
mod bucket_rows;
mod examine;
mod finished;
mod found;
mod rows;
mod table_rows;
mod take;
mod transaction_rows;
mod truth;

pub use alone::{Roles, alone};
pub use asked::{Asked, Question};
pub use examine::{Examination, Held, Measured, Seen, Unsaid, examine};
pub use finished::Finished;
pub use found::Found;
pub use rows::{Matched, Rows};
pub use take::{Taken, take};
