use super::list::counted;
use super::{Exit, Failure};
use crate::cli::output::out;
use crate::report::number::number;
use crate::sources::DataLocations;
use crate::spec::{Built, CheckedData, PlanOptions, Setting, Spec, check_data};
use std::path::PathBuf;

/// Check specs without running them: names, combinations, and the data that is here
///
/// Each dataset is built once, and the largest ℓ or k of each sweep must be within reach. Data that is not here is said to
/// be so. `run` looks first, too: it refuses data that does not fit, and guarantees that no cell of a figure can reach.
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
        let CheckedData { built, wrong, partly } = check_data(spec, &PlanOptions::of(locations), |_, _, _| true)?;
        match wrong.is_empty() && partly.is_empty() {
            true => sound.push(told(spec, &built)),
            false => errors.extend(wrong.into_iter().chain(partly)),
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
                let count = |many: usize| number(many as f64);
                let used = counted(count(data.rows_used), "row");
                format!("  {name}: {}, {used} used of {} read\n", data.origin, count(data.rows_read))
            }
            Err(reason) => format!("  {name}: not looked at: {reason}\n"),
        };
    }
    text
}
