//! Observations of a finished run, from the `measurements.csv`, `costs.csv` and `witnesses.csv` that it left.

use super::{
    AT, CellCounts, DATASET, FIXED_COLUMNS, Hole, KeyValues, Measurement, Observations, Witnessed, run_number,
};
use crate::data::Origin;
use crate::lab::Witness;
use crate::report::ReportError;
use crate::report::value::Value;
use crate::run::{DEFAULTS, Status};
use crate::spec::DEFAULT_READING;
use csv::StringRecord;
use indexmap::IndexSet;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Columns of the two files that are not keys.
const RESERVED: [&str; 17] = [
    "figure",
    "dataset",
    "origin",
    "algorithm",
    "reading",
    "seed",
    "repetition",
    "sample",
    "status",
    "reason",
    "note",
    DEFAULTS,
    "release",
    "metric",
    "at",
    "value",
    "machine",
];

impl Observations {
    /// Reads the files of an experiment's directory, as the spec stands: its figures one by one.
    pub fn read_figures(directory: &Path) -> Result<Vec<Self>, ReportError> {
        let files = Files::read(directory, None, DEFAULT_READING)?;
        let figures = files.figures();
        figures.iter().map(|figure| Self::of_files(&files.only(figure))).collect()
    }

    /// The same of one figure alone, under one reading.
    pub fn read_figure(directory: &Path, figure: &str, reading: &str) -> Result<Self, ReportError> {
        Self::of_files(&Files::read(directory, Some(figure), reading)?)
    }

    fn of_files(files: &Files) -> Result<Self, ReportError> {
        let Files { measurements, costs, witnesses } = files;
        let mut columns: Vec<String> = FIXED_COLUMNS.map(String::from).to_vec();
        for lines in [measurements, costs] {
            let set = lines.heads.iter().filter(|name| !RESERVED.contains(name));
            for name in set.chain(lines.defaults.names()) {
                if !columns.iter().any(|column| column == name) {
                    columns.push(name.to_string());
                }
            }
        }
        let mut observations = Self { columns, ..Self::default() };
        let repetitions = Repetitions::of([measurements, costs])?;
        observations.take_measurements(measurements, &repetitions)?;
        observations.take_costs(costs, &repetitions)?;
        if let Some(witnesses) = witnesses {
            observations.take_witnesses(witnesses, &repetitions)?;
        }
        Ok(observations)
    }

    fn take_measurements(&mut self, lines: &Lines, repetitions: &Repetitions) -> Result<(), ReportError> {
        let (metric, value) = (lines.column("metric")?, lines.column("value")?);
        let (status, reason) = (lines.column("status")?, lines.column("reason")?);
        let origin = lines.column("origin")?;
        let mut counts = CellCounts::default();
        let keys = lines.keys(&self.columns);
        for ((row, line), key) in lines.rows.iter().enumerate().zip(keys) {
            let repetition = repetitions.of_row(lines, line);
            let status = lines.word(row, status, Status::ALL, Status::name)?;
            if !key[DATASET].is_none() {
                let origin = lines.word(row, origin, Origin::ALL, Origin::name)?;
                self.note_origin(&key[DATASET].to_string(), origin);
            }
            let mut cell = key.clone();
            cell[AT] = Value::None;
            counts.note(cell, repetition, status);
            match number(&line[value]) {
                Some(value) if status == Status::Ok => {
                    self.rows.push(Measurement { key, repetition, metric: line[metric].to_string(), value });
                }
                _ if status == Status::Ok => {}
                _ => self.holes.push(Hole { key, repetition, status, reason: line[reason].to_string() }),
            }
        }
        self.cells = counts.by_status();
        Ok(())
    }

