//! `algorithms check`: a program against the conformance suite.

use crate::cli::format::{OutputFormat, print_json};
use crate::cli::list::aligned;
use crate::cli::output::{out, outln};
use crate::cli::{Exit, Failure};
use crate::external::{self, Assignment, External, Jail};
use crate::publish::{Contract, contract};
use crate::release::conformance::{Case, Expected};
use crate::release::{PrivacyVerdict, Release, ReleaseKind, verify};
use crate::run::{Interrupt, MemoryLimit, TimeLimit, reserved_counter};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Instant;

/// Test a program on small and difficult inputs, with a verdict for each
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab algorithms check --release buckets --command python3 mine.py\n  anonlab algorithms check --release generalized-transactions --command anonlab external aa\n\nExit codes: 0 it passes · 1 it does not · 2 bad input · 130 interrupted\n\ndocs/external-algorithms.md is the protocol."
)]
pub struct Args {
    /// The program and its arguments
    #[arg(long, required = true, num_args = 1.., value_name = "WORD")]
    command: Vec<String>,
    /// A file that it reads, as `files` of a spec names it: in its jail it reads no others; may be given several times
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<String>,
    /// What it gives: buckets, generalized-table, generalized-transactions, suppressed-transactions or rules
    #[arg(long, value_name = "KIND")]
    release: ReleaseKind,
    /// What its release is held to, where there is a choice: diversity or matching-diversity for buckets; k-anonymity,
    /// l-diversity, alpha-k-anonymity, t-closeness, beta-likeness or delta-disclosure for tables
    #[arg(long, value_name = "G")]
    guarantee: Option<String>,
    /// A parameter of the program's own: NAME=VALUE
    #[arg(short = 'p', long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// How long a case may take
    #[arg(long, value_name = "TIME", default_value = "20s")]
    time: TimeLimit,
    /// How much memory its processes may hold
    #[arg(long, value_name = "MEMORY", default_value = "1GB")]
    memory: MemoryLimit,
    /// Whether the program must run in a jail (Landlock): required, best-effort or off
    #[arg(long, value_name = "HOW", default_value_t = Jail::default())]
    jail: Jail,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let contract = contract(args.release, args.guarantee.as_deref()).ok_or_else(|| {
        let wanted = args.guarantee.as_deref().unwrap_or_default();
        Failure::new(format!("{} have no guarantee `{wanted}`", args.release))
    })?;
    let interrupt = Interrupt::on_signals()?;
    // The suite runs without a version, too: its lack is a verdict like others.
    let program =
        External::resolve(&args.command, args.release, contract.name, Some(""), &args.files, Path::new("."), args.jail)
            .map_err(Failure::new)?;
    crate::cli::jail::tell_of(std::iter::once(&program));
    let suite =
        Suite { program, contract, own: crate::cli::publish::assignments(&args.parameters, "-p")?, args, interrupt };
    let rows = suite.run()?;
    let failed = rows.iter().filter(|row| !row.passed).count();
    let exit = if failed == 0 { Exit::AllWell } else { Exit::NotAllWell };
    if args.format == OutputFormat::Json {
        print_json(&rows)?;
        return Ok(exit);
    }
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let verdict = if row.passed { "pass" } else { "FAIL" };
            vec![verdict.to_string(), row.name.clone(), row.about.clone(), row.detail.clone()]
        })
        .collect();
    outln!("`{}` as a publisher of {}, held to {}", suite.program.title(), args.release, contract.name)?;
    out!("{}", aligned(&lines))?;
    outln!("{} of {} pass", rows.len() - failed, rows.len())?;
    Ok(exit)
}

/// One line of the verdict.
#[derive(Serialize)]
struct CheckedCase {
    passed: bool,
    name: String,
    about: String,
    detail: String,
}

impl CheckedCase {
    fn new(name: &str, about: &str, result: Result<String, String>) -> Self {
        let (passed, detail) = match result {
            Ok(detail) => (true, detail),
            Err(detail) => (false, detail),
        };
        Self { passed, name: name.to_string(), about: about.to_string(), detail }
    }
}

struct Suite<'a> {
    program: External,
    contract: &'static Contract,
    own: Map<String, Value>,
    args: &'a Args,
    interrupt: Interrupt,
}

