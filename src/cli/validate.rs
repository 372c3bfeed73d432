use super::list::counted;
use super::{Exit, Failure};
use crate::cli::output::out;
use crate::data::DataLocations;
use crate::spec::{Built, Setting, Spec, check_data};
use std::path::PathBuf;

/// Check specs without running them: names, combinations, and the data that is here
///
/// Each dataset is built once, and the largest ℓ or k of each sweep must be within reach. Data that is not here is said to
/// be so.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  anonlab validate experiments/*.yaml\n\nExit codes: 0 all sound · 2 something is wrong, with its place"
)]
pub struct Args {
    /// Specs (*.yaml); the papers' own are inside the program, as experiments/NAME.yaml
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    /// Change the spec at a path, as `run` does
    #[arg(long, value_name = "PATH=YAML", value_parser = Setting::argument)]
    set: Vec<Setting>,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let specs = super::plan_args::read_specs(&args.specs, &args.set)?;
    let (mut sound, mut errors) = (Vec::new(), Vec::new());
    for spec in &specs {
        match check_data(spec, locations) {
            Ok(built) => sound.push(told(spec, &built)),
            Err(faults) => errors.extend(faults),
        }
    }
    out!("{}", sound.concat())?;
    if errors.is_empty() { Ok(Exit::AllWell) } else { Err(errors.into()) }
}

fn told(Spec { path, file, .. }: &Spec, built: &[Built]) -> String {
    let claims: usize = file.figures.values().map(|figure| figure.claims.len()).sum();
    let (figures, claims) = (counted(file.figures.len(), "figure"), counted(claims, "claim"));
    let mut text = format!("{}: sound; {figures}, {claims}\n", path.display());
    for Built { name, description } in built {
        text += &match description {
            Ok(data) => {
                let used = counted(data.rows_used, "row");
                format!("  {name}: {}, {used} used of {} read\n", data.origin, data.rows_read)
            }
            Err(reason) => format!("  {name}: not looked at: {reason}\n"),
        };
    }
    text
}
