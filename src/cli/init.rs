use super::output::outln;
use super::{Exit, Failure};
use crate::run::write_atomically;
use crate::spec::inside;
use std::path::PathBuf;

/// Write the papers' specs out of the program, to be read, edited and run
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab init                    into ./experiments\n  anonlab init study && cd study && anonlab run experiments/anatomy.yaml\n\nFiles that are there stay as they are, unless --force is given."
)]
pub struct Args {
    /// Where the folder `experiments` goes
    #[arg(value_name = "DIR", default_value = ".")]
    into: PathBuf,
    /// Replace files that differ from those inside the program
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let folder = args.into.join(inside::FOLDER);
    let mut written = 0;
    let mut kept = Vec::new();
    for (name, text) in inside::FILES {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) if bytes == text.as_bytes() => continue,
            Ok(_) if !args.force => {
                kept.push(path);
                continue;
            }
            Ok(_) | Err(_) => {}
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| Failure::new(format!("cannot make {}: {error}", parent.display())))?;
        }
        write_atomically(&path, text.as_bytes())
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
        written += 1;
    }
    outln!("{written} of {} files written to {}", inside::FILES.len(), folder.display())?;
    for path in kept {
        outln!("{} differs and was left as it is; --force replaces it", path.display())?;
    }
    Ok(Exit::AllWell)
}
