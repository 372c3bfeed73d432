//! What was found about a paper, told from the files that its report left: `standings.csv`, `claims.csv`, `statements.csv`,
//! `readings.csv` and `card.json`. The index, `anonlab findings` and the tables spliced into documents all say it with these words.
//!
//! A claim is what a figure's numbers were asked. A statement is what the paper says; one or more claims are about it.

mod files;
mod markdown;
mod sentences;
mod settings;
#[cfg(test)]
mod tests;

pub use markdown::{page, section, summary};
pub use settings::RunSettings;

use super::ReportError;
use super::claims_table::{ClaimRow, ClaimsTable, SeedVerdicts};
use super::reading_names::ReadingNames;
use crate::spec::expectation::Standing;
pub use files::OpenQuestion;
use files::{RegisteredStatement, questions, registered};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The name under which claims of the lab itself stand.
pub const OURS: &str = "ours";

/// What was found about one experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// The folder's name.
    pub experiment: String,
    pub title: String,
    /// "Li, Zhang: Injector, ICDE 2008"; None for experiments that go beyond the papers.
    pub paper: Option<String>,
    /// Three, each a whole sentence: what became of the statements, what contradicts the paper, on what it depends.
    pub sentences: Vec<String>,
    /// The paper's, in its order. Those without any claim are shown by tests.
    pub statements: Vec<Finding>,
    /// What the lab says itself, one for each claim.
    pub ours: Vec<Finding>,
    pub surprises: Vec<Surprise>,
    /// Of figures, by their ids.
    pub titles: BTreeMap<String, String>,
    /// The questions that the paper leaves open, and the answers tried.
    pub readings: Vec<OpenQuestion>,
    /// The run behind it; None where the report does not tell.
    pub settings: Option<RunSettings>,
}

/// What became of one statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The statement's id; `ours` for the lab's own.
    pub id: String,
    pub section: String,
    /// What the paper says, in our words.
    pub says: String,
    pub outcome: StatementOutcome,
    /// How far the outcome is to be trusted: the weakest standing among the claims.
    pub standing: Standing,
    /// The claims about it, the one that decided first.
    pub claims: Vec<ClaimRow>,
    /// The test that shows it where nothing can be measured.
    pub test: String,
}

/// What the claims about a statement say together, as the spec stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementOutcome {
    Holds,
    /// Some of its claims hold, others fail.
    InPart,
    Fails,
    /// No claim fails, and those that do not hold do so with some seeds and fail with others.
    Varies,
    /// No claim fails, and not all are decided.
    Undecided,
    /// A test shows it: there is nothing to measure.
    Tested,
    /// The run did not ask.
    NotMeasured,
}

/// Something that a reader would not expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Surprise {
    pub kind: SurpriseKind,
    pub statement: String,
    pub figure: String,
    pub claim: String,
    /// What happened.
    pub told: String,
    pub because: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SurpriseKind {
    /// The verdict is not the one the spec has on record.
    AgainstExpectation,
    /// Whether it holds is a matter of how the paper is read.
    DependsOnReading,
    /// Seeds disagree.
    DependsOnChance,
    /// Some seeds or readings gave no verdict, and no others disagree.
    NotSettled,
    /// A value that the paper printed is not reached.
    PrintedNotReached,
}

/// The part of an experiment's card that tells what it is.
#[derive(Deserialize)]
struct Head {
    title: String,
    paper: Option<Paper>,
    #[serde(default)]
    figures: Vec<FigureHead>,
}

#[derive(Deserialize)]
struct FigureHead {
    id: String,
    title: String,
}

#[derive(Deserialize)]
struct Paper {
    title: String,
    authors: String,
    venue: String,
}

