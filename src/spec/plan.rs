//! From a spec to the cells it means.

use super::algorithm::NamedPublisher;
use super::axis::{NamedMeasure, Target, targets};
use super::model::Figure;
use super::setting::set_in_dataset;
use super::shared::{self, Shared};
use super::sweep::Point;
use super::{Spec, SpecError};
use crate::data::{DataError, DataLocations, DatasetDefinition, Origin, Resolution, resolve};
use crate::publish::external::External;
use crate::run::{AlgorithmCell, Cell, Limits, MeasureCell, PlannedCell, key_of};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct PlanOptions {
    /// The small variant of each sweep.
    pub quick: bool,
    /// These figures alone; all when empty.
    pub only: Vec<String>,
    /// Instead of the spec's own.
    pub seed: Option<u64>,
    pub locations: DataLocations,
    /// Whether programs that the spec names may run. Even planning runs them: they are asked for their version.
    pub allow_external: bool,
}

/// The cells of one spec.
#[derive(Debug)]
pub struct Plan {
    pub seed: u64,
    pub figures: Vec<PlannedFigure>,
    pub cells: Vec<PlannedCell>,
    /// What each dataset of the spec comes to here, by name, for those that some cell uses.
    pub data: IndexMap<String, Resolution>,
}

#[derive(Debug)]
pub struct PlannedFigure {
    pub id: String,
    /// As it runs: the quick variant under `--quick`.
    pub figure: Figure,
    pub limits: Limits,
}

/// Every error that expanding a spec would meet, without looking for its data.
pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let locations = DataLocations::new(None);
    let errors = |quick| {
        let locations = locations.clone();
        let options = PlanOptions { quick, only: Vec::new(), seed: None, locations, allow_external: false };
        expand(spec, &options, true).err().unwrap_or_default()
    };
    let mut faults = errors(false);
    // What is wrong in both variants is said once.
    for fault in errors(true) {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    faults
}

/// Expands a spec. Data that is absent makes cells that say so, not an error: a run on a machine without it still does
/// the rest.
pub fn plan(spec: &Spec, options: &PlanOptions) -> Result<Plan, Vec<SpecError>> {
    expand(spec, options, false)
}

/// A dry expansion asks no program for its version, looks for no data and keeps no cell.
fn expand(spec: &Spec, options: &PlanOptions, dry: bool) -> Result<Plan, Vec<SpecError>> {
    let locations = options.locations.for_spec_in(spec.directory());
    let mut builder = Builder {
        spec,
        locations,
        plan: Plan {
            seed: options.seed.unwrap_or(spec.file.seed),
            figures: Vec::new(),
            cells: Vec::new(),
            data: IndexMap::new(),
        },
        resolved: BTreeMap::new(),
        allow_external: options.allow_external,
        dry,
        programs: BTreeMap::new(),
    };
    let mut errors = Vec::new();
    for wanted in &options.only {
        if !spec.file.figures.contains_key(wanted) {
            let known: Vec<&str> = spec.file.figures.keys().map(String::as_str).collect();
            errors.push(spec.error(&["figures"], super::axis::unknown("figure", wanted, &known, "anonlab plan")));
        }
    }
    for (id, figure) in &spec.file.figures {
        if options.only.is_empty() || options.only.contains(id) {
            let figure = if options.quick { figure.quick() } else { figure.clone() };
            if let Err(error) = builder.figure(id, figure) {
                errors.push(error);
            }
        }
    }
    if errors.is_empty() { Ok(builder.plan) } else { Err(errors) }
}

struct Builder<'a> {
    spec: &'a Spec,
    locations: DataLocations,
    plan: Plan,
    /// Definitions recur in thousands of cells; each is resolved once.
    resolved: BTreeMap<String, Resolved>,
    allow_external: bool,
    dry: bool,
    /// The program of each algorithm that has one.
    programs: BTreeMap<String, Option<External>>,
}

