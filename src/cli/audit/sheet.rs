//! What an audit found as one table, in each format.

use crate::cli::Failure;
use crate::cli::list::{aligned, counted};
use crate::data::write_csv;
use crate::examination::{Examination, FoundRelease, Held, MatchedRows, Measured};
use crate::lab::Witness;
use crate::measure::MeasureKind;
use crate::publish::contract;
use crate::release::ReleaseKind;
use crate::report::audit::{AuditGroup, AuditPage, AuditRow, AuditSection, told_html};
use crate::report::latex::{ColumnStyle, Tabular, text as latex_text};
use crate::report::markdown;
use crate::report::number::{number, singular};
use crate::sources::Description;
use indexmap::IndexSet;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The columns of the formats that are one table.
const COLUMNS: [&str; 7] = ["section", "measure", "name", "at", "value", "unit", "words"];

pub struct AuditSheet<'a> {
    examination: &'a Examination,
    found: &'a FoundRelease,
    original: Option<&'a Description>,
    rows: Vec<SheetRow>,
    all: bool,
}

#[derive(Default)]
struct SheetRow {
    section: &'static str,
    /// The measure it comes from; empty where it comes from none.
    measure: &'static str,
    /// What the measure was taken with, or the guarantee asks for.
    parameters: String,
    /// It tells how an answer came about: only files of all numbers have it, unless asked for.
    diagnostic: bool,
    name: String,
    at: String,
    value: Option<f64>,
    unit: &'static str,
    words: String,
}

impl SheetRow {
    /// The value as people read it.
    fn shown(&self) -> String {
        match (self.section, self.value) {
            ("guarantee", Some(1.0)) => "holds".to_string(),
            ("guarantee", Some(_)) => "does not hold".to_string(),
            ("guarantee", None) => "not decided".to_string(),
            (_, Some(value)) => number(value),
            (_, None) => String::new(),
        }
    }

    /// What it is about, for a person.
    fn heading(&self) -> &'static str {
        match self.section {
            "guarantee" => "Guarantees asked for",
            "rows" => "Rows",
            "audit" if self.measure.starts_with("reached-") => "Guarantees reached",
            "audit" => "What adversaries learn",
            "utility" => "What analysts can still do",
            "data" => "The data",
            "witness" => "Witnesses",
            _ => "Not said",
        }
    }

    /// A line of the terminal: the unit stands behind its number.
    fn line(&self) -> Vec<String> {
        let unit = if self.value == Some(1.0) { singular(self.unit) } else { self.unit.to_string() };
        let indent = if self.measure.is_empty() { "  " } else { "    " };
        let name = format!("{indent}{}", self.name);
        match self.section {
            "witness" if self.at.is_empty() => vec![name, self.words.clone()],
            "witness" => vec![name, format!("{} ({})", self.words, self.at)],
            "not said" => vec![name, self.words.clone()],
            _ => {
                let value = format!("{} {unit}", self.shown()).trim_end().to_string();
                vec![format!("{name} {}", self.place()).trim_end().to_string(), value, self.words.clone()]
            }
        }
    }

    /// The same for a whole curve of a metric, of which `last` is the other end.
    fn line_to(&self, last: &Self) -> Vec<String> {
        let mut cells = self.line();
        let (at, value) = self.ends(last);
        cells[0] = format!("    {} {at}", self.name);
        cells[1] = format!("{value} {}", self.unit).trim_end().to_string();
        cells
    }

    /// The places and the values of a curve from here to `last`.
    fn ends(&self, last: &Self) -> (String, String) {
        (format!("{} … {}", self.at, last.at), format!("{} … {}", self.shown(), last.shown()))
    }

    /// What stands behind its name: what a guarantee asks for, or where along the metric's own axis it is.
    fn place(&self) -> &str {
        if self.section == "guarantee" { &self.parameters } else { &self.at }
    }

    /// "background-knowledge (l=6, min_exp=0.9)"; None where it comes from no measure.
    fn taken_with(&self) -> Option<String> {
        let Self { measure, parameters, .. } = self;
        match (measure.is_empty(), parameters.is_empty()) {
            (true, _) => None,
            (false, true) => Some(measure.to_string()),
            (false, false) => Some(format!("{measure} ({parameters})")),
        }
    }

    /// Whether both are points of one metric along numbers.
    fn is_of_one_curve(&self, other: &Self) -> bool {
        let is_number = |row: &Self| row.at.parse::<f64>().is_ok();
        !self.measure.is_empty()
            && (self.measure, &self.name) == (other.measure, &other.name)
            && is_number(self)
            && is_number(other)
    }

    /// What [`COLUMNS`] says, as people read it.
    fn cells(&self) -> [String; 7] {
        let Self { section, measure, name, unit, words, .. } = self;
        let (place, value) = (self.place().to_string(), self.shown());
        [section.to_string(), measure.to_string(), name.clone(), place, value, unit.to_string(), words.clone()]
    }
}

