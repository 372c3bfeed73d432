mod file;

pub use file::{ConfigFile, Defaults};

use super::format::{OutputFormat, print_json};
use super::list::aligned;
use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::sources::DataLocations;
use clap::parser::ValueSource;
use serde::Serialize;

/// Show the defaults in force, and whether the command line, the environment, your file or the program says so
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab config\n  mkdir -p ~/.config/anonlab && echo 'data_dir: ~/data' >> ~/.config/anonlab/config.yaml\n\nThe file is $XDG_CONFIG_HOME/anonlab/config.yaml, else ~/.config/anonlab/config.yaml. Its keys are data_dir, jobs and out, and each is the default of the option of that name. An option on the command line comes first, then ANONLAB_DATA, then the file."
)]
pub struct Args {
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

/// One default.
#[derive(Debug, Serialize)]
struct InForce {
    key: &'static str,
    value: String,
    /// Who says so.
    from: String,
}

pub fn run(
    args: &Args,
    file: &ConfigFile,
    data_dir_from: Option<ValueSource>,
    locations: &DataLocations,
) -> Result<Exit, Failure> {
    let path = file.path.as_ref().map(|path| path.display().to_string());
    let named = || path.clone().unwrap_or_default();
    let of_file = |given: bool| if given { named() } else { "built in".to_string() };
    let defaults = &file.defaults;
    let rows = [
        InForce {
            key: "data_dir",
            value: locations.data_dir.display().to_string(),
            from: match data_dir_from {
                Some(ValueSource::CommandLine) => "--data-dir".to_string(),
                Some(ValueSource::EnvVariable) => "ANONLAB_DATA".to_string(),
                _ => of_file(defaults.data_dir.is_some()),
            },
        },
        InForce {
            key: "jobs",
            value: defaults.jobs.unwrap_or_else(super::run_options::default_jobs).to_string(),
            from: match defaults.jobs {
                Some(_) => named(),
                None => "built in: the number of processors".to_string(),
            },
        },
        InForce {
            key: "out",
            value: defaults.out.clone().unwrap_or_else(|| "reports".to_string()),
            from: of_file(defaults.out.is_some()),
        },
        InForce {
            key: "cache",
            value: locations.cache_dir.display().to_string(),
            from: match std::env::var_os("XDG_CACHE_HOME").is_some_and(|value| !value.is_empty()) {
                true => "XDG_CACHE_HOME".to_string(),
                false => "built in".to_string(),
            },
        },
    ];
    if args.format == OutputFormat::Json {
        print_json(&serde_json::json!({"file": path, "exists": file.exists, "in_force": rows}))?;
        return Ok(Exit::AllWell);
    }
    let lines = rows.map(|row| vec![row.key.to_string(), row.value, format!("({})", row.from)]);
    out!("{}", aligned(&lines))?;
    match (&path, file.exists) {
        (Some(path), true) => outln!("\nfile: {path}")?,
        (Some(path), false) => {
            outln!("\nfile: {path}, which does not exist; `anonlab config --help` says what it may have")?
        }
        (None, _) => outln!("\nfile: none, since there is no home directory")?,
    }
    Ok(Exit::AllWell)
}
