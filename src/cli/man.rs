use super::{Exit, Failure};
use crate::cli::output::outln;
use std::path::PathBuf;

/// Write the manual pages: one for each command
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab man --out ~/.local/share/man/man1\n  anonlab man --out man && man ./man/anonlab-run.1"
)]
pub struct Args {
    /// Where they go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    fs_err::create_dir_all(&args.out)?;
    let mut command = super::command();
    command.build();
    let pages = write(&command, "anonlab", args)?;
    outln!("{pages} pages in {}", args.out.display())?;
    Ok(Exit::AllWell)
}

/// The page of a command and those of the commands below it; tells how many.
fn write(command: &clap::Command, name: &str, args: &Args) -> Result<usize, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().name(name.to_string()).bin_name(name.replace('-', " "))).render(&mut page)?;
    crate::run::write_atomically(&args.out.join(format!("{name}.1")), &page)?;
    let below = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let pages = below.map(|below| write(below, &format!("{name}-{}", below.get_name()), args));
    Ok(1 + pages.sum::<Result<usize, Failure>>()?)
}
