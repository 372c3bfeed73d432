use super::list::{aligned, counted};
use super::{Exit, Failure, format::print_json};
use crate::cli::output::out;
use crate::data::write_csv;
use crate::report::latex::claims;
use crate::report::markdown::{escaped, table};
use crate::report::{ClaimsTable, ReadingNames, SeedVerdicts, Verdict};
use clap::ValueEnum;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Print what became of the claims: their verdicts under every reading and seed
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab claims experiments/km-anonymity.yaml\n  anonlab claims reports                             of every experiment in a directory\n  anonlab claims reports --statement KM-11a2\n  anonlab claims reports/km-anonymity --format latex > claims.tex"
)]
pub struct Args {
    /// A spec that has run into --out, a directory of results, or the folder of one experiment in it
    #[arg(value_name = "SPEC|DIR")]
    what: PathBuf,
    /// Only claims about this statement of a paper, by its id; or `ours`
    #[arg(long, value_name = "ID")]
    statement: Option<String>,
    /// The output format
    #[arg(long, default_value = "text")]
    format: TableFormat,
    /// Where results are
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Text,
    Markdown,
    Latex,
    Json,
    Csv,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let mut tables = Vec::new();
    for folder in folders(args)? {
        let table = ClaimsTable::read(&folder).map_err(|error| Failure::new(error.to_string()))?;
        // What is typed again keeps the names of the spec.
        let table = match args.format {
            TableFormat::Latex => {
                ReadingNames::read(&folder).map_err(|error| Failure::new(error.to_string()))?.in_table(table)
            }
            _ => table,
        };
        tables.push(match &args.statement {
            Some(statement) => table.about(statement),
            None => table,
        });
    }
    tables.retain(|table| !table.rows.is_empty());
    if let (true, Some(statement)) = (tables.is_empty(), &args.statement) {
        return Err(Failure::new(format!("no claim in {} is about the statement `{statement}`", args.what.display())));
    }
    match args.format {
        TableFormat::Text => out!("{}", text(&tables))?,
        TableFormat::Markdown => out!("{}", all_in_markdown(&tables))?,
        TableFormat::Latex => out!("{}", latex(&tables))?,
        TableFormat::Json => print_json(&tables)?,
        TableFormat::Csv => out!("{}", String::from_utf8_lossy(&csv(&tables)))?,
    }
    Ok(Exit::AllWell)
}

/// The folders of the experiments that are asked for.
fn folders(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    let has_claims = |folder: &Path| folder.join("standings.csv").is_file();
    let what = &args.what;
    if what.is_file() {
        let id = what.file_stem().unwrap_or_default();
        let folder = args.out.join(id);
        return match has_claims(&folder) {
            true => Ok(vec![folder]),
            false => Err(Failure::new(format!(
                "{} has no results of {}; `anonlab run {}` makes them",
                args.out.display(),
                what.display(),
                crate::run::shell_path(what)
            ))),
        };
    }
    if has_claims(what) {
        return Ok(vec![what.clone()]);
    }
    let entries = std::fs::read_dir(what)
        .map_err(|error| Failure::new(format!("{} is neither a spec nor a directory: {error}", what.display())))?;
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| has_claims(path)).collect();
    folders.sort();
    match folders.is_empty() {
        true => Err(Failure::new(format!("there are no results with claims in {}", what.display()))),
        false => Ok(folders),
    }
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Fails => "✗",
        Verdict::Inconclusive => "?",
    }
}

fn text(tables: &[ClaimsTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "{}: {}", table.experiment, counted(table.rows.len(), "claim"));
        for line in aligned(&table.cells(sign)).lines() {
            let _ = writeln!(text, "  {line}");
        }
        for row in table.rows.iter().filter(|row| !row.surprise.is_empty()) {
            let _ = writeln!(text, "  ! {}: {}", row.claim, row.surprise);
        }
    }
    text
}

pub fn markdown(claims: &ClaimsTable) -> String {
    table(&claims.cells(sign))
}

fn all_in_markdown(tables: &[ClaimsTable]) -> String {
    tables.iter().map(|table| format!("## {}\n\n{}\n", escaped(&table.experiment), markdown(table))).collect()
}

fn latex(tables: &[ClaimsTable]) -> String {
    tables.iter().map(|table| claims(table, &[])).collect::<Vec<_>>().join("\n")
}

/// A line for each claim and reading.
fn csv(tables: &[ClaimsTable]) -> Vec<u8> {
    let heads = [
        "experiment",
        "statement",
        "figure",
        "claim",
        "standing",
        "reading",
        "holds",
        "fails",
        "inconclusive",
        "expected",
        "surprise",
    ];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for table in tables {
        for row in &table.rows {
            for (reading, mark) in table.readings.iter().zip(&row.marks) {
                let Some(SeedVerdicts { holds, fails, inconclusive }) = mark else { continue };
                let texts = [&table.experiment, &row.statement, &row.figure, &row.claim, &row.standing, reading];
                let mut cells: Vec<String> = texts.map(String::clone).to_vec();
                cells.extend([holds, fails, inconclusive].map(ToString::to_string));
                cells.extend([row.expected.clone(), row.surprise.clone()]);
                rows.push(cells);
            }
        }
    }
    write_csv(rows)
}
