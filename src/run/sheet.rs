//! measurements.csv and costs.csv as text: a run of some figures keeps the rows of the others as they are.

use super::{DEFAULTS, plain};
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::Path;

/// The column that says of which figure a row is.
const FIGURE: &str = "figure";

/// A CSV file, field by field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsvSheet {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl CsvSheet {
    pub fn parse(bytes: &[u8]) -> Result<Self, csv::Error> {
        let mut reader = csv::Reader::from_reader(bytes);
        let fields = |record: &csv::StringRecord| record.iter().map(String::from).collect::<Vec<_>>();
        let heads = fields(reader.headers()?);
        let rows = reader.records().map(|record| Ok(fields(&record?))).collect::<Result<_, csv::Error>>()?;
        Ok(Self { heads, rows })
    }

    /// What is there; nothing where there is no such file.
    pub fn read(path: &Path) -> Result<Self, String> {
        match std::fs::read(path) {
            Ok(bytes) => Self::parse(&bytes).map_err(|error| format!("cannot read {}: {error}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.heads.iter().position(|head| head == name)
    }

    /// The figures that it has rows of.
    pub fn figures(&self) -> Vec<&str> {
        let mut figures: Vec<&str> = Vec::new();
        if let Some(figure) = self.position(FIGURE) {
            for row in &self.rows {
                if figures.last() != Some(&row[figure].as_str()) && !figures.contains(&row[figure].as_str()) {
                    figures.push(&row[figure]);
                }
            }
        }
        figures
    }

    /// The rows of these figures alone.
    pub fn only(mut self, figures: &[&str]) -> Self {
        if let Some(figure) = self.position(FIGURE) {
            self.rows.retain(|row| figures.contains(&row[figure].as_str()));
        }
        self
    }

    /// These rows and those of a later run, in the order of `figures`. A parameter that either has a column for has one for
    /// all rows.
    pub fn joined(self, later: Self, figures: &[&str]) -> Self {
        if self.rows.is_empty() {
            return later;
        }
        let heads = self.heads_with(&later);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for sheet in [self, later] {
            let places: Vec<Option<usize>> = heads.iter().map(|head| sheet.position(head)).collect();
            let defaults = heads.iter().position(|head| head == DEFAULTS);
            rows.extend(sheet.rows.iter().map(|row| moved(row, &heads, &places, defaults)));
        }
        let rank = |row: &Vec<String>| {
            let figure = heads.iter().position(|head| head == FIGURE).map_or("", |figure| row[figure].as_str());
            figures.iter().position(|known| *known == figure)
        };
        rows.sort_by_key(rank);
        Self { heads, rows }
    }

    /// Our columns that are not empty, and those of `later` that we lack before the defaults.
    fn heads_with(&self, later: &Self) -> Vec<String> {
        let used = |column: usize| self.rows.iter().any(|row| !row[column].is_empty());
        let mut heads: Vec<String> = self
            .heads
            .iter()
            .enumerate()
            .filter(|(column, head)| later.heads.contains(head) || used(*column))
            .map(|(_, head)| head.clone())
            .collect();
        for head in &later.heads {
            if !heads.contains(head) {
                let end = heads.iter().position(|known| known == DEFAULTS).unwrap_or(heads.len());
                heads.insert(end, head.clone());
            }
        }
        heads
    }

    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.heads)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }
}

/// A row under other heads; what was among its defaults and has a column now is moved there.
fn moved(row: &[String], heads: &[String], places: &[Option<usize>], defaults: Option<usize>) -> Vec<String> {
    let old = defaults.and_then(|column| places[column]).map_or("", |column| row[column].as_str());
    let mut rest: Map<String, Value> = serde_json::from_str(old).unwrap_or_default();
    let mut fields: Vec<String> = Vec::with_capacity(heads.len());
    for (head, place) in heads.iter().zip(places) {
        fields.push(match place {
            Some(column) => row[*column].clone(),
            None => rest.shift_remove(head).map_or(String::new(), |value| plain(&value)),
        });
    }
    if let Some(column) = defaults {
        fields[column] = if rest.is_empty() { String::new() } else { Value::Object(rest).to_string() };
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> CsvSheet {
        CsvSheet::parse(text.replace(' ', "").as_bytes()).unwrap()
    }

    fn text(sheet: &CsvSheet) -> String {
        String::from_utf8(sheet.to_csv().unwrap()).unwrap()
    }

    #[test]
    fn a_part_replaces_its_rows_and_keeps_the_others_as_they_are() {
        let whole = "figure,l,defaults,value\na,2,\"{\"\"k\"\":1}\",0.50\nb,,,1e-7\nc,4,,3\n";
        let later = sheet("figure,defaults,value\nb,,8\n");
        let kept = sheet(whole).only(&["a", "c"]);
        let joined = kept.joined(later, &["a", "b", "c"]);
        assert_eq!(text(&joined), whole.replace("1e-7", "8"));
        assert_eq!(joined.figures(), ["a", "b", "c"]);
    }

    #[test]
    fn a_parameter_has_a_column_for_all_or_for_none() {
        let kept = sheet("figure,l,defaults,value\na,2,\"{\"\"k\"\":1,\"\"m\"\":3}\",0.5\n");
        let later = sheet("figure,k,defaults,value\nb,7,\"{\"\"l\"\":9}\",1\n");
        assert_eq!(
            text(&kept.joined(later, &["a", "b"])),
            "figure,l,k,defaults,value\na,2,1,\"{\"\"m\"\":3}\",0.5\nb,9,7,,1\n"
        );
    }
}
