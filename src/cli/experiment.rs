//! What `run` and `reproduce` share: from specs to results on disk.

use super::figure_args::FigureArgs;
use super::kept::{Before, Kept, check_owner};
use super::list::counted;
use super::plan_args::PlanArgs;
use super::show_rows::introduce_rows;
use super::variation::Variation;
use super::{Exit, Failure, jail, machine_notes, provenance, record};
use crate::cli::output::out;
use crate::data::{DataLocations, Origin};
use crate::measures::measures;
use crate::publish::publishers;
use crate::report::{
    self, ExperimentResult, FigureResult, JudgedClaim, MetricInfo, Observations, Provenance, Side, Trial, Verdict,
    nearness,
};
use crate::run::{
    DirectoryLock, Entry, Interrupt, Key, Outcome, PlannedCell, Policy, ProcessExecutor, Progress, ProgressStyle,
    Status, Store, TABLES, code_digest, distinct, missing_told, now, plain, reasons_told, run_cells, shell_path,
    shell_word, sweep_below, write_atomically, write_atomically_with,
};
use crate::spec::claim::Claim;
use crate::spec::expectation::{Expectation, Expected, Standing};
use crate::spec::{Experiment, PlanOptions, PlannedFigure, Spec, Variant};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Options of every command that runs cells.
#[derive(Debug, Clone, clap::Args)]
pub struct RunOptions {
    /// Where results go, and where finished cells are kept
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Cells at once; figures that plot time run theirs one at a time whatever this says
    #[arg(long, short, value_name = "N", default_value_t = default_jobs(), value_parser = jobs)]
    pub jobs: usize,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(flatten)]
    pub variation: Variation,
    /// Compute everything anew, whatever the store has
    #[arg(long)]
    pub fresh: bool,
    /// Also fail on inconclusive claims and on cells that timed out, ran out of memory or were skipped
    #[arg(long)]
    pub strict: bool,
    /// Keep each cell's release and the tables of its audits, below DIR/<experiment>/releases
    #[arg(long)]
    pub keep_releases: bool,
    /// Say in witnesses whose rows they are about, also of data whose catalogue entry does not allow it; nothing of it is stored
    #[arg(long)]
    pub show_rows: bool,
    /// Keep cells whose time is plotted or judged to one core; the last one unless a number is given
    #[arg(long, value_name = "CORE", num_args = 0..=1, default_missing_value = "last", require_equals = true)]
    pub pin: Option<Core>,
    #[command(flatten)]
    pub told: ProgressOptions,
}

/// How a command tells its progress.
#[derive(Debug, Clone, clap::Args)]
pub struct ProgressOptions {
    /// How to tell progress, on standard error
    #[arg(long, value_name = "STYLE", default_value = "auto", conflicts_with = "quiet")]
    progress: ToldAs,
    /// No progress, only the summary
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ToldAs {
    /// Bars on a terminal, a line now and then elsewhere
    Auto,
    /// An object a line, for programs: {"progress": {"cells": 9, "done": 3, "cached": 1, "not_ok": 0}}
    Json,
}

impl ProgressOptions {
    pub fn style(&self) -> ProgressStyle {
        match (self.quiet, self.progress) {
            (true, _) => ProgressStyle::Quiet,
            (false, ToldAs::Json) => ProgressStyle::Events,
            (false, ToldAs::Auto) => ProgressStyle::Auto,
        }
    }
}

/// A core of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core(usize);

impl FromStr for Core {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let cores = default_jobs();
        match text {
            // Interrupts are mostly served by the first.
            "last" => Ok(Self(cores - 1)),
            _ => text
                .parse()
                .ok()
                .filter(|&core| core < cores)
                .map(Self)
                .ok_or_else(|| format!("there is no core `{text}`; this process may use 0 to {}", cores - 1)),
        }
    }
}

