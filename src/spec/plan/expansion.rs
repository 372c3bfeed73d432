//! From figures to cells: every combination of dataset, point, algorithm, reading, seed and repetition.

use super::demand::Demands;
use super::options::PlanOptions;
use super::planned::{Plan, PlannedFigure};
use super::timed::{compares_points, is_timed, judged_times, samples};
use crate::data::Origin;
use crate::run::{Cell, Key, Limits, PlannedCell, Rounds, Samples};
use crate::sources::{DataError, DataLocations, DatasetDefinition, Resolution, resolve};
use crate::spec::algorithm::{NamedPublisher, Outside};
use crate::spec::axis::targets;
use crate::spec::cell_template::{CellContext, CellTemplate, cell_template};
use crate::spec::error::unknown;
use crate::spec::model::{Figure, SpecFile};
use crate::spec::reading::{Variant, applied, variants};
use crate::spec::sweep::MOST_POINTS;
use crate::spec::{DEFAULT_READING, Spec, SpecError};
use indexmap::IndexMap;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A dry expansion asks no program for its version, looks for no data and keeps no cell.
pub(super) fn expand(spec: &Spec, options: &PlanOptions, dry: bool) -> Result<(Plan, Demands), Vec<SpecError>> {
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
        demands: Demands::default(),
        counted: 0,
    };
    let mut errors = Vec::new();
    for wanted in &options.only {
        if !spec.file.figures.contains_key(wanted) {
            let known: Vec<&str> = spec.file.figures.keys().map(String::as_str).collect();
            errors.push(spec.error(&["figures"], unknown("figure", wanted, &known, "anonlab plan")));
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
    if !errors.is_empty() {
        return Err(errors);
    }
    share_limits(&mut builder.plan);
    Ok((builder.plan, builder.demands))
}

/// A cell that several figures share runs once. It has the most time and memory that any of them gives: what it is stopped at then
/// is beyond the limits of the others, too.
fn share_limits(plan: &mut Plan) {
    if plan.figures.windows(2).all(|pair| pair[0].limits == pair[1].limits) {
        return;
    }
    let mut most: HashMap<Key, Limits> = HashMap::new();
    for cell in &plan.cells {
        let known = most.entry(cell.key.clone()).or_insert(cell.limits);
        known.time.0 = known.time.0.max(cell.limits.time.0);
        known.memory.0 = known.memory.0.max(cell.limits.memory.0);
    }
    for cell in &mut plan.cells {
        cell.limits = most[&cell.key];
    }
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
    demands: Demands,
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
        let place = FigurePlace {
            id,
            limits,
            samples,
            judged_times: judged_times(&figure),
            one_point: compares_points(&figure),
        };
        for (variant, combinations) in &planned {
            let reading = Arc::from(variant.to_string());
            if self.dry {
                continue;
            }
            let bases: Vec<SharedByCells> =
                combinations.iter().map(|combination| self.basis(&reading, combination)).collect();
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
                    let context = CellContext { file: &file, axes: &axes, dataset, point, measures: &measures };
                    let mut template =
                        cell_template(&context, *algorithm).map_err(|message| at(&["sweep"], message))?;
                    let data_differs = template.cell.dataset.redraws();
                    // A release that repeats exactly is published once and measured on every workload.
                    let (repetitions, workloads) = match () {
                        // Without samples, times are taken by repeating everything.
                        () if randomized || data_differs || (timed && figure.samples.is_none()) => {
                            (figure.repetitions, 1)
                        }
                        () if workloads_differ => (1, figure.repetitions),
                        () => (1, 1),
                    };
                    template.cell.workloads = workloads;
                    if self.dry {
                        self.demands.note(id, algorithm.map(|(named, _)| named), &template.cell);
                    }
                    let draws = randomized || workloads_differ || template.cell.dataset.draws();
                    let point = set * points.len() + number;
                    combinations.push(Combination { template, point, repetitions, randomized, draws });
                }
            }
        }
        Ok(combinations)
    }

    /// The spec as the variant reads it.
    fn file(&mut self, variant: &Variant) -> Result<Arc<SpecFile>, String> {
        if let Some(file) = self.files.get(variant) {
            return Ok(file.clone());
        }
        let mut file = applied(&self.spec.file, variant)?;
        // An option of a reading may bring a program, too.
        if let Some(versions) = &self.options.versions {
            file.give_versions(versions);
        }
        let file = Arc::new(file);
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
    fn basis(&mut self, reading: &str, combination: &Combination) -> SharedByCells {
        let cell = &combination.template.cell;
        let Resolved { resolution, data } = self.resolve(&cell.dataset);
        let (origin, missing_data) = match &resolution {
            Ok(resolution) => (resolution.origin, None),
            Err(error) => (Origin::Real, Some(error.to_string())),
        };
        if let Ok(resolution) = resolution {
            self.note_data(&cell.dataset_name, reading, resolution);
        }
        SharedByCells { key_fields: cell.key_fields(&data), data, origin, missing_data }
    }

    fn add(
        &mut self,
        place: &FigurePlace,
        reading: &Arc<str>,
        seed: u64,
        (combination, basis): (&Combination, &SharedByCells),
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
                judged_times: place.judged_times.clone(),
                missing_data: basis.missing_data.clone(),
            });
        }
    }

    /// Under its own name; under that of the reading too where an option gives it other files, and once more where an axis does.
    fn note_data(&mut self, dataset: &str, reading: &str, resolution: Resolution) {
        match self.plan.data.get(dataset) {
            None => {
                self.plan.data.insert(dataset.to_string(), resolution);
            }
            Some(known) if known.digests == resolution.digests && known.origin == resolution.origin => {}
            Some(_) => {
                let by = if reading == DEFAULT_READING { "along an axis" } else { reading };
                self.plan.data.entry(format!("{dataset} ({by})")).or_insert(resolution);
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
struct SharedByCells {
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
    judged_times: Arc<[String]>,
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
