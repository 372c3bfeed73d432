//! Buckets as files: `qit.csv`, the quasi-identifiers of each row with its group, and `st.csv`, the sensitive values of
//! each group with their counts. Rows stand in the order of the original; groups are numbered from 1.

use super::{Buckets, ReleaseFile};
use crate::data::{Column, Microdata, write_csv};
use crate::lab::LabError;
use rustc_hash::FxHashMap;

const QIT: &str = "qit.csv";
const ST: &str = "st.csv";
const GROUP: &str = "group_id";
const COUNT: &str = "count";

impl Buckets {
    pub fn files(&self, microdata: &Microdata) -> Vec<ReleaseFile> {
        let columns = quasi_identifiers(microdata);
        let header = columns.iter().map(|column| column.name.clone()).chain([GROUP.to_string()]).collect::<Vec<_>>();
        let rows = self.group_of.iter().enumerate().map(|(row, &group)| {
            columns.iter().map(|column| column.text(row).to_string()).chain([(group + 1).to_string()]).collect()
        });
        let qit = write_csv(std::iter::once(header).chain(rows));
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let header = [GROUP.to_string(), sensitive.name.clone(), COUNT.to_string()];
        let lines = (1..).zip(&self.sensitive).flat_map(|(group, values)| {
            values.iter().map(move |&(code, count)| {
                [u32::to_string(&group), sensitive.values[code as usize].clone(), count.to_string()]
            })
        });
        let st = write_csv(std::iter::once(header).chain(lines));
        vec![ReleaseFile { name: QIT, bytes: qit }, ReleaseFile { name: ST, bytes: st }]
    }

    /// Reads what [`Buckets::files`] writes; `qit` and `st` are the bytes of `qit.csv` and `st.csv`.
    pub fn read(microdata: &Microdata, qit: &[u8], st: &[u8]) -> Result<Self, LabError> {
        let sensitive = read_sensitive(microdata, st).map_err(LabError::input)?;
        let group_of = read_groups(microdata, qit, sensitive.len()).map_err(LabError::input)?;
        Ok(Self { group_of, sensitive })
    }
}

fn quasi_identifiers(microdata: &Microdata) -> Vec<&Column> {
    microdata.quasi_identifiers.iter().map(|&column| &microdata.table.columns[column]).collect()
}

/// Visits the lines of a CSV file after its header.
fn for_each_line(
    file: &str,
    bytes: &[u8],
    header: &[&str],
    mut visit: impl FnMut(&csv::StringRecord) -> Result<(), String>,
) -> Result<(), String> {
    let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = csv::StringRecord::new();
    let mut first = true;
    while lines.read_record(&mut record).map_err(|error| format!("{file}: {error}"))? {
        let line = record.position().map_or(0, csv::Position::line);
        if first && !record.iter().eq(header.iter().copied()) {
            let found = record.iter().collect::<Vec<_>>().join(",");
            return Err(format!("{file}, line {line}: the columns must be {}, not {found}", header.join(",")));
        } else if !first && record.len() != header.len() {
            let (fields, expected) = (record.len(), header.len());
            return Err(format!("{file}, line {line}: {fields} fields where the header has {expected}"));
        } else if !first {
            visit(&record).map_err(|problem| format!("{file}, line {line}: {problem}"))?;
        }
        first = false;
    }
    if first { Err(format!("{file} is empty; its first line must name the columns")) } else { Ok(()) }
}

fn read_groups(microdata: &Microdata, qit: &[u8], groups: usize) -> Result<Vec<u32>, String> {
    let columns = quasi_identifiers(microdata);
    let header: Vec<&str> = columns.iter().map(|column| column.name.as_str()).chain([GROUP]).collect();
    let rows = microdata.rows();
    let mut group_of = Vec::with_capacity(rows);
    for_each_line(QIT, qit, &header, |record| {
        let row = group_of.len();
        if row == rows {
            return Err(format!("one row more than the original, which has {rows}"));
        }
        for (i, column) in columns.iter().enumerate() {
            if column.text(row) != &record[i] {
                return Err(format!(
                    "`{}` of row {} is `{}` in the original, not `{}`",
                    column.name,
                    row + 1,
                    column.text(row),
                    &record[i]
                ));
            }
        }
        group_of.push(group_number(&record[columns.len()], groups)?);
        Ok(())
    })?;
    if group_of.len() < rows {
        return Err(format!("{QIT} has {} rows, the original {rows}", group_of.len()));
    }
    Ok(group_of)
}