impl RunOptions {
    fn core(&self) -> Option<usize> {
        self.pin.map(|core| core.0)
    }

    /// What plans are made with.
    pub fn wanted(&self, figures: &FigureArgs, locations: &DataLocations) -> PlanOptions {
        figures.of(self.variation.of(self.plan.options(locations)))
    }
}

pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// More workers at once than this no machine serves.
const MOST_JOBS: usize = 1024;

pub fn jobs(text: &str) -> Result<usize, String> {
    number_up_to(MOST_JOBS, text)
}

/// A number from 1 to `most`.
pub fn number_up_to(most: usize, text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("a number from 1 to {most} is needed"))
}

/// Runs specs, writes their results and the report, and says in a few lines what came of it.
pub fn run(
    specs: Vec<Spec>,
    figures: &FigureArgs,
    options: &RunOptions,
    locations: &DataLocations,
) -> Result<Exit, Failure> {
    let wanted = options.wanted(figures, locations);
    let started = now();
    let experiments =
        specs.into_iter().map(|spec| Experiment::new(spec, &wanted, &started)).collect::<Result<Vec<_>, _>>()?;
    for experiment in &experiments {
        check_owner(&experiment.spec, &options.out)?;
    }
    jail::tell(experiments.iter().flat_map(|experiment| &experiment.plan.cells));
    let _lock = DirectoryLock::acquire(&options.out).map_err(Failure::new)?;
    sweep_below(&options.out);
    let interrupt = Interrupt::on_signals()?;
    let store = Store::in_directory(&options.out);
    let style = options.told.style();
    let mut outcomes = Vec::new();
    for experiment in &experiments {
        let policy = Policy {
            jobs: options.jobs,
            fresh: options.fresh,
            locations: locations.for_spec_in(experiment.spec.directory()),
            keep: options.keep_releases.then(|| options.out.join(&experiment.spec.id).join("releases")),
            turns: None,
            pin: options.core(),
        };
        let executor = ProcessExecutor::this_binary()?;
        let progress = Progress::new(style);
        let mut outcome = run_cells(&experiment.plan.cells, &policy, &executor, &store, &progress, &interrupt)?;
        if options.show_rows {
            introduce_rows(&experiment.plan.cells, &mut outcome.entries, &policy.locations)?;
        }
        let stopped = outcome.summary.interrupted;
        outcomes.push(outcome);
        if stopped {
            let computed = outcomes.iter().map(|outcome| outcome.summary.computed).sum();
            return Err(interrupted(
                &experiments,
                &store,
                options.fresh.then_some(computed),
                &reasons(&experiments, &outcomes),
            ));
        }
    }
    let missing = outcomes.iter().map(|outcome| outcome.summary.missing).sum();
    if missing > 0 {
        return Err(Failure::unfinished(missing_told(missing)));
    }
    finish(&experiments, outcomes, &options.out, options.strict)
}

/// Writes what came of experiments, and says it in a few lines.
pub fn finish(experiments: &[Experiment], outcomes: Vec<Outcome>, out: &Path, strict: bool) -> Result<Exit, Failure> {
    for experiment in experiments {
        check_owner(&experiment.spec, out)?;
    }
    let ids: Vec<&str> = experiments.iter().map(|experiment| experiment.spec.id.as_str()).collect();
    report::begin(&ids, out)?;
    let results = experiments
        .iter()
        .zip(&outcomes)
        .map(|(experiment, outcome)| write_results(experiment, outcome, out))
        .collect::<Result<Vec<_>, _>>()?;
    let statuses = count_statuses(&outcomes);
    let reasons = reasons(experiments, &outcomes);
    let cached = outcomes.iter().map(|outcome| outcome.summary.cached).sum();
    // The results have all that was in them, and they may be large.
    drop(outcomes);
    let report = report::write(&results, out)?;
    out!("{}", summary(experiments, cached, &statuses, &reasons, &report))?;
    let bad = |status: &Status| match status {
        Status::Ok => false,
        Status::Failed | Status::Invalid => true,
        Status::Timeout | Status::OutOfMemory | Status::Skipped => strict,
    };
    let cells_well = !statuses.iter().any(|(status, &count)| count > 0 && bad(status));
    let inconclusive = report.count(Verdict::Inconclusive);
    // A paper's claim on generated data proves nothing either way.
    let surprised = report.surprises().any(|claim| !on_stand_in(experiments, claim));
    let too_open = strict && inconclusive > 0;
    Ok(if cells_well && !surprised && !too_open { Exit::AllWell } else { Exit::NotAllWell })
}

