use super::{Exit, Failure};

/// Runs one cell: a work order on standard input, its answer on standard output.
#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_: &Args) -> Result<Exit, Failure> {
    // Not locked: every thread of the worker tells there where it is.
    crate::run::serve(std::io::stdin().lock(), std::io::stdout())?;
    Ok(Exit::AllWell)
}
