//! What templates are given: strings, ready to be shown. Templates decide nothing.

mod claim;
mod contest;
mod experiment;
mod figure;
mod found;
mod paper;
mod reading;
mod table;
mod text;
mod verdicts;
mod witness;

pub use claim::Claim;
pub use contest::{ContestPage, contest};
pub use experiment::{Data, Experiment, Paper, Run, experiment};
pub use figure::{Figure, Swatch, swatch};
pub use found::{Found, Surprises, found, surprises};
pub use paper::{PaperPage, paper};
pub use reading::{Reading, reading};
pub use verdicts::{Count, Verdicts};
