//! Buckets as files, the way Anatomy publishes them: `qit.csv` (quasi-identifiers and `group_id`, one line a row of the
//! original, in its order) and `st.csv` (`group_id`, the sensitive attribute, `count`). CSV after RFC 4180.
//!
//! Group ids are whole numbers. Written, they run from 0; read, they may have gaps, which are closed in their order.

use super::Buckets;
use crate::data::{Microdata, csv_field, line_of, push_decimal, write_csv};
use crate::lab::{LabError, counted, did_you_mean_if_near, shortened};
use crate::release::group_ids::GroupIds;
use crate::release::kind::ReleaseFile;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub(super) const QIT: &str = "qit.csv";
pub(super) const ST: &str = "st.csv";
pub(super) const GROUP: &str = "group_id";
pub(super) const COUNT: &str = "count";

impl Buckets {
    pub(super) fn to_files(&self, microdata: &Microdata) -> Vec<ReleaseFile> {
        // Every value is written once, and then copied row by row.
        let fields = |column: usize| -> Vec<Vec<u8>> {
            let field = |value: &String| [csv_field(value), b",".to_vec()].concat();
            microdata.table.columns[column].values.iter().map(field).collect()
        };
        let columns: Vec<(&[u32], Vec<Vec<u8>>)> = (microdata.quasi_identifiers.iter())
            .map(|&column| (microdata.table.columns[column].codes.as_slice(), fields(column)))
            .collect();
        let mut qit = write_csv([quasi_header(microdata)]);
        for (row, &group) in self.group_of.iter().enumerate() {
            for (codes, fields) in &columns {
                qit.extend_from_slice(&fields[codes[row] as usize]);
            }
            push_decimal(&mut qit, group);
            qit.push(b'\n');
        }
        let values = fields(microdata.sensitive);
        let mut st = write_csv([[GROUP, &microdata.table.columns[microdata.sensitive].name, COUNT]]);
        for (group, of_group) in (0..).zip(&self.sensitive) {
            for &(value, count) in of_group {
                push_decimal(&mut st, group);
                st.push(b',');
                st.extend_from_slice(&values[value as usize]);
                push_decimal(&mut st, count);
                st.push(b'\n');
            }
        }
        vec![ReleaseFile { name: QIT, bytes: qit }, ReleaseFile { name: ST, bytes: st }]
    }

    /// Reads what an outsider wrote. Whether it keeps a promise, or even the true sensitive values, is for verifiers to say.
    pub(super) fn from_files(microdata: &Microdata, qit: &[u8], st: &[u8]) -> Result<Self, LabError> {
        let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
        let ids = read_groups(microdata, qit, |row, fields, at| {
            if row == microdata.rows() {
                return Err(at(format!("the original has only {}", counted(row, "row"))));
            }
            for (column, text) in columns.iter().zip(fields.iter()) {
                if column.text(row) != text {
                    // Without the truth: errors stand in reports, and rows may be nobody else's business.
                    let name = &column.name;
                    return Err(at(format!(
                        "`{name}` is `{text}`, and something else in row {} of the original",
                        row + 1
                    )));
                }
            }
            Ok(())
        })?;
        if ids.len() < microdata.rows() {
            let (found, wanted) = (ids.len(), counted(microdata.rows(), "row"));
            return Err(LabError::input(format!("{QIT}: it ends after {found} of the original's {wanted}")));
        }
        numbered(ids, read_values(microdata, st)?)
    }
}

/// Buckets whose rows are in any order, or fewer than the original's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBuckets {
    /// Per quasi-identifier, the code of each row listed.
    pub quasi: Vec<Vec<u32>>,
    /// The groups of these rows, and the values of groups.
    pub buckets: Buckets,
}

impl ListedBuckets {
    /// From both files; whether the rows are those of `microdata` is for others to say.
    pub fn read(microdata: &Microdata, qit: &[u8], st: &[u8]) -> Result<Self, LabError> {
        let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
        let codes: Vec<FxHashMap<&str, u32>> =
            columns.iter().map(|column| column.values.iter().map(String::as_str).zip(0..).collect()).collect();
        let mut quasi: Vec<Vec<u32>> = vec![Vec::new(); columns.len()];
        let ids = read_groups(microdata, qit, |_, fields, at| {
            for ((codes, column), (text, quasi)) in codes.iter().zip(&columns).zip(fields.iter().zip(&mut quasi)) {
                let code = codes.get(text).ok_or_else(|| at(unknown(&column.name, text, &column.values)))?;
                quasi.push(*code);
            }
            Ok(())
        })?;
        Ok(Self { quasi, buckets: numbered(ids, read_values(microdata, st)?)? })
    }
}

