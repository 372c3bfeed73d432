//! Findings as Markdown, for documents that people keep in a repository.

use super::sentences::contradicting;
use super::{Finding, Findings, OURS, StatementOutcome, SurpriseKind};
use crate::report::markdown::escaped;
use crate::report::typeset::typeset;
use std::fmt::Write;

/// A document about all experiments of a directory: one line a paper, then each in full, then the settings of the runs.
pub fn page(all: &[Findings]) -> String {
    let mut text = String::from(
        "# What was found\n\nWritten by `anonlab findings` from the files of a report, and not by hand: change a spec or run it \
         again, and write it anew.\n\n\
         A *statement* is what a paper says; one or more *claims* put it to the test. A *reading* is an answer to a question that the \
         paper leaves open. Each claim has a verdict under every reading and with every seed, and its *standing* is what they \
         come to:\n\n\
         - *robust*: the same verdict under all readings and in at least 95 % of the seeds;\n\
         - *depends on the reading*: an answer to one of the questions flips it;\n\
         - *depends on chance*: seeds disagree;\n\
         - *open*: inconclusive, or too few seeds where something is drawn.\n\n\
         A statement *holds in part* when some of its claims hold and others fail. It *varies* when no claim fails and some hold with \
         some seeds and fail with others, and is *undecided* when some claim is open. Outcomes and numbers are those of the spec as it \
         stands, with the first seed; the numbers are those of the claim that decided: the first that fails, or else the first that is \
         not decided, or else the first. A standing is that of the claim that stands worst; which claims depend on what is listed \
         below each table. *Points* are the places of a figure that a claim looks at, one by one.\n\n",
    );
    if all.iter().any(|findings| !findings.statements.is_empty()) {
        text += &summary(all);
        text.push('\n');
    }
    for findings in all {
        text += &section(findings);
    }
    text + &how_it_was_made(all)
}

/// The settings of the runs, one line an experiment.
fn how_it_was_made(all: &[Findings]) -> String {
    let mut text = String::from(
        "## How it was made\n\n| | readings, seeds, sweeps, data | program | machine | from | to |\n|---|---|---|---|---|---|\n",
    );
    for findings in all {
        let Some(settings) = &findings.settings else { continue };
        let revision = settings.revision.as_deref().unwrap_or("unknown revision");
        let machine = &settings.machine;
        let gigabytes = (machine.memory_bytes + (1 << 29)) >> 30;
        let _ = writeln!(
            text,
            "| {} | {} | {} ({revision}) | {}, {}, {gigabytes} GB | {} | {} |",
            cell(&findings.title),
            cell(&settings.words()),
            cell(&settings.version),
            cell(&machine.processor),
            match machine.cores {
                1 => "1 core".to_string(),
                cores => format!("{cores} cores"),
            },
            settings.started,
            settings.finished,
        );
    }
    text
}

/// Statements of one outcome that a line quotes before it counts the rest.
const QUOTED: usize = 2;

/// One line a paper: how many of its statements hold, fail, vary, are undecided, and what contradicts it.
pub fn summary(all: &[Findings]) -> String {
    let of_papers: Vec<&Findings> = all.iter().filter(|findings| !findings.statements.is_empty()).collect();
    if of_papers.is_empty() {
        return "None of these experiments is of a paper.\n".to_string();
    }
    let mut text = String::from(
        "| the paper | statements | hold | in part | fail | vary | undecided | what does not hold, in our words |\n|---|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for findings in of_papers {
        let count = |outcome: StatementOutcome| match outcome {
            StatementOutcome::Holds => {
                findings.count(StatementOutcome::Holds) + findings.count(StatementOutcome::Tested)
            }
            other => findings.count(other),
        };
        let [holds, part, fails, vary, open] = [
            StatementOutcome::Holds,
            StatementOutcome::InPart,
            StatementOutcome::Fails,
            StatementOutcome::Varies,
            StatementOutcome::Undecided,
        ]
        .map(count);
        let against = against(findings);
        let _ = writeln!(
            text,
            "| {} | {} | {holds} | {part} | {fails} | {vary} | {open} | {against} |",
            cell(&findings.title),
            findings.statements.len(),
        );
    }
    text
}