/// Whether a claim was judged on generated data.
fn on_stand_in(experiments: &[Experiment], claim: &JudgedClaim) -> bool {
    experiments
        .iter()
        .filter(|experiment| experiment.spec.id == claim.experiment)
        .flat_map(|experiment| &experiment.plan.cells)
        .any(|cell| cell.figure == claim.figure && cell.origin == Origin::StandIn)
}

/// How far a run came and how to go on. `fresh` has how many cells a run under `--fresh` computed: what else is in the
/// store is older.
fn interrupted(experiments: &[Experiment], store: &Store, fresh: Option<usize>, reasons: &str) -> Failure {
    let cells = || experiments.iter().flat_map(|experiment| distinct(&experiment.plan.cells));
    let stored = |(cell, timed): &(&PlannedCell, bool)| store.has_answer(cell, *timed);
    let all = cells().count();
    Failure::interrupted(match fresh {
        None => format!(
            "{reasons}interrupted; {} of {} are done and kept. The same command goes on from there.",
            cells().filter(stored).count(),
            counted(all, "cell"),
        ),
        Some(computed) => format!(
            "{reasons}interrupted; {computed} of {} were computed anew and are kept. The same command begins anew, because \
             of --fresh; without it, it goes on from here and takes what else the store has from earlier runs.",
            counted(all, "cell"),
        ),
    })
}

/// Why cells are not ok, in lines.
fn reasons(experiments: &[Experiment], outcomes: &[Outcome]) -> String {
    let cells = experiments.iter().zip(outcomes).flat_map(|(experiment, outcome)| {
        let cells = distinct(&experiment.plan.cells).into_iter();
        cells.filter_map(|(cell, _)| Some((cell, outcome.entries.get(&cell.key)?)))
    });
    reasons_told(cells)
}

fn count_statuses(outcomes: &[Outcome]) -> BTreeMap<Status, usize> {
    let mut counts = BTreeMap::new();
    for entry in outcomes.iter().flat_map(|outcome| outcome.entries.values()) {
        *counts.entry(entry.answer.status).or_default() += 1;
    }
    counts
}

fn summary(
    experiments: &[Experiment],
    cached: usize,
    statuses: &BTreeMap<Status, usize>,
    reasons: &str,
    report: &report::Summary,
) -> String {
    let cells: usize = statuses.values().sum();
    let figures = counted(report.figures, "figure");
    let mut text = format!("{figures} of {}; {}", counted(experiments.len(), "experiment"), counted(cells, "cell"));
    if cached > 0 {
        let _ = write!(text, ", {cached} of them from the store");
    }
    for (status, count) in statuses.iter().filter(|(status, _)| **status != Status::Ok) {
        let _ = write!(text, ", {count} {}", status.as_str());
    }
    let _ = writeln!(text);
    text += reasons;
    let count = |verdict| report.count(verdict);
    let expected = |claim: &&JudgedClaim| {
        claim.conclusion.verdict == Verdict::Fails && claim.judgement.expected.verdict == Some(Expected::Fails)
    };
    let known = match report.claims.iter().filter(expected).count() {
        0 => String::new(),
        known => format!(" ({known} as expected)"),
    };
    if !report.claims.is_empty() {
        let (holds, fails, open) = (count(Verdict::Holds), count(Verdict::Fails), count(Verdict::Inconclusive));
        let _ = writeln!(text, "claims: {holds} hold, {fails} fail{known}, {open} inconclusive");
        let standing =
            |standing: Standing| Some((report.standing(standing), standing.words())).filter(|(count, _)| *count > 0);
        let standings: Vec<String> =
            Standing::ALL.into_iter().filter_map(standing).map(|(count, words)| format!("{count} {words}")).collect();
        let _ = writeln!(text, "standings: {}", standings.join(", "));
    }
    for claim in report.surprises() {
        let JudgedClaim { experiment, figure, judgement, surprise, .. } = claim;
        let surprise = surprise.as_deref().unwrap_or_default();
        let stand_in = if on_stand_in(experiments, claim) { " on a stand-in" } else { "" };
        let (says, detail) = (&judgement.says, &judgement.detail);
        let _ =
            writeln!(text, "  {experiment}, {figure}: {surprise}{stand_in}, against expectation: {says} ({detail})");
    }
    let _ = writeln!(text, "report: {}", report.index.display());
    text
}

