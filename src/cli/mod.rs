//! The commands, one file each: `Args`, and `run` that does it.

mod algorithms;
mod audit;
mod bundle;
mod cache;
mod choices;
mod claims;
mod cluster;
mod collect;
mod compare;
mod completions;
mod config;
mod data;
mod data_first;
mod doctor;
mod experiment;
mod explain;
mod export;
mod external;
mod failure;
mod figure_args;
mod figure_results;
mod findings;
mod format;
mod init;
mod jail;
mod kept;
mod list;
mod machine_notes;
mod man;
mod offers;
mod output;
mod placement;
mod plan;
mod plan_args;
mod provenance;
mod publish;
mod recheck;
mod record;
mod report;
mod repository;
mod reproduce;
mod run;
mod run_options;
mod run_summary;
mod schema;
mod show_rows;
mod splice;
mod submissions;
mod task;
mod track;
mod validate;
mod variation;
mod worker;

use crate::sources::DataLocations;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use config::{ConfigFile, Defaults};
pub use failure::{Exit, Failure};
use std::ffi::OsString;
use std::path::PathBuf;

/// Declarative, reproducible experiments for data anonymization.
///
/// A YAML spec names datasets, algorithms and sweeps; one command runs it in isolated workers with seeded randomness and
/// leaves measurements, figures and a report in which every claim carries a verdict.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all well · 1 a cell failed, a claim failed, a release was invalid or something got worse · 2 bad input ·\n3 cells are missing or still run elsewhere, or there was nothing to compare with · 130 interrupted",
    after_long_help = "Exit codes:\n  0    all well\n  1    a cell failed, a claim failed, a release was invalid or something got worse\n  2    bad input: the message says where and what would be right\n  3    cells are missing or still run elsewhere, or there was nothing to compare with\n  130  interrupted: the message says what is kept and how to go on\n  141  whoever reads standard output closed it: nothing was left to say\n\nExamples:\n  anonlab reproduce                            every figure of every paper, into reports/\n  anonlab run experiments/anatomy.yaml         one spec\n  anonlab publish --dataset adult --algorithm anatomy -p l=4 --out release/\n  anonlab audit --dataset adult --release release/\n  anonlab data list                            what data there is, and whether it is real here"
)]
pub struct Cli {
    /// The directory that is searched for data sets first
    #[arg(long, global = true, env = "ANONLAB_DATA", value_name = "DIR", default_value = "datasets")]
    data_dir: PathBuf,
    /// Let specs read files below DIR, besides their own directory and the data directory; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    allow_files: Vec<PathBuf>,
    #[command(subcommand)]
    command: Command,
    /// The user's own defaults.
    #[arg(skip)]
    config: ConfigFile,
    /// Who says where data is.
    #[arg(skip)]
    data_dir_from: Option<ValueSource>,
}

/// Ends with the help or the version that was asked for, or with what is wrong with the command line.
fn not_a_command<T>(error: clap::Error) -> Result<T, Failure> {
    if error.use_stderr() {
        error.exit();
    }
    // In colours where the terminal has them, which `out!` would escape.
    match error.print() {
        Ok(()) => std::process::exit(error.exit_code()),
        Err(error) => Err(output::failure(error)),
    }
}

/// The command line. Every command says its exit codes.
pub fn command() -> clap::Command {
    with_exit_codes(Cli::command())
}

fn with_exit_codes(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = match help.contains("Exit codes") {
        true => command,
        false => command.after_help(format!("{help}\n\nExit codes: 0 all well · 2 bad input").trim_start().to_string()),
    };
    command.mut_subcommands(with_exit_codes)
}

/// The user's own defaults in place of the program's.
fn with_defaults(command: clap::Command, defaults: &Defaults) -> clap::Command {
    let jobs = defaults.jobs.map(|jobs| jobs.to_string());
    let own = [
        ("data_dir", defaults.data_dir.clone(), Some("datasets")),
        ("jobs", jobs, None),
        ("out", defaults.out.clone(), Some("reports")),
    ];
    let mut command = command;
    for (name, value, built_in) in own {
        // An option of the same name that means something else has another default, or none.
        let is_it = |arg: &clap::Arg| {
            let default = arg.get_default_values().first().and_then(|default| default.to_str());
            arg.get_id() == name && default.is_some() && (built_in.is_none() || default == built_in)
        };
        if let Some(value) = value
            && command.get_arguments().any(is_it)
        {
            command = command.mut_arg(name, |arg| arg.default_value(value));
        }
    }
    command.mut_subcommands(|command| with_defaults(command, defaults))
}

