//! Rules as files: `rules.csv`, one rule a line, and `rules.json`, what the rules have in common.
//!
//! `rules.csv` has a column for each quasi-identifier (`*`: not in the antecedent), one for the sensitive value, and the
//! number of records with the antecedent and with the whole rule, both empty where they are withheld. A value that begins
//! with `*` or `\` is written with a `\` before it.

use super::{PublishedRule, RuleSet, Thresholds};
use crate::data::{Column, Microdata, line_of, write_csv};
use crate::lab::{LabError, counted};
use crate::release::kind::ReleaseFile;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(super) const RULES: &str = "rules.csv";
pub(super) const HEADER: &str = "rules.json";
const ANY: &str = "*";
pub(super) const COUNTS: [&str; 2] = ["antecedent_records", "rule_records"];

/// What all rules of a release have in common.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    records: u64,
    thresholds: Thresholds,
    complete: bool,
    sensitive_records: Option<IndexMap<String, u64>>,
}

impl RuleSet {
    pub(super) fn to_files(&self, microdata: &Microdata) -> Vec<ReleaseFile> {
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let header = Header {
            records: self.records,
            thresholds: self.thresholds,
            complete: self.complete,
            sensitive_records: self
                .sensitive_counts
                .as_ref()
                .map(|counts| sensitive.values.iter().cloned().zip(counts.iter().copied()).collect()),
        };
        let mut json = serde_json::to_vec_pretty(&header).expect("a header is plain data, which always serializes");
        json.push(b'\n');
        vec![ReleaseFile { name: RULES, bytes: self.to_csv(microdata) }, ReleaseFile { name: HEADER, bytes: json }]
    }

    fn to_csv(&self, microdata: &Microdata) -> Vec<u8> {
        let columns = rule_columns(microdata);
        let header: Vec<String> =
            columns.iter().map(|column| column.name.clone()).chain(COUNTS.map(String::from)).collect();
        let line = |rule: &PublishedRule| {
            let mut line = vec![ANY.to_string(); columns.len() - 1];
            for &(position, code) in &rule.antecedent {
                line[position as usize] = escaped(&columns[position as usize].values[code as usize]);
            }
            line.push(escaped(&columns[columns.len() - 1].values[rule.consequent as usize]));
            line.extend(match rule.counts {
                Some((antecedent, both)) => [antecedent.to_string(), both.to_string()],
                None => [String::new(), String::new()],
            });
            line
        };
        write_csv(std::iter::once(header).chain(self.rules.iter().map(line)))
    }

    /// Reads what [`RuleSet::to_files`] writes; `rules` and `header` are the bytes of `rules.csv` and `rules.json`.
    pub(super) fn from_files(microdata: &Microdata, rules: &[u8], header: &[u8]) -> Result<Self, LabError> {
        let header: Header =
            serde_json::from_slice(header).map_err(|error| LabError::input(format!("{HEADER}: {error}")))?;
        let Thresholds { support, confidence, .. } = header.thresholds;
        for (name, share) in [("support", support), ("confidence", confidence)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(LabError::input(format!(
                    "{HEADER}: `{name}` must be at least 0 and at most 1, not {share}"
                )));
            }
        }
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let sensitive_counts =
            header.sensitive_records.as_ref().map(|counts| read_distribution(sensitive, counts)).transpose()?;
        let mut rules: Vec<PublishedRule> = read_rules(microdata, rules)?.into_iter().map(|(rule, _)| rule).collect();
        // The order of lines could tell what the counts are withheld for.
        if rules.iter().any(|rule| rule.counts.is_none()) {
            rules.sort_by(|a, b| {
                let key = |rule: &PublishedRule| (rule.antecedent.len(), rule.antecedent.clone(), rule.consequent);
                key(a).cmp(&key(b))
            });
        }
        Ok(Self {
            rules,
            records: header.records,
            thresholds: header.thresholds,
            complete: header.complete,
            sensitive_counts,
        })
    }
}

/// The rules of `rules.csv` with the fields of their lines, in the order of the file.
pub(super) fn read_rules(microdata: &Microdata, rules: &[u8]) -> Result<Vec<(PublishedRule, Vec<String>)>, LabError> {
    let mut read = Reader::new(microdata);
    let mut found = Vec::new();
    let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(rules);
    for record in lines.records() {
        let record = record.map_err(|error| LabError::input(format!("{RULES}: {error}")))?;
        let line = line_of(&record, rules);
        let rule = read.line(&record).map_err(|problem| LabError::input(format!("{RULES}, line {line}: {problem}")))?;
        found.extend(rule.map(|rule| (rule, record.iter().map(String::from).collect())));
    }
    if !read.has_header {
        return Err(LabError::input(format!("{RULES} is empty; its first line must name the columns")));
    }
    Ok(found)
}

