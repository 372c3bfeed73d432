//! A cell whose algorithm is a program of somebody's own.

use super::lifetime::{KILLED_EXIT, die_with_parent};
use super::order::WorkOrder;
use super::publication::Publication;
use crate::answer::{Answer, Status};
use crate::data::Dataset;
use crate::external::{self, Assignment, External, ProgramFailure, Published, Usage};
use crate::lab::{Cost, LabError};
use crate::measures::measures;
use crate::publish::{contract, publishers};
use rand::Rng;
use rustix::process::Signal;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Instant;

/// Runs the program of a cell in this worker, which began at `start`.
pub(super) fn publish(program: &External, order: &WorkOrder, dataset: &Dataset, start: Instant) -> Publication {
    let cell = &order.cell;
    let parameters = cell.algorithm.as_ref().map(|algorithm| algorithm.parameters.clone()).unwrap_or_default();
    let assignment = Assignment {
        program,
        dataset,
        parameters: &parameters,
        // 53 bits, which every language reads exactly.
        seed: cell.root().stream("program", &cell.algorithm_axes()).next_u64() >> 11,
        deadline: start + order.limits.time.0,
        memory: order.limits.memory.0,
    };
    let (published, usage) = match AskedToEnd::listen() {
        Ok(asked) => {
            let result = external::publish(&assignment, &|| asked.is_asked());
            asked.done();
            result
        }
        Err(error) => (Err(ProgramFailure::NotRun(format!("cannot listen to signals: {error}"))), Usage::default()),
    };
    let guarantee = contract(program.release, Some(&program.guarantee))
        .ok_or_else(|| LabError::input(format!("{} have no guarantee `{}`", program.release, program.guarantee)))
        .and_then(|contract| contract.guarantee(&parameters));
    let published = published.and_then(|published| {
        let reserved = published.counters.iter().find(|(name, _)| reserved_counter(name));
        match reserved {
            Some((name, _)) => {
                Err(ProgramFailure::Failed(format!("reports `{name}` itself, which is for the lab to measure")))
            }
            None => Ok(published),
        }
    });
    match published {
        Ok(Published { release, phases, counters }) => {
            let mut costs = vec![(Cost::Seconds.name().to_string(), usage.elapsed.as_secs_f64())];
            costs.extend(phases.into_iter().map(|(name, time)| (Cost::Seconds.of_part(&name), time.as_secs_f64())));
            costs.push((Cost::CpuSeconds.name().to_string(), usage.cpu.as_secs_f64()));
            costs.push((Cost::PeakRssBytes.name().to_string(), usage.peak_resident_bytes as f64));
            Publication { release: Ok(release), guarantee, costs, counters }
        }
        Err(failure) => {
            let answer = answer_of(failure, order);
            Publication { release: Err(answer), guarantee, costs: Vec::new(), counters: Vec::new() }
        }
    }
}

/// Whether a program must not report a counter of this name: it is the name of something the lab measures.
pub fn reserved_counter(name: &str) -> bool {
    let measured = || measures().iter().flat_map(|measure| measure.about().metrics).any(|metric| metric.name == name);
    let counted =
        || publishers().iter().flat_map(|publisher| publisher.about().counters).any(|metric| metric.name == name);
    Cost::of(name).is_some() || (measured() && !counted())
}

fn answer_of(failure: ProgramFailure, order: &WorkOrder) -> Answer {
    let (status, reason) = match failure {
        ProgramFailure::Timeout => (Status::Timeout, format!("took longer than {}", order.limits.time)),
        ProgramFailure::OutOfMemory(reason) => (Status::OutOfMemory, reason),
        ProgramFailure::Refused(reason) => (Status::Failed, reason),
        ProgramFailure::Invalid(reason) => (Status::Invalid, reason),
        // What made a program fail may lie outside of it (a module that is not installed), where no key sees it: it runs
        // again next time.
        ProgramFailure::Failed(reason) | ProgramFailure::NotRun(reason) => {
            return Answer { crashed: true, ..Answer::without_result(Status::Failed, reason) };
        }
        ProgramFailure::Stopped => no_answer("was asked to end"),
        ProgramFailure::Killed(how) => no_answer(&how),
    };
    Answer::without_result(status, reason)
}

/// Ends this worker: what somebody outside did to its program, or to itself, says nothing about the cell.
fn no_answer(how: &str) -> ! {
    eprintln!("{how}");
    std::process::exit(KILLED_EXIT)
}

/// SIGTERM while a program runs: the program and all that it started must end before this worker does. The run sends it
/// at the deadline and when it is interrupted, the kernel when the run is killed.
struct AskedToEnd {
    asked: Arc<AtomicBool>,
    /// No program runs, so the signal ends this process as it would any other.
    idle: Arc<AtomicBool>,
}

impl AskedToEnd {
    fn listen() -> io::Result<Self> {
        let asked = Self { asked: Arc::default(), idle: Arc::default() };
        signal_hook::flag::register_conditional_shutdown(libc::SIGTERM, 143, Arc::clone(&asked.idle))?;
        signal_hook::flag::register(libc::SIGTERM, Arc::clone(&asked.asked))?;
        die_with_parent(Signal::TERM);
        Ok(asked)
    }

    fn is_asked(&self) -> bool {
        self.asked.load(SeqCst)
    }

    fn done(&self) {
        self.idle.store(true, SeqCst);
        die_with_parent(Signal::KILL);
    }
}
