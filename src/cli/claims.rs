use super::list::{aligned, counted};
use super::{Exit, Failure, format::print_json};
use crate::cli::output::out;
use crate::data::write_csv;
use crate::report::markdown::escaped;
use crate::report::{ClaimsTable, Mark, Verdict};
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
    /// How to print it
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
        TableFormat::Markdown => out!("{}", markdown(&tables))?,
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
                what.display()
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

/// "✓", "✗ 8/10", nothing where the claim does not go through the reading.
fn shown(mark: Option<Mark>, symbol: fn(Verdict) -> &'static str) -> String {
    let Some((verdict, most, total)) = mark.map(Mark::most) else { return String::new() };
    match total {
        1 => symbol(verdict).to_string(),
        _ => format!("{} {most}/{total}", symbol(verdict)),
    }
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Fails => "✗",
        Verdict::Inconclusive => "?",
    }
}

/// Heads and rows: statement, claim, figure, standing, a column for each reading.
fn cells(table: &ClaimsTable, symbol: fn(Verdict) -> &'static str) -> Vec<Vec<String>> {
    let mut heads: Vec<String> = ["statement", "figure", "standing"].map(String::from).to_vec();
    heads.extend(table.readings.iter().cloned());
    heads.push("claim".to_string());
    let mut rows = vec![heads];
    for row in &table.rows {
        let known = if row.surprise.is_empty() { "" } else { " !" };
        let standing = format!("{}{known}", row.standing.replace('_', " "));
        let mut cells = vec![row.statement.clone(), row.figure.clone(), standing];
        cells.extend(row.marks.iter().map(|mark| shown(*mark, symbol)));
        cells.push(row.claim.clone());
        rows.push(cells);
    }
    rows
}

fn text(tables: &[ClaimsTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "{}: {}", table.experiment, counted(table.rows.len(), "claim"));
        for line in aligned(&cells(table, sign)).lines() {
            let _ = writeln!(text, "  {line}");
        }
        for row in table.rows.iter().filter(|row| !row.surprise.is_empty()) {
            let _ = writeln!(text, "  ! {}: {}", row.claim, row.surprise);
        }
    }
    text
}

fn markdown(tables: &[ClaimsTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "## {}\n", escaped(&table.experiment));
        for (i, row) in cells(table, sign).iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "));
            if i == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        text.push('\n');
    }
    text
}

/// Tables that need no package.
fn latex(tables: &[ClaimsTable]) -> String {
    let word = |verdict: Verdict| match verdict {
        Verdict::Holds => "+",
        Verdict::Fails => "-",
        Verdict::Inconclusive => "?",
    };
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "% {}: + holds, - fails, ? inconclusive; n/N of the seeds", table.experiment);
        let _ = writeln!(text, "\\begin{{tabular}}{{lll{}p{{7cm}}}}", "c".repeat(table.readings.len()));
        for (i, row) in cells(table, word).iter().enumerate() {
            let _ = writeln!(text, "{} \\\\", row.iter().map(|cell| in_latex(cell)).collect::<Vec<_>>().join(" & "));
            if i == 0 {
                let _ = writeln!(text, "\\hline");
            }
        }
        let _ = writeln!(text, "\\end{{tabular}}\n");
    }
    text
}

/// Text that LaTeX takes for text.
fn in_latex(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
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
                let Some(Mark { holds, fails, inconclusive }) = mark else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_takes_text_for_text() {
        assert_eq!(in_latex("50 % of k^m & \\x_1"), "50 \\% of k\\textasciicircum{}m \\& \\textbackslash{}x\\_1");
    }

    #[test]
    fn marks_tell_seeds_where_there_are_several() {
        let mark = |holds, fails, inconclusive| Some(Mark { holds, fails, inconclusive });
        assert_eq!(shown(mark(1, 0, 0), sign), "✓");
        assert_eq!(shown(mark(2, 8, 0), sign), "✗ 8/10");
        assert_eq!(shown(mark(0, 0, 1), sign), "?");
        assert_eq!(shown(None, sign), "");
    }
}