    fn take_witnesses(&mut self, lines: &Lines, repetitions: &Repetitions) -> Result<(), ReportError> {
        let places = Witness::COLUMNS.iter().map(|name| lines.column(name)).collect::<Result<Vec<_>, _>>()?;
        for (line, mut key) in lines.rows.iter().zip(lines.keys(&self.columns)) {
            if repetitions.of_row(lines, line) == 0 {
                // Places along a measure's own axis are of numbers, not of cases.
                key[AT] = Value::None;
                let fields = places.iter().map(|&place| line[place].to_string()).collect();
                self.witnesses.push(Witnessed { key, fields });
            }
        }
        Ok(())
    }

    fn take_costs(&mut self, lines: &Lines, repetitions: &Repetitions) -> Result<(), ReportError> {
        let (metric, value) = (lines.column("metric")?, lines.column("value")?);
        let machine = lines.column("machine")?;
        // Files from before there were samples have no such column.
        let sample = lines.position("sample");
        let keys = lines.keys(&self.columns);
        for (line, key) in lines.rows.iter().zip(keys) {
            let sample = sample.and_then(|column| number(&line[column])).unwrap_or(0.0) as i64;
            let run = run_number(repetitions.of_row(lines, line), sample);
            let value = number(&line[value]).unwrap_or(f64::NAN);
            self.note_cost(key, run, &line[metric], value, &line[machine]);
        }
        Ok(())
    }
}

/// What a run left, or one figure's part of it.
struct Files {
    measurements: Lines,
    costs: Lines,
    /// Runs from before there were witnesses left none.
    witnesses: Option<Lines>,
}

impl Files {
    fn read(directory: &Path, figure: Option<&str>, reading: &str) -> Result<Self, ReportError> {
        let witnesses = directory.join("witnesses.csv");
        Ok(Self {
            measurements: Lines::read(directory.join("measurements.csv"), figure, reading)?,
            costs: Lines::read(directory.join("costs.csv"), figure, reading)?,
            witnesses: witnesses.is_file().then(|| Lines::read(witnesses, figure, reading)).transpose()?,
        })
    }

    /// In their order; one without a name where there is no such column.
    fn figures(&self) -> IndexSet<String> {
        let column = self.measurements.position("figure");
        let name = |row: &StringRecord| column.map_or(String::new(), |column| row[column].to_string());
        self.measurements.rows.iter().map(name).collect()
    }

    fn only(&self, figure: &str) -> Self {
        Self {
            measurements: self.measurements.only(figure),
            costs: self.costs.only(figure),
            witnesses: self.witnesses.as_ref().map(|witnesses| witnesses.only(figure)),
        }
    }
}

/// A CSV file as it was read; every row has as many fields as there are heads.
struct Lines {
    path: PathBuf,
    heads: StringRecord,
    rows: Vec<StringRecord>,
    defaults: DefaultParameters,
}

impl Lines {
    /// All rows, or those of one figure.
    fn read(path: PathBuf, figure: Option<&str>, reading: &str) -> Result<Self, ReportError> {
        let named = |error: csv::Error| ReportError::Input(format!("cannot read {}: {error}", path.display()));
        let mut reader = csv::Reader::from_path(&path).map_err(named)?;
        let heads = reader.headers().map_err(named)?.clone();
        let mut rows: Vec<StringRecord> = reader.records().collect::<Result<_, _>>().map_err(named)?;
        if let (Some(figure), Some(column)) = (figure, heads.iter().position(|head| head == "figure")) {
            rows.retain(|row| &row[column] == figure);
        }
        // Other readings are other experiments.
        if let Some(column) = heads.iter().position(|head| head == "reading") {
            rows.retain(|row| &row[column] == reading);
        }
        Ok(Self::of(path, heads, rows))
    }

    fn of(path: PathBuf, heads: StringRecord, rows: Vec<StringRecord>) -> Self {
        let column = heads.iter().position(|head| head == DEFAULTS);
        let defaults = column
            .map_or(DefaultParameters::default(), |column| DefaultParameters::of(rows.iter().map(|row| &row[column])));
        Self { path, heads, rows, defaults }
    }

