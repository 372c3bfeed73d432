//! Tables that other tools wrote: their columns in any order and among others, any number of rows, and cells in the
//! notations that tools use beside those of `table.csv`.

use crate::data::{AND, Microdata};
use crate::lab::{LabError, counted, did_you_mean_if_near, nearest, shortened};
use crate::release::generalized_table::{CellColumn, Domain, GeneralizedCell, GeneralizedTable, Interval};
use crate::sources::{SourceText, for_each_record};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A table as it stands in a file, its rows in the file's order and not held to the original's.
#[derive(Debug, Clone)]
pub struct ForeignTable {
    /// The table itself, row by row as in the file.
    pub table: GeneralizedTable,
    /// Columns that are neither quasi-identifiers nor the sensitive attribute.
    pub ignored: Vec<String>,
    /// How cells were read that are in no notation of `table.csv`: one example of each sort and column.
    pub readings: Vec<String>,
}

/// What stands between fields, in the order in which it is tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
const STAR: &str = "*";

impl ForeignTable {
    /// Reads what a stranger's tool wrote. Whether the rows are those of `microdata` is for others to say.
    pub fn read(microdata: &Microdata, source: &SourceText) -> Result<Self, LabError> {
        let domains = Domain::all(microdata);
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let wanted: Vec<&str> =
            domains.iter().map(|domain| domain.column.name.as_str()).chain([sensitive.name.as_str()]).collect();
        let delimiter = delimiter(source, &wanted);
        let codes: FxHashMap<&str, u32> = sensitive.values.iter().map(String::as_str).zip(0..).collect();
        let mut columns: Vec<ForeignColumn<'_>> = domains.iter().map(ForeignColumn::new).collect();
        let mut values = Vec::new();
        let mut places: Option<Places> = None;
        let mut ignored = Vec::new();
        for_each_record(source, delimiter, |line, fields| {
            let Some(places) = &places else {
                let found = Places::of(fields, &domains, &sensitive.name).map_err(|error| source.error(line, error))?;
                ignored = found.ignored(fields);
                places = Some(found);
                return Ok(());
            };
            if fields.len() != places.fields {
                return Err(source.error(line, wrong_width(fields.len(), places.fields, delimiter)));
            }
            for (column, &place) in columns.iter_mut().zip(&places.quasi) {
                column.push(&fields[place]).map_err(|error| source.error(line, error))?;
            }
            let text = places.sensitive_text(fields);
            values.push(match codes.get(text.trim()).or_else(|| codes.get(&*text)) {
                Some(&code) => Some(code),
                None if text.split(AND).all(|part| part.trim() == STAR) => None,
                None => {
                    let hint = did_you_mean_if_near(&text, &sensitive.values);
                    let message = format!("the original has no `{}` of `{}`{hint}", sensitive.name, shortened(&text));
                    return Err(source.error(line, message));
                }
            });
            Ok(())
        })?;
        if places.is_none() {
            return Err(source.error(1, "it is empty; its first line must name the columns").into());
        }
        let readings = columns.iter_mut().flat_map(|column| std::mem::take(&mut column.readings)).collect();
        let columns = columns.into_iter().map(|column| column.cells).collect();
        Ok(Self { table: GeneralizedTable { columns, sensitive: values }, ignored, readings })
    }
}

/// The delimiter under which the header has the most of the columns that are `wanted`.
pub(crate) fn delimiter(source: &SourceText, wanted: &[&str]) -> u8 {
    let header = source.body().lines().next().unwrap_or_default();
    let known = |delimiter: u8| {
        let names: Vec<&str> = header.split(char::from(delimiter)).map(|name| name.trim().trim_matches('"')).collect();
        wanted.iter().filter(|name| names.contains(name)).count()
    };
    // Of equals the first is taken.
    DELIMITERS.into_iter().rev().max_by_key(|&delimiter| known(delimiter)).unwrap_or(b',')
}

/// What a record with more or fewer fields than the header is told.
pub(super) fn wrong_width(found: usize, wanted: usize, delimiter: u8) -> String {
    let widths = format!("{} for the {} of the header", counted(found, "field"), counted(wanted, "column"));
    let between = char::from(delimiter);
    match found > wanted {
        true => format!("{widths}; a cell that contains `{between}` stands in quotes: `\"[20{between}30)\"`"),
        false => widths,
    }
}

