//! What is wrong with a definition, found before any data is read.

use super::catalogue::{self, unknown};
use super::definition::{Fault, Format, HierarchyDefinition, Private, Source, Step, Written};
use super::formats::{SourceText, read_header};
use super::resolve::no_such_hierarchy;
use super::{DataError, DataLocations, DatasetDefinition, StandInParameters, TableParameters, digest, locate, trees};
use crate::data::InputKind;

/// More rows than this are not held in memory, so no step can mean them.
const MOST_ROWS: usize = 100_000_000;

/// Every fault that can be found without reading the data (of a CSV file without `columns`, the header is read). A
/// definition without one can still meet data that does not fit it, such as a value its hierarchy lacks.
pub fn check(definition: &DatasetDefinition, locations: &DataLocations) -> Vec<Fault> {
    let mut check = Check { definition, locations, faults: Vec::new() };
    let Some(shape) = check.source() else { return check.faults };
    check.part();
    match &shape {
        Shape::Table(columns) => check.table(columns.as_deref()),
        Shape::Transactions => check.transactions(),
    }
    check.steps(shape.kind());
    check.faults
}

enum Shape {
    /// With the names of its columns, where they can be known.
    Table(Option<Vec<String>>),
    Transactions,
}

impl Shape {
    fn kind(&self) -> InputKind {
        match self {
            Self::Table(_) => InputKind::Table,
            Self::Transactions => InputKind::Transactions,
        }
    }
}

