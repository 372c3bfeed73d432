//! Generalized tables as a file: `table.csv`, the quasi-identifiers and the sensitive attributes under the original's names, one
//! line a row of the original, in its order; a suppressed row is `*` throughout. CSV after RFC 4180.

use super::{CellColumn, Domain, GeneralizedCell, GeneralizedTable};
use crate::data::{AND, Microdata, SensitiveAttribute, csv_field, line_of, write_csv};
use crate::lab::{LabError, counted, did_you_mean_if_near, shortened};
use crate::release::ReleaseFile;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

pub(super) const TABLE: &str = "table.csv";
const STAR: &str = "*";

impl GeneralizedTable {
    pub(super) fn to_files(&self, microdata: &Microdata) -> Vec<ReleaseFile> {
        let domains = Domain::all(microdata);
        let sensitive = &microdata.table.columns[microdata.sensitive];
        // Every cell and value is written once, and then copied row by row.
        let cells: Vec<Vec<Vec<u8>>> = (self.columns.iter().zip(&domains))
            .map(|(column, domain)| {
                let field = |cell: &GeneralizedCell| [csv_field(&domain.text(cell)), b",".to_vec()].concat();
                column.cells.iter().map(field).collect()
            })
            .collect();
        // Several attributes have a column each.
        let attributes = microdata.sensitive_attributes();
        let fields = |code: usize| {
            let own =
                |attribute: &SensitiveAttribute<'_>| attribute.of_code.map_or(code, |of_code| of_code[code] as usize);
            let fields: Vec<Vec<u8>> = (attributes.iter()).map(|a| csv_field(&a.values[own(a)])).collect();
            fields.join(&b',')
        };
        let values: Vec<Vec<u8>> = (0..sensitive.cardinality()).map(fields).collect();
        let stars = vec![STAR; attributes.len()].join(",");
        let mut bytes = write_csv([header(&domains, &attributes)]);
        for row in 0..self.rows() {
            for (column, cells) in self.columns.iter().zip(&cells) {
                bytes.extend_from_slice(&cells[column.of_row[row] as usize]);
            }
            bytes.extend_from_slice(self.sensitive[row].map_or(stars.as_bytes(), |value| &values[value as usize]));
            bytes.push(b'\n');
        }
        vec![ReleaseFile { name: TABLE, bytes }]
    }

    /// Reads what an outsider wrote. Whether cells cover those of the original, and what the table guarantees, is for the
    /// verifier to say.
    pub(super) fn from_files(microdata: &Microdata, table: &[u8]) -> Result<Self, LabError> {
        let domains = Domain::all(microdata);
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let codes: FxHashMap<&str, u32> = sensitive.values.iter().map(String::as_str).zip(0..).collect();
        let mut readers: Vec<ColumnReader<'_>> = domains.iter().map(ColumnReader::new).collect();
        let mut values = Vec::with_capacity(microdata.rows());
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table);
        let attributes = microdata.sensitive_attributes();
        let mut wanted: Vec<&str> = header(&domains, &attributes).collect();
        let mut record = csv::StringRecord::new();
        let mut is_header = true;
        loop {
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let line = error.position().map_or(0, csv::Position::line);
                    return Err(LabError::input(format!("{TABLE} line {line}: it is not UTF-8 text")));
                }
            }
            let line = line_of(&record, table);
            let at = |message: String| LabError::input(format!("{TABLE} line {line}: {message}"));
            if std::mem::take(&mut is_header) {
                // Programs are given several sensitive attributes as one column, and may publish it as it is.
                if attributes.len() > 1 && record.len() == domains.len() + 1 {
                    wanted.splice(domains.len().., [sensitive.name.as_str()]);
                }
                if !record.iter().eq(wanted.iter().copied()) {
                    let (wanted, found) = (wanted.join(","), record.iter().collect::<Vec<_>>().join(","));
                    return Err(at(format!("the header must be `{wanted}`, not `{found}`")));
                }
                continue;
            }
            if record.len() != wanted.len() {
                return Err(at(format!("{} for {}", counted(record.len(), "field"), counted(wanted.len(), "column"))));
            }
            if values.len() == microdata.rows() {
                return Err(at(format!(
                    "the original has only {}; suppressed ones stay in their place as `*`",
                    counted(values.len(), "row")
                )));
            }
            for (reader, text) in readers.iter_mut().zip(&record) {
                reader.push(text).map_err(&at)?;
            }
            let text = match wanted.len() - domains.len() {
                1 => Cow::Borrowed(&record[domains.len()]),
                _ => Cow::Owned(record.iter().skip(domains.len()).collect::<Vec<_>>().join(AND)),
            };
            values.push(match codes.get(&*text) {
                Some(&code) => Some(code),
                None if text.split(AND).all(|part| part == STAR) => None,
                None => {
                    let hint = did_you_mean_if_near(&text, &sensitive.values);
                    return Err(at(format!(
                        "the original has no `{}` of `{}`{hint}",
                        sensitive.name,
                        shortened(&text)
                    )));
                }
            });
        }
        if is_header {
            return Err(LabError::input(format!(
                "{TABLE}: it is empty; its first line must be `{}`",
                wanted.join(",")
            )));
        }
        if values.len() < microdata.rows() {
            let (found, rows) = (values.len(), microdata.rows());
            return Err(LabError::input(format!(
                "{TABLE}: it ends after {found} of the original's {rows} rows; suppressed ones stay in their place as `*`"
            )));
        }
        Ok(Self { columns: readers.into_iter().map(|reader| reader.column).collect(), sensitive: values })
    }
}

fn header<'a>(domains: &'a [Domain<'a>], sensitive: &[SensitiveAttribute<'a>]) -> impl Iterator<Item = &'a str> {
    domains.iter().map(|domain| domain.column.name.as_str()).chain(sensitive.iter().map(|attribute| attribute.name))
}

/// Reads the cells of one column; each text is understood once.
struct ColumnReader<'a> {
    domain: &'a Domain<'a>,
    known: FxHashMap<String, u32>,
    column: CellColumn,
}

impl<'a> ColumnReader<'a> {
    fn new(domain: &'a Domain<'a>) -> Self {
        Self { domain, known: FxHashMap::default(), column: CellColumn::default() }
    }

    fn push(&mut self, text: &str) -> Result<(), String> {
        let place = match self.known.get(text) {
            Some(&place) => place,
            None => {
                let cell: GeneralizedCell = self.domain.parse(text)?;
                let place = self.column.cells.len() as u32;
                self.column.cells.push(cell);
                self.known.insert(text.to_string(), place);
                place
            }
        };
        self.column.of_row.push(place);
        Ok(())
    }
}