#[derive(Debug, Subcommand)]
enum Command {
    Reproduce(reproduce::Args),
    Run(run::Args),
    Plan(plan::Args),
    Collect(collect::Args),
    Explain(explain::Args),
    Data(data::Args),
    Cache(cache::Args),
    Doctor(doctor::Args),
    Algorithms(algorithms::Args),
    Claims(claims::Args),
    Findings(findings::Args),
    Compare(compare::Args),
    Bundle(bundle::Args),
    Recheck(recheck::Args),
    Report(report::Args),
    Export(export::Args),
    Track(track::Args),
    Publish(publish::Args),
    Audit(audit::Args),
    Validate(validate::Args),
    Init(init::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Config(config::Args),
    Man(man::Args),
    #[command(hide = true)]
    External(external::Args),
    #[command(hide = true)]
    Task(task::Args),
    #[command(hide = true)]
    Worker(worker::Args),
}

impl Cli {
    /// Reads the command line. What it leaves open, the user's file says; then the program.
    pub fn read() -> Result<Self, Failure> {
        let words: Vec<OsString> = std::env::args_os().collect();
        if let Some(word) = words.iter().find(|word| word.to_str().is_none()) {
            // Paths go into plans, orders of workers and reports, all of which are UTF-8.
            let word = word.as_encoded_bytes().escape_ascii();
            return Err(Failure::new(format!(
                "`{word}` is not UTF-8; a file or folder of that name has to be renamed"
            )));
        }
        // What the program starts itself gets all it needs from its caller.
        let hidden = ["worker", "task", "external"];
        let is_hidden = words.get(1).is_some_and(|word| hidden.iter().any(|hidden| word == hidden));
        let config = if is_hidden { ConfigFile::default() } else { ConfigFile::read()? };
        let read = |matches: ArgMatches| Ok((Self::from_arg_matches(&matches)?, matches));
        let (cli, matches) =
            with_defaults(command(), &config.defaults).try_get_matches().and_then(read).or_else(not_a_command)?;
        Ok(Self { config, data_dir_from: matches.value_source("data_dir"), ..cli })
    }

    pub fn dispatch(self) -> Result<Exit, Failure> {
        let locations = DataLocations::said(self.data_dir, self.allow_files);
        anonlab_core::lab::allowed_size().map_err(Failure::new)?;
        match self.command {
            Command::Reproduce(args) => reproduce::run(args, &locations),
            Command::Run(args) => run::run(args, &locations),
            Command::Collect(args) => collect::run(&args, &locations),
            Command::Plan(args) => plan::run(&args, &locations),
            Command::Explain(args) => explain::run(&args, &locations),
            Command::Data(args) => data::run(args, &locations),
            Command::Cache(args) => cache::run(&args, &locations),
            Command::Doctor(args) => doctor::run(&args),
            Command::Algorithms(args) => algorithms::run(args),
            Command::Claims(args) => claims::run(&args),
            Command::Findings(args) => findings::run(&args),
            Command::Compare(args) => compare::run(&args, &locations),
            Command::Bundle(args) => bundle::run(&args, &locations),
            Command::Recheck(args) => recheck::run(&args, &locations),
            Command::Report(args) => report::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Track(args) => track::run(args, &locations),
            Command::Publish(args) => publish::run(args, &locations),
            Command::Audit(args) => audit::run(&args, &locations),
            Command::Validate(args) => validate::run(&args, &locations),
            Command::Init(args) => init::run(&args),
            Command::Schema(args) => schema::run(&args),
            Command::Completions(args) => completions::run(&args),
            Command::Config(args) => config::run(&args, &self.config, self.data_dir_from, &locations),
            Command::Man(args) => man::run(&args),
            Command::External(args) => external::run(&args),
            Command::Task(args) => task::run(&args, &locations),
            Command::Worker(args) => worker::run(&args),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_shows_an_example_and_its_exit_codes() {
        Cli::command().debug_assert();
        let mut cli = command();
        for command in cli.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
            let help = command.render_long_help().to_string();
            assert!(help.contains("anonlab "), "`{}` has no example in its help", command.get_name());
            assert!(help.contains("Exit codes"), "`{}` has no exit codes in its help", command.get_name());
        }
    }

    #[test]
    fn every_argument_says_what_it_is() {
        let mut silent = Vec::new();
        let mut open = vec![command()];
        while let Some(command) = open.pop() {
            let arguments = command.get_arguments().filter(|argument| argument.get_help().is_none());
            silent.extend(arguments.map(|argument| format!("{} {}", command.get_name(), argument.get_id())));
            open.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        }
        assert!(silent.is_empty(), "no help: {}", silent.join(", "));
    }
}