/// "“it is faster” and 2 more; in part: “it is smaller”".
fn against(findings: &Findings) -> String {
    let against = contradicting(findings.statements.iter());
    let quoted = |outcome: StatementOutcome, before: &str| {
        let of: Vec<&Finding> = against.iter().copied().filter(|finding| finding.outcome == outcome).collect();
        let quotes: Vec<String> = of.iter().take(QUOTED).map(|finding| format!("“{}”", cell(&finding.says))).collect();
        let more = match of.len().saturating_sub(QUOTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!of.is_empty()).then(|| format!("{before}{}{more}", quotes.join(", ")))
    };
    let parts = [quoted(StatementOutcome::Fails, ""), quoted(StatementOutcome::InPart, "in part: ")];
    match parts.into_iter().flatten().collect::<Vec<_>>().join("; ") {
        nothing if nothing.is_empty() => "nothing that was measured".to_string(),
        told => told,
    }
}

/// Everything about one experiment: sentences, the paper's statements, the lab's own, surprises.
pub fn section(findings: &Findings) -> String {
    let mut text = format!("## {}\n\n", cell(&findings.title));
    if let Some(paper) = &findings.paper {
        let _ = writeln!(text, "{}\n", cell(paper));
    }
    for sentence in &findings.sentences {
        let _ = writeln!(text, "{}", cell(sentence));
    }
    text.push('\n');
    if !findings.statements.is_empty() {
        text += &table("the paper says", &findings.statements);
    }
    if !findings.ours.is_empty() {
        text += "### The lab's own statements\n\n";
        text += &table("we say", &findings.ours);
    }
    if !findings.readings.is_empty() {
        text += "### What the paper leaves open\n\n";
        for question in &findings.readings {
            let options: Vec<String> = question.options.iter().map(|option| cell(option)).collect();
            let _ = writeln!(text, "- `{}`: {} {}", question.reading, cell(&question.asks), options.join("; "));
        }
        text += "\nThe first answer of each is the spec as it stands.\n\n";
    }
    for kind in SurpriseKind::ALL {
        let of_kind: Vec<_> = findings.surprises.iter().filter(|surprise| surprise.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "### {}\n", kind.words());
            for surprise in of_kind {
                let id = if surprise.statement.is_empty() { OURS } else { surprise.statement.as_str() };
                let (claim, told) = (cell(&surprise.claim), cell(&surprise.told));
                let figure = cell(findings.figure(&surprise.figure));
                let _ = writeln!(text, "- {id}, {claim} ({figure}): {told}");
            }
            text.push('\n');
        }
    }
    text
}

fn table(says: &str, findings: &[Finding]) -> String {
    let mut text = format!("| | {says} | we found | why | standing |\n|---|---|---|---|---|\n");
    for finding in findings {
        let _ = writeln!(
            text,
            "| {} | {}{} | {} | {} | {} |",
            finding.id,
            cell(&finding.says),
            match finding.place().as_str() {
                "" => String::new(),
                place => format!(" ({})", cell(place)),
            },
            cell(&finding.found()),
            cell(&finding.why()),
            finding.stands(),
        );
    }
    text.push('\n');
    text
}

/// Text for a cell; what specs put between backticks stays code.
fn cell(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let paired = parts.len() % 2 == 1;
    let part = |(index, part): (usize, &&str)| match index % 2 {
        1 if paired => format!("`{}`", part.replace('|', "\\|").replace('\n', " ")),
        _ => escaped(&typeset(part)),
    };
    parts.iter().enumerate().map(part).collect::<Vec<_>>().join(if paired { "" } else { "\\`" })
}