impl Builder<'_> {
    fn figure(&mut self, id: &str, figure: Figure) -> Result<(), SpecError> {
        let spec = self.spec;
        let at = |tail: &[&str], message: String| {
            let path: Vec<&str> = ["figures", id].iter().chain(tail).copied().collect();
            spec.error(&path, message)
        };
        let publishers = figure
            .algorithms
            .iter()
            .map(|name| spec.file.named_publisher(name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|(_, message)| at(&["algorithms"], message))?;
        for publisher in &publishers {
            self.program(publisher)?;
        }
        let measures = figure
            .measures
            .iter()
            .map(|name| spec.file.named_measure(name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|message| at(&["measures"], message))?;
        let points = figure.sweep.points().map_err(|(below, message)| {
            let path: Vec<&str> = std::iter::once("sweep").chain(below.iter().map(String::as_str)).collect();
            at(&path, message)
        })?;
        let axes = figure
            .sweep
            .axes()
            .map(|axis| Ok((axis.to_string(), targets(axis, &figure, &publishers, &measures)?)))
            .collect::<Result<IndexMap<_, _>, String>>()
            .map_err(|message| at(&["sweep"], message))?;
        let limits = figure.limits.unwrap_or(spec.file.limits);
        let timed = figure.draw.metrics().chain(figure.claims.iter().flat_map(|claim| claim.metrics())).any(is_time);
        // A figure without algorithms has one cell for each dataset and point.
        let algorithms: Vec<Option<&NamedPublisher>> =
            if publishers.is_empty() { vec![None] } else { publishers.iter().map(Some).collect() };
        for dataset in &figure.datasets {
            for point in &points {
                for algorithm in &algorithms {
                    let runs_differ = timed || algorithm.is_some_and(|a| a.randomized());
                    let repetitions = if runs_differ { figure.repetitions } else { 1 };
                    let place = Place { axes: &axes, dataset, point, measures: &measures };
                    let row = self.row(&place, *algorithm).map_err(|message| at(&["sweep"], message))?;
                    for repetition in 0..if self.dry { 0 } else { repetitions } {
                        let cell = Cell { repetition, ..row.cell.clone() };
                        self.add(id, Row { cell, ..row.clone() }, limits, timed);
                    }
                }
            }
        }
        self.plan.figures.push(PlannedFigure { id: id.to_string(), figure, limits });
        Ok(())
    }

    /// Finds the program behind an algorithm, if there is one and it may run.
    fn program(&mut self, named: &NamedPublisher) -> Result<(), SpecError> {
        if !self.dry && !self.programs.contains_key(&named.name) {
            let program = named
                .program(self.spec.directory(), self.allow_external)
                .map_err(|message| self.spec.error(&["algorithms", &named.name, "command"], message))?;
            self.programs.insert(named.name.clone(), program);
        }
        Ok(())
    }

    /// The cell of one combination, and what its rows will say of it.
    fn row(&self, place: &Place, algorithm: Option<&NamedPublisher>) -> Result<Row, String> {
        let mut dataset = self
            .spec
            .file
            .datasets
            .get(place.dataset)
            .cloned()
            .ok_or_else(|| format!("there is no dataset `{}`", place.dataset))?;
        let mut given = algorithm.map(|algorithm| algorithm.given.clone()).unwrap_or_default();
        let mut measured: Vec<Map<String, Value>> =
            place.measures.iter().map(|measure| measure.given.clone()).collect();
        for (axis, value) in place.point {
            for target in &place.axes[axis] {
                match target {
                    Target::Dataset { path } => dataset = set_in_dataset(&dataset, path, value)?,
                    Target::Algorithm { name, parameter } => {
                        if algorithm.is_some_and(|algorithm| algorithm.name == *name) {
                            given.insert(parameter.clone(), value.clone());
                        }
                    }
                    Target::Measure { name, parameter } => {
                        if let Some(i) = place.measures.iter().position(|measure| measure.name == *name) {
                            measured[i].insert(parameter.clone(), value.clone());
                        }
                    }
                }
            }
        }
        let randomized = algorithm.is_some_and(NamedPublisher::randomized);
        let mut guaranteed = Map::new();
        let algorithm = match algorithm {
            None => None,
            Some(named) => {
                let parameters = named.complete(&given).map_err(|error| format!("{}: {error}", named.name))?;
                // Where a guarantee cannot be had, the cell says why when it runs.
                guaranteed = named.guarantee(&parameters).map(|guarantee| guarantee.parameters()).unwrap_or_default();
                Some(named.cell(parameters, self.programs.get(&named.name).cloned().flatten()))
            }
        };
        let mut columns = Columns::new(place, algorithm.as_ref(), &given);
        let mut notes = Vec::new();
        let mut measures = Vec::new();
        for (named, given) in place.measures.iter().zip(measured) {
            let shared = shared::with_guarantee(named, &given, &guaranteed)?;
            columns.of_measure(place, named, &shared, &given);
            notes.extend(shared.note);
            let (name, measure) = (named.name.clone(), named.measure.name().to_string());
            measures.push(MeasureCell { name, measure, parameters: shared.parameters });
        }
        let dataset_name = place.dataset.to_string();
        let dataset = Arc::new(dataset);
        let cell = Cell { dataset_name, dataset, algorithm, measures, repetition: 0, seed: self.plan.seed };
        Ok(Row { cell, columns, notes, randomized })
    }

    fn add(&mut self, figure: &str, row: Row, limits: Limits, timed: bool) {
        let Row { cell, columns, notes, randomized } = row;
        let Resolved { resolution, data } = self.resolve(&cell.dataset);
        let (origin, missing_data) = match &resolution {
            Ok(resolution) => (resolution.origin, None),
            Err(error) => (Origin::Real, Some(error.to_string())),
        };
        if let Ok(resolution) = resolution {
            self.plan.data.entry(cell.dataset_name.clone()).or_insert(resolution);
        }
        let key = key_of(&cell.key_fields(&data));
        let figure = figure.to_string();
        self.plan.cells.push(PlannedCell {
            figure,
            cell,
            key,
            data,
            code: None,
            origin,
            columns: columns.set,
            defaults: columns.defaults,
            notes,
            randomized,
            limits,
            timed,
            missing_data,
        });
    }

    fn resolve(&mut self, definition: &DatasetDefinition) -> Resolved {
        let canonical = serde_json::to_string(definition).unwrap_or_default();
        let resolved = || {
            let resolution = resolve(definition, &self.locations);
            let digests = resolution.iter().flat_map(|resolution| &resolution.digests);
            let data = digests.map(|digest| (digest.file.clone(), digest.sha256.clone())).collect();
            Resolved { resolution, data: Arc::new(data) }
        };
        self.resolved.entry(canonical).or_insert_with(resolved).clone()
    }
}

/// What a dataset's definition comes to here.
#[derive(Clone)]
struct Resolved {
    resolution: Result<Resolution, DataError>,
    /// Its files with their digests, as they enter keys.
    data: Arc<Vec<(String, String)>>,
}

/// One combination of a figure.
struct Place<'a> {
    axes: &'a IndexMap<String, Vec<Target>>,
    dataset: &'a str,
    point: &'a Point,
    measures: &'a [NamedMeasure],
}

