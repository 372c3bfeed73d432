//! The report: figures, claims with their verdicts, and the pages that show them. Reads measurements, never algorithms.
//!
//! ```text
//! ExperimentResult ──▶ observations ──▶ figure ──▶ plot, table, CSV ──▶ pages
//!                            └────────▶ claims ──▶ judgements ────────────┘
//! ```

pub mod audit;
mod claims;
mod claims_csv;
mod claims_table;
pub mod contest;
mod error;
pub mod export;
mod figure;
mod files;
pub mod findings;
mod fronts;
pub mod latex;
pub mod leaderboard;
pub mod markdown;
mod metrics;
mod nearness;
pub mod number;
mod observations;
pub mod outcome;
mod page;
mod palette;
mod picture;
mod plot;
mod prepared;
mod reading_names;
mod readings;
mod record;
mod results;
pub mod splice;
pub mod trends;
mod typeset;
mod value;
mod write;

pub use claims::{Conclusion, Evidence, EvidenceOutcome, Judgement, SeedShare, Tally, Trial, Verdict};
pub use claims_table::{ClaimRow, ClaimsTable, SeedVerdicts};
pub use error::ReportError;
pub use metrics::{MetricInfo, MetricSide, Metrics, known_metrics, title as metric_title};
pub use nearness::nearness;
pub use observations::{Hole, Measurement, Observations};
pub use plot::svg::{escape, shorten};
pub use reading_names::ReadingNames;
pub use results::{DataUsed, ExperimentResult, FigureResult, Provenance};
pub use value::Value;
pub use write::{JudgedClaim, ReportSummary, begin, write};
