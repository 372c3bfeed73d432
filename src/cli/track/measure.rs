//! What all of them share: which cells, and how they are measured.

use crate::cli::Failure;
use crate::cli::figure_args::FigureArgs;
use crate::cli::plan_args::PlanArgs;
use crate::cli::reproduce::specs_in;
use crate::run::{
    DirectoryLock, Interrupt, Machine, PlannedCell, Policy, ProcessExecutor, Progress, ProgressStyle, Store,
    missing_told, run_cells,
};
use crate::run::{Executor, Status, Timing, WorkOrder};
use crate::sources::DataLocations;
use crate::spec::{PlanOptions, ReadingChoice, plan};
use crate::track::{
    CellId, CellName, ComparedCell, ComparedSide, Interrupted, Lane, NoisyCosts, Record, Snapshot, only_repeats,
    take_samples,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Debug, Clone, clap::Args)]
pub struct MeasureOptions {
    /// The specs to measure; every one in experiments/ unless given
    #[arg(long, value_name = "SPEC")]
    pub spec: Vec<PathBuf>,
    #[command(flatten)]
    pub figures: FigureArgs,
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Samples of each cell in the noisy lane
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub samples: usize,
    /// No data but what is inside the program, and stand-ins: what every machine has
    #[arg(long)]
    embedded_data: bool,
    /// Where finished cells are kept
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Cells at once in the exact lane; in the noisy lane each runs alone
    #[arg(long, short, value_name = "N", default_value_t = crate::cli::run_options::default_jobs(), value_parser = crate::cli::run_options::jobs)]
    jobs: usize,
    /// Compute every cell again, even those in the store
    #[arg(long)]
    fresh: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

impl MeasureOptions {
    /// The specs, in the directory we are in.
    pub fn specs(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.spec.is_empty() { specs_in("experiments".as_ref()) } else { Ok(self.spec.clone()) }
    }
}

/// Who computes, and what.
pub struct MeasuredSide {
    executor: ProcessExecutor,
    /// Stands for the code in the keys of cells, where it is not this program's.
    code: Option<String>,
    experiments: Vec<PlannedExperiment>,
}

struct PlannedExperiment {
    id: String,
    locations: DataLocations,
    cells: Vec<PlannedCell>,
}

impl MeasuredSide {
    /// The cells of these specs, computed by this program.
    pub fn here(specs: &[PathBuf], options: &MeasureOptions, locations: &DataLocations) -> Result<Self, Failure> {
        Ok(Self {
            executor: ProcessExecutor::this_binary()?,
            code: None,
            experiments: planned(specs, options, locations)?,
        })
    }

    /// The cells of these specs, computed by another build.
    pub fn by(
        binary: PathBuf,
        specs: &[PathBuf],
        options: &MeasureOptions,
        locations: &DataLocations,
    ) -> Result<Self, Failure> {
        let bytes = std::fs::read(&binary)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", binary.display())))?;
        Ok(Self {
            executor: ProcessExecutor::of_binary(binary),
            code: Some(blake3::hash(&bytes).to_hex().to_string()),
            experiments: planned(specs, options, locations)?,
        })
    }

    pub fn names(&self) -> BTreeMap<CellId, CellName> {
        self.cells().map(|(id, _, cell)| (id, CellName::of(cell))).collect()
    }

    /// The cells whose costs are worth timing: those with an algorithm that ended well, the first of its repetitions.
    pub fn timed_subjects(&self, snapshot: &Snapshot) -> Vec<ComparedCell> {
        let first = |cell: &PlannedCell| cell.cell.algorithm.is_some() && cell.cell.repetition == 0;
        let ids: BTreeSet<CellId> = self.cells().filter(|(_, _, cell)| first(cell)).map(|(id, _, _)| id).collect();
        let record = |id: &CellId| snapshot.cells.get(id).filter(|record| record.is_ok()).map(Record::place);
        ids.into_iter().filter_map(|id| Some(ComparedCell { place: record(&id)?, id })).collect()
    }

    fn cells(&self) -> impl Iterator<Item = (CellId, &PlannedExperiment, &PlannedCell)> {
        self.experiments
            .iter()
            .flat_map(|planned| planned.cells.iter().map(move |cell| (CellId::of(&planned.id, cell), planned, cell)))
    }
}

fn planned(
    specs: &[PathBuf],
    options: &MeasureOptions,
    locations: &DataLocations,
) -> Result<Vec<PlannedExperiment>, Failure> {
    let mut locations = locations.clone();
    if options.embedded_data {
        // Nothing is there, so that nothing but embedded data is found.
        let nowhere = PathBuf::from("/nonexistent");
        (locations.data_dir, locations.cache_dir) = (nowhere.clone(), nowhere);
    }
    let mut specs = options.plan.read(specs)?;
    if options.spec.is_empty() {
        specs.retain(|spec| !spec.file.thorough);
    }
    for figure in &options.figures.only {
        if !specs.iter().any(|spec| spec.file.figures.contains_key(figure)) {
            return Err(Failure::new(format!("no spec has a figure `{figure}`; `anonlab plan SPEC` lists them")));
        }
    }
    let mut all = Vec::new();
    for spec in specs {
        let only: Vec<String> =
            options.figures.only.iter().filter(|figure| spec.file.figures.contains_key(*figure)).cloned().collect();
        if only.is_empty() && !options.figures.only.is_empty() {
            continue;
        }
        let wanted = PlanOptions {
            only,
            // A baseline is of the spec as it stands: what changes there changes under every reading and seed.
            seeds: Some(1),
            readings: ReadingChoice::None,
            ..options.plan.options(&locations)
        };
        let cells = plan(&spec, &wanted)?.cells;
        all.push(PlannedExperiment { id: spec.id.clone(), locations: locations.for_spec_in(spec.directory()), cells });
    }
    Ok(all)
}

/// Measures sides, one command's worth: the output directory is locked meanwhile.
pub struct Bench<'a> {
    options: &'a MeasureOptions,
    interrupt: Interrupt,
    store: Store,
    _lock: DirectoryLock,
}

