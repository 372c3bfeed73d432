//! Options of every command that runs cells.

use super::figure_args::FigureArgs;
use super::plan_args::PlanArgs;
use super::variation::Variation;
use crate::run::ProgressStyle;
use crate::sources::DataLocations;
use crate::spec::PlanOptions;
use std::path::PathBuf;
use std::str::FromStr;

/// Options of every command that runs cells.
#[derive(Debug, Clone, clap::Args)]
pub struct RunOptions {
    /// The directory for results and for the store of finished cells
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// How many cells to run at once; cells whose time is plotted always run one at a time
    #[arg(long, short, value_name = "N", default_value_t = default_jobs(), value_parser = jobs)]
    pub jobs: usize,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(flatten)]
    pub variation: Variation,
    /// Seeds of specs that are not for thorough runs alone, unless `variation` has them: set by `reproduce --thorough`.
    #[arg(skip)]
    pub thorough_seeds: Option<u32>,
    /// Compute every cell again, even those in the store
    #[arg(long)]
    pub fresh: bool,
    /// Also fail on inconclusive claims, on verdicts against expectation in small variants and on stand-ins, and on cells that timed out, ran out of memory or were skipped
    #[arg(long)]
    pub strict: bool,
    /// Keep each cell's release and the tables of its audits, below DIR/<experiment>/releases
    #[arg(long)]
    pub keep_releases: bool,
    /// Say in witnesses whose rows they are about, also of data whose catalogue entry does not allow it; nothing of it is stored
    #[arg(long)]
    pub show_rows: bool,
    /// Keep cells whose time is plotted or judged to one core; the last one unless a number is given
    #[arg(long, value_name = "CORE", num_args = 0..=1, default_missing_value = "last", require_equals = true)]
    pub pin: Option<Core>,
    #[command(flatten)]
    pub told: ProgressOptions,
}

/// How a command tells its progress.
#[derive(Debug, Clone, clap::Args)]
pub struct ProgressOptions {
    /// How to print progress, on standard error
    #[arg(long, value_name = "STYLE", default_value = "auto", conflicts_with = "quiet")]
    progress: ToldAs,
    /// Print no progress, only the summary
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ToldAs {
    /// Bars on a terminal, a line now and then elsewhere
    Auto,
    /// An object a line, for programs: {"progress": {"cells": 9, "done": 3, "cached": 1, "not_ok": 0}}
    Json,
}

impl ProgressOptions {
    pub fn style(&self) -> ProgressStyle {
        match (self.quiet, self.progress) {
            (true, _) => ProgressStyle::Quiet,
            (false, ToldAs::Json) => ProgressStyle::Events,
            (false, ToldAs::Auto) => ProgressStyle::Auto,
        }
    }
}

/// A core of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core(usize);

impl FromStr for Core {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let cores = default_jobs();
        match text {
            // Interrupts are mostly served by the first.
            "last" => Ok(Self(cores - 1)),
            _ => text
                .parse()
                .ok()
                .filter(|&core| core < cores)
                .map(Self)
                .ok_or_else(|| format!("there is no core `{text}`; this process may use 0 to {}", cores - 1)),
        }
    }
}

impl RunOptions {
    pub fn core(&self) -> Option<usize> {
        self.pin.map(|core| core.0)
    }

    /// What plans are made with.
    pub fn wanted(&self, figures: &FigureArgs, locations: &DataLocations) -> PlanOptions {
        let options = PlanOptions { thorough_seeds: self.thorough_seeds, ..self.plan.options(locations) };
        figures.of(self.variation.of(options))
    }
}

pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// More workers at once than this no machine serves.
const MOST_JOBS: usize = 1024;

pub fn jobs(text: &str) -> Result<usize, String> {
    number_up_to(MOST_JOBS, text)
}

/// A number from 1 to `most`.
pub fn number_up_to(most: usize, text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("a number from 1 to {most} is needed"))
}
