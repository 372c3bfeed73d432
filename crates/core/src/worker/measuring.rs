//! Every measure of a cell, taken on its release.

#![forbid(unsafe_code)]

use super::honesty::holds_to_its_word;
use super::order::WorkOrder;
use super::spending::spend;
use crate::answer::Answer;
use crate::cell::{Cell, MeasureCell};
use crate::data::Dataset;
use crate::lab::{Attachment, Cost, LabError, Shared, Whereabouts, Witness, Workbench};
use crate::measures::measure;
use crate::release::Release;

/// What measures are given beside data and release, none of which changes what they find.
pub(super) struct Around {
    pub shared: Option<Shared>,
    pub whereabouts: Option<Whereabouts>,
}

impl Around {
    fn bench(&self, cell: &Cell, measure: &MeasureCell, repetition: u32) -> Workbench {
        Workbench::new(cell.root(), cell.measure_axes(measure, repetition))
            .sharing(self.shared.clone())
            .telling(self.whereabouts.clone())
    }
}

pub(super) fn measure_all(
    order: &WorkOrder,
    dataset: &Dataset,
    release: Option<&Release>,
    around: &Around,
    answer: &mut Answer,
    attachments: &mut Vec<Attachment>,
) -> Result<(), LabError> {
    for wanted in order.cell.measures.iter() {
        let known = measure(&wanted.measure)
            .ok_or_else(|| LabError::input(format!("there is no measure `{}`", wanted.measure)))?;
        let cell = &order.cell;
        if let Some(whereabouts) = &around.whereabouts {
            whereabouts.enter(&format!("measuring {}", wanted.name));
        }
        let mut bench = around
            .bench(cell, wanted, cell.repetition)
            .keeping_attachments(order.keep.is_some())
            .wanting_witnesses(true);
        let (observations, spent) = spend(|| known.measure(dataset, release, &wanted.parameters, &mut bench));
        let spent = spent.without(bench.spent_aside());
        holds_to_its_word(known.name(), known.draws(), &bench)?;
        answer.observations.extend(observations.map_err(|error| prefixed(&wanted.name, error))?);
        // A measure's time is its own cost, named after it and its phases.
        let own = std::iter::once((wanted.name.as_str(), spent.elapsed));
        let phases = bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed));
        answer
            .costs
            .metrics
            .extend(own.chain(phases).map(|(name, time)| (Cost::Seconds.of_part(name).into(), time.as_secs_f64())));
        answer.costs.metrics.push((Cost::PeakHeapBytes.of_part(&wanted.name).into(), spent.heap.peak_bytes as f64));
        attachments.extend(bench.attachments().iter().cloned());
        answer.witnesses.extend(shown(bench.witnesses(), cell, dataset));
        // The costs are those of the first workload: of the others only what they say of the release is wanted.
        for further in 1..if known.draws() { cell.workloads } else { 1 } {
            let mut bench = around.bench(cell, wanted, cell.repetition + further);
            let observations = known.measure(dataset, release, &wanted.parameters, &mut bench);
            let place = further as usize - 1;
            if answer.further_workloads.len() <= place {
                answer.further_workloads.push(Vec::new());
            }
            answer.further_workloads[place].extend(observations.map_err(|error| prefixed(&wanted.name, error))?);
        }
    }
    Ok(())
}

/// Witnesses as they may be kept: with what the original says of their rows, or by number alone.
pub(super) fn shown(witnesses: &[Witness], cell: &Cell, dataset: &Dataset) -> Vec<Witness> {
    let rows_may_be_shown = cell.dataset.rows_may_be_shown(dataset.origin);
    let shown = |witness: &Witness| {
        let mut witness = witness.clone();
        match rows_may_be_shown {
            true => dataset.introduce(&mut witness),
            false => witness.by_number(),
        }
        witness
    };
    witnesses.iter().map(shown).collect()
}

fn prefixed(measure: &str, error: LabError) -> LabError {
    match error {
        LabError::Input(message) => LabError::Input(format!("{measure}: {message}")),
        LabError::Unreachable(message) => LabError::Unreachable(format!("{measure}: {message}")),
        LabError::NoAnswer(message) => LabError::NoAnswer(format!("{measure}: {message}")),
    }
}