impl<'a> Bench<'a> {
    pub fn new(options: &'a MeasureOptions) -> Result<Self, Failure> {
        Ok(Self {
            options,
            _lock: DirectoryLock::acquire(&options.out).map_err(Failure::new)?,
            interrupt: Interrupt::on_signals()?,
            store: Store::in_directory(&options.out),
        })
    }

    fn progress(&self) -> Progress {
        Progress::new(if self.options.quiet { ProgressStyle::Quiet } else { ProgressStyle::Auto })
    }

    /// The exact lane of a side; what the store has is not computed again.
    pub fn exact(&self, side: &MeasuredSide) -> Result<Snapshot, Failure> {
        let mut snapshot = Snapshot::default();
        for planned in &side.experiments {
            let cells: Vec<PlannedCell> = planned
                .cells
                .iter()
                .filter(|cell| !only_repeats(cell))
                .map(|cell| {
                    // Nothing exact is disturbed by what runs beside it, or needs to be measured twice.
                    let cell = PlannedCell { timed: false, rounds: None, ..cell.clone() };
                    match &side.code {
                        Some(code) => cell.by_code(code),
                        None => cell,
                    }
                })
                .collect();
            let policy = Policy {
                jobs: self.options.jobs,
                fresh: self.options.fresh,
                locations: planned.locations.clone(),
                keep: None,
                turns: None,
                pin: None,
            };
            let outcome = run_cells(&cells, &policy, &side.executor, &self.store, &self.progress(), &self.interrupt)?;
            if outcome.summary.interrupted {
                return Err(self.interrupted());
            }
            if outcome.summary.missing > 0 {
                return Err(Failure::unfinished(missing_told(outcome.summary.missing)));
            }
            let mut answers = outcome.entries.values().map(|entry| &entry.answer).peekable();
            if side.code.is_some() && answers.peek().is_some_and(|first| first.crashed) && answers.all(|a| a.crashed) {
                let reason = outcome.entries.values().next().map_or("", |entry| &entry.answer.reason);
                return Err(Failure::new(format!(
                    "the other binary computes no cell of {}: it is no anonlab, or one too old to take orders of this \
                     one ({reason})",
                    planned.id
                )));
            }
            snapshot.add(&planned.id, &cells, &outcome.entries);
        }
        Ok(snapshot)
    }

    /// Adds samples of noisy costs to the records of cells that ended well.
    pub fn add_samples(&self, side: &MeasuredSide, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let subjects = side.timed_subjects(snapshot);
        let taken = self.in_turns(&[(ComparedSide::After, side)], subjects.len() * self.options.samples, |hand| {
            take_samples(&subjects, self.options.samples, hand)
        })?;
        for (subject, samples) in subjects.iter().zip(taken) {
            if let Some(record) = snapshot.cells.get_mut(&subject.id) {
                record.costs.extend(samples);
            }
        }
        for about in snapshot.experiments.values_mut() {
            about.machine = Machine::this().fingerprint();
        }
        Ok(())
    }

    fn interrupted(&self) -> Failure {
        let kept = "interrupted; cells of the exact lane that are done are kept.";
        Failure::interrupted(match self.options.fresh {
            false => format!("{kept} The same command goes on from there."),
            true => {
                format!("{kept} The same command begins anew, because of --fresh; without it, it goes on from there.")
            }
        })
    }

    /// Hands out runs of single cells, on the sides that are given; none of them goes to the store.
    pub fn in_turns<T>(
        &self,
        sides: &[(ComparedSide, &MeasuredSide)],
        runs: usize,
        work: impl FnOnce(&mut crate::track::Hand) -> Result<T, Interrupted>,
    ) -> Result<T, Failure> {
        let mut cells: BTreeMap<(ComparedSide, CellId), (&MeasuredSide, &PlannedExperiment, &PlannedCell)> =
            BTreeMap::new();
        for &(turn, side) in sides {
            for (id, planned, cell) in side.cells() {
                cells.entry((turn, id)).or_insert((side, planned, cell));
            }
        }
        let progress = self.progress();
        progress.begin(runs, 0, 0);
        let mut hand = |turn: ComparedSide, subject: &ComparedCell| -> Result<NoisyCosts, Interrupted> {
            let Some((side, planned, cell)) = cells.get(&(turn, subject.id.clone())) else {
                return Ok(Err("this side has no such cell".to_string()));
            };
            let order = WorkOrder {
                cell: cell.cell.clone(),
                data: Some(cell.data.clone()),
                locations: planned.locations.clone(),
                limits: cell.limits,
                keep: None,
                timing: Timing { careful: true, pin: None },
                tell: false,
                threads: 1,
            };
            let line = progress.start(cell);
            let answer = side.executor.execute(&order, &self.interrupt).ok_or(Interrupted)?;
            progress.finish(line, &answer);
            Ok(match answer.status {
                Status::Ok => {
                    Ok(answer.costs.metrics.into_iter().map(|(name, cost)| (name.to_string(), cost)).collect())
                }
                status => Err(format!("{}: {}", status.name(), answer.reason)),
            })
        };
        let result = work(&mut hand).map_err(|Interrupted| self.interrupted());
        progress.end();
        result
    }
}

/// The lanes that were asked for, else these.
pub fn lanes(asked: &[Lane], otherwise: &[Lane]) -> Vec<Lane> {
    if asked.is_empty() { otherwise.to_vec() } else { asked.to_vec() }
}