/// measurements.csv, costs.csv, witnesses.csv and provenance.json of one experiment, and what its pages are made from.
fn write_results(experiment: &Experiment, outcome: &Outcome, out: &Path) -> Result<ExperimentResult, Failure> {
    let Experiment { spec, plan, .. } = experiment;
    let directory = out.join(&spec.id);
    let cells: Vec<&PlannedCell> = plan.cells.iter().collect();
    let renewed: Vec<&str> = plan.figures.iter().map(|figure| figure.id.as_str()).collect();
    let (kept, before) = (Kept::beside(&renewed, spec, &directory), Before::of(&directory));
    for (file, table) in TABLES {
        let path = directory.join(file);
        if kept.is_empty() {
            write_atomically_with(&path, |out| table(&cells, &outcome.entries, out))?;
            continue;
        }
        let mut ours = Vec::new();
        table(&cells, &outcome.entries, &mut ours)?;
        write_atomically(&path, &kept.joined(file, &ours, spec)?)?;
    }
    let mut provenance = provenance::of(experiment, out);
    let on_this_machine = |figure: &PlannedFigure| {
        let mut result = figure_result(experiment, figure, &outcome.entries);
        let cells: Vec<&PlannedCell> = cells.iter().copied().filter(|cell| cell.figure == figure.id).collect();
        let faults = machine_notes::faults(&cells, &outcome.entries);
        result.others.iter_mut().for_each(|(_, other)| other.notes.extend(faults.clone()));
        result.notes.extend(faults);
        result
    };
    let figures = plan.figures.iter().map(on_this_machine).collect();
    let figures = kept.figures(figures, spec, &mut provenance, before)?;
    write_atomically(&directory.join("provenance.json"), provenance::json(&provenance).as_bytes())?;
    record::write(experiment, &directory)?;
    Ok(result(spec, figures, provenance))
}

/// The same from answers alone, with the provenance of the run that gave them.
pub fn write_again(
    experiment: &Experiment,
    entries: &IndexMap<Key, Entry>,
    provenance: Provenance,
    out: &Path,
) -> Result<ExperimentResult, Failure> {
    let Experiment { spec, plan, .. } = experiment;
    let cells: Vec<&PlannedCell> = plan.cells.iter().collect();
    let directory = out.join(&spec.id);
    for (file, table) in TABLES {
        write_atomically_with(&directory.join(file), |out| table(&cells, entries, out))?;
    }
    let figures = plan.figures.iter().map(|figure| figure_result(experiment, figure, entries)).collect();
    Ok(result(spec, figures, provenance))
}

