//! What a report says beside its claims: the register of statements, and the questions that the paper leaves open.

use crate::report::ReportError;
use crate::report::claims_table::CsvRecords;
use crate::report::reading_names::ReadingNames;
use serde::Serialize;
use std::path::Path;

/// A question that the paper leaves open: a line of `readings.csv`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenQuestion {
    pub reading: String,
    pub asks: String,
    /// The answers, in words where the spec has some; the first is the spec as it stands.
    pub options: Vec<String>,
}

/// A line of `statements.csv`.
pub struct RegisteredStatement {
    pub id: String,
    pub section: String,
    pub says: String,
    pub test: String,
}

/// Nothing where the experiment has no register.
pub fn registered(folder: &Path) -> Result<Vec<RegisteredStatement>, ReportError> {
    const FILE: &str = "statements.csv";
    if !folder.join(FILE).is_file() {
        return Ok(Vec::new());
    }
    let records = CsvRecords::read(folder, FILE)?;
    let [id, section, says, test] = ["statement", "section", "says", "test"].map(|name| records.column(name));
    let (id, section, says, test) = (id?, section?, says?, test?);
    let text = |row: &csv::StringRecord, column: usize| row[column].to_string();
    let registered = |row: &csv::StringRecord| RegisteredStatement {
        id: text(row, id),
        section: text(row, section),
        says: text(row, says),
        test: text(row, test),
    };
    Ok(records.rows.iter().map(registered).collect())
}

/// Nothing where the experiment has no readings, or its report is of an earlier version.
pub fn questions(folder: &Path, names: &ReadingNames) -> Result<Vec<OpenQuestion>, ReportError> {
    const FILE: &str = "readings.csv";
    if !folder.join(FILE).is_file() {
        return Ok(Vec::new());
    }
    let records = CsvRecords::read(folder, FILE)?;
    let [reading, asks, options] = ["reading", "asks", "options"].map(|name| records.column(name));
    let (reading, asks, options) = (reading?, asks?, options?);
    let question = |row: &csv::StringRecord| OpenQuestion {
        reading: row[reading].to_string(),
        asks: row[asks].to_string(),
        options: row[options].split("; ").map(|option| names.answer(&row[reading], option)).collect(),
    };
    Ok(records.rows.iter().map(question).collect())
}
