use super::{Exit, Failure};
use crate::cli::output::outln;
use crate::external::act;
use crate::run::code_digest;

/// Acts as an external program for a built-in publisher: a request on standard input, the release into its output directory.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example, as an algorithm of a spec:\n  aa-outside: {command: [anonlab, external, aa], release: generalized-transactions}\n\ndocs/external-algorithms.md is the protocol."
)]
pub struct Args {
    /// A publisher (`anonlab algorithms list`)
    name: String,
    /// Print what enters the key of its cells
    #[arg(long)]
    version: bool,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let publisher = super::publish::known_publisher(&args.name)?;
    if args.version {
        outln!("anonlab {} {}", env!("CARGO_PKG_VERSION"), code_digest())?;
    } else {
        act(publisher, std::io::stdin().lock(), std::io::stdout().lock())?;
    }
    Ok(Exit::AllWell)
}