fn result(spec: &Spec, figures: Vec<FigureResult>, provenance: Provenance) -> ExperimentResult {
    ExperimentResult {
        id: spec.id.clone(),
        title: spec.file.title.clone(),
        paper: spec.file.paper.clone(),
        about: spec.file.about.clone(),
        readings: spec.file.readings.clone(),
        statements: spec.register.statements.clone(),
        figures,
        metrics: known_metrics(),
        provenance,
    }
}

/// A figure under all its readings.
fn figure_result(experiment: &Experiment, figure: &PlannedFigure, entries: &IndexMap<Key, Entry>) -> FigureResult {
    let cells: Vec<&PlannedCell> = experiment.plan.cells.iter().filter(|cell| cell.figure == figure.id).collect();
    let under = |reading: &Variant| {
        let name = reading.to_string();
        let cells: Vec<&PlannedCell> = cells.iter().copied().filter(|cell| *cell.reading == *name).collect();
        FigureResult { trials: Vec::new(), ..figure_under(experiment, figure, &cells, entries) }
    };
    let mut result = under(&Variant::default());
    result.trials = trials(&result, figure, &cells, entries);
    if figure.variants.len() <= MOST_DRAWN {
        for reading in figure.variants.iter().filter(|variant| !variant.is_default()) {
            let mut other = under(reading);
            other.trials = result.trials.iter().filter(|trial| trial.reading == *reading).cloned().collect();
            // What is known of a claim, and why, is known of the spec as it stands.
            for claim in &mut other.claims {
                (claim.expected, claim.because) = (Expectation::nothing(), None);
            }
            for judgement in other.trials.iter_mut().flat_map(|trial| &mut trial.judgements) {
                (judgement.expected, judgement.because) = (Expectation::nothing(), None);
            }
            result.others.push((reading.clone(), other));
        }
    }
    result
}

/// A figure is not drawn under more readings than these: nobody would look at them.
const MOST_DRAWN: usize = 12;

/// A figure under the reading that these cells are of.
fn figure_under(
    experiment: &Experiment,
    figure: &PlannedFigure,
    cells: &[&PlannedCell],
    entries: &IndexMap<Key, Entry>,
) -> FigureResult {
    // What is the same everywhere is told once, beside the figure.
    let mut fixed: IndexMap<String, Option<String>> = IndexMap::new();
    for &cell in cells {
        for (name, value) in cell.columns.iter().chain(&*cell.defaults).filter(|(_, value)| !value.is_null()) {
            let value = plain(value);
            fixed
                .entry(name.clone())
                .and_modify(|known| *known = known.take().filter(|known| *known == value))
                .or_insert(Some(value));
        }
    }
    let mut command = format!("anonlab run {} --only {}", shell_path(&experiment.spec.path), shell_word(&figure.id));
    if experiment.wanted.quick {
        command += " --quick";
    }
    if let Some(seed) = experiment.wanted.seed {
        let _ = write!(command, " --seed {seed}");
    }
    for setting in experiment.spec.arguments() {
        let _ = write!(command, " --set {}", shell_word(&setting));
    }
    for word in Variation::words(experiment.wanted.readings, experiment.wanted.seeds) {
        let _ = write!(command, " {word}");
    }
    let draw = figure.figure.draw.clone().with_labels(experiment.spec.file.all_labels());
    let observations = Observations::of_cells(cells, entries);
    let mut notes = notes(cells);
    if observations.origins.iter().any(|(_, origin)| *origin == Origin::StandIn) {
        let reading = cells.first().map_or("default", |cell| &cell.reading);
        notes.extend(nearness(&experiment.spec.id, &figure.id, reading, &draw));
    }
    FigureResult {
        id: figure.id.clone(),
        title: figure.figure.title.clone(),
        caption: figure.figure.caption.clone(),
        draw,
        reference: figure.figure.reference.clone(),
        claims: figure.figure.claims.clone(),
        unclaimed: figure.figure.unclaimed.clone(),
        observations,
        trials: Vec::new(),
        others: Vec::new(),
        limits: figure.limits,
        repetitions: figure.figure.repetitions as usize,
        seed: experiment.plan.seeds[0],
        parameters: fixed.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
        notes: notes.into_iter().chain(machine_notes::disturbed(cells, entries)).collect(),
        command,
        quick: experiment.wanted.quick,
        spec_digest: experiment.spec.digest.clone(),
        code_digest: code_digest().to_string(),
        kept: None,
    }
}

