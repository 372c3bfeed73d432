//! Whose rows witnesses may show, and what they show of them.

use super::catalogue::entry;
use super::definition::{DatasetDefinition, Source};
use crate::data::{Content, Dataset, Origin};
use crate::lab::Witness;

impl DatasetDefinition {
    /// Whether what the original says of single rows may be shown and kept: rows that are nobody's (generated, or in a spec
    /// itself), and data whose catalogue entry says so. Files of one's own are nobody else's business.
    pub fn rows_may_be_shown(&self, origin: Origin) -> bool {
        match (&self.source, origin) {
            (_, Origin::StandIn | Origin::Generated | Origin::Example)
            | (Source::Inline(_) | Source::Synthetic(_), _) => true,
            (Source::Catalogue(name), Origin::Real | Origin::Partial) => entry(name).is_ok_and(|entry| entry.show_rows),
            (Source::File(_), Origin::Real | Origin::Partial) => false,
        }
    }
}

impl Dataset {
    /// Says whose row a witness is about: its quasi-identifiers, or its items.
    pub fn introduce(&self, witness: &mut Witness) {
        let Some(row) = witness.row.and_then(|row| usize::try_from(row.checked_sub(1)?).ok()) else { return };
        witness.person = match &self.content {
            Content::Table(microdata) if row < microdata.rows() => {
                let columns = microdata.quasi_identifiers.iter().map(|&column| &microdata.table.columns[column]);
                columns.map(|column| (column.name.clone(), column.text(row).to_string())).collect()
            }
            Content::Transactions(baskets) if row < baskets.transactions.len() => {
                let items = baskets.transactions.rows().nth(row).unwrap_or_default();
                let names: Vec<&str> =
                    items.iter().map(|&item| baskets.transactions.labels[item as usize].as_str()).collect();
                vec![("items".to_string(), names.join(" "))]
            }
            Content::Table(_) | Content::Transactions(_) => Vec::new(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Table, Transactions};

    fn of_source(source: &str) -> DatasetDefinition {
        serde_json::from_str(&format!(r#"{{"source": {source}}}"#)).unwrap()
    }

    #[test]
    fn rows_of_people_are_shown_where_the_catalogue_says_so() {
        let shown = |source: &str, origin| of_source(source).rows_may_be_shown(origin);
        assert!(shown(r#""adult""#, Origin::Real));
        assert!(!shown(r#""retail""#, Origin::Real) && !shown(r#""bms-pos""#, Origin::Partial));
        assert!(shown(r#""bms-pos""#, Origin::StandIn), "a stand-in is nobody");
        assert!(!shown(r#"{"file": "own.csv", "format": "csv"}"#, Origin::Real));
        assert!(shown(r#"{"inline": "a\n1", "format": "csv"}"#, Origin::Example));
    }

    #[test]
    fn a_row_is_introduced_by_what_an_adversary_may_know_of_it() {
        let rows: [&[&str]; 2] = [&["30", "flu"], &["40", "cold"]];
        let table = Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap();
        let introduced = |dataset: &Dataset, mut witness: Witness| {
            dataset.introduce(&mut witness);
            witness.person
        };
        let person = |name: &str, value: &str| vec![(name.to_string(), value.to_string())];
        assert_eq!(introduced(&table, Witness::of("x", "").row(1)), person("age", "40"));
        assert_eq!(introduced(&table, Witness::of("x", "").row(9)), []);
        assert_eq!(introduced(&table, Witness::of("x", "")), []);
        let baskets = Dataset::of_transactions(Transactions::from_labels(&[vec!["a", "b"]]), None, &[]);
        assert_eq!(introduced(&baskets, Witness::of("x", "").row(0)), person("items", "a b"));
    }
}
