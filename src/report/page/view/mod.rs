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
mod words;

pub use claim::ClaimView;
pub use contest::{ContestPage, contest};
pub use experiment::{DataView, ExperimentView, PaperView, RunView, experiment};
pub use figure::{FigureView, Swatch, swatch};
pub use found::{FindingsView, Surprises, found, surprises};
pub use paper::{PaperPage, paper};
pub use reading::{ReadingPage, reading};
pub use table::HeadView;
pub use text::told;
pub use verdicts::{Count, Verdicts};
pub use words::Labels;
