//! One combination of dataset, point and algorithm: its cell, and what the rows of that cell say of it.

use super::algorithm::{NamedPublisher, Outside};
use super::axis::{NamedMeasure, Target};
use super::model::SpecFile;
use super::setting::set_in_dataset;
use super::shared::{self, MeasureParameters};
use super::sweep::SweepPoint;
use crate::run::{AlgorithmCell, Cell, MeasureCell};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a cell is made from, but for its algorithm: one combination of a figure.
pub struct CellContext<'a> {
    /// The spec as the variant reads it.
    pub file: &'a SpecFile,
    pub axes: &'a IndexMap<String, Vec<Target>>,
    pub dataset: &'a str,
    pub point: &'a SweepPoint,
    pub measures: &'a [NamedMeasure],
}

/// A cell with neither repetition nor seed, and what its rows say of it. Shared: it is that of many cells.
pub struct CellTemplate {
    pub cell: Cell,
    pub columns: Arc<IndexMap<String, Value>>,
    pub defaults: Arc<IndexMap<String, Value>>,
    pub notes: Arc<Vec<String>>,
}

/// The cell of one combination, and what its rows will say of it.
pub fn cell_template(
    context: &CellContext,
    algorithm: Option<(&NamedPublisher, &Option<Outside>)>,
) -> Result<CellTemplate, String> {
    let (algorithm, outside) = algorithm.unzip();
    let mut dataset = context
        .file
        .datasets
        .get(context.dataset)
        .cloned()
        .ok_or_else(|| format!("there is no dataset `{}`", context.dataset))?;
    let mut given = algorithm.map(|algorithm| algorithm.given.clone()).unwrap_or_default();
    let mut measured: Vec<Map<String, Value>> = context.measures.iter().map(|measure| measure.given.clone()).collect();
    for (axis, value) in context.point {
        for target in &context.axes[axis] {
            match target {
                Target::Dataset { path } => dataset = set_in_dataset(&dataset, path, value)?,
                Target::Algorithm { name, parameter } => {
                    if algorithm.is_some_and(|algorithm| algorithm.name == *name) {
                        given.insert(parameter.clone(), value.clone());
                    }
                }
                Target::Measure { name, parameter } => {
                    if let Some(i) = context.measures.iter().position(|measure| measure.name == *name) {
                        measured[i].insert(parameter.clone(), value.clone());
                    }
                }
            }
        }
    }
    let mut guaranteed = Map::new();
    let algorithm = match algorithm {
        None => None,
        Some(named) => {
            let parameters = named.complete(&given).map_err(|error| format!("{}: {error}", named.name))?;
            // Where a guarantee cannot be had, the cell says why when it runs.
            guaranteed = named.guarantee(&parameters).map(|guarantee| guarantee.parameters()).unwrap_or_default();
            Some(named.cell(parameters, outside.cloned().flatten()))
        }
    };
    let mut columns = Columns::new(context, algorithm.as_ref(), &given);
    let mut notes = Vec::new();
    let mut measures = Vec::new();
    for (named, given) in context.measures.iter().zip(measured) {
        let shared = shared::with_guarantee(named, &given, &guaranteed)?;
        columns.of_measure(context, named, &shared, &given);
        notes.extend(shared.note);
        let (name, measure) = (named.name.clone(), named.measure.name().to_string());
        measures.push(MeasureCell { name, measure, parameters: shared.parameters });
    }
    let dataset_name = context.dataset.to_string();
    let dataset = Arc::new(dataset);
    let cell = Cell {
        dataset_name,
        dataset,
        algorithm: algorithm.map(Arc::new),
        measures: Arc::new(measures),
        repetition: 0,
        workloads: 1,
        seed: None,
    };
    Ok(CellTemplate {
        cell,
        columns: Arc::new(columns.set),
        defaults: Arc::new(columns.defaults),
        notes: Arc::new(notes),
    })
}

/// The columns of a cell's rows: axes first, then the algorithm's parameters, then the measures' under the measure's name.
/// What an axis sets is in the axis's own column and in no other: a second one that moves with it would look like an axis
/// of its own.
#[derive(Default)]
struct Columns {
    /// What the spec sets.
    set: IndexMap<String, Value>,
    /// Parameters that it leaves as they are.
    defaults: IndexMap<String, Value>,
}

impl Columns {
    fn new(context: &CellContext, algorithm: Option<&AlgorithmCell>, given: &Map<String, Value>) -> Self {
        let mut columns = Self::default();
        for axis in context.axes.keys() {
            let own = || algorithm.and_then(|algorithm| algorithm.parameters.get(axis).cloned());
            columns.set.insert(axis.clone(), context.point.get(axis).cloned().or_else(own).unwrap_or(Value::Null));
        }
        for (parameter, value) in algorithm.iter().flat_map(|algorithm| &algorithm.parameters) {
            let name = algorithm.map_or("", |algorithm| &algorithm.name).to_string();
            if !context.sets(&Target::Algorithm { name, parameter: parameter.clone() }) {
                columns.add(parameter.clone(), value, given.contains_key(parameter));
            }
        }
        columns
    }

    /// What a measure takes from the guarantee is a column of the algorithm's already.
    fn of_measure(
        &mut self,
        context: &CellContext,
        named: &NamedMeasure,
        shared: &MeasureParameters,
        given: &Map<String, Value>,
    ) {
        for (parameter, value) in &shared.parameters {
            let target = Target::Measure { name: named.name.clone(), parameter: parameter.clone() };
            if !context.sets(&target) && !shared.taken.contains(parameter) {
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

impl CellContext<'_> {
    /// Whether an axis sets this.
    fn sets(&self, target: &Target) -> bool {
        self.axes.values().any(|targets| targets.contains(target))
    }
}