impl<'a> AuditSheet<'a> {
    /// With `all`, tables for people have the diagnostics too, and the terminal every witness and every point of a curve.
    pub fn new(
        examination: &'a Examination,
        found: &'a FoundRelease,
        original: Option<&'a Description>,
        all: bool,
    ) -> Self {
        let mut rows: Vec<_> = examination.truth.iter().map(|truth| of_held(truth, "it says nothing untrue")).collect();
        rows.push(of_held(&examination.form, "its files give nothing away by their form"));
        rows.extend(examination.guarantees.iter().map(|held| of_held(held, &asked_for(held, examination.kind))));
        rows.extend(examination.rows.iter().flat_map(of_rows));
        for kind in [MeasureKind::Audit, MeasureKind::Utility, MeasureKind::Data] {
            let mut of_kind: Vec<&Measured> =
                examination.measures.iter().filter(|measured| measured.kind == kind).collect();
            // What is asked for most often comes first.
            of_kind.sort_by_key(|measured| !measured.measure.starts_with("reached-"));
            for measured in of_kind {
                let parameters = stated(&measured.parameters);
                rows.extend(measured.observations.iter().map(|seen| SheetRow {
                    section: section(kind),
                    measure: measured.measure,
                    parameters: parameters.clone(),
                    diagnostic: seen.diagnostic,
                    name: seen.metric.clone(),
                    at: seen.at.clone().unwrap_or_default(),
                    value: Some(seen.value),
                    unit: seen.unit,
                    words: seen.about.to_string(),
                }));
            }
        }
        rows.extend(examination.witnesses.iter().map(of_witness));
        rows.extend(examination.unsaid.iter().map(|unsaid| SheetRow {
            section: "not said",
            name: unsaid.of.clone(),
            words: unsaid.why.clone(),
            ..SheetRow::default()
        }));
        Self { examination, found, original, rows, all }
    }

    fn title(&self) -> String {
        let Examination { kind, holds, guarantees, truth, .. } = self.examination;
        match (guarantees.is_empty(), holds, truth.as_ref().map_or(Some(true), |truth| truth.holds)) {
            (_, false, None) => format!("{kind}: whether this is a release of the original was not decided"),
            (_, false, Some(false)) if self.original.is_some() => {
                format!("{kind}: this is no release of the original")
            }
            (true, ..) if self.original.is_some() => format!("{kind}: a true release of the original"),
            (true, ..) => format!("{kind}, without its original"),
            (false, true, _) => format!("{kind}: what was asked for holds"),
            (false, false, _) => format!("{kind}: what was asked for does not hold"),
        }
    }

    /// What was taken for what.
    fn took(&self) -> Vec<String> {
        let mut took = vec![format!("taken for {}: {}", self.found.kind, self.found.why)];
        took.extend(self.examination.took.iter().cloned());
        if let Some(rows) = &self.examination.rows {
            took.push(in_words(rows));
        }
        took
    }

