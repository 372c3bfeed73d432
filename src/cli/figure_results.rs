//! A figure's cells and answers under each of its readings, and its claims under each reading and seed.

use super::machine_notes;
use super::variation::Variation;
use crate::data::Origin;
use crate::report::{FigureResult, Observations, Trial, known_metrics, nearness};
use crate::run::{Entry, Key, PlannedCell, code_digest, plain, shell_path, shell_word};
use crate::spec::claim::Claim;
use crate::spec::expectation::Expectation;
use crate::spec::{Experiment, PlannedFigure, Variant};
use indexmap::{IndexMap, IndexSet};
use std::fmt::Write;

/// A figure under all its readings.
pub fn figure_result(experiment: &Experiment, figure: &PlannedFigure, entries: &IndexMap<Key, Entry>) -> FigureResult {
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
        seeds: cells.iter().filter_map(|cell| cell.cell.seed).collect::<IndexSet<u64>>().len().max(1),
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
            let mut judgements = result.judge(&Observations::of_cells(&cells, entries), known_metrics());
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
