//! Everything that can be wrong with a spec before anything runs. All faults are told at once.

use super::algorithm::NamedPublisher;
use super::axis::{NamedMeasure, targets};
use super::because::unchecked_number;
use super::error::unknown;
use super::model::Figure;
use super::reading::{self, MOST_SEEDS};
use super::{Spec, SpecError};
use crate::data::InputKind;
use crate::lab::{Cost, did_you_mean};
use crate::sources::definition::Source;
use crate::sources::{self, DataLocations, DatasetDefinition};

pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let mut checker = Checker { spec, faults: Vec::new() };
    checker.names();
    checker.datasets();
    checker.algorithms_and_measures();
    if !(1..=MOST_SEEDS).contains(&spec.file.seeds) {
        checker.fault(&["seeds"], format!("an experiment has 1 to {MOST_SEEDS} seeds, not {}", spec.file.seeds));
    }
    for (path, message) in spec.file.results.faults() {
        checker.fault(&path, message);
    }
    for (id, figure) in &spec.file.figures {
        checker.figure(id, figure, &[]);
        // What a command line sets is no reason to write the file's reasons anew.
        if spec.set.is_empty() {
            checker.reasons(id, figure);
        }
        if figure.quick.is_some() {
            checker.figure(id, &figure.quick(), &["quick"]);
        }
    }
    if spec.file.figures.is_empty() {
        checker.fault(&["figures"], "there is no figure, so there would be no cell");
    }
    // An option can only be judged where the spec without it is right.
    if checker.faults.is_empty() {
        checker.faults = reading::faults(spec);
    }
    checker.faults.dedup();
    checker.faults
}

/// More are a slip: their mean would be known to more digits than anybody prints.
const MOST_REPETITIONS: u32 = 1_000_000;

/// Files add endings to names, and file systems take names of up to 255 bytes.
const LONGEST_NAME: usize = 100;

/// The report has files of its own with these endings (`index.html`, `claims.csv`), beside which a name must not stand.
const ENDINGS: [&str; 8] = ["csv", "html", "json", "md", "svg", "tex", "yaml", "yml"];

/// Why a name makes no good file or folder, if so.
fn broken_rule(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match () {
        () if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) => {
            Some("use letters, digits, `-`, `_` and, but not at the start, `.`".to_string())
        }
        () if name.len() > LONGEST_NAME => Some(format!("use at most {LONGEST_NAME} characters, not {}", name.len())),
        () => name
            .rsplit_once('.')
            .filter(|(_, ending)| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
            .map(|(_, ending)| format!("it must not end with `.{ending}`, as a file does")),
    }
}

fn shortened(name: &str) -> String {
    let start: String = name.chars().take(60).collect();
    if start == name { start } else { format!("{start}…") }
}

struct Checker<'a> {
    spec: &'a Spec,
    faults: Vec<SpecError>,
}