impl Suite<'_> {
    fn run(&self) -> Result<Vec<CheckedCase>, Failure> {
        let version = self.program.ask_version();
        let mut rows = vec![CheckedCase::new("--version", "enters the key of its cells", version)];
        for case in self.contract.cases()? {
            if self.interrupt.is_set() {
                return Err(Failure::interrupted("interrupted"));
            }
            let outcome = self.publish(&case, 1);
            if case.name == "plain" {
                rows.push(CheckedCase::new(case.name, case.about, judge(&case, &outcome)));
                let again = self.publish(&case, 1);
                rows.push(CheckedCase::new("the same seed", "the same release", same(&case, &outcome, &again)));
                rows.push(CheckedCase::new(
                    "another seed",
                    "keeps the guarantee as well",
                    judge(&case, &self.publish(&case, 2)),
                ));
            } else {
                rows.push(CheckedCase::new(case.name, case.about, judge(&case, &outcome)));
            }
        }
        Ok(rows)
    }

    /// Runs one case through the whole of what a cell does, up to the verdict.
    fn publish(&self, case: &Case, seed: u64) -> Outcome {
        let mut given = case.parameters.clone();
        given.extend(self.own.clone());
        let parameters = self.contract.complete(&given).map_err(|error| Trouble::Fault(error.to_string()))?;
        let assignment = Assignment {
            program: &self.program,
            dataset: &case.dataset,
            parameters: &parameters,
            seed,
            deadline: Instant::now() + self.args.time.0,
            memory: self.args.memory.0,
        };
        let published =
            external::publish(&assignment, &|| self.interrupt.is_set()).0.map_err(|failure| match failure {
                external::ProgramFailure::Refused(reason) => Trouble::Refusal(reason),
                external::ProgramFailure::Timeout => Trouble::Fault(format!("took longer than {}", self.args.time)),
                external::ProgramFailure::Stopped => Trouble::Fault("interrupted".to_string()),
                external::ProgramFailure::OutOfMemory(reason)
                | external::ProgramFailure::Failed(reason)
                | external::ProgramFailure::Invalid(reason)
                | external::ProgramFailure::NotRun(reason)
                | external::ProgramFailure::Killed(reason) => Trouble::Fault(reason),
            })?;
        if let Some((name, _)) = published.counters.iter().find(|(name, _)| reserved_counter(name)) {
            return Err(Trouble::Fault(format!("reports `{name}` itself, which is for the lab to measure")));
        }
        let verdict = self
            .contract
            .guarantee(&parameters)
            .and_then(|guarantee| verify(&case.dataset, &published.release, &guarantee))
            .map_err(|error| Trouble::Fault(error.to_string()))?;
        match verdict {
            PrivacyVerdict::Private => Ok(published.release),
            PrivacyVerdict::Broken(_) => Err(Trouble::Fault(format!("the verifier refused: {}", verdict.reason()))),
        }
    }
}

type Outcome = Result<Release, Trouble>;

/// Why a case has no verified release.
enum Trouble {
    Refusal(String),
    Fault(String),
}

fn judge(case: &Case, outcome: &Outcome) -> Result<String, String> {
    match (outcome, case.expected) {
        (Ok(_), Expected::Release | Expected::Either) => Ok("a release that keeps the guarantee".to_string()),
        (Ok(_), Expected::Refusal) => Err("a release where the guarantee cannot be kept".to_string()),
        (Err(Trouble::Refusal(reason)), Expected::Refusal | Expected::Either) => Ok(format!("refused: {reason}")),
        (Err(Trouble::Refusal(reason)), Expected::Release) => {
            Err(format!("refused, though the guarantee can be kept: {reason}"))
        }
        (Err(Trouble::Fault(reason)), Expected::Refusal) => Err(format!("did not refuse in words, but: {reason}")),
        (Err(Trouble::Fault(reason)), _) => Err(reason.clone()),
    }
}

fn same(case: &Case, first: &Outcome, second: &Outcome) -> Result<String, String> {
    match (first, second) {
        (Ok(first), Ok(second)) if first == second => Ok("the same twice".to_string()),
        (Ok(_), Ok(_)) => Err("another release under the same seed".to_string()),
        _ => judge(case, second),
    }
}