fn rule_columns(microdata: &Microdata) -> Vec<&Column> {
    let positions = microdata.quasi_identifiers.iter().copied().chain([microdata.sensitive]);
    positions.map(|i| &microdata.table.columns[i]).collect()
}

fn escaped(value: &str) -> String {
    if value.starts_with(['*', '\\']) { format!("\\{value}") } else { value.to_string() }
}

fn read_distribution(sensitive: &Column, counts: &IndexMap<String, u64>) -> Result<Vec<u64>, LabError> {
    if let Some(unknown) = counts.keys().find(|value| sensitive.code(value).is_none()) {
        let problem = format!("`{unknown}` is no value of `{}`", sensitive.name);
        return Err(LabError::input(format!("{HEADER}: sensitive_records: {problem}")));
    }
    let count = |value: &String| {
        let missing = || LabError::input(format!("{HEADER}: sensitive_records: `{value}` is missing"));
        counts.get(value).copied().ok_or_else(missing)
    };
    sensitive.values.iter().map(count).collect()
}

struct Reader<'a> {
    columns: Vec<&'a Column>,
    codes: Vec<FxHashMap<&'a str, u32>>,
    has_header: bool,
}

impl<'a> Reader<'a> {
    fn new(microdata: &'a Microdata) -> Self {
        let columns = rule_columns(microdata);
        let codes = columns.iter().map(|column| column.values.iter().map(String::as_str).zip(0..).collect()).collect();
        Self { columns, codes, has_header: false }
    }

    /// None for the header.
    fn line(&mut self, record: &csv::StringRecord) -> Result<Option<PublishedRule>, String> {
        let names = self.columns.iter().map(|column| column.name.as_str()).chain(COUNTS);
        if !self.has_header {
            if !record.iter().eq(names.clone()) {
                let (expected, found) =
                    (names.collect::<Vec<_>>().join(","), record.iter().collect::<Vec<_>>().join(","));
                return Err(format!("the columns must be {expected}, not {found}"));
            }
            self.has_header = true;
            return Ok(None);
        }
        let (fields, expected) = (record.len(), self.columns.len() + COUNTS.len());
        if fields != expected {
            return Err(format!("{fields} fields where the header has {expected}"));
        }
        let sensitive = self.columns.len() - 1;
        let mut antecedent = Vec::new();
        for position in 0..sensitive {
            if &record[position] != ANY {
                antecedent.push((position as u32, self.code(position, &record[position])?));
            }
        }
        let consequent = self.code(sensitive, &record[sensitive])?;
        let counts = match (&record[sensitive + 1], &record[sensitive + 2]) {
            ("", "") => None,
            (antecedent, both) => {
                let (antecedent, both) = (whole(antecedent)?, whole(both)?);
                if both > antecedent {
                    return Err(format!(
                        "{} with the rule, more than the {antecedent} with its antecedent",
                        counted(both, "record")
                    ));
                }
                Some((antecedent, both))
            }
        };
        Ok(Some(PublishedRule { antecedent, consequent, counts }))
    }

    fn code(&self, position: usize, field: &str) -> Result<u32, String> {
        let value = field.strip_prefix('\\').unwrap_or(field);
        let unknown = || format!("`{value}` is no value of `{}`", self.columns[position].name);
        self.codes[position].get(value).copied().ok_or_else(unknown)
    }
}