impl Checker<'_> {
    fn fault<S: AsRef<str>>(&mut self, path: &[S], message: impl Into<String>) {
        self.faults.push(self.spec.error(path, message));
    }

    /// Names become folders, addresses and columns.
    fn names(&mut self) {
        let id = &self.spec.id;
        if let Some(rule) = broken_rule(id) {
            self.fault::<&str>(&[], format!("`{}` names a folder of the report: {rule}", shortened(id)));
        }
        for name in self.spec.file.figures.keys() {
            if let Some(rule) = broken_rule(name) {
                let message = format!("`{}` names files of the report: {rule}", shortened(name));
                self.fault(&["figures", name], message);
            }
        }
    }

    fn datasets(&mut self) {
        let locations = DataLocations::new(None).for_spec_in(self.spec.directory());
        for (name, definition) in &self.spec.file.datasets {
            for fault in sources::check(definition, &locations) {
                self.faults.push(self.spec.dataset_fault(name, &fault));
            }
        }
    }

    fn algorithms_and_measures(&mut self) {
        let file = &self.spec.file;
        for name in file.algorithms.keys() {
            match file.named_publisher(name) {
                Err((key, message)) => self.fault(&["algorithms", name, key], message),
                Ok(algorithm) => {
                    if let Err(error) = algorithm.complete(&algorithm.given) {
                        self.parameter_fault(&["algorithms", name, "parameters"], &algorithm.given, &error.to_string());
                    }
                }
            }
        }
        for name in file.measures.keys() {
            match file.named_measure(name) {
                Err(message) => self.fault(&["measures", name, "measure"], message),
                Ok(NamedMeasure { measure, given, .. }) => {
                    if let Err(error) = measure.complete(&given) {
                        self.parameter_fault(&["measures", name, "parameters"], &given, &error.to_string());
                    }
                }
            }
        }
    }

    /// Points at the parameter that the message names.
    fn parameter_fault(&mut self, path: &[&str], given: &serde_json::Map<String, serde_json::Value>, message: &str) {
        let named = given.keys().find(|name| message.contains(&format!("`{name}`")));
        let path: Vec<&str> = path.iter().copied().chain(named.map(String::as_str)).collect();
        self.fault(&path, message);
    }

    fn figure(&mut self, id: &str, figure: &Figure, variant: &[&str]) {
        let file = &self.spec.file;
        let at = |tail: &[&str]| -> Vec<String> {
            // The quick variant's parts stand below `quick`; what it does not say stands where the figure says it.
            ["figures", id].iter().chain(variant).chain(tail).map(|part| part.to_string()).collect()
        };
        let mut publishers = Vec::new();
        for (i, name) in figure.algorithms.iter().enumerate() {
            match file.named_publisher(name) {
                Ok(publisher) => publishers.push(publisher),
                // A fault of an entry is told at the entry.
                Err(_) if file.algorithms.contains_key(name) => {}
                Err((_, message)) => self.fault(&at(&["algorithms", &i.to_string()]), message),
            }
        }
        let mut measures = Vec::new();
        for (i, name) in figure.measures.iter().enumerate() {
            match file.named_measure(name) {
                Ok(measure) => measures.push(measure),
                Err(message) => self.fault(&at(&["measures", &i.to_string()]), message),
            }
        }
        if figure.datasets.is_empty() {
            self.fault(&at(&["datasets"]), "there is no dataset, so there would be no cell");
        }
        for (i, name) in figure.datasets.iter().enumerate() {
            let place = at(&["datasets", &i.to_string()]);
            match file.datasets.get(name) {
                None => {
                    let known: Vec<&str> = file.datasets.keys().map(String::as_str).collect();
                    self.fault(&place, unknown("dataset", name, &known, "datasets"));
                }
                Some(definition) => {
                    if let Some(kind) = input_kind(definition) {
                        self.fits(&place, name, kind, &publishers, &measures);
                    }
                }
            }
        }
        if figure.repetitions == 0 {
            self.fault(&at(&["repetitions"]), "a figure is run at least once, not 0 times");
        }
        if figure.repetitions > MOST_REPETITIONS {
            let message = format!("a figure is run at most {MOST_REPETITIONS} times, not {}", figure.repetitions);
            self.fault(&at(&["repetitions"]), message);
        }
        // What an unknown name would have given cannot be judged; one slip is one message.
        if publishers.len() < figure.algorithms.len() || measures.len() < figure.measures.len() {
            return;
        }
        self.releases_meet_measures(&at(&["measures"]), &publishers, &measures);
        self.measures_have_times_of_their_own(&at(&["measures"]), &publishers, &measures);
        self.sweep(&at(&["sweep"]), figure, &publishers, &measures);
        self.drawing(&at(&[]), figure, &publishers, &measures);
    }

    /// No number in prose that nothing checks.
    fn reasons(&mut self, id: &str, figure: &Figure) {
        for (i, claim) in figure.claims.iter().enumerate() {
            if let Some(number) = unchecked_number(claim, figure, &self.spec.file) {
                let message = format!(
                    "the number {number} is neither a setting of this figure nor what a claim of it compares with, so nothing \
                     would notice if it changed; make it a claim, or give the reason without it"
                );
                self.fault(&["figures", id, "claims", &i.to_string(), "because"], message);
            }
        }
    }

    /// Tables go to algorithms for tables, transactions to those for transactions.
    fn fits(
        &mut self,
        place: &[String],
        dataset: &str,
        kind: InputKind,
        publishers: &[NamedPublisher],
        measures: &[NamedMeasure],
    ) {
        let takes = publishers
            .iter()
            .map(|algorithm| (&algorithm.name, algorithm.input()))
            .chain(measures.iter().map(|measure| (&measure.name, measure.measure.about().input)));
        for (name, input) in takes {
            if input != kind {
                let message = match input {
                    InputKind::Table => format!("`{name}` takes a table; `{dataset}` has transactions"),
                    InputKind::Transactions => format!("`{name}` takes transactions; `{dataset}` is a table"),
                };
                self.fault(place, message);
            }
        }
    }

    fn releases_meet_measures(&mut self, place: &[String], publishers: &[NamedPublisher], measures: &[NamedMeasure]) {
        for measure in measures {
            let accepted = measure.measure.about().releases;
            if accepted.is_empty() {
                continue;
            }
            let names: Vec<String> = accepted.iter().map(ToString::to_string).collect();
            if publishers.is_empty() {
                let message = format!(
                    "`{}` measures a release ({}), and this figure has no algorithm",
                    measure.name,
                    names.join(", ")
                );
                self.fault(place, message);
            }
            for algorithm in publishers {
                let release = algorithm.release();
                if !accepted.contains(&release) {
                    let message = format!(
                        "`{}` measures {}; `{}` gives {release}",
                        measure.name,
                        names.join(", "),
                        algorithm.name
                    );
                    self.fault(place, message);
                }
            }
        }
    }

    /// The time of a measure is called `seconds.NAME`, as that of a phase is.
    fn measures_have_times_of_their_own(
        &mut self,
        place: &[String],
        publishers: &[NamedPublisher],
        measures: &[NamedMeasure],
    ) {
        for NamedMeasure { name, .. } in measures {
            let whose = match publishers.iter().find(|algorithm| algorithm.phases().contains(&name.as_str())) {
                Some(algorithm) => format!("a phase of `{}`", algorithm.name),
                None if ["first", "load", "verify"].contains(&name.as_str()) => "a part of every cell".to_string(),
                None => continue,
            };
            let time = Cost::Seconds.of_part(name);
            self.fault(place, format!("`{time}` is the time of {whose}: give the measure `{name}` another name"));
        }
    }

    fn sweep(&mut self, place: &[String], figure: &Figure, publishers: &[NamedPublisher], measures: &[NamedMeasure]) {
        if let Err((below, message)) = figure.sweep.points() {
            self.fault(&[place, &below].concat(), message);
        }
        for (group, axes) in
            [("product", &figure.sweep.product), ("zip", &figure.sweep.zip), ("vary", &figure.sweep.vary)]
        {
            for axis in axes.keys() {
                if let Err(message) = targets(axis, figure, publishers, measures) {
                    self.fault(&[place, &[group.to_string(), axis.clone()]].concat(), message);
                }
            }
        }
        let known: Vec<&str> = figure.sweep.axes().collect();
        for name in figure.sweep.sets.keys().chain(figure.sweep.exclude.iter().flat_map(|excluded| excluded.keys())) {
            if !known.contains(&name.as_str()) {
                self.fault(place, unknown("axis", name, &known, "anonlab plan"));
            }
        }
    }

    /// Metrics, columns and algorithms that drawings, references and claims name.
    fn drawing(&mut self, place: &[String], figure: &Figure, publishers: &[NamedPublisher], measures: &[NamedMeasure]) {
        let metrics = metrics(publishers, measures);
        let columns = columns(figure, publishers, measures);
        let is_metric = |name: &str| {
            let of_part = matches!(Cost::of(name), Some((Cost::Seconds | Cost::PeakHeapBytes, Some(_))));
            of_part || metrics.iter().any(|known| known == name)
        };
        let is_column = |name: &str| columns.iter().any(|known| known == name);
        let below = |tail: &[&str]| [place, &tail.iter().map(|part| part.to_string()).collect::<Vec<_>>()].concat();
        let say = |what: &str, name: &str, known: &[String]| {
            let hint = did_you_mean(name, known).unwrap_or_else(|| format!("it has {}", known.join(", ")));
            format!("this figure has no {what} `{name}`; {hint}")
        };
        for metric in figure.draw.metrics().filter(|metric| !is_metric(metric)) {
            self.fault(&below(&["draw", "y"]), say("metric", metric, &metrics));
        }
        if let Some(x) = &figure.draw.x
            && !is_column(x)
            && !is_metric(x)
        {
            self.fault(&below(&["draw", "x"]), say("column", x, &columns));
        }
        for column in figure.draw.columns().filter(|column| !is_column(column)) {
            self.fault(&below(&["draw"]), say("column", column, &columns));
        }
        for (i, reference) in figure.reference.iter().enumerate() {
            let index = i.to_string();
            if !is_metric(&reference.metric) {
                self.fault(&below(&["reference", &index, "metric"]), say("metric", &reference.metric, &metrics));
            }
            if let Err(message) = reference.check() {
                self.fault(&below(&["reference", &index]), message);
            }
        }
        let algorithms: Vec<String> = publishers.iter().map(|algorithm| algorithm.name.clone()).collect();
        if !figure.unclaimed.is_empty() && !figure.claims.is_empty() {
            let message = "`unclaimed` says why no claim is possible, and there are claims: remove one of the two";
            self.fault(&below(&["unclaimed"]), message.to_string());
        }
        for (i, claim) in figure.claims.iter().enumerate() {
            let index = i.to_string();
            if let Err(message) = claim.check() {
                self.fault(&below(&["claims", &index]), message);
            }
            for metric in claim.metrics().into_iter().filter(|metric| !is_metric(metric)) {
                self.fault(&below(&["claims", &index, "metric"]), say("metric", metric, &metrics));
            }
            for column in claim.columns().into_iter().filter(|column| !is_column(column)) {
                self.fault(&below(&["claims", &index]), say("column", column, &columns));
            }
            for name in claim.algorithms() {
                if !algorithms.iter().any(|known| known == name) {
                    self.fault(&below(&["claims", &index]), say("algorithm", name, &algorithms));
                }
            }
        }
    }
}

