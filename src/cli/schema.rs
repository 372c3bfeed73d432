use super::{Exit, Failure};
use crate::cli::output::outln;

/// Print the JSON Schema of specs, for editors that complete and check them
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  anonlab schema > experiments/schema.json")]
pub struct Args {}

pub fn run(_: &Args) -> Result<Exit, Failure> {
    let text =
        serde_json::to_string_pretty(&crate::spec::json_schema()).map_err(|error| Failure::new(error.to_string()))?;
    outln!("{text}")?;
    Ok(Exit::AllWell)
}