/// A cell and what its rows say of it.
#[derive(Clone)]
struct Row {
    cell: Cell,
    columns: Columns,
    notes: Vec<String>,
    randomized: bool,
}

/// The columns of a cell's rows: axes first, then the algorithm's parameters, then the measures' under the measure's name.
/// What an axis sets is in the axis's own column and in no other: a second one that moves with it would look like an axis
/// of its own.
#[derive(Clone, Default)]
struct Columns {
    /// What the spec sets.
    set: IndexMap<String, Value>,
    /// Parameters that it leaves as they are.
    defaults: IndexMap<String, Value>,
}

impl Columns {
    fn new(place: &Place, algorithm: Option<&AlgorithmCell>, given: &Map<String, Value>) -> Self {
        let mut columns = Self::default();
        for axis in place.axes.keys() {
            let own = || algorithm.and_then(|algorithm| algorithm.parameters.get(axis).cloned());
            columns.set.insert(axis.clone(), place.point.get(axis).cloned().or_else(own).unwrap_or(Value::Null));
        }
        for (parameter, value) in algorithm.iter().flat_map(|algorithm| &algorithm.parameters) {
            let name = algorithm.map_or("", |algorithm| &algorithm.name).to_string();
            if !place.sets(&Target::Algorithm { name, parameter: parameter.clone() }) {
                columns.add(parameter.clone(), value, given.contains_key(parameter));
            }
        }
        columns
    }

    /// What a measure takes from the guarantee is a column of the algorithm's already.
    fn of_measure(&mut self, place: &Place, named: &NamedMeasure, shared: &Shared, given: &Map<String, Value>) {
        for (parameter, value) in &shared.parameters {
            let target = Target::Measure { name: named.name.clone(), parameter: parameter.clone() };
            if !place.sets(&target) && !shared.taken.contains(parameter) {
                self.add(format!("{}.{parameter}", named.name), value, given.contains_key(parameter));
            }
        }
    }

    fn add(&mut self, name: String, value: &Value, is_set: bool) {
        if !self.set.contains_key(&name) {
            let columns = if is_set { &mut self.set } else { &mut self.defaults };
            columns.entry(name).or_insert_with(|| value.clone());
        }
    }
}

impl Place<'_> {
    /// Whether an axis sets this.
    fn sets(&self, target: &Target) -> bool {
        self.axes.values().any(|targets| targets.contains(target))
    }
}

/// Whether a metric is a time, which other cells on the machine would disturb.
fn is_time(metric: &str) -> bool {
    metric == "cpu_seconds" || metric == "seconds" || metric.starts_with("seconds.")
}
