use super::{Exit, Failure};
use crate::spec::Spec;
use std::path::PathBuf;

/// Check specs without running them
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  anonlab validate experiments/*.yaml")]
pub struct Args {
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let specs = super::experiment::read_specs(&args.specs)?;
    for Spec { path, file, .. } in &specs {
        let claims: usize = file.figures.values().map(|figure| figure.claims.len()).sum();
        println!("{}: sound; {} figures, {claims} claims", path.display(), file.figures.len());
    }
    Ok(Exit::AllWell)
}