    fn only(&self, figure: &str) -> Self {
        let column = self.position("figure");
        let is_of = |row: &&StringRecord| column.is_none_or(|column| &row[column] == figure);
        Self::of(self.path.clone(), self.heads.clone(), self.rows.iter().filter(is_of).cloned().collect())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.heads.iter().position(|head| head == name)
    }

    fn column(&self, name: &str) -> Result<usize, ReportError> {
        self.position(name).ok_or_else(|| ReportError::Input(format!("{} has no column `{name}`", self.path.display())))
    }

    /// The keys of each row; a column that this file lacks, and that is no default of a row, does not apply to it.
    fn keys<'a>(&'a self, columns: &[String]) -> impl Iterator<Item = KeyValues> + use<'a> {
        let columns: Vec<(String, Option<usize>)> =
            columns.iter().map(|name| (name.clone(), self.position(name))).collect();
        self.rows.iter().enumerate().map(move |(row, line)| {
            let value = |(name, column): &(String, Option<usize>)| match column {
                Some(column) => Value::parse(&line[*column]),
                None => self.defaults.get(row, name),
            };
            columns.iter().map(value).collect()
        })
    }

    /// The one of `known` that a field names.
    fn word<T: Copy, const N: usize>(
        &self,
        row: usize,
        column: usize,
        known: [T; N],
        name: fn(T) -> &'static str,
    ) -> Result<T, ReportError> {
        let line = &self.rows[row];
        known.into_iter().find(|&word| name(word) == &line[column]).ok_or_else(|| {
            let names: Vec<&str> = known.into_iter().map(name).collect();
            ReportError::Input(format!(
                "{}, line {}: `{}` is no {}; there are {}",
                self.path.display(),
                line.position().map_or(row as u64 + 2, csv::Position::line),
                &line[column],
                &self.heads[column],
                names.join(", ")
            ))
        })
    }
}

/// Rows of several seeds are more repetitions of the same: those of the second seed are counted on after those of the first,
/// in both files alike.
struct Repetitions {
    seeds: IndexSet<String>,
    per_seed: i64,
}

impl Repetitions {
    fn of(files: [&Lines; 2]) -> Result<Self, ReportError> {
        let (mut seeds, mut most) = (IndexSet::new(), 0);
        for lines in files {
            let (repetition, seed) = (lines.column("repetition")?, lines.position("seed"));
            for row in &lines.rows {
                most = most.max(number(&row[repetition]).unwrap_or(0.0) as i64);
                seeds.extend(seed.map(|seed| row[seed].to_string()).filter(|seed| !seed.is_empty()));
            }
        }
        Ok(Self { seeds, per_seed: most + 1 })
    }

    fn of_row(&self, lines: &Lines, row: &StringRecord) -> i64 {
        let field = |name: &str| lines.position(name).map_or("", |column| &row[column]);
        let nth = self.seeds.get_index_of(field("seed")).unwrap_or(0);
        number(field("repetition")).unwrap_or(0.0) as i64 + self.per_seed * nth as i64
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The column of parameters that have no column of their own: a JSON object a row, of which there are few different ones.
#[derive(Default)]
struct DefaultParameters {
    objects: Vec<Map<String, Json>>,
    /// Row → its object.
    of_row: Vec<Option<usize>>,
}

impl DefaultParameters {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut defaults = Self::default();
        let mut known: HashMap<&str, Option<usize>> = HashMap::new();
        for text in texts {
            let index = *known.entry(text).or_insert_with(|| {
                let object = serde_json::from_str(text).ok()?;
                defaults.objects.push(object);
                Some(defaults.objects.len() - 1)
            });
            defaults.of_row.push(index);
        }
        defaults
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().flat_map(|object| object.keys().map(String::as_str))
    }

    fn get(&self, row: usize, name: &str) -> Value {
        let object = self.of_row.get(row).copied().flatten().map(|index| &self.objects[index]);
        object.and_then(|object| object.get(name)).map_or(Value::None, Value::from)
    }
}