/// Buckets of the group ids of rows and the values of ids, which are numbered in their order.
fn numbered(ids: Vec<u32>, mut values: BTreeMap<u32, BTreeMap<u32, u32>>) -> Result<Buckets, LabError> {
    let mut numbers: BTreeMap<u32, u32> = ids.iter().map(|&id| (id, 0)).collect();
    for (number, of_id) in numbers.values_mut().enumerate() {
        *of_id = number as u32;
    }
    let sensitive = numbers
        .keys()
        .map(|id| values.remove(id).ok_or_else(|| LabError::input(format!("{ST}: group {id} of {QIT} has no values"))))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(id) = values.keys().next() {
        return Err(LabError::input(format!("{ST}: group {id} has no rows in {QIT}")));
    }
    let sensitive = sensitive.into_iter().map(|counts| counts.into_iter().collect()).collect();
    let group_of = ids.iter().map(|id| numbers[id]).collect();
    let are_numbers = numbers.iter().all(|(id, number)| id == number);
    let ids = if are_numbers { GroupIds::default() } else { GroupIds::new(numbers.keys()) };
    Ok(Buckets { group_of, sensitive, ids })
}

fn unknown(name: &str, text: &str, known: &[String]) -> String {
    format!("the original has no `{name}` of `{}`{}", shortened(text), did_you_mean_if_near(text, known))
}

fn quasi_header(microdata: &Microdata) -> impl Iterator<Item = &str> {
    let names = microdata.quasi_identifiers.iter().map(|&i| microdata.table.columns[i].name.as_str());
    names.chain([GROUP])
}

/// The group id of each row; `see` is shown its index and quasi-identifiers.
fn read_groups(
    microdata: &Microdata,
    qit: &[u8],
    mut see: impl FnMut(usize, &csv::StringRecord, &dyn Fn(String) -> LabError) -> Result<(), LabError>,
) -> Result<Vec<u32>, LabError> {
    let header: Vec<&str> = quasi_header(microdata).collect();
    let mut ids = Vec::with_capacity(microdata.rows());
    for_each_line(QIT, &header, qit, |fields, at| {
        see(ids.len(), fields, at)?;
        ids.push(whole_number(GROUP, &fields[header.len() - 1]).map_err(at)?);
        Ok(())
    })?;
    Ok(ids)
}

/// The counts of sensitive codes of each group id.
fn read_values(microdata: &Microdata, st: &[u8]) -> Result<BTreeMap<u32, BTreeMap<u32, u32>>, LabError> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    codes.extend(sensitive.values.iter().map(String::as_str).zip(0..));
    let mut values: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
    for_each_line(ST, &[GROUP, &sensitive.name, COUNT], st, |fields, at| {
        let group = whole_number(GROUP, &fields[0]).map_err(&at)?;
        let text = &fields[1];
        let Some(&code) = codes.get(text) else {
            return Err(at(unknown(&sensitive.name, text, &sensitive.values)));
        };
        let count = whole_number(COUNT, &fields[2]).map_err(&at)?;
        if count == 0 {
            return Err(at(format!("`{COUNT}` must be at least 1, not 0; leave the line out")));
        }
        match values.entry(group).or_default().insert(code, count) {
            Some(_) => Err(at(format!("group {group} has `{text}` twice; give its count once"))),
            None => Ok(()),
        }
    })?;
    Ok(values)
}

fn whole_number(column: &str, text: &str) -> Result<u32, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("`{column}` must be a whole number from 0 to {}, not `{}`", u32::MAX, shortened(text)))
}