impl Findings {
    /// Of the experiment in a folder.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let names = ReadingNames::read(folder)?;
        let table = names.in_table(ClaimsTable::read(folder)?);
        let path = folder.join("card.json");
        let fault = |error: String| ReportError::Input(format!("cannot read {}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| fault(error.to_string()))?;
        let head: Head = serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        let (settings, readings) = (RunSettings::read(folder)?, questions(folder, &names)?);
        Ok(Self { settings, readings, ..Self::new(head, &table, registered(folder)?) })
    }

    /// The sentences alone, of an experiment whose card is not written yet; with the ids and titles of its figures.
    pub fn sentences_of<'a>(
        folder: &Path,
        table: &ClaimsTable,
        figures: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Vec<String>, ReportError> {
        let figure = |(id, title): (&str, &str)| FigureHead { id: id.to_string(), title: title.to_string() };
        let head = Head { title: String::new(), paper: None, figures: figures.map(figure).collect() };
        let table = ReadingNames::read(folder)?.in_table(table.clone());
        Ok(Self::new(head, &table, registered(folder)?).sentences)
    }

    /// Of all experiments with a report in a directory, by name: papers first, then what goes beyond them.
    pub fn in_directory(dir: &Path) -> Result<Vec<Self>, ReportError> {
        let entries = std::fs::read_dir(dir)
            .map_err(|error| ReportError::Input(format!("cannot list {}: {error}", dir.display())))?;
        let finished = |folder: &Path| ["card.json", "standings.csv"].iter().all(|file| folder.join(file).is_file());
        let folders = entries.flatten().map(|entry| entry.path()).filter(|folder| finished(folder));
        let mut all = folders.map(|folder| Self::read(&folder)).collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| (a.statements.is_empty(), &a.experiment).cmp(&(b.statements.is_empty(), &b.experiment)));
        Ok(all)
    }

    fn new(head: Head, table: &ClaimsTable, registered: Vec<RegisteredStatement>) -> Self {
        let about = |id: &str| table.rows.iter().filter(|row| row.statement == id).cloned().collect::<Vec<_>>();
        let statements: Vec<Finding> = registered
            .into_iter()
            .map(|RegisteredStatement { id, section, says, test }| {
                let claims = about(&id);
                Finding::new(id, section, says, claims, test)
            })
            .collect();
        let is_own = |row: &&ClaimRow| !statements.iter().any(|statement| statement.id == row.statement);
        let titles: BTreeMap<String, String> =
            head.figures.into_iter().map(|figure| (figure.id, figure.title)).collect();
        let own = |row: &ClaimRow| {
            let section = titles.get(&row.figure).cloned().unwrap_or_else(|| format!("figure {}", row.figure));
            Finding::new(OURS.to_string(), section, row.claim.clone(), vec![row.clone()], String::new())
        };
        let ours: Vec<Finding> = table.rows.iter().filter(is_own).map(own).collect();
        let paper = head.paper.map(|Paper { title, authors, venue }| format!("{authors}: {title}, {venue}"));
        Self {
            experiment: table.experiment.clone(),
            title: head.title,
            paper,
            sentences: sentences::sentences(&statements, &ours),
            surprises: surprises(table),
            titles,
            settings: None,
            readings: Vec::new(),
            statements,
            ours,
        }
    }
}

impl Finding {
    fn new(id: String, section: String, says: String, mut claims: Vec<ClaimRow>, test: String) -> Self {
        let outcome = outcome(&claims, !test.is_empty());
        let standing =
            claims.iter().map(standing_of).max_by_key(|standing| weakness(*standing)).unwrap_or(Standing::Robust);
        // What contradicts the statement decides, then what is open.
        claims.sort_by_key(|claim| match claim.verdict.as_str() {
            "fails" => 0,
            "inconclusive" => 1,
            _ => 2,
        });
        Self { id, section, says, outcome, standing, claims, test }
    }