struct Check<'a> {
    definition: &'a DatasetDefinition,
    locations: &'a DataLocations,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault::new(path, message));
    }

    /// None when nothing else can be checked before the source is right.
    fn source(&mut self) -> Option<Shape> {
        match &self.definition.source {
            Source::Catalogue(name) => match catalogue::entry(name) {
                Err(error) => {
                    self.fault("source", error.to_string());
                    None
                }
                Ok(entry) if entry.format.is_table() => Some(Shape::Table(Some(entry.columns.clone()))),
                Ok(_) => Some(Shape::Transactions),
            },
            Source::File(source) => {
                let path = match self.locations.find(&source.file) {
                    Ok(path) => path,
                    Err(message) => {
                        self.fault("source.file", message);
                        return None;
                    }
                };
                let text = || SourceText::new(&source.file, digest::read_first_record(&path)?);
                self.layout(&source.written, text)
            }
            Source::Inline(source) => {
                let text = || SourceText::new("the inline data", source.inline.clone().into_bytes());
                self.layout(&source.written, text)
            }
            Source::Synthetic(source) if source.synthetic.is_table() => {
                if let Err(faults) = TableParameters::from_synthetic(&source.synthetic) {
                    self.faults.extend(faults);
                }
                Some(Shape::Table(Some(source.synthetic.columns.keys().cloned().collect())))
            }
            Source::Synthetic(source) => {
                let like = match source.synthetic.like.as_deref().map(catalogue::entry) {
                    None => None,
                    Some(Ok(entry)) => {
                        let statistics = entry.stand_in_statistics();
                        if statistics.is_none() {
                            self.fault(
                                "source.synthetic.like",
                                "only transactions whose sizes are published can be generated",
                            );
                            return None;
                        }
                        statistics
                    }
                    Some(Err(error)) => {
                        self.fault("source.synthetic.like", error.to_string());
                        return None;
                    }
                };
                if let Err(faults) = StandInParameters::from_synthetic(&source.synthetic, like) {
                    self.faults.extend(faults);
                }
                Some(Shape::Transactions)
            }
        }
    }

    fn layout(&mut self, written: &Written, text: impl FnOnce() -> Result<SourceText, DataError>) -> Option<Shape> {
        let &Written { format, ref columns, delimiter, ref missing } = written;
        if missing.is_some() && !format.is_table() {
            self.fault("source.missing", format!("this is for tables, and {format} files have transactions"));
        }
        if let Some(delimiter) = delimiter {
            if format != Format::Csv {
                self.fault("source.delimiter", format!("only csv has a delimiter, {format} has its own"));
            } else if !delimiter.is_ascii() || matches!(delimiter, '"' | '\n' | '\r') {
                self.fault("source.delimiter", format!("{delimiter:?} cannot stand between fields"));
            }
        }
        for (i, name) in columns.iter().enumerate() {
            if columns[..i].contains(name) {
                self.fault(format!("source.columns[{i}]"), format!("two columns are called `{name}`"));
            }
        }
        match format {
            Format::Csv if columns.is_empty() => {
                let delimiter = delimiter.and_then(|delimiter| u8::try_from(delimiter).ok()).unwrap_or(b',');
                match text().and_then(|text| read_header(&text, delimiter)) {
                    // A table has two columns at least: one that an adversary knows and one to protect.
                    Ok(columns) if columns.len() == 1 => {
                        self.fault("source", one_column(&columns[0], delimiter));
                        None
                    }
                    Ok(columns) => Some(Shape::Table(Some(columns))),
                    Err(error) => {
                        self.fault("source", error.to_string());
                        None
                    }
                }
            }
            Format::Uci if columns.is_empty() => {
                self.fault("source", "uci files have no header: give the names of the `columns`");
                Some(Shape::Table(None))
            }
            Format::Csv | Format::Uci => Some(Shape::Table(Some(columns.to_vec()))),
            Format::Fimi | Format::Spmf | Format::TwoColumn | Format::Basket | Format::Msweb => {
                if !columns.is_empty() {
                    self.fault("source.columns", format!("{format} files have no columns"));
                }
                Some(Shape::Transactions)
            }
        }
    }

    fn part(&mut self) {
        let Some(part) = &self.definition.part else { return };
        match &self.definition.source {
            Source::Catalogue(name) => {
                if let Ok(entry) = catalogue::entry(name)
                    && !entry.parts.contains_key(part)
                    && let DataError::Definition(faults) = locate::no_such_part(name, part, entry)
                {
                    self.faults.extend(faults);
                }
            }
            Source::File(_) | Source::Inline(_) | Source::Synthetic(_) => {
                self.fault("part", "only catalogue entries come in parts");
            }
        }
    }

    fn table(&mut self, columns: Option<&[String]>) {
        let definition = self.definition;
        for (path, given) in [("hierarchy", definition.hierarchy.is_some()), ("private", definition.private.is_some())]
        {
            if given {
                self.fault(path, "this is for transactions, and the source is a table");
            }
        }
        if definition.quasi_identifiers.is_empty() {
            self.fault("", "a table needs `quasi_identifiers`: the columns an adversary may know");
        }
        if definition.sensitive.0.is_empty() {
            self.fault("", "a table needs `sensitive`: the column to protect");
        }
        if definition.combine_sensitive && definition.sensitive.0.len() < 2 {
            self.fault("combine_sensitive", "there are no two sensitive columns to combine");
        }
        let quasi =
            definition.quasi_identifiers.iter().enumerate().map(|(i, name)| (format!("quasi_identifiers[{i}]"), name));
        let sensitive = definition.sensitive.0.iter().enumerate().map(|(i, name)| match definition.sensitive.0.len() {
            1 => ("sensitive".to_string(), name),
            _ => (format!("sensitive[{i}]"), name),
        });
        let mut seen: Vec<&String> = Vec::new();
        for (path, name) in quasi.chain(sensitive) {
            if let Some(columns) = columns
                && !columns.contains(name)
            {
                self.fault(path, unknown("column", name, columns));
            } else if seen.contains(&name) {
                self.fault(path, format!("`{name}` has a role already"));
            }
            seen.push(name);
        }
        for (name, tree) in &definition.hierarchies {
            let path = format!("hierarchies.{name}");
            // A hierarchy of a sensitive attribute serves distances between its values; a combination has none.
            let is_sensitive = !definition.combine_sensitive && definition.sensitive.0.contains(name);
            if !definition.quasi_identifiers.contains(name) && !is_sensitive {
                self.fault(&path, unknown("quasi-identifier", name, &definition.quasi_identifiers));
            }
            self.hierarchy(&path, tree);
        }
    }

    fn transactions(&mut self) {
        let definition = self.definition;
        for (path, given) in [
            ("quasi_identifiers", !definition.quasi_identifiers.is_empty()),
            ("sensitive", !definition.sensitive.0.is_empty()),
            ("combine_sensitive", definition.combine_sensitive),
            ("hierarchies", !definition.hierarchies.is_empty()),
        ] {
            if given {
                self.fault(path, "this is for tables, and the source has transactions");
            }
        }
        if let Some(tree) = &definition.hierarchy {
            self.hierarchy("hierarchy", tree);
        }
        match definition.private {
            Some(Private::Share(share)) => self.share("private.share", share),
            Some(Private::LeastFrequent(share)) => self.share("private.least_frequent", share),
            Some(Private::Items(_)) | None => {}
        }
    }

    fn share(&mut self, path: &str, share: f64) {
        if !(0.0..=1.0).contains(&share) {
            self.fault(path, format!("a share is at least 0 and at most 1, not {share}"));
        }
    }

    fn steps(&mut self, kind: InputKind) {
        for (i, step) in self.definition.derive.iter().enumerate() {
            let at = |name: &str| format!("derive[{i}].{name}");
            let at_least_one = |name: &str| Fault::new(at(name), "must be at least 1, not 0");
            let too_many = |name: &str, n: usize| Fault::new(at(name), format!("must be at most {MOST_ROWS}, not {n}"));
            match *step {
                Step::First(0) => self.faults.push(at_least_one("first")),
                Step::Sample(0) => self.faults.push(at_least_one("sample")),
                Step::Modulo(0) => self.faults.push(at_least_one("modulo")),
                Step::First(n) if n > MOST_ROWS => self.faults.push(too_many("first", n)),
                Step::Sample(n) if n > MOST_ROWS => self.faults.push(too_many("sample", n)),
                Step::Modulo(n) if n > MOST_ROWS => self.faults.push(too_many("modulo", n)),
                Step::SampleShare(share) if !(share > 0.0 && share <= 1.0) => {
                    self.fault(at("sample_share"), format!("a share is above 0 and at most 1, not {share}"));
                }
                Step::Modulo(_) if kind == InputKind::Table => {
                    self.fault(at("modulo"), "this is for transactions, and the source is a table");
                }
                Step::DropMissing(_) if kind == InputKind::Transactions => {
                    self.fault(at("drop_missing"), "this is for tables, and the source has transactions");
                }
                _ => {}
            }
        }
    }

    fn hierarchy(&mut self, path: &str, definition: &HierarchyDefinition) {
        let degree = |name: &str, value: usize| {
            (value < 2).then(|| Fault::new(format!("{path}.{name}"), format!("must be at least 2, not {value}")))
        };
        match definition {
            HierarchyDefinition::BuiltIn(name) => {
                if trees::built_in(name).is_none() {
                    self.fault(path, no_such_hierarchy(name));
                }
            }
            HierarchyDefinition::File(file) => {
                // These files are small: one that is no hierarchy is told before anything runs.
                let read = |found: std::path::PathBuf| {
                    let parsed = digest::read_plain(&found).and_then(|bytes| trees::parse(&file.file, bytes));
                    parsed.map_err(|error| error.to_string())
                };
                if let Err(message) = self.locations.find(&file.file).and_then(read) {
                    self.fault(format!("{path}.file"), message);
                }
            }
            HierarchyDefinition::Tree(_) => {}
            HierarchyDefinition::Degree(by) => self.faults.extend(degree("degree", by.degree)),
            HierarchyDefinition::Height(by) => self.faults.extend(degree("height", by.height)),
            HierarchyDefinition::Intervals(by) => {
                let path = format!("{path}.intervals");
                if by.intervals.is_empty() {
                    self.fault(&path, "give at least one width");
                }
                let mut narrower = None;
                for &width in &by.intervals {
                    if !(width > 0.0 && width.is_finite()) {
                        self.fault(&path, format!("a width must be above 0, not {width}"));
                    } else if let Some(narrower) = narrower
                        && (width <= narrower || (width / narrower).fract() != 0.0)
                    {
                        self.fault(
                            &path,
                            format!(
                                "each width must be a multiple of the one before: {width} is no multiple of {narrower}"
                            ),
                        );
                    }
                    narrower = Some(width);
                }
            }
        }
    }
}

/// A header that is one column: most likely fields are apart by something else.
fn one_column(header: &str, delimiter: u8) -> String {
    let given = char::from(delimiter);
    let found = [';', ',', '\t', '|'].into_iter().find(|&c| c != given && header.contains(c));
    let shown = header.escape_debug();
    match found {
        Some('\t') => {
            format!("with {given:?} between the fields, `{shown}` is one column; did you mean `delimiter: \"\\t\"`?")
        }
        Some(found) => {
            format!("with {given:?} between the fields, `{shown}` is one column; did you mean `delimiter: '{found}'`?")
        }
        None => format!("`{shown}` is the only column; a table needs at least two"),
    }
}
