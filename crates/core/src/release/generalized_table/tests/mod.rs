//! Tables of the papers, corrupted releases, and literal versions of every guarantee.

mod corruptions;
mod each_verifier;
mod literal;
mod papers;
mod several;

use super::verifier::table_faults;
use super::*;
use crate::data::{Content, Dataset, Table};

/// Words in lines, the first line the header; the last column is sensitive.
fn dataset(text: &str) -> Dataset {
    let lines: Vec<Vec<&str>> = text.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let rows: Vec<&[&str]> = lines[1..].iter().map(Vec::as_slice).collect();
    let (sensitive, quasi) = lines[0].split_last().unwrap();
    Dataset::of_table(Table::from_rows(&lines[0], &rows), quasi, sensitive).unwrap()
}

fn microdata(dataset: &mut Dataset) -> &mut Microdata {
    match &mut dataset.content {
        Content::Table(microdata) => microdata,
        Content::Transactions(_) => panic!("a table"),
    }
}

/// The release whose cells are the words of `text`, without header and sensitive values.
fn release(dataset: &Dataset, text: &str) -> GeneralizedTable {
    let microdata = dataset.microdata().unwrap();
    let domains = Domain::all(microdata);
    let mut table = GeneralizedTable::identity(microdata);
    for column in &mut table.columns {
        *column = CellColumn::default();
    }
    for line in text.trim().lines() {
        for ((column, domain), word) in table.columns.iter_mut().zip(&domains).zip(line.split_whitespace()) {
            column.of_row.push(column.cells.len() as u32);
            column.cells.push(domain.parse(word).unwrap());
        }
    }
    table
}

fn groups(dataset: &Dataset, table: &GeneralizedTable, conventions: Conventions) -> Vec<ClassGroup> {
    let microdata = dataset.microdata().unwrap();
    Classes::new(microdata, table, conventions.suppressed_if).groups(&table.sensitive, conventions)
}

/// The distribution of the only sensitive attribute.
fn overall(dataset: &Dataset) -> Overall<'_> {
    let microdata = dataset.microdata().unwrap();
    Overall::of_original(microdata, &microdata.sensitive_attributes()[0])
}

fn faults(dataset: &Dataset, table: &GeneralizedTable, requirements: &[Requirement]) -> Vec<String> {
    let conventions = Conventions { suppression: 0.0, ..Conventions::default() };
    let guarantee = TableGuarantee { requirements: requirements.to_vec(), conventions };
    let witnesses = table_faults(dataset.microdata().unwrap(), table, &guarantee).unwrap();
    witnesses.into_iter().map(|witness| witness.says).collect()
}
