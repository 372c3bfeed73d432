//! From a spec to the cells it means.

use super::algorithm::{NamedPublisher, Outside};
use super::axis::targets;
use super::cell_template::{CellContext, CellTemplate, cell_template};
use super::claim::Claim;
use super::model::{Figure, SpecFile};
use super::reading::{ReadingChoice, Variant, applied, variants};
use super::sweep::MOST_POINTS;
use super::{Spec, SpecError};
use crate::data::{DataError, DataLocations, DatasetDefinition, Origin, Resolution, resolve};
use crate::lab::Cost;
use crate::publish::external::Jail;
use crate::release::Guarantee;
use crate::run::{Cell, Limits, PlannedCell, Rounds, Samples};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What of a spec is planned, and with which data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanOptions {
    /// The small variant of each sweep.
    pub quick: bool,
    /// These figures alone; all when empty.
    pub only: Vec<String>,
    /// The first seed, instead of the spec's own.
    pub seed: Option<u64>,
    /// How many seeds, instead of the spec's own number.
    pub seeds: Option<u32>,
    pub readings: ReadingChoice,
    pub locations: DataLocations,
    /// Whether programs that the spec names may run. Even planning runs them: they are asked for their version.
    pub allow_external: bool,
    /// Whether they must run in a jail.
    #[serde(default)]
    pub jail: Jail,
    /// A plan of more cells is refused before it is made.
    #[serde(default = "most_cells")]
    pub max_cells: u64,
}

fn most_cells() -> u64 {
    MOST_CELLS
}

impl PlanOptions {
    /// Every figure as the spec stands, under each of its readings.
    pub fn of(locations: &DataLocations) -> Self {
        Self {
            quick: false,
            only: Vec::new(),
            seed: None,
            seeds: None,
            readings: ReadingChoice::default(),
            locations: locations.clone(),
            allow_external: false,
            jail: Jail::default(),
            max_cells: MOST_CELLS,
        }
    }
}

/// The cells of one spec.
#[derive(Debug)]
pub struct Plan {
    /// What everything random is drawn with, once for each.
    pub seeds: Vec<u64>,
    pub readings: ReadingChoice,
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
    /// The readings it is planned under, the default first.
    pub variants: Vec<Variant>,
}

/// More cells than this are most likely a slip; `--max-cells` says otherwise. A cell takes half a kilobyte of a plan.
pub const MOST_CELLS: u64 = 10_000_000;

