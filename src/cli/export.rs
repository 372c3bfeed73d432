use super::list::counted;
use super::splice::splice;
use super::{Exit, Failure};
use crate::cli::output::outln;
use crate::report::export::{ExportKind, FinishedExperiment, write};
use crate::report::known_metrics;
use std::path::{Path, PathBuf};

/// Write figures, tables and numbers of a report for a paper
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab export reports/injector                          everything for LaTeX, into exports/injector/\n  anonlab export reports --out paper/lab                   of every experiment in a directory\n  anonlab export reports/injector --figure fig8a --format pgfplots\n  anonlab export reports/injector --format macros --out .  \\anonlabInjector…{} for each number\n  anonlab export reports/injector --format pdf,png         pictures for slides and documents without LaTeX\n  anonlab export reports --splice README.md                blocks of a document between <!-- anonlab: findings --> and <!-- /anonlab -->\n\nIn a document: \\input{exports/injector/fig8a.tex}, with what its first lines ask for in the preamble; macros.tex there, too. docs/exporting.md has the rest."
)]
pub struct Args {
    /// The folder of one experiment, or a directory of results
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// These figures alone, by their ids
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    figure: Vec<String>,
    /// What to write; all for LaTeX unless given
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "pgfplots,table,claims,comparison,macros"
    )]
    format: Vec<ExportKind>,
    /// Replace the marked blocks of this document by current tables and pictures, and write nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["figure", "format", "out"])]
    splice: Option<PathBuf>,
    /// Where to; a folder for each experiment
    #[arg(long, value_name = "DIR", default_value = "exports")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    if let Some(document) = &args.splice {
        let blocks = splice(document, &args.dir)?;
        outln!("{} in {}", counted(blocks, "block"), document.display())?;
        return Ok(Exit::AllWell);
    }
    let folders = experiments(&args.dir)?;
    let read = |folder: &PathBuf| FinishedExperiment::read(folder, known_metrics());
    let finished = folders.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    check_figures(args, &finished)?;
    // All of it is made before any of it is written.
    let mut made = Vec::new();
    for experiment in &finished {
        let known = experiment.figure_ids();
        let only: Vec<String> = args.figure.iter().filter(|id| known.contains(&id.as_str())).cloned().collect();
        if args.figure.is_empty() || !only.is_empty() {
            made.push((args.out.join(&experiment.id), experiment.files(&args.format, &only)?));
        }
    }
    for (folder, files) in &made {
        write(files, folder)?;
        outln!("{} in {}", counted(files.len(), "file"), folder.display())?;
    }
    Ok(Exit::AllWell)
}

fn check_figures(args: &Args, finished: &[FinishedExperiment]) -> Result<(), Failure> {
    let known: Vec<&str> = finished.iter().flat_map(FinishedExperiment::figure_ids).collect();
    match args.figure.iter().find(|id| !known.contains(&id.as_str())) {
        None => Ok(()),
        Some(id) => {
            let dir = args.dir.display();
            Err(Failure::new(format!("there is no figure `{id}` in {dir}; there are {}", known.join(", "))))
        }
    }
}

/// The folder itself, or those in it that hold results.
fn experiments(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_one = |folder: &Path| folder.join("measurements.csv").is_file() && folder.join("figures").is_dir();
    if is_one(dir) {
        return Ok(vec![dir.to_path_buf()]);
    }
    let entries =
        std::fs::read_dir(dir).map_err(|error| Failure::new(format!("cannot read {}: {error}", dir.display())))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_one(path)).collect();
    found.sort();
    match found.is_empty() {
        true => Err(Failure::new(format!("there are no results in {}; `anonlab run SPEC` makes them", dir.display()))),
        false => Ok(found),
    }
}
