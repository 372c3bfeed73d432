mod input;
mod sheet;

use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::examination::{Asked, FoundRelease, Question, RowPairing, alone, examine, take};
use crate::lab::Seed;
use crate::release::ReleaseKind;
use crate::report::audit::write_audit;
use crate::run::tell;
use crate::sources::DataLocations;
use clap::ValueEnum;
use sheet::AuditSheet;
use std::path::PathBuf;

/// Audit a finished release, whoever made it: is it private, what does an adversary learn, what is it still good for?
///
/// The files are recognized, held to the guarantees asked for, and measured by everything that applies: the guarantees reached, every
/// adversary, every utility. Nothing is written unless asked for.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab audit --original adult.csv --release anonymized.csv --quasi-identifiers age,sex,zip --sensitive illness\n  anonlab audit --original adult.csv --release anonymized.csv --roles roles.yaml --guarantee k-anonymity:k=5 --guarantee t-closeness:t=0.2\n  anonlab audit --dataset adult --release release/ --format markdown      a catalogue entry, and what `anonlab publish` wrote\n  anonlab audit --original sales.dat --release out/ --hierarchies '{degree: 5}' --guarantee km-anonymity:k=5,m=2\n  anonlab audit --original adult.csv --release shuffled.csv --rows any --roles roles.yaml\n  anonlab audit --release anonymized.csv --quasi-identifiers age,sex --sensitive illness    without the original\n\ndocs/auditing.md lists the guarantees of each kind of release; `anonlab algorithms show` has their parameters, of a publisher that keeps them (full-domain, anatomy, aa, …).\n\nExit codes: 0 it is a release of the original and keeps every guarantee asked for · 1 it is not, or does not · 2 bad input"
)]
pub struct Args {
    /// The original: a file, or the name of a catalogue entry; without it, only what the release shows by itself is reported
    #[arg(long, value_name = "FILE")]
    original: Option<String>,
    /// The original: a catalogue entry, or a dataset of a spec: SPEC:NAME
    #[arg(long, value_name = "D", conflicts_with = "original")]
    dataset: Option<String>,
    /// Say more of --dataset, as a spec would: a key, a path below it or a step that its `derive` has, e.g. derive=[{first: 1000}]
    #[arg(long = "set", value_name = "KEY=YAML", requires = "dataset")]
    set: Vec<String>,
    /// The release: a directory, or one of its files
    #[arg(long, value_name = "DIR|FILE")]
    release: PathBuf,
    /// What the release is, where its files do not tell: buckets, generalized-table, generalized-transactions, …
    #[arg(long, value_name = "KIND")]
    kind: Option<ReleaseKind>,
    /// The columns an adversary may know
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    quasi_identifiers: Vec<String>,
    /// The column to protect; of several, a table must protect each alone
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// Protect the combination of several sensitive columns, as if it were one
    #[arg(long)]
    combine_sensitive: bool,
    /// Transactions: the items an adversary does not know, and wants to
    #[arg(long, value_name = "ITEM,…", value_delimiter = ',')]
    private: Vec<String>,
    /// A hierarchy: COLUMN=FILE, COLUMN=NAME of a built-in one, or COLUMN=YAML as in a spec; without COLUMN that of the items
    #[arg(long, value_name = "COLUMN=TREE")]
    hierarchies: Vec<String>,
    /// A YAML file with what a spec says of a dataset: quasi_identifiers, sensitive, hierarchies, private, derive
    #[arg(long, value_name = "FILE")]
    roles: Option<PathBuf>,
    /// A guarantee to verify, with its parameters: k-anonymity:k=5
    #[arg(long = "guarantee", value_name = "NAME:P=V,…")]
    guarantees: Vec<String>,
    /// A measure to take instead of all that apply, with its parameters: query-error:dim=2
    #[arg(long = "measures", value_name = "NAME:P=V,…")]
    measures: Vec<String>,
    /// How stars and suppressed rows of a table are read: star=wildcard, suppressed=class, suppressed_if=quasi_identifiers
    #[arg(long, value_name = "NAME=VALUE")]
    conventions: Vec<String>,
    /// Whether the rows are the original's in its order, or any of them in any order
    #[arg(long, value_name = "HOW", default_value = "aligned")]
    rows: RowsGiven,
    /// The root of all randomness: queries, held-out rows
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long one measure may take
    #[arg(long, value_name = "TIME", default_value = "60s")]
    time: crate::run::TimeLimit,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    /// Let witnesses show what the original says of single rows; else only data whose catalogue entry allows it is shown so
    #[arg(long)]
    show_rows: bool,
    /// Also show how answers were computed (steps and residuals of solvers), every witness, every point of a curve
    #[arg(long)]
    all: bool,
    /// Also write a page into this directory
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RowsGiven {
    /// The same rows in the same order
    Aligned,
    /// In any order, and some may be missing
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Text,
    Json,
    Csv,
    Markdown,
    Latex,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let asked = |texts: &[String]| texts.iter().map(|text| Asked::parse(text)).collect::<Result<Vec<_>, _>>();
    let original = input::original(args, locations)?;
    let question = Question {
        guarantees: asked(&args.guarantees)?,
        measures: asked(&args.measures)?,
        conventions: super::publish::assignments(&args.conventions, "--conventions")?,
        seed: Seed(args.seed),
        time: Some(args.time.0),
        show_rows: args.show_rows || original.as_ref().is_none_or(input::Original::rows_may_be_shown),
        alone: original.is_none(),
    };
    let kind_of_original = original.as_ref().map(|original| original.loaded.dataset.kind());
    let found = FoundRelease::at(&args.release, args.kind, kind_of_original)?;
    let rows = match args.rows {
        RowsGiven::Aligned => RowPairing::Aligned,
        RowsGiven::Any => RowPairing::Any,
    };
    let (taken, description) = match original {
        Some(original) => {
            let description = original.loaded.describe(&original.definition);
            (take(original.loaded.dataset, &found, rows)?, Some(description))
        }
        None => (alone(&found, &input::roles(args)?)?, None),
    };
    let examination = examine(taken, &question)?;
    let exit = if examination.holds { Exit::AllWell } else { Exit::NotAllWell };
    let sheet = AuditSheet::new(&examination, &found, description.as_ref(), args.all);
    match args.format {
        OutputFormat::Text => out!("{}", sheet.text())?,
        OutputFormat::Csv => out!("{}", sheet.csv())?,
        OutputFormat::Markdown => out!("{}", sheet.markdown())?,
        OutputFormat::Latex => out!("{}", sheet.latex())?,
        OutputFormat::Json => outln!("{}", sheet.json()?)?,
    }
    if let Some(directory) = &args.report {
        let page = write_audit(&sheet.page(), directory)?;
        tell!("wrote {}", page.display());
    }
    Ok(exit)
}