/// Checks the header and hands on each further line with a way to say that something is wrong at it.
fn for_each_line(
    file: &'static str,
    header: &[&str],
    bytes: &[u8],
    mut take: impl FnMut(&csv::StringRecord, &dyn Fn(String) -> LabError) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let wanted = header.join(",");
    let mut is_header = true;
    let mut record = csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                return Err(LabError::input(format!("{file} line {line}: it is not UTF-8 text")));
            }
            Ok(false) if is_header => {
                return Err(LabError::input(format!("{file}: it is empty; its first line must be `{wanted}`")));
            }
            Ok(false) => return Ok(()),
        }
        let line = line_of(&record, bytes);
        let at = |message: String| LabError::input(format!("{file} line {line}: {message}"));
        if std::mem::take(&mut is_header) {
            if !record.iter().eq(header.iter().copied()) {
                let found = record.iter().collect::<Vec<_>>().join(",");
                return Err(at(format!("the header must be `{wanted}`, not `{found}`")));
            }
            continue;
        }
        if record.len() != header.len() {
            return Err(at(format!("it has {} fields; {} are needed: {wanted}", record.len(), header.len())));
        }
        take(&record, &at)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    fn patients() -> Dataset {
        let rows: [&[&str]; 4] = [
            &["47677", "F", "flu, \"mild\""],
            &["47602", "M", "cold"],
            &["47602", "M", "flu"],
            &["47999", "F", "cold"],
        ];
        Dataset::of_table(Table::from_rows(&["zip", "sex", "disease"], &rows), &["zip", "sex"], "disease").unwrap()
    }

    pub(super) const QIT_TEXT: &str = "zip,sex,group_id\n47677,F,0\n47602,M,0\n47602,M,1\n47999,F,1\n";
    pub(super) const ST_TEXT: &str = "group_id,disease,count\n0,cold,1\n0,\"flu, \"\"mild\"\"\",1\n1,cold,1\n1,flu,1\n";

    #[test]
    fn what_is_written_is_read_again() {
        let dataset = patients();
        let microdata = dataset.microdata().unwrap();
        let buckets = Buckets::from_groups(microdata, vec![0, 0, 1, 1]);
        let files = buckets.to_files(microdata);
        assert_eq!(String::from_utf8_lossy(&files[0].bytes), QIT_TEXT);
        assert_eq!(String::from_utf8_lossy(&files[1].bytes), ST_TEXT);
        assert_eq!(Buckets::from_files(microdata, &files[0].bytes, &files[1].bytes), Ok(buckets));
    }

    #[test]
    fn ids_with_gaps_and_foreign_line_ends_are_read() {
        let dataset = patients();
        let microdata = dataset.microdata().unwrap();
        let qit = QIT_TEXT.replace(",1\n", ",70\n").replace(",0\n", ",8\n").replace('\n', "\r\n");
        let st = ST_TEXT.replace("\n1,", "\n70,").replace("\n0,", "\n8,");
        let buckets = Buckets::from_files(microdata, qit.as_bytes(), st.as_bytes()).unwrap();
        let named = Buckets { ids: GroupIds::new([8, 70]), ..Buckets::from_groups(microdata, vec![0, 0, 1, 1]) };
        assert_eq!(buckets, named);
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let dataset = patients();
        let microdata = dataset.microdata().unwrap();
        let refused = |qit: &str, st: &str| {
            Buckets::from_files(microdata, qit.as_bytes(), st.as_bytes()).unwrap_err().to_string()
        };
        let qit = |from: &str, to: &str| refused(&QIT_TEXT.replace(from, to), ST_TEXT);
        let st = |from: &str, to: &str| refused(QIT_TEXT, &ST_TEXT.replace(from, to));
        assert_eq!(refused("", ST_TEXT), "qit.csv: it is empty; its first line must be `zip,sex,group_id`");
        assert_eq!(qit("zip,sex", "zip"), "qit.csv line 1: the header must be `zip,sex,group_id`, not `zip,group_id`");
        assert_eq!(
            qit("47602,M,0", "47603,M,0"),
            "qit.csv line 3: `zip` is `47603`, and something else in row 2 of the original"
        );
        assert_eq!(qit("M,0", "M"), "qit.csv line 3: it has 2 fields; 3 are needed: zip,sex,group_id");
        let of_windows = QIT_TEXT.replace("M,0", "M").replace('\n', "\r\n");
        assert_eq!(refused(&of_windows, ST_TEXT), "qit.csv line 3: it has 2 fields; 3 are needed: zip,sex,group_id");
        assert_eq!(
            qit("F,1", "F,x"),
            "qit.csv line 5: `group_id` must be a whole number from 0 to 4294967295, not `x`"
        );
        assert_eq!(qit("47999,F,1\n", ""), "qit.csv: it ends after 3 of the original's 4 rows");
        assert_eq!(qit("F,1\n", "F,1\n1,M,1\n"), "qit.csv line 6: the original has only 4 rows");
        assert_eq!(qit("F,1", "F,2"), "st.csv: group 2 of qit.csv has no values");
        assert_eq!(
            st("1,cold,1\n1,flu,1\n", "1,cold,1\n1,flue,1\n"),
            "st.csv line 5: the original has no `disease` of `flue`; did you mean `flu`?"
        );
        assert_eq!(st("1,flu,1", "1,flu,0"), "st.csv line 5: `count` must be at least 1, not 0; leave the line out");
        assert_eq!(st("1,flu,1", "1,cold,1"), "st.csv line 5: group 1 has `cold` twice; give its count once");
        assert_eq!(st("1,flu,1", "3,flu,1"), "st.csv: group 3 has no rows in qit.csv");
        let latin = [b"zip,sex,group_id\n\xe9,F,0\n".as_slice()].concat();
        let error = Buckets::from_files(microdata, &latin, ST_TEXT.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "qit.csv line 2: it is not UTF-8 text");
    }
}
