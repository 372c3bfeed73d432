use super::list::aligned;
use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::run::examine;
use clap::ValueEnum;

/// Check how well this machine suits timings: processor, clock, load, limits, and what each means
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  anonlab doctor\n  anonlab doctor --format json")]
pub struct Args {
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Text,
    Json,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let facts = examine();
    match args.format {
        OutputFormat::Text => {
            let row = |fact: &crate::run::Fact| {
                vec![fact.name.to_string(), fact.value.clone(), fact.warning.clone().unwrap_or_default()]
            };
            out!("{}", aligned(&facts.iter().map(row).collect::<Vec<_>>()))?;
        }
        OutputFormat::Json => {
            let json = serde_json::to_string_pretty(&facts).map_err(|error| Failure::new(error.to_string()))?;
            outln!("{json}")?;
        }
    }
    Ok(Exit::AllWell)
}
