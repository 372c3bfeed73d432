use super::{Exit, Failure, format::print_json};
use crate::cli::output::out;
use crate::report::findings::{Findings, page};
use crate::run::write_atomically;
use clap::ValueEnum;
use std::path::PathBuf;

/// Write what was found about each paper: its statements, their verdicts, and what these depend on
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab findings reports                              of every experiment in a directory, as Markdown\n  anonlab findings reports --write docs/findings.md     into a file\n  anonlab findings reports/km-anonymity --format json"
)]
pub struct Args {
    /// A directory of results, or the folder of one experiment in it
    #[arg(value_name = "DIR", default_value = "reports")]
    dir: PathBuf,
    /// The output format
    #[arg(long, default_value = "markdown")]
    format: DocumentFormat,
    /// Into this file instead of standard output
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DocumentFormat {
    Markdown,
    Json,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let told = |error: crate::report::ReportError| Failure::new(error.to_string());
    let found = match args.dir.join("standings.csv").is_file() {
        true => vec![Findings::read(&args.dir).map_err(told)?],
        false => Findings::in_directory(&args.dir).map_err(told)?,
    };
    if found.is_empty() {
        let dir = args.dir.display();
        return Err(Failure::new(format!(
            "there are no results with claims in {dir}; `anonlab reproduce --out {dir}` makes them"
        )));
    }
    let Some(path) = &args.write else {
        match args.format {
            DocumentFormat::Markdown => out!("{}", page(&found))?,
            DocumentFormat::Json => print_json(&found)?,
        }
        return Ok(Exit::AllWell);
    };
    let text = match args.format {
        DocumentFormat::Markdown => page(&found),
        DocumentFormat::Json => serde_json::to_string_pretty(&found)
            .map(|json| json + "\n")
            .map_err(|error| Failure::new(format!("cannot tell the findings as JSON: {error}")))?,
    };
    write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    Ok(Exit::AllWell)
}