    /// The words and numbers of the claim that decided, and what became of the others.
    pub fn found(&self) -> String {
        let Some((first, others)) = self.claims.split_first() else {
            return match self.outcome {
                StatementOutcome::Tested => format!("shown by a test ({})", self.test),
                _ => "not measured in this run".to_string(),
            };
        };
        // What the lab says itself stands in the column beside.
        let numbers = numbers(first);
        let found = match (first.claim == self.says, first.verdict.as_str()) {
            (true, _) => numbers,
            // Only what holds is found; what does not is quoted.
            (false, "holds") => format!("{}: {numbers}", first.claim),
            (false, "fails") => format!("“{}” fails: {numbers}", first.claim),
            (false, _) if varies(first) => format!("“{}” varies: {numbers}", first.claim),
            (false, _) => format!("“{}” is open: {numbers}", first.claim),
        };
        let count = |verdict: &str| others.iter().filter(|claim| claim.verdict == verdict).count();
        let (hold, fail) = (count("holds"), count("fails"));
        let vary = others.iter().filter(|claim| varies(claim)).count();
        let open = others.len() - hold - fail - vary;
        let parts =
            [(hold, "holds", "hold"), (fail, "fails", "fail"), (vary, "varies", "vary"), (open, "is open", "are open")];
        let rest: Vec<String> = parts
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .enumerate()
            .map(|(place, (n, one, many))| {
                let what = match (place, n) {
                    (0, 1) => " more claim",
                    (0, _) => " more claims",
                    _ => "",
                };
                format!("{n}{what} {}", if n == 1 { one } else { many })
            })
            .collect();
        if rest.is_empty() { found } else { format!("{found}. {}", rest.join(", ")) }
    }

    /// Why it came out so, in the words of the spec; empty where nobody said. Of a statement that holds as the spec stands it
    /// tells why it does not elsewhere.
    pub fn why(&self) -> String {
        let because = self.claims.iter().filter(|claim| !claim.because.is_empty());
        match self.outcome {
            StatementOutcome::Fails | StatementOutcome::InPart => {
                let mut failing = because.filter(|claim| claim.verdict == "fails");
                failing.next().map_or(String::new(), |claim| claim.because.clone())
            }
            StatementOutcome::Holds => {
                let mut flipping = because.filter(|claim| standing_of(claim) == Standing::DependsOnReading);
                flipping.next().map_or(String::new(), |claim| format!("where it fails: {}", claim.because))
            }
            StatementOutcome::Varies
            | StatementOutcome::Undecided
            | StatementOutcome::Tested
            | StatementOutcome::NotMeasured => String::new(),
        }
    }

    /// "✓ holds, robust"; a standing is of claims, and what a test shows, or nobody measured, has none.
    pub fn stands(&self) -> String {
        let outcome = format!("{} {}", self.outcome.symbol(), self.outcome.words());
        if self.claims.is_empty() { outcome } else { format!("{outcome}, {}", self.standing.words()) }
    }

    /// Where the paper says it: "Section VI-C", "Table III"; empty where it is at no one place.
    pub fn place(&self) -> String {
        let is_number = |part: &str| {
            let first = part.split(['.', '-']).next().unwrap_or_default();
            !first.is_empty() && first.chars().all(|letter| letter.is_ascii_digit() || "IVX".contains(letter))
        };
        let mut parts = self.section.split([',', '–']).map(str::trim);
        match (parts.next().is_some_and(is_number), parts.next().is_some_and(is_number)) {
            (true, true) => format!("Sections {}", self.section),
            (true, false) => format!("Section {}", self.section),
            _ if self.section == "–" => String::new(),
            _ => self.section.clone(),
        }
    }

    /// What the standing rests on, of the claim with the weakest one.
    pub fn told(&self) -> &str {
        let weakest = self.claims.iter().max_by_key(|claim| weakness(standing_of(claim)));
        weakest.map_or("", |claim| claim.told.as_str())
    }
}

impl StatementOutcome {
    pub const ALL: [Self; 7] =
        [Self::Holds, Self::InPart, Self::Fails, Self::Varies, Self::Undecided, Self::Tested, Self::NotMeasured];

    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::Fails => "fails",
            Self::Varies => "varies",
            Self::Undecided => "undecided",
            Self::Tested => "tested",
            Self::NotMeasured => "not measured",
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Self::Holds | Self::Tested => "✓",
            Self::InPart => "◐",
            Self::Fails => "✗",
            Self::Varies => "≈",
            Self::Undecided => "?",
            Self::NotMeasured => "–",
        }
    }

    /// The verdict that it looks like on a page: a class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Holds | Self::Tested => "holds",
            Self::Fails => "fails",
            Self::InPart | Self::Varies | Self::Undecided | Self::NotMeasured => "inconclusive",
        }
    }
}