    /// The measures with their parameters, for the formats that have no room for these in every row.
    fn measures_taken(&self) -> Vec<String> {
        let taken: IndexSet<String> = self.told().filter_map(SheetRow::taken_with).collect();
        taken.into_iter().map(|taken| format!("measured: {taken}")).collect()
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title());
        for line in self.took() {
            text += &format!("  {line}\n");
        }
        if let Some(original) = self.original {
            text += &format!("{original}");
        }
        let (told, further) = self.in_short();
        for rows in told.chunk_by(|a, b| a.heading() == b.heading()) {
            text += &format!("\n{}\n", rows[0].heading());
            let mut lines: Vec<Vec<String>> = Vec::new();
            // By the line that they stand above: they are no part of the columns.
            let mut measures: BTreeMap<usize, String> = BTreeMap::new();
            for of_one in rows.chunk_by(|a, b| a.measure == b.measure) {
                measures.extend(of_one[0].taken_with().map(|taken| (lines.len(), format!("  {taken}\n"))));
                for curve in of_one.chunk_by(|a, b| a.is_of_one_curve(b)) {
                    match curve {
                        [first, .., last] if !self.all => lines.push(first.line_to(last)),
                        _ => lines.extend(curve.iter().map(|row| row.line())),
                    }
                }
            }
            for (place, line) in aligned(&lines).lines().enumerate() {
                text += &format!("{}{line}\n", measures.remove(&place).unwrap_or_default());
            }
        }
        text + &self.left_out(further)
    }

    /// What the terminal is shown: of each number's witnesses the first. And how many more there are.
    fn in_short(&self) -> (Vec<&SheetRow>, usize) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let is_first = |row: &&SheetRow| self.all || row.section != "witness" || seen.insert(row.name.clone());
        let told: Vec<&SheetRow> = self.told().filter(is_first).collect();
        let further = self.told().count() - told.len();
        (told, further)
    }

    /// What people are shown.
    fn told(&self) -> impl Iterator<Item = &SheetRow> {
        self.rows.iter().filter(|row| self.all || !row.diagnostic)
    }

    /// How much they are not: diagnostics, and so many witnesses.
    fn left_out(&self, witnesses: usize) -> String {
        let numbers = self.rows.len() - self.told().count();
        let mut left_out = Vec::new();
        if numbers > 0 {
            left_out.push(format!("{} about how answers were computed", counted(numbers, "number")));
        }
        if witnesses > 0 {
            left_out.push(match witnesses {
                1 => "1 further witness".to_string(),
                more => format!("{more} further witnesses"),
            });
        }
        match left_out.is_empty() {
            true => String::new(),
            false => format!("\nLeft out: {} (--all shows them)\n", left_out.join(", ")),
        }
    }

    pub fn csv(&self) -> String {
        let header = ["section", "measure", "parameters", "name", "at", "value", "unit", "words"].map(String::from);
        let rows = self.rows.iter().map(|row| {
            let SheetRow { section, measure, parameters, name, at, value, unit, words, .. } = row;
            let value = value.map_or(String::new(), |value| value.to_string());
            let (section, measure, unit) = (section.to_string(), measure.to_string(), unit.to_string());
            [section, measure, parameters.clone(), name.clone(), at.clone(), value, unit, words.clone()]
        });
        let bytes = write_csv(std::iter::once(header).chain(rows));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", markdown::escaped(&self.title()));
        for line in self.took().iter().chain(&self.measures_taken()) {
            text += &format!("- {}\n", markdown::escaped(line));
        }
        let mut rows = vec![COLUMNS.map(String::from).to_vec()];
        rows.extend(self.told().map(|row| row.cells().to_vec()));
        text + "\n" + &markdown::table(&rows) + &markdown::escaped(&self.left_out(0))
    }

    pub fn latex(&self) -> String {
        let row = |row: &SheetRow| row.cells().iter().map(|cell| latex_text(cell)).collect();
        Tabular {
            what: self.title(),
            columns: vec![
                ColumnStyle::Left,
                ColumnStyle::Left,
                ColumnStyle::Left,
                ColumnStyle::Left,
                ColumnStyle::Right,
                ColumnStyle::Left,
                ColumnStyle::Prose(40),
            ],
            head: COLUMNS.iter().map(|name| latex_text(name)).collect(),
            rows: self.told().map(row).collect(),
            is_dense: false,
            notes: self.took().into_iter().chain(self.measures_taken()).collect(),
        }
        .tex()
    }

    /// Everything, as `docs/auditing.md` describes it.
    pub fn json(&self) -> Result<String, Failure> {
        let failure = |error: serde_json::Error| Failure::new(error.to_string());
        let mut all = Map::new();
        if let Value::Object(examination) = serde_json::to_value(self.examination).map_err(failure)? {
            all.extend(examination);
        }
        let files: Vec<String> = self.found.files.iter().map(|file| file.display().to_string()).collect();
        all.insert("release".to_string(), json!({"files": files, "recognized": self.found.why}));
        all.insert("original".to_string(), json!(self.original));
        all.insert("witnesses".to_string(), self.examination.witnesses.iter().map(witness_json).collect());
        serde_json::to_string_pretty(&all).map_err(failure)
    }

    pub fn page(&self) -> AuditPage {
        let told: Vec<&SheetRow> = self.told().collect();
        let sections = told.chunk_by(|a, b| a.heading() == b.heading()).map(|rows| AuditSection {
            name: rows[0].heading(),
            groups: rows.chunk_by(|a, b| a.measure == b.measure).map(|rows| self.group(rows)).collect(),
        });
        let original = self.original.map(|original| original.to_string()).unwrap_or_default();
        AuditPage {
            title: self.title(),
            holds: self.examination.holds,
            took: self.took().iter().map(|line| told_html(line)).collect(),
            original: original.lines().map(|line| told_html(line.trim())).collect(),
            sections: sections.collect(),
        }
    }

    /// What one measure found, or all rows of a section without measures.
    fn group(&self, rows: &[&SheetRow]) -> AuditGroup {
        let section = rows[0].section;
        let mut shown: Vec<AuditRow> = Vec::new();
        for curve in rows.chunk_by(|a, b| a.is_of_one_curve(b)) {
            match curve {
                [first, .., last] if !self.all => {
                    let (at, value) = first.ends(last);
                    shown.push(AuditRow { at, value, ..shown_on_page(first) });
                }
                _ => shown.extend(curve.iter().map(|row| shown_on_page(row))),
            }
        }
        let at = match section {
            _ if shown.iter().all(|row| row.at.is_empty()) => "",
            "guarantee" => "with",
            "witness" => "person",
            _ => "case",
        };
        let value = match section {
            _ if shown.iter().all(|row| row.value.is_empty()) => "",
            "guarantee" => "verdict",
            _ => "value",
        };
        let parameters = if section == "guarantee" { String::new() } else { rows[0].parameters.clone() };
        AuditGroup { measure: rows[0].measure, parameters, at, value, rows: shown }
    }
}