fn read_sensitive(microdata: &Microdata, st: &[u8]) -> Result<Vec<Vec<(u32, u32)>>, String> {
    let column = &microdata.table.columns[microdata.sensitive];
    let codes: FxHashMap<&str, u32> = column.values.iter().map(String::as_str).zip(0..).collect();
    let mut groups: Vec<Vec<(u32, u32)>> = Vec::new();
    for_each_line(ST, st, &[GROUP, &column.name, COUNT], |record| {
        // No more groups than rows, so a group's number says how many there are at most.
        let group = group_number(&record[0], microdata.rows())? as usize;
        let code = codes.get(&record[1]).ok_or_else(|| format!("`{}` is no value of `{}`", &record[1], column.name))?;
        let count = record[2].parse().ok().filter(|&count: &u32| count > 0);
        let count = count.ok_or_else(|| format!("`{}` is no count: a number above 0", &record[2]))?;
        if groups.len() <= group {
            groups.resize(group + 1, Vec::new());
        }
        if groups[group].iter().any(|&(known, _)| known == *code) {
            return Err(format!("`{}` is in group {} twice", &record[1], &record[0]));
        }
        groups[group].push((*code, count));
        Ok(())
    })?;
    if let Some(empty) = groups.iter().position(Vec::is_empty) {
        return Err(format!("{ST} has no sensitive values for group {}; groups are numbered from 1", empty + 1));
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    Ok(groups)
}

/// The group that a field means, from 0.
fn group_number(field: &str, groups: usize) -> Result<u32, String> {
    let number = field.parse::<u32>().ok().filter(|&number| number >= 1 && number as usize <= groups);
    number.map(|number| number - 1).ok_or_else(|| format!("`{field}` is no group; there are 1 to {groups}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    fn dataset() -> Dataset {
        let rows: [&[&str]; 4] =
            [&["29", "F", "flu"], &["22", "F, \"x\"", "cold"], &["27", "M", "flu"], &["43", "", "gout"]];
        Dataset::of_table(Table::from_rows(&["age", "sex", "disease"], &rows), &["sex", "age"], "disease").unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dataset = dataset();
        let microdata = dataset.microdata().unwrap();
        let buckets = Buckets::from_groups(microdata, vec![0, 0, 1, 1]);
        let files = buckets.files(microdata);
        let text = |i: usize| String::from_utf8(files[i].bytes.clone()).unwrap();
        assert_eq!(text(0), "sex,age,group_id\nF,29,1\n\"F, \"\"x\"\"\",22,1\nM,27,2\n,43,2\n");
        assert_eq!(text(1), "group_id,disease,count\n1,cold,1\n1,flu,1\n2,flu,1\n2,gout,1\n");
        assert_eq!(Buckets::read(microdata, &files[0].bytes, &files[1].bytes).unwrap(), buckets);
    }

    #[test]
    fn dropped_invented_and_altered_records_are_told_by_line() {
        let dataset = dataset();
        let microdata = dataset.microdata().unwrap();
        let files = Buckets::from_groups(microdata, vec![0, 0, 1, 1]).files(microdata);
        let (qit, st) = (&String::from_utf8_lossy(&files[0].bytes), &String::from_utf8_lossy(&files[1].bytes));
        let error =
            |qit: &str, st: &str| Buckets::read(microdata, qit.as_bytes(), st.as_bytes()).unwrap_err().to_string();
        assert_eq!(error(&qit.replace(",43,2\n", ""), st), "qit.csv has 3 rows, the original 4");
        let more = format!("{qit}F,1,1\n");
        assert_eq!(error(&more, st), "qit.csv, line 6: one row more than the original, which has 4");
        assert_eq!(
            error(&qit.replace("27", "28"), st),
            "qit.csv, line 4: `age` of row 3 is `27` in the original, not `28`"
        );
        assert_eq!(error(&qit.replace("43,2", "43,3"), st), "qit.csv, line 5: `3` is no group; there are 1 to 2");
        assert_eq!(
            error(&qit.replace("age,", ""), st),
            "qit.csv, line 1: the columns must be sex,age,group_id, not sex,group_id"
        );
        assert_eq!(error(qit, &st.replace("gout", "gut")), "st.csv, line 5: `gut` is no value of `disease`");
        assert_eq!(error(qit, &st.replace("2,flu,1", "2,gout,1")), "st.csv, line 5: `gout` is in group 2 twice");
        assert_eq!(error(qit, &st.replace("cold,1", "cold,0")), "st.csv, line 2: `0` is no count: a number above 0");
        assert_eq!(
            error(qit, &st.replace("2,gout", "4,gout")),
            "st.csv has no sensitive values for group 3; groups are numbered from 1"
        );
        assert_eq!(error("", st), "qit.csv is empty; its first line must name the columns");
    }
}