/// Where the columns stand.
struct Places {
    fields: usize,
    quasi: Vec<usize>,
    /// Several, where the original's are combined into one.
    sensitive: Vec<usize>,
}

impl Places {
    fn of(header: &[Cow<'_, str>], domains: &[Domain<'_>], sensitive: &str) -> Result<Self, String> {
        let place = |name: &str| {
            let mut found = (0..).zip(header).filter(|(_, field)| field.trim() == name).map(|(place, _)| place);
            match (found.next(), found.next()) {
                (Some(place), None) => Ok(place),
                (Some(_), Some(_)) => Err(format!("two columns are called `{name}`")),
                (None, _) => {
                    let hint = match nearest(name, header.iter().map(|field| field.trim())) {
                        Some(near) => format!("; is `{near}` meant? Rename it"),
                        None => format!("; it has {}", names(header)),
                    };
                    Err(format!("the release has no column `{name}`{hint}"))
                }
            }
        };
        let quasi = domains.iter().map(|domain| place(&domain.column.name)).collect::<Result<_, _>>()?;
        let sensitive = match place(sensitive) {
            Ok(place) => vec![place],
            Err(_) if sensitive.contains(AND) => sensitive.split(AND).map(place).collect::<Result<_, _>>()?,
            Err(error) => return Err(error),
        };
        Ok(Self { fields: header.len(), quasi, sensitive })
    }

