use crate::capsule::CellShare;
use crate::cli::run_options::{ProgressOptions, default_jobs, jobs};
use crate::external::Jail;
use std::path::PathBuf;

/// Check a capsule: compute a sample of its cells again, judge its claims again, and say what agrees
///
/// What the file says is checked and not taken on trust. Programs of its authors run only under --allow-external.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab recheck result.zip                       5 % of the cells, drawn at random\n  anonlab recheck result.zip --cells 20 --seed 7   twenty, the same each time\n  anonlab recheck result.zip --all --jobs 4        every cell\n\nDIR/index.html has the outcome for an artifact-evaluation form; DIR/results is the report made anew from the stored cells: read that one, not the pages in the file.\n\nExit codes: 0 everything that was checked agrees · 1 something differs · 2 the file is refused · 3 no cell could be checked here"
)]
pub struct Args {
    /// The capsule
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The share of the cells to compute again
    #[arg(long, value_name = "SHARE", default_value = "5%", conflicts_with_all = ["cells", "all"])]
    pub sample: CellShare,
    /// How many cells to compute again
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub cells: Option<usize>,
    /// Compute every cell again
    #[arg(long)]
    pub all: bool,
    /// The seed that the sample of cells is drawn with; random unless given
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Where the outcome goes
    #[arg(long, value_name = "DIR", default_value = "recheck")]
    pub out: PathBuf,
    /// How many cells to run at once
    #[arg(long, short, value_name = "N", default_value_t = default_jobs(), value_parser = jobs)]
    pub jobs: usize,
    /// Let programs in the capsule run
    #[arg(long)]
    pub allow_external: bool,
    /// Whether these programs must run in a jail (Landlock): required, best-effort or off
    #[arg(long, value_name = "HOW", default_value_t = Jail::default())]
    pub jail: Jail,
    #[command(flatten)]
    pub told: ProgressOptions,
}