/// Every error that expanding a spec would meet, without looking for its data.
pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let locations = DataLocations::new(None);
    let errors = |quick| {
        // How many cells there may be is for whoever plans to say.
        let options = PlanOptions { quick, max_cells: u64::MAX, ..PlanOptions::of(&locations) };
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

/// What a spec asks of one of its datasets.
#[derive(Debug)]
pub struct Demand {
    /// As the first cell has it, where a sweep changes it.
    pub definition: Arc<DatasetDefinition>,
    /// The figures and algorithms that use it so, each with the strictest guarantee it asks for.
    pub guarantees: Vec<(String, String, Guarantee)>,
}

/// What a spec asks of its datasets, by their names. Looks for no data and runs no program.
pub fn demands(spec: &Spec) -> Result<IndexMap<String, Demand>, Vec<SpecError>> {
    let locations = DataLocations::new(None);
    expand(spec, &PlanOptions::of(&locations), true).map(|(_, demands)| demands)
}

/// Expands a spec. Data that is absent makes cells that say so, not an error: a run on a machine without it still does
/// the rest.
pub fn plan(spec: &Spec, options: &PlanOptions) -> Result<Plan, Vec<SpecError>> {
    expand(spec, options, false).map(|(plan, _)| plan)
}

/// A dry expansion asks no program for its version, looks for no data and keeps no cell.
fn expand(spec: &Spec, options: &PlanOptions, dry: bool) -> Result<(Plan, IndexMap<String, Demand>), Vec<SpecError>> {
    let locations = options.locations.for_spec_in(spec.directory());
    let seed = options.seed.unwrap_or(spec.file.seed);
    let seeds = options.seeds.unwrap_or(spec.file.seeds);
    let mut builder = Builder {
        spec,
        locations,
        plan: Plan {
            seeds: (0..u64::from(seeds)).map(|i| seed.wrapping_add(i)).collect(),
            readings: options.readings,
            figures: Vec::new(),
            cells: Vec::new(),
            data: IndexMap::new(),
        },
        files: BTreeMap::new(),
        resolved: BTreeMap::new(),
        options,
        dry,
        outside: BTreeMap::new(),
        demands: IndexMap::new(),
        counted: 0,
    };
    let mut errors = Vec::new();
    for wanted in &options.only {
        if !spec.file.figures.contains_key(wanted) {
            let known: Vec<&str> = spec.file.figures.keys().map(String::as_str).collect();
            errors.push(spec.error(&["figures"], super::error::unknown("figure", wanted, &known, "anonlab plan")));
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
    if errors.is_empty() { Ok((builder.plan, builder.demands)) } else { Err(errors) }
}

struct Builder<'a> {
    spec: &'a Spec,
    locations: DataLocations,
    plan: Plan,
    /// The spec as each variant reads it.
    files: BTreeMap<Variant, Arc<SpecFile>>,
    /// Definitions recur in thousands of cells; each is resolved once.
    resolved: BTreeMap<String, Resolved>,
    options: &'a PlanOptions,
    dry: bool,
    /// The program of each algorithm that has one, by what the spec says of it.
    outside: BTreeMap<String, Option<Outside>>,
    /// Of a dry expansion.
    demands: IndexMap<String, Demand>,
    /// The cells of the figures so far.
    counted: u128,
}

impl Builder<'_> {
    /// Plans a figure under each of its readings and with each seed. An option that changes no cell of the figure is left
    /// out; a reading without any other is a slip.
    fn figure(&mut self, id: &str, figure: Figure) -> Result<(), SpecError> {
        let spec = self.spec;
        let wanted = variants(&spec.file, &figure.readings, self.options.readings)
            .map_err(|message| spec.error(&["figures", id, "readings"], message))?;
        let mut planned: Vec<(Variant, Vec<Combination>)> = Vec::new();
        for variant in wanted {
            let combinations =
                self.combinations(id, &figure, &variant).map_err(|error| match &variant.options[..] {
                    // Without the option all is well, so it is the option that is wrong.
                    [(reading, option), ..] if !planned.is_empty() => {
                        let message = format!("under this option, figure `{id}`: {}", error.message);
                        spec.error(&["readings", reading, "options", option], message)
                    }
                    _ => error,
                })?;
            let same = |(_, known): &(_, Vec<Combination>)| {
                known.iter().map(|known| &known.template.cell).eq(combinations.iter().map(|own| &own.template.cell))
            };
            if !planned.iter().any(same) {
                planned.push((variant, combinations));
            }
        }
        if self.dry && !self.options.quick {
            let told = |reading: &&String| {
                !planned.iter().any(|(variant, _)| variant.options.iter().any(|(named, _)| named == *reading))
            };
            if let Some((i, reading)) = figure.readings.iter().enumerate().find(|(_, reading)| told(reading)) {
                let message = format!("no option of the reading `{reading}` changes a cell of this figure");
                return Err(spec.error(&["figures", id, "readings", &i.to_string()], message));
            }
        }
        let limits = figure.limits.unwrap_or(spec.file.limits);
        let samples = samples(&figure).map_err(|message| spec.error(&["figures", id, "samples"], message))?;
        self.count(&planned).map_err(|message| spec.error(&["figures", id], message))?;
        let place = FigurePlace { id, limits, samples, one_point: compares_points(&figure) };
        for (variant, combinations) in &planned {
            let reading = Arc::from(variant.to_string());
            if self.dry {
                continue;
            }
            let bases: Vec<Basis> = combinations.iter().map(|combination| self.basis(&reading, combination)).collect();
            for (i, seed) in self.plan.seeds.clone().into_iter().enumerate() {
                // What draws nothing is the same whatever the seed.
                let wanted = combinations.iter().zip(&bases).filter(|(combination, _)| combination.draws || i == 0);
                for with_basis in wanted {
                    self.add(&place, &reading, seed, with_basis);
                }
            }
        }
        let variants = planned.into_iter().map(|(variant, _)| variant).collect();
        self.plan.figures.push(PlannedFigure { id: id.to_string(), figure, limits, variants });
        Ok(())
    }

    /// Counts the cells that these combinations come to, before one of them is made.
    fn count(&mut self, planned: &[(Variant, Vec<Combination>)]) -> Result<(), String> {
        let seeds = self.plan.seeds.len() as u128;
        let cells = |combination: &Combination| {
            let seeds = if combination.draws { seeds } else { 1 };
            seeds * u128::from(combination.repetitions)
        };
        let own: u128 = planned.iter().flat_map(|(_, combinations)| combinations).map(cells).sum();
        self.counted += own;
        let (all, most) = (self.counted, self.options.max_cells);
        if all > u128::from(most) {
            return Err(format!(
                "{own} cells, {all} with the figures before it, are more than {most}; fewer values, repetitions, readings \
                 (`--readings none`) or seeds make fewer, and `--max-cells {all}` lets them be"
            ));
        }
        Ok(())
    }

    /// Every combination of dataset, point and algorithm, as the variant reads the spec.
    fn combinations(&mut self, id: &str, figure: &Figure, variant: &Variant) -> Result<Vec<Combination>, SpecError> {
        let spec = self.spec;
        let at = |tail: &[&str], message: String| {
            let path: Vec<&str> = ["figures", id].iter().chain(tail).copied().collect();
            spec.error(&path, message)
        };
        let file = self.file(variant).map_err(|message| at(&["readings"], message))?;
        let publishers = figure
            .algorithms
            .iter()
            .map(|name| file.named_publisher(name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|(_, message)| at(&["algorithms"], message))?;
        let outside =
            publishers.iter().map(|publisher| self.outside(&file, publisher)).collect::<Result<Vec<_>, _>>()?;
        let measures = figure
            .measures
            .iter()
            .map(|name| file.named_measure(name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|message| at(&["measures"], message))?;
        let points = figure.sweep.points().map_err(|(below, message)| {
            let path: Vec<&str> = std::iter::once("sweep").chain(below.iter().map(String::as_str)).collect();
            at(&path, message)
        })?;
        let axes = figure
            .sweep
            .axes()
            .map(|axis| Ok((axis.to_string(), targets(axis, figure, &publishers, &measures)?)))
            .collect::<Result<IndexMap<_, _>, String>>()
            .map_err(|message| at(&["sweep"], message))?;
        // A figure without algorithms has one cell for each dataset and point.
        let algorithms: Vec<Option<(&NamedPublisher, &Option<Outside>)>> =
            if publishers.is_empty() { vec![None] } else { publishers.iter().zip(&outside).map(Some).collect() };
        let timed = is_timed(figure);
        let count = points.len() as u128 * figure.datasets.len() as u128 * algorithms.len() as u128;
        if count > MOST_POINTS {
            let message =
                format!("{count} combinations of dataset, algorithm and point; a figure has at most {MOST_POINTS}");
            return Err(at(&["sweep"], message));
        }
        let mut combinations = Vec::new();
        for (set, dataset) in figure.datasets.iter().enumerate() {
            for (number, point) in points.iter().enumerate() {
                for algorithm in &algorithms {
                    let randomized = algorithm.is_some_and(|(algorithm, _)| algorithm.randomized());
                    let workloads_differ = measures.iter().any(|measure| measure.measure.draws());
                    // A release that repeats exactly is published once and measured on every workload.
                    let (repetitions, workloads) = match () {
                        // Without samples, times are taken by repeating everything.
                        () if randomized || (timed && figure.samples.is_none()) => (figure.repetitions, 1),
                        () if workloads_differ => (1, figure.repetitions),
                        () => (1, 1),
                    };
                    let context = CellContext { file: &file, axes: &axes, dataset, point, measures: &measures };
                    let mut template =
                        cell_template(&context, *algorithm).map_err(|message| at(&["sweep"], message))?;
                    template.cell.workloads = workloads;
                    if self.dry {
                        self.demand(id, algorithm.map(|(named, _)| named), &template.cell);
                    }
                    let draws = randomized || workloads_differ || template.cell.dataset.draws();
                    let point = set * points.len() + number;
                    combinations.push(Combination { template, point, repetitions, randomized, draws });
                }
            }
        }
        Ok(combinations)
    }

    /// Notes what a cell asks of its dataset.
    fn demand(&mut self, figure: &str, algorithm: Option<&NamedPublisher>, cell: &Cell) {
        let first = || Demand { definition: Arc::clone(&cell.dataset), guarantees: Vec::new() };
        let demand = self.demands.entry(cell.dataset_name.clone()).or_insert_with(first);
        let parameters = cell.algorithm.as_ref().map(|algorithm| &algorithm.parameters);
        let (Some(named), Some(parameters)) = (algorithm, parameters) else { return };
        let Ok(guarantee) = named.guarantee(parameters) else { return };
        if demand.definition != cell.dataset {
            return;
        }
        let known = demand.guarantees.iter_mut().find(|(id, name, _)| id == figure && *name == named.name);
        match known {
            None => demand.guarantees.push((figure.to_string(), named.name.clone(), guarantee)),
            Some((_, _, known)) if strictness(&guarantee) > strictness(known) => *known = guarantee,
            Some(_) => {}
        }
    }

    /// The spec as the variant reads it.
    fn file(&mut self, variant: &Variant) -> Result<Arc<SpecFile>, String> {
        if let Some(file) = self.files.get(variant) {
            return Ok(file.clone());
        }
        let file = Arc::new(applied(&self.spec.file, variant)?);
        self.files.insert(variant.clone(), file.clone());
        Ok(file)
    }

    /// The program behind an algorithm, if it may run, or the files of a finished release.
    fn outside(&mut self, file: &SpecFile, named: &NamedPublisher) -> Result<Option<Outside>, SpecError> {
        if self.dry {
            return Ok(None);
        }
        let said = serde_json::to_string(&(&named.name, file.algorithms.get(&named.name))).unwrap_or_default();
        if let Some(outside) = self.outside.get(&said) {
            return Ok(outside.clone());
        }
        let outside = named
            .outside(self.spec.directory(), self.options.allow_external, self.options.jail)
            .map_err(|(key, message)| self.spec.error(&["algorithms", &named.name, key], message))?;
        self.outside.insert(said, outside.clone());
        Ok(outside)
    }

    /// What all cells of a combination share.
    fn basis(&mut self, reading: &str, combination: &Combination) -> Basis {
        let cell = &combination.template.cell;
        let Resolved { resolution, data } = self.resolve(&cell.dataset);
        let (origin, missing_data) = match &resolution {
            Ok(resolution) => (resolution.origin, None),
            Err(error) => (Origin::Real, Some(error.to_string())),
        };
        if let Ok(resolution) = resolution {
            self.note_data(&cell.dataset_name, reading, resolution);
        }
        Basis { key_fields: cell.key_fields(&data), data, origin, missing_data }
    }

    fn add(
        &mut self,
        place: &FigurePlace,
        reading: &Arc<str>,
        seed: u64,
        (combination, basis): (&Combination, &Basis),
    ) {
        let template = &combination.template;
        for repetition in 0..combination.repetitions {
            let cell = Cell { repetition, seed: combination.draws.then_some(seed), ..template.cell.clone() };
            self.plan.cells.push(PlannedCell {
                figure: place.id.to_string(),
                reading: reading.clone(),
                key: cell.key_like(&basis.key_fields),
                cell,
                data: basis.data.clone(),
                code: None,
                origin: basis.origin,
                columns: template.columns.clone(),
                defaults: template.defaults.clone(),
                notes: template.notes.clone(),
                randomized: combination.randomized,
                limits: place.limits,
                timed: place.samples.is_some(),
                rounds: place
                    .samples
                    .map(|samples| Rounds { point: if place.one_point { 0 } else { combination.point }, samples }),
                missing_data: basis.missing_data.clone(),
            });
        }
    }

    /// Under its own name; under that of the reading too where an option gives it other files.
    fn note_data(&mut self, dataset: &str, reading: &str, resolution: Resolution) {
        match self.plan.data.get(dataset) {
            None => {
                self.plan.data.insert(dataset.to_string(), resolution);
            }
            Some(known) if known.digests == resolution.digests && known.origin == resolution.origin => {}
            Some(_) => {
                self.plan.data.entry(format!("{dataset} ({reading})")).or_insert(resolution);
            }
        }
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

/// What the cells of a combination have in common beside their template.
struct Basis {
    /// Of the first of them: the others differ in repetition and seed alone.
    key_fields: IndexMap<String, String>,
    data: Arc<Vec<(String, String)>>,
    origin: Origin,
    missing_data: Option<String>,
}

/// What the cells of a figure have in common.
struct FigurePlace<'a> {
    id: &'a str,
    limits: Limits,
    /// None where nobody looks at times.
    samples: Option<Samples>,
    /// All of it is compared with each other.
    one_point: bool,
}

/// The cells of all repetitions and seeds of one combination of dataset, point and algorithm.
struct Combination {
    /// The number of its data set and point in the figure.
    point: usize,
    template: CellTemplate,
    repetitions: u32,
    /// Whether its algorithm draws.
    randomized: bool,
    /// Whether anything in it is drawn; if not, its cells are the same whatever the seed.
    draws: bool,
}

/// How often the cells of a figure are timed; None where nobody looks at their time.
fn samples(figure: &Figure) -> Result<Option<Samples>, String> {
    let timed = is_timed(figure);
    let Some(given) = figure.samples else { return Ok(timed.then_some(Samples::ONE)) };
    match given.fault() {
        Some(fault) => Err(fault),
        None if !timed => {
            Err("this figure neither plots nor judges a time, so there is nothing to take samples of".to_string())
        }
        None => Ok(Some(given.samples(figure.claims.iter().flat_map(|claim| claim.metrics()).any(is_time)))),
    }
}

/// Whether a claim compares times of one point with those of another: then all are timed in the same rounds.
fn compares_points(figure: &Figure) -> bool {
    let of_time = |claim: &&Claim| claim.metrics().into_iter().any(is_time);
    figure.claims.iter().filter(of_time).any(Claim::compares_points)
}

/// Whether the figure shows or judges a time.
fn is_timed(figure: &Figure) -> bool {
    figure.draw.metrics().chain(figure.claims.iter().flat_map(|claim| claim.metrics())).any(is_time)
}

/// The parameter that the data limits: ℓ or k.
fn strictness(guarantee: &Guarantee) -> u64 {
    let parameters = guarantee.parameters();
    ["l", "k"].iter().find_map(|name| parameters.get(*name)?.as_u64()).unwrap_or(0)
}

/// Whether a metric is a time, or is counted beside times.
fn is_time(metric: &str) -> bool {
    Cost::of(metric).is_some_and(|(cost, _)| cost.is_timed())
}