    fn ignored(&self, header: &[Cow<'_, str>]) -> Vec<String> {
        let used = |place: &usize| self.quasi.contains(place) || self.sensitive.contains(place);
        (0..header.len()).filter(|place| !used(place)).map(|place| header[place].trim().to_string()).collect()
    }

    fn sensitive_text<'a>(&self, fields: &'a [Cow<'_, str>]) -> Cow<'a, str> {
        match self.sensitive.as_slice() {
            [one] => Cow::Borrowed(&*fields[*one]),
            several => Cow::Owned(several.iter().map(|&place| fields[place].trim()).collect::<Vec<_>>().join(AND)),
        }
    }
}

fn names(header: &[Cow<'_, str>]) -> String {
    header.iter().map(|field| format!("`{}`", field.trim())).collect::<Vec<_>>().join(", ")
}

/// One column on its way; each text is understood once.
struct ForeignColumn<'a> {
    domain: &'a Domain<'a>,
    known: FxHashMap<String, u32>,
    cells: CellColumn,
    readings: Vec<String>,
    sorts: Vec<Notation>,
}

impl<'a> ForeignColumn<'a> {
    fn new(domain: &'a Domain<'a>) -> Self {
        Self {
            domain,
            known: FxHashMap::default(),
            cells: CellColumn::default(),
            readings: Vec::new(),
            sorts: Vec::new(),
        }
    }

    fn push(&mut self, text: &str) -> Result<(), String> {
        let place = match self.known.get(text) {
            Some(&place) => place,
            None => {
                let (cell, notation) = parse(self.domain, text)?;
                if let Some(notation) = notation
                    && !self.sorts.contains(&notation)
                {
                    self.sorts.push(notation);
                    let read_as = self.domain.text(&cell);
                    self.readings.push(format!("{}: `{text}` is read as {read_as}", self.domain.column.name));
                }
                let place = self.cells.cells.len() as u32;
                self.cells.cells.push(cell);
                self.known.insert(text.to_string(), place);
                place
            }
        };
        self.cells.of_row.push(place);
        Ok(())
    }
}

/// A way to write a cell that `table.csv` does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// Blanks around a cell.
    Blanks,
    /// `39.0` for 39.
    Number,
    /// `20-29`, `20 - 29`, `20..29`, `20~29`.
    Range,
    /// `<30`, `>=50`.
    Bound,
    /// `a,b`, `a|b`, `['a', 'b']`.
    List,
    /// `476**`: a star for each character that is hidden.
    Mask,
}

fn parse(domain: &Domain<'_>, text: &str) -> Result<(GeneralizedCell, Option<Notation>), String> {
    let refused = match domain.parse(text) {
        Ok(cell) => return Ok((cell, None)),
        Err(error) => error,
    };
    let trimmed = text.trim();
    if trimmed != text
        && let Ok(cell) = domain.parse(trimmed)
    {
        return Ok((cell, Some(Notation::Blanks)));
    }
    let numeric = domain.range().is_some();
    let readings = [
        (Notation::Number, numeric.then(|| number(domain, trimmed)).flatten()),
        (Notation::Range, numeric.then(|| range(trimmed)).flatten()),
        (Notation::Bound, numeric.then(|| bound(domain, trimmed)).flatten()),
        (Notation::List, list(domain, trimmed)),
        (Notation::Mask, mask(domain, trimmed)),
    ];
    let found = readings.into_iter().find_map(|(notation, cell)| Some((cell?, Some(notation))));
    found.filter(|(cell, _)| !domain.cover(cell).is_empty()).ok_or(refused)
}

fn number(domain: &Domain<'_>, text: &str) -> Option<GeneralizedCell> {
    let wanted: f64 = text.parse().ok()?;
    (0..domain.values() as u32).find(|&code| domain.number(code) == Some(wanted)).map(GeneralizedCell::Value)
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn range(text: &str) -> Option<GeneralizedCell> {
    let cuts = ["..", "~", "–", "-"].into_iter().flat_map(|between| {
        // Not at the front: there it is a sign.
        text.match_indices(between).filter(|&(at, _)| at > 0).map(move |(at, _)| (at, between.len()))
    });
    let ends = |(at, length): (usize, usize)| Some((finite(&text[..at])?, finite(&text[at + length..])?));
    cuts.into_iter().find_map(ends).map(|(low, high)| GeneralizedCell::Interval(Interval::closed(low, high)))
}

fn bound(domain: &Domain<'_>, text: &str) -> Option<GeneralizedCell> {
    let (least, most) = domain.range()?;
    let after = |prefix: &str| text.strip_prefix(prefix).and_then(finite);
    let interval = if let Some(low) = after(">=") {
        Interval::closed(low, most)
    } else if let Some(high) = after("<=") {
        Interval::closed(least, high)
    } else if let Some(low) = after(">") {
        Interval { has_low: false, ..Interval::closed(low, most) }
    } else {
        Interval { has_high: false, ..Interval::closed(least, after("<")?) }
    };
    Some(GeneralizedCell::Interval(interval))
}

/// Values apart by commas, bars or semicolons, in any brackets or none, in quotes or not.
fn list(domain: &Domain<'_>, text: &str) -> Option<GeneralizedCell> {
    let bare = ["[]", "()", "{}"].iter().find_map(|pair| text.strip_prefix(&pair[..1])?.strip_suffix(&pair[1..]));
    let bare = bare.unwrap_or(text);
    let between = [',', '|', ';'].into_iter().find(|&between| bare.contains(between))?;
    let mut codes = Vec::new();
    for part in bare.split(between) {
        let part = part.trim();
        let quoted = ['\'', '"'].iter().find_map(|&quote| part.strip_prefix(quote)?.strip_suffix(quote));
        let part = quoted.unwrap_or(part);
        if part.is_empty() {
            continue;
        }
        let cell = domain.parse(part).ok().or_else(|| number(domain, part)).or_else(|| range(part))?;
        codes.extend(domain.cover(&cell).codes());
    }
    codes.sort_unstable();
    codes.dedup();
    Some(GeneralizedCell::Set(codes))
}

fn mask(domain: &Domain<'_>, text: &str) -> Option<GeneralizedCell> {
    if !text.contains('*') {
        return None;
    }
    let shown = |value: &&String| {
        value.chars().count() == text.chars().count()
            && value.chars().zip(text.chars()).all(|(v, t)| t == '*' || t == v)
    };
    let values = (0..).zip(&domain.column.values).filter(|(_, value)| shown(value));
    Some(GeneralizedCell::Set(values.map(|(code, _)| code).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    fn people() -> Dataset {
        let rows: [&[&str]; 4] = [
            &["21", "47677", "Private", "flu"],
            &["29", "47602", "Self-emp", "cold"],
            &["35", "47678", "Private", "flu"],
            &["52", "47905", "State-gov", "gout"],
        ];
        Dataset::of_table(Table::from_rows(&["age", "zip", "work", "ill"], &rows), &["age", "zip", "work"], "ill")
            .unwrap()
    }

    fn read(text: &str) -> Result<ForeignTable, String> {
        let dataset = people();
        let source = SourceText::new("theirs.csv", text.into()).unwrap();
        ForeignTable::read(dataset.microdata().unwrap(), &source).map_err(|error| error.to_string())
    }

    /// The codes that the first cell of a column covers.
    fn covered(text: &str, column: usize) -> Vec<u32> {
        let dataset = people();
        let microdata = dataset.microdata().unwrap();
        let read = read(text).unwrap();
        Domain::new(microdata, column).cover(read.table.cell(column, 0)).codes().collect()
    }

    #[test]
    fn columns_come_in_any_order_among_others_and_with_other_delimiters() {
        for between in [",", ";", "\t"] {
            let text = ["ill,work,id,zip,age", "flu,Private,7,*,[20,30)"].map(|line| line.replace(',', between));
            // The comma inside of the interval.
            let text = text.join("\n").replace(&format!("[20{between}30)"), "\"[20,30)\"");
            let foreign = read(&text).unwrap();
            assert_eq!((foreign.ignored, foreign.readings), (vec!["id".to_string()], vec![]));
            assert_eq!(foreign.table.sensitive, [Some(1)]);
            assert_eq!(covered(&text, 0), [0, 1]);
        }
    }

    #[test]
    fn notations_of_other_tools_mean_what_they_cover() {
        let line = |age: &str, zip: &str, work: &str| format!("age,zip,work,ill\n\"{age}\",\"{zip}\",\"{work}\",flu\n");
        for (age, covers) in [
            ("21-29", vec![0, 1]),
            ("21 - 35", vec![0, 1, 2]),
            ("21.0", vec![0]),
            (" 21 ", vec![0]),
            ("(21, 52]", vec![1, 2, 3]),
            (">=35", vec![2, 3]),
            ("<29", vec![0]),
            ("21,52", vec![0, 3]),
        ] {
            assert_eq!(covered(&line(age, "*", "*"), 0), covers, "{age}");
        }
        assert_eq!(covered(&line("*", "476**", "*"), 1), [0, 1, 2]);
        assert_eq!(covered(&line("*", "4767*", "*"), 1), [1, 2]);
        assert_eq!(covered(&line("*", "*", "Private,State-gov"), 2), [0, 2]);
        assert_eq!(covered(&line("*", "*", "['Private', 'Self-emp']"), 2), [0, 1]);
        let told = read(&line("21-29", "476**", "*")).unwrap().readings;
        assert_eq!(told, ["age: `21-29` is read as [21,29]", "zip: `476**` is read as {47602;47677;47678}"]);
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let head = "age,zip,work,ill\n";
        for (text, says) in [
            (String::new(), "theirs.csv, line 1: it is empty; its first line must name the columns"),
            (
                "age,zip,work,il\n".into(),
                "theirs.csv, line 1: the release has no column `ill`; is `il` meant? Rename it",
            ),
            ("age,age,zip,work,ill\n".into(), "theirs.csv, line 1: two columns are called `age`"),
            (format!("{head}21,*,*\n"), "theirs.csv, line 2: 3 fields for the 4 columns of the header"),
            (
                format!("{head}[20,30),*,*,flu\n"),
                "theirs.csv, line 2: 5 fields for the 4 columns of the header; a cell that contains `,` stands in quotes: `\"[20,30)\"`",
            ),
            (
                format!("{head}21,*,*,flu\n21,*,*,flo\n"),
                "theirs.csv, line 3: the original has no `ill` of `flo`; did you mean `flu`?",
            ),
            (format!("{head}\"21,*,*,flu\n"), "theirs.csv, line 2: a quote that is never closed"),
        ] {
            assert_eq!(read(&text).unwrap_err(), says);
        }
        let unknown = read(&format!("{head}60-70,*,*,flu\n")).unwrap_err();
        assert!(unknown.starts_with("theirs.csv, line 2: `60-70` is neither a value of `age`"), "{unknown}");
        let nul = read(&format!("{head}2\01,*,*,flu\n")).unwrap_err();
        assert!(nul.starts_with("theirs.csv, line 2: "), "{nul}");
    }
}
