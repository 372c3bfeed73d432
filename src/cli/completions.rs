use super::output::out;
use super::{Exit, Failure};
use clap_complete::Shell;

/// Print shell completions
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  anonlab completions bash > ~/.local/share/bash-completion/completions/anonlab")]
pub struct Args {
    /// The shell that reads them
    shell: Shell,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "anonlab", &mut script);
    out!("{}", String::from_utf8_lossy(&script))?;
    Ok(Exit::AllWell)
}
