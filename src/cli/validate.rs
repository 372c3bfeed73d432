use super::{Exit, Failure};
use crate::spec::{Setting, Spec};
use std::path::PathBuf;

/// Check specs without running them
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  anonlab validate experiments/*.yaml")]
pub struct Args {
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    /// Change the spec at a path, as `run` does
    #[arg(long, value_name = "PATH=YAML", value_parser = Setting::argument)]
    set: Vec<Setting>,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let specs = super::experiment::read_specs(&args.specs, &args.set)?;
    for Spec { path, file, .. } in &specs {
        let claims: usize = file.figures.values().map(|figure| figure.claims.len()).sum();
        println!("{}: sound; {} figures, {claims} claims", path.display(), file.figures.len());
    }
    Ok(Exit::AllWell)
}
