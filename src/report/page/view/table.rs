//! The table below a figure.

use super::text::NAME;
use crate::report::figure;
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use serde::Serialize;

/// Columns beside each other; what is wider breaks into parts below each other.
const ABREAST: usize = 9;

#[derive(Debug, Clone, Serialize)]
pub struct Table {
    pub caption: String,
    /// Each with the columns that name the rows.
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Part {
    pub heads: Vec<Head>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Head {
    pub text: String,
    pub note: String,
    pub numeric: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    pub text: String,
    /// The heading of its column, for screens on which rows are stacked.
    pub head: String,
    pub note: String,
    pub sort: String,
    pub status: bool,
    pub heads_row: bool,
    pub numeric: bool,
}

pub(super) fn table(prepared: &Prepared) -> Table {
    let table = &prepared.table;
    let caveats = prepared.data_caveats();
    let data = if caveats.is_empty() { String::new() } else { format!("Data: {}.", caveats.join(", ")) };
    // Where there is one metric no heading names it.
    let mut labels: Vec<&str> = prepared.figure.panels.iter().map(|panel| panel.y_label.as_str()).collect();
    labels.dedup();
    let metric = if let [one] = labels[..] { format!("{one}. ") } else { String::new() };
    let cell = |cell: &figure::Cell, head: &figure::Head| Cell {
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
    let part = |columns: Vec<usize>| Part {
        heads: columns
            .iter()
            .map(|&column| &table.heads[column])
            .map(|head| Head {
                text: shorten(&head.text, NAME),
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
    Table {
        caption: shorten(format!("{metric}{data}").trim(), NAME * 3),
        parts: parts(table).into_iter().map(part).collect(),
    }
}

/// The columns of each part: those that name rows, and as many of the others as have room. A printed value stays beside
/// ours, and a metric's series stay together where they have room.
fn parts(table: &figure::Table) -> Vec<Vec<usize>> {
    let all = table.heads.len();
    let naming = table.rows.first().map_or(0, |row| row.iter().take_while(|cell| cell.heads_row).count());
    if all <= ABREAST {
        return vec![(0..all).collect()];
    }
    let room = ABREAST.saturating_sub(naming).max(1);
    let is_printed =
        |column: usize| table.heads[column].note.ends_with("printed") || table.heads[column].text == "printed";
    let metric = |column: usize| table.heads[column].note.trim_end_matches("printed").trim_end_matches(", ");
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut from = naming;
    while from < all {
        let left = parts.last().map_or(0, |part| room.saturating_sub(part.len()));
        let pair = from + 1 + (from + 1..all).take_while(|&column| is_printed(column)).count();
        let same = (pair..all).find(|&column| !is_printed(column) && metric(column) != metric(from)).unwrap_or(all);
        let begins = from == naming || metric(from) != metric(from - 1);
        let fits = pair - from <= left && (!begins || same - from <= left || same - from > room);
        match parts.last_mut() {
            Some(part) if fits => part.extend(from..pair),
            _ => parts.push((from..pair).collect()),
        }
        from = pair;
    }
    parts.into_iter().map(|part| (0..naming).chain(part).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(names: usize, heads: &[(&str, &str)]) -> figure::Table {
        let head = |text: &str, note: &str| figure::Head { text: text.into(), note: note.into(), numeric: true };
        let cell = |index: usize| figure::Cell { heads_row: index < names, ..figure::Cell::default() };
        let named = (0..names).map(|_| head("x", ""));
        let heads: Vec<figure::Head> = named.chain(heads.iter().map(|(text, note)| head(text, note))).collect();
        figure::Table { rows: vec![(0..heads.len()).map(cell).collect()], heads }
    }

    #[test]
    fn wide_tables_break_between_metrics_and_never_before_a_printed_value() {
        let narrow = made(1, &[("a", "time"), ("b", "time")]);
        assert_eq!(parts(&narrow), [[0, 1, 2]]);

        let metrics: Vec<(&str, &str)> = ["time", "error", "risk"]
            .iter()
            .flat_map(|metric| ["a", "b", "c", "d"].map(|name| (name, *metric)))
            .collect();
        let broken = parts(&made(1, &metrics));
        assert_eq!(broken, [vec![0, 1, 2, 3, 4, 5, 6, 7, 8], vec![0, 9, 10, 11, 12]]);

        let beside: Vec<(&str, &str)> =
            (0..6).flat_map(|_| [("a", ""), ("a", "printed")]).chain([("printed", "")]).collect();
        for part in parts(&made(2, &beside)) {
            assert_eq!(part[..2], [0, 1]);
            assert_eq!(part[2] % 2, 0, "{part:?} begins with a value of ours");
            assert!(part.len() <= ABREAST + 1, "{part:?}");
        }
        let many: Vec<(&str, &str)> = (0..40).map(|_| ("a", "time")).collect();
        let broken = parts(&made(1, &many));
        let mut seen: Vec<usize> = broken.iter().flat_map(|part| part[1..].to_vec()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (1..=40).collect::<Vec<_>>(), "every column once");
        assert!(broken.iter().all(|part| part.len() <= ABREAST));
    }
}