fn section(kind: MeasureKind) -> &'static str {
    match kind {
        MeasureKind::Audit => "audit",
        MeasureKind::Utility => "utility",
        MeasureKind::Data => "data",
    }
}

fn shown_on_page(row: &SheetRow) -> AuditRow {
    AuditRow {
        name: row.name.clone(),
        at: row.place().to_string(),
        value: row.shown(),
        class: match (row.section, row.value) {
            ("guarantee", Some(1.0)) => "holds",
            ("guarantee", Some(_)) => "fails",
            ("guarantee", None) => "inconclusive",
            _ => "",
        },
        unit: if row.value == Some(1.0) { singular(row.unit) } else { row.unit.to_string() },
        words: told_html(&row.words),
    }
}

/// "l=6, min_exp=0.9": without what is not given.
fn stated(parameters: &Map<String, Value>) -> String {
    let is_given = |value: &Value| !value.is_null() && value.as_array().is_none_or(|values| !values.is_empty());
    let parameter = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    let given = parameters.iter().filter(|(_, value)| is_given(value));
    given.map(parameter).collect::<Vec<_>>().join(", ")
}

/// What a guarantee asks for, in words.
fn asked_for(held: &Held, kind: ReleaseKind) -> String {
    let guarantee = contract(kind, Some(&held.name)).and_then(|contract| contract.guarantee(&held.guarantee).ok());
    guarantee.map(|guarantee| guarantee.to_string()).unwrap_or_default()
}

/// With what breaks it, or else what it `promises`.
fn of_held(held: &Held, promises: &str) -> SheetRow {
    SheetRow {
        section: "guarantee",
        parameters: stated(&held.guarantee),
        name: held.name.clone(),
        value: held.holds.map(|holds| f64::from(u8::from(holds))),
        words: if held.faults.is_empty() { promises.to_string() } else { held.faults.join("; ") },
        ..SheetRow::default()
    }
}

/// One case, with the person it is about where that may be shown.
fn of_witness(witness: &Witness) -> SheetRow {
    let person: Vec<String> = witness.person.iter().map(|(name, value)| format!("{name} {value}")).collect();
    SheetRow {
        section: "witness",
        name: witness.of.clone(),
        at: person.join(", "),
        words: witness.says.clone(),
        ..SheetRow::default()
    }
}

/// The sentence is the `case`, and what it is `among` are its `rows`.
fn witness_json(witness: &Witness) -> Value {
    let mut all = match json!(witness) {
        Value::Object(all) => all,
        _ => Map::new(),
    };
    for (name, called) in [("says", "case"), ("among", "rows")] {
        if let Some(value) = all.remove(name) {
            all.insert(called.to_string(), value);
        }
    }
    all.entry("row").or_insert(Value::Null);
    all.entry("rows").or_insert_with(|| json!([]));
    Value::Object(all)
}

fn of_rows(rows: &MatchedRows) -> Vec<SheetRow> {
    let row = |name: &str, value: usize, words: &str| SheetRow {
        section: "rows",
        name: name.to_string(),
        value: Some(value as f64),
        unit: "rows",
        words: words.to_string(),
        ..SheetRow::default()
    };
    vec![
        row("matched", rows.matched, "released rows with an original of their own"),
        row("dropped", rows.dropped, "originals without a released row"),
        row("unmatched", rows.unmatched, "released rows that no original is left for"),
    ]
}

/// What came of matching rows, in one line.
fn in_words(rows: &MatchedRows) -> String {
    if rows.in_order && rows.dropped == 0 && rows.is_complete() {
        return format!("its {} are in the original's order", counted(rows.released, "row"));
    }
    if rows.undecided.is_some() {
        return format!("whether its {} come from the original was not decided", counted(rows.released, "row"));
    }
    let mut words =
        format!("{} of {} found an original of their own", rows.matched, counted(rows.released, "released row"));
    if rows.dropped > 0 {
        let first: Vec<String> = rows.dropped_rows.iter().take(10).map(usize::to_string).collect();
        let more = if rows.dropped > first.len() { ", …" } else { "" };
        words += &format!("; {} of the original dropped: row {}{more}", counted(rows.dropped, "row"), first.join(", "));
    }
    words
}