impl SurpriseKind {
    pub const ALL: [Self; 5] = [
        Self::AgainstExpectation,
        Self::DependsOnReading,
        Self::DependsOnChance,
        Self::NotSettled,
        Self::PrintedNotReached,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Self::AgainstExpectation => "Against expectation",
            Self::DependsOnReading => "A matter of how the paper is read",
            Self::DependsOnChance => "A matter of chance",
            Self::NotSettled => "Not settled",
            Self::PrintedNotReached => "Printed values that we do not reach",
        }
    }
}

fn standing_of(claim: &ClaimRow) -> Standing {
    Standing::ALL.into_iter().find(|standing| standing.name() == claim.standing).unwrap_or(Standing::Open)
}

/// How little can be built on a standing.
fn weakness(standing: Standing) -> u8 {
    match standing {
        Standing::Robust => 0,
        Standing::Open => 1,
        Standing::DependsOnChance => 2,
        Standing::DependsOnReading => 3,
    }
}

/// The numbers behind a claim. They are those of one seed: where several settle nothing, what they say comes first.
fn numbers(claim: &ClaimRow) -> String {
    match (claim.verdict.as_str(), as_the_spec_stands(claim).told()) {
        ("inconclusive", Some(told)) => format!("{told}; with the first seed {}", claim.detail),
        _ => claim.detail.clone(),
    }
}

fn as_the_spec_stands(claim: &ClaimRow) -> SeedVerdicts {
    claim.marks.first().copied().flatten().unwrap_or_default()
}

/// Whether no verdict was come to because it holds with some seeds and fails with others.
fn varies(claim: &ClaimRow) -> bool {
    claim.verdict == "inconclusive" && as_the_spec_stands(claim).disagree()
}

fn outcome(claims: &[ClaimRow], tested: bool) -> StatementOutcome {
    let count = |verdict: &str| claims.iter().filter(|claim| claim.verdict == verdict).count();
    match (count("holds"), count("fails")) {
        _ if claims.is_empty() && tested => StatementOutcome::Tested,
        _ if claims.is_empty() => StatementOutcome::NotMeasured,
        (holds, 0) if holds == claims.len() => StatementOutcome::Holds,
        (holds, 0) if holds + claims.iter().filter(|claim| varies(claim)).count() == claims.len() => {
            StatementOutcome::Varies
        }
        (_, 0) => StatementOutcome::Undecided,
        (0, _) => StatementOutcome::Fails,
        _ => StatementOutcome::InPart,
    }
}

fn has_inconclusive(row: &ClaimRow) -> bool {
    row.marks.iter().flatten().any(|mark| mark.inconclusive > 0)
}

fn surprises(table: &ClaimsTable) -> Vec<Surprise> {
    let mut surprises = Vec::new();
    for row in &table.rows {
        let fails = row.verdict == "fails";
        let (kind, told) = match () {
            () if !row.surprise.is_empty() => (SurpriseKind::AgainstExpectation, &row.surprise),
            () if row.standing == "depends_on_reading" => (SurpriseKind::DependsOnReading, &row.told),
            () if row.standing == "depends_on_chance" => (SurpriseKind::DependsOnChance, &row.told),
            // Where one seed alone was tried, more of them are all that is missing.
            () if row.standing == "open" && has_inconclusive(row) => (SurpriseKind::NotSettled, &row.told),
            () if row.printed && fails => (SurpriseKind::PrintedNotReached, &row.detail),
            () => continue,
        };
        surprises.push(Surprise {
            kind,
            statement: row.statement.clone(),
            figure: row.figure.clone(),
            claim: row.claim.clone(),
            told: told.clone(),
            because: row.because.clone(),
        });
    }
    surprises.sort_by_key(|surprise| surprise.kind);
    surprises
}

impl Findings {
    /// The title of a figure; its id where the report does not tell.
    pub fn figure<'a>(&'a self, id: &'a str) -> &'a str {
        self.titles.get(id).map_or(id, String::as_str)
    }

    /// Whether there is anything to tell: a claim that was judged, or a statement.
    pub fn tells(&self) -> bool {
        !self.statements.is_empty() || !self.ours.is_empty()
    }

    /// How many of the paper's statements came out so.
    pub fn count(&self, outcome: StatementOutcome) -> usize {
        self.statements.iter().filter(|finding| finding.outcome == outcome).count()
    }
}
