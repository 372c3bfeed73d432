//! What leaves a report for a LaTeX document: text, tables (booktabs), plots (PGFPlots), and every number as a command.

mod macros;
mod name;
mod pgfplots;
mod table;
mod text;

pub use macros::{LatexCommand, commands, macro_file, outcomes};
pub use pgfplots::{Plotted, plotted};
pub use table::{ColumnStyle, Tabular, claims, figure_table, sheets};
pub use text::text;