fn metrics(publishers: &[NamedPublisher], measures: &[NamedMeasure]) -> Vec<String> {
    let counters = publishers.iter().flat_map(|algorithm| algorithm.counters());
    let measured = measures.iter().flat_map(|measure| measure.measure.about().metrics).map(|metric| metric.name);
    let phases = publishers.iter().flat_map(|algorithm| algorithm.phases());
    let mut names: Vec<String> = counters
        .chain(measured)
        .map(String::from)
        .chain(Cost::ALL.map(|cost| cost.name().to_string()))
        .chain(phases.map(|phase| Cost::Seconds.of_part(phase)))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn columns(figure: &Figure, publishers: &[NamedPublisher], measures: &[NamedMeasure]) -> Vec<String> {
    let mut names: Vec<String> = ["dataset", "algorithm", "origin", "repetition", "at"].map(String::from).to_vec();
    names.extend(figure.sweep.axes().map(String::from));
    names
        .extend(publishers.iter().flat_map(|algorithm| algorithm.parameters()).map(|parameter| parameter.name.clone()));
    for measure in measures {
        names.extend(
            measure.measure.parameters().iter().map(|parameter| format!("{}.{}", measure.name, parameter.name)),
        );
    }
    names.sort();
    names.dedup();
    names
}

/// What a definition gives, as far as it is known without reading the data.
fn input_kind(definition: &DatasetDefinition) -> Option<InputKind> {
    let of_format = |is_table: bool| if is_table { InputKind::Table } else { InputKind::Transactions };
    match &definition.source {
        Source::Catalogue(name) => sources::entry(name).ok().map(|entry| entry.kind()),
        source @ (Source::File(_) | Source::Inline(_)) => source.written().map(|it| of_format(it.format.is_table())),
        Source::Synthetic(source) => Some(of_format(source.synthetic.is_table())),
    }
}
