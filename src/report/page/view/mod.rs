//! What templates are given: strings, ready to be shown. Templates decide nothing.

mod claim;
mod experiment;
mod figure;
mod paper;
mod reading;
mod table;
mod text;
mod verdicts;

pub use claim::Claim;
pub use experiment::{Data, Experiment, Paper, Run, experiment};
pub use figure::Figure;
pub use paper::{PaperPage, paper};
pub use reading::{Reading, reading};
pub use verdicts::{Count, Verdicts};
