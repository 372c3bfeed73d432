//! What `run` and `reproduce` share: from specs to results on disk.

use super::figure_args::FigureArgs;
use super::figure_results::figure_result;
use super::kept::{Before, Kept, check_owner};
use super::list::counted;
use super::run_options::RunOptions;
use super::run_summary::{count_statuses, excuse, reasons, summary};
use super::show_rows::introduce_rows;
use super::{Exit, Failure, data_first, jail, machine_notes, provenance, record};
use crate::cli::output::out;
use crate::report::{self, ExperimentResult, FigureResult, Provenance, Verdict, known_metrics};
use crate::run::{
    DirectoryLock, Entry, Interrupt, Key, PlannedCell, Policy, ProcessExecutor, Progress, RunOutcome, Status, Store,
    TABLES, distinct, missing_told, now, run_cells, sweep_below, write_atomically, write_atomically_with,
};
use crate::sources::DataLocations;
use crate::spec::{Experiment, PlannedFigure, Spec};
use indexmap::IndexMap;
use std::path::Path;

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
    let store = Store::in_directory(&options.out);
    data_first::check(&experiments, (!options.fresh).then_some(&store))?;
    jail::tell(experiments.iter().flat_map(|experiment| &experiment.plan.cells));
    let _lock = DirectoryLock::acquire(&options.out).map_err(Failure::new)?;
    sweep_below(&options.out);
    let interrupt = Interrupt::on_signals()?;
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
pub fn finish(
    experiments: &[Experiment],
    outcomes: Vec<RunOutcome>,
    out: &Path,
    strict: bool,
) -> Result<Exit, Failure> {
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
    let surprised = report.surprises().any(|claim| strict || excuse(experiments, claim).is_none());
    let too_open = strict && inconclusive > 0;
    Ok(if cells_well && !surprised && !too_open { Exit::AllWell } else { Exit::NotAllWell })
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

/// measurements.csv, costs.csv, witnesses.csv and provenance.json of one experiment, and what its pages are made from.
fn write_results(experiment: &Experiment, outcome: &RunOutcome, out: &Path) -> Result<ExperimentResult, Failure> {
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
        metrics: known_metrics().clone(),
        provenance,
    }
}