/// The claims of a figure under each of its readings and with each seed. Where nothing is drawn, one seed says it all.
fn trials(
    result: &FigureResult,
    figure: &PlannedFigure,
    cells: &[&PlannedCell],
    entries: &IndexMap<Key, Entry>,
) -> Vec<Trial> {
    if result.claims.is_empty() {
        return Vec::new();
    }
    let metrics = known_metrics();
    let mut trials: Vec<Trial> = Vec::new();
    for reading in &figure.variants {
        let name = reading.to_string();
        let cells: Vec<&PlannedCell> = cells.iter().copied().filter(|cell| *cell.reading == *name).collect();
        let seeds: IndexSet<u64> = cells.iter().filter_map(|cell| cell.cell.seed).collect();
        let draws = |claim: &Claim| {
            let algorithms = claim.algorithms();
            cells.iter().filter(|cell| cell.cell.seed.is_some()).any(|cell| match &cell.cell.algorithm {
                Some(algorithm) => algorithms.is_empty() || algorithms.contains(&algorithm.name.as_str()),
                None => true,
            })
        };
        let draws: Vec<bool> = result.claims.iter().map(draws).collect();
        // Where nothing is drawn, one trial says it all.
        let seeds: Vec<Option<u64>> = if seeds.is_empty() { vec![None] } else { seeds.into_iter().map(Some).collect() };
        for seed in seeds {
            let of_seed = |cell: &&PlannedCell| cell.cell.seed.is_none() || cell.cell.seed == seed;
            let cells: Vec<&PlannedCell> = cells.iter().copied().filter(of_seed).collect();
            let mut judgements = result.judge(&Observations::of_cells(&cells, entries), &metrics);
            if !trials.is_empty() {
                judgements.iter_mut().for_each(|judgement| judgement.evidence = Vec::new());
            }
            trials.push(Trial { reading: reading.clone(), seed, judgements, draws: draws.clone() });
        }
    }
    trials
}

/// The notes of cells, each once, with the algorithms it is about where these are not all.
fn notes(cells: &[&PlannedCell]) -> Vec<String> {
    let algorithm = |cell: &PlannedCell| cell.cell.algorithm.as_ref().map(|algorithm| algorithm.name.clone());
    let everybody: IndexSet<Option<String>> = cells.iter().map(|cell| algorithm(cell)).collect();
    let mut notes: IndexMap<&str, IndexSet<Option<String>>> = IndexMap::new();
    for &cell in cells {
        for note in cell.notes.iter() {
            notes.entry(note).or_default().insert(algorithm(cell));
        }
    }
    let told = |(note, of): (&str, IndexSet<Option<String>>)| match of.len() == everybody.len() {
        true => note.to_string(),
        false => format!("{}: {note}", of.into_iter().flatten().collect::<Vec<_>>().join(", ")),
    };
    notes.into_iter().map(told).collect()
}

/// What every metric of every algorithm and measure is.
pub fn known_metrics() -> BTreeMap<String, MetricInfo> {
    let counters = publishers().iter().flat_map(|publisher| publisher.about().counters);
    let counters = counters.map(|metric| (metric.name.to_string(), MetricInfo::new(metric, Side::Fact)));
    let measured = measures().iter().flat_map(|measure| {
        let about = measure.about();
        let info = |metric| MetricInfo::new(metric, Side::from(about.kind));
        about.metrics.iter().map(move |metric| (metric.name.to_string(), info(metric)))
    });
    counters.chain(measured).collect()
}
