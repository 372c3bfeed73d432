//! The measures of a cell, one after another or on several threads. What they find is the same, and so is what each takes from the
//! heap: a measure runs on one thread, and every thread has its own account.

#![forbid(unsafe_code)]

use super::honesty::holds_to_its_word;
use super::order::{Timing, WorkOrder};
use super::spending::spend;
use super::telling::tell;
use crate::answer::Answer;
use crate::cell::{Cell, MeasureCell};
use crate::data::Dataset;
use crate::lab::{Attachment, Cost, LabError, Observation, Shared, Whereabouts, Witness, Workbench};
use crate::measures::measure;
use crate::release::Release;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What is measured.
pub(super) struct Subject<'a> {
    pub order: &'a WorkOrder,
    pub dataset: &'a Dataset,
    pub release: Option<&'a Release>,
    pub shared: Option<Shared>,
}

/// What one measure found, and what it took.
struct MeasureResult {
    observations: Vec<Observation>,
    /// Of each workload after the first.
    further_workloads: Vec<Vec<Observation>>,
    costs: Vec<(String, f64)>,
    attachments: Vec<Attachment>,
    witnesses: Vec<Witness>,
}

/// Takes all measures of the cell, and puts what they find into `answer`, in their order. Returns what they leave beside it.
pub(super) fn measure_all(subject: &Subject<'_>, answer: &mut Answer) -> Result<Vec<Attachment>, LabError> {
    let mut attachments = Vec::new();
    for measured in all_measured(subject) {
        let measured = measured?;
        answer.observations.extend(measured.observations);
        answer.costs.metrics.extend(measured.costs.into_iter().map(|(name, cost)| (name.into(), cost)));
        answer.witnesses.extend(measured.witnesses);
        attachments.extend(measured.attachments);
        for (place, observations) in measured.further_workloads.into_iter().enumerate() {
            if answer.further_workloads.len() <= place {
                answer.further_workloads.push(Vec::new());
            }
            answer.further_workloads[place].extend(observations);
        }
    }
    Ok(attachments)
}

/// In the order of the measures; nothing behind the first that fails is looked at.
fn all_measured(subject: &Subject<'_>) -> Vec<Result<MeasureResult, LabError>> {
    let measures = &subject.order.cell.measures;
    let threads = threads(subject.order).min(measures.len());
    if threads <= 1 {
        let mut all = Vec::with_capacity(measures.len());
        for wanted in measures.iter() {
            all.push(subject.measure(wanted));
            if all.last().is_some_and(Result::is_err) {
                break;
            }
        }
        return all;
    }
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(measures.len())));
    let take = || {
        while let Some((place, wanted)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, measures.get(i)?))) {
            let measured = subject.measure(wanted);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((place, measured));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where no thread can be had, those that run take more.
            let _ = std::thread::Builder::new().spawn_scoped(scope, take);
        }
        take();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, measured)| measured).collect()
}

/// A cell whose time is looked at has one core.
pub(super) fn threads(order: &WorkOrder) -> usize {
    let Timing { careful, pin } = order.timing;
    if careful || pin.is_some() { 1 } else { order.threads }
}

impl Subject<'_> {
    fn measure(&self, wanted: &MeasureCell) -> Result<MeasureResult, LabError> {
        let Self { order, dataset, release, .. } = *self;
        let cell = &order.cell;
        let known = measure(&wanted.measure)
            .ok_or_else(|| LabError::input(format!("there is no measure `{}`", wanted.measure)))?;
        let whereabouts = order.tell.then(|| Whereabouts::new(tell));
        if let Some(whereabouts) = &whereabouts {
            whereabouts.enter(&format!("measuring {}", wanted.name));
        }
        let bench = |repetition: u32| {
            Workbench::new(cell.root(), cell.measure_axes(wanted, repetition))
                .sharing(self.shared.clone())
                .telling(whereabouts.clone())
        };
        let mut first = bench(cell.repetition).keeping_attachments(order.keep.is_some()).wanting_witnesses(true);
        let (observations, spent) = spend(|| known.measure(dataset, release, &wanted.parameters, &mut first));
        let spent = spent.without(first.spent_aside());
        holds_to_its_word(known.name(), known.draws(), &first)?;
        let observations = observations.map_err(|error| prefixed(&wanted.name, error))?;
        // A measure's time is its own cost, named after it and its phases.
        let own = std::iter::once((wanted.name.as_str(), spent.elapsed));
        let phases = first.phases().iter().map(|phase| (&*phase.name, phase.elapsed));
        let times = own.chain(phases).map(|(name, time)| (Cost::Seconds.of_part(name), time.as_secs_f64()));
        let mut costs: Vec<(String, f64)> = times.collect();
        costs.push((Cost::PeakHeapBytes.of_part(&wanted.name), spent.heap.peak_bytes as f64));
        // The costs are those of the first workload: of the others only what they say of the release is wanted.
        let further = 1..if known.draws() { cell.workloads } else { 1 };
        let again = further.map(|further| {
            let mut bench = bench(cell.repetition + further);
            let observations = known.measure(dataset, release, &wanted.parameters, &mut bench);
            observations.map(finite).map_err(|error| prefixed(&wanted.name, error))
        });
        Ok(MeasureResult {
            observations: finite(observations),
            further_workloads: again.collect::<Result<Vec<_>, _>>()?,
            costs,
            attachments: first.attachments().to_vec(),
            witnesses: shown(first.witnesses(), cell, dataset),
        })
    }
}

/// Without what is no finite number, such as more cuts than a float can count: JSON has no word for it, and whoever reads the answer would
/// lose all of it.
fn finite(mut observations: Vec<Observation>) -> Vec<Observation> {
    observations.retain(|observation| observation.value.is_finite());
    observations
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_again_whatever_a_measure_finds() {
        let found = [f64::INFINITY, 1.0, f64::NAN].map(|value| Observation { metric: "m".into(), at: None, value });
        let values: Vec<f64> = finite(found.to_vec()).iter().map(|observation| observation.value).collect();
        assert_eq!(values, [1.0]);
    }
}
