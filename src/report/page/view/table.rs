//! The table below a figure.

use super::text::{NAME, prose};
use crate::report::figure;
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct TableView {
    pub caption: String,
    /// Each with the columns that name the rows.
    pub parts: Vec<TableViewPart>,
}

#[derive(Debug, Clone, Serialize)]
pub struct TableViewPart {
    pub heads: Vec<HeadView>,
    pub rows: Vec<Vec<CellView>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct HeadView {
    pub text: String,
    /// The same as HTML.
    pub html: String,
    pub note: String,
    pub numeric: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct CellView {
    pub text: String,
    /// The heading of its column, for screens on which rows are stacked.
    pub head: String,
    pub note: String,
    pub sort: String,
    pub status: bool,
    pub heads_row: bool,
    pub numeric: bool,
}

pub(super) fn table(prepared: &Prepared) -> TableView {
    let table = &prepared.table;
    let caveats = prepared.data_caveats();
    let data = if caveats.is_empty() { String::new() } else { format!("Data: {}.", caveats.join(", ")) };
    // Where there is one metric no heading may name it.
    let mut labels: Vec<&str> = prepared.figure.panels.iter().map(|panel| panel.y_label.as_str()).collect();
    labels.dedup();
    let is_named = |label: &str| table.heads.iter().any(|head| head.text == label);
    let metric = match labels[..] {
        [one] if !is_named(one) => format!("Shown: {one}. "),
        _ => String::new(),
    };
    let cell = |cell: &figure::TableCell, head: &figure::TableHead| CellView {
        text: shorten(&cell.text, NAME),
        head: match head.note.as_str() {
            "" => shorten(&head.text, NAME / 2),
            note => shorten(&format!("{}, {note}", head.text), NAME / 2),
        },
        note: cell.note.clone(),
        sort: cell.number.map_or(String::new(), |number| number.to_string()),
        status: cell.status.is_some(),
        heads_row: cell.heads_row,
        numeric: head.numeric,
    };
    let part = |columns: Vec<usize>| TableViewPart {
        heads: columns
            .iter()
            .map(|&column| &table.heads[column])
            .map(|head| HeadView {
                text: shorten(&head.text, NAME),
                html: prose(&shorten(&head.text, NAME)),
                note: shorten(&head.note, NAME),
                numeric: head.numeric,
            })
            .collect(),
        rows: table
            .rows
            .iter()
            .map(|row| columns.iter().map(|&column| cell(&row[column], &table.heads[column])).collect())
            .collect(),
    };
    TableView {
        caption: shorten(format!("{metric}{data}").trim(), NAME * 3),
        parts: table.parts().into_iter().map(part).collect(),
    }
}