fn whole(field: &str) -> Result<u64, String> {
    field.parse().map_err(|_| format!("`{field}` is no number of records (both counts are whole, or both are empty)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    fn dataset() -> Dataset {
        let rows: [&[&str]; 3] = [&["*", "m, a", "x"], &["\\n", "f", "y"], &["b", "f", "x"]];
        Dataset::of_table(Table::from_rows(&["q", "sex", "s"], &rows), &["q", "sex"], "s").unwrap()
    }

    fn rule_set(microdata: &Microdata) -> RuleSet {
        let code = |column: usize, value: &str| microdata.table.columns[column].code(value).unwrap();
        let rule = |antecedent: &[(u32, u32)], consequent, counts| PublishedRule {
            antecedent: antecedent.to_vec(),
            consequent,
            counts,
        };
        RuleSet {
            rules: vec![
                rule(&[], 0, Some((3, 2))),
                rule(&[(0, code(0, "*"))], 0, None),
                rule(&[(1, code(1, "m, a"))], 0, None),
                rule(&[(0, code(0, "\\n")), (1, code(1, "f"))], 1, Some((1, 1))),
            ],
            records: 3,
            thresholds: Thresholds {
                support: 0.1,
                confidence: 0.6,
                strict_confidence: true,
                round_down: false,
                empty_antecedent: true,
            },
            complete: true,
            sensitive_counts: Some(vec![2, 1]),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dataset = dataset();
        let microdata = dataset.microdata().unwrap();
        let rules = rule_set(microdata);
        let files = rules.to_files(microdata);
        let text = String::from_utf8(files[0].bytes.clone()).unwrap();
        assert_eq!(
            text,
            "q,sex,s,antecedent_records,rule_records\n*,*,x,3,2\n\\*,*,x,,\n*,\"m, a\",x,,\n\\\\n,f,y,1,1\n"
        );
        assert_eq!(RuleSet::from_files(microdata, &files[0].bytes, &files[1].bytes).unwrap(), rules);
        let withheld = RuleSet { sensitive_counts: None, complete: false, ..rules };
        let files = withheld.to_files(microdata);
        assert_eq!(RuleSet::from_files(microdata, &files[0].bytes, &files[1].bytes).unwrap(), withheld);
    }

    /// Somebody lists rules by the confidence that he withholds.
    #[test]
    fn the_order_of_rules_without_counts_is_forgotten() {
        let dataset = dataset();
        let microdata = dataset.microdata().unwrap();
        let header = rule_set(microdata).to_files(microdata)[1].bytes.clone();
        let columns = "q,sex,s,antecedent_records,rule_records\n";
        let read = |lines: &[&str]| {
            RuleSet::from_files(microdata, format!("{columns}{}", lines.concat()).as_bytes(), &header).unwrap()
        };
        let withheld = ["b,f,x,,\n", "*,f,y,,\n", "b,*,x,,\n"];
        let turned: Vec<&str> = withheld.iter().rev().copied().collect();
        assert_eq!(read(&withheld), read(&turned));
        let files = read(&withheld).to_files(microdata);
        assert_eq!(String::from_utf8_lossy(&files[0].bytes), format!("{columns}b,*,x,,\n*,f,y,,\nb,f,x,,\n"));
    }

    #[test]
    fn bad_files_are_refused_by_line_and_value() {
        let dataset = dataset();
        let microdata = dataset.microdata().unwrap();
        let header = rule_set(microdata).to_files(microdata)[1].bytes.clone();
        let error = |rules: &str| RuleSet::from_files(microdata, rules.as_bytes(), &header).unwrap_err().to_string();
        let columns = "q,sex,s,antecedent_records,rule_records\n";
        assert_eq!(error(""), "rules.csv is empty; its first line must name the columns");
        assert_eq!(
            error("q,s\n"),
            "rules.csv, line 1: the columns must be q,sex,s,antecedent_records,rule_records, not q,s"
        );
        assert_eq!(error(&format!("{columns}b,f,x,1\n")), "rules.csv, line 2: 4 fields where the header has 5");
        assert_eq!(error(&format!("{columns}b,g,x,,\n")), "rules.csv, line 2: `g` is no value of `sex`");
        assert_eq!(
            error(&format!("{columns}b,f,x,1,2\n")),
            "rules.csv, line 2: 2 records with the rule, more than the 1 with its antecedent"
        );
        assert!(error(&format!("{columns}b,f,x,1,\n")).contains("`` is no number of records"));
        let header_error = |header: &str| {
            RuleSet::from_files(microdata, columns.as_bytes(), header.as_bytes()).unwrap_err().to_string()
        };
        assert!(header_error("{}").starts_with("rules.json: missing field `records`"));
        let header = String::from_utf8(header).unwrap();
        assert_eq!(
            header_error(&header.replace("\"y\"", "\"z\"")),
            "rules.json: sensitive_records: `z` is no value of `s`"
        );
        assert_eq!(
            header_error(&header.replace("0.6", "1.6")),
            "rules.json: `confidence` must be at least 0 and at most 1, not 1.6"
        );
    }
}
