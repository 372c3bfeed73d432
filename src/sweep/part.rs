//! Runs some cells of a plan into the store and writes nothing else: what shards and tasks of a cluster do. Any number
//! of them may do so in one directory at the same time; they meet in the store alone, whose entries appear whole.

use super::SweepError;
use crate::lab::counted;
use crate::run::{
    Interrupt, Policy, ProcessExecutor, Progress, ProgressStyle, Status, Store, Turns, distinct, missing_told,
    reasons_told, run_cells, sweep_below,
};
use crate::spec::Experiment;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

pub struct Part<'a> {
    pub out: &'a Path,
    pub jobs: usize,
    pub fresh: bool,
    pub keep_releases: bool,
    pub style: ProgressStyle,
}

/// What became of a part's cells.
#[derive(Debug, Default)]
pub struct PartSummary {
    cells: usize,
    cached: usize,
    statuses: BTreeMap<Status, usize>,
    /// Why cells are not ok, in lines.
    reasons: String,
}

impl Part<'_> {
    pub fn run(&self, experiments: &[Experiment], wanted: impl Fn(&str) -> bool) -> Result<PartSummary, SweepError> {
        sweep_below(self.out);
        let interrupt = Interrupt::on_signals()?;
        let store = Store::in_directory(self.out);
        let mut summary = PartSummary::default();
        let mut missing = 0;
        for experiment in experiments {
            let cells: Vec<_> =
                experiment.plan.cells.iter().filter(|cell| wanted(cell.key.as_str())).cloned().collect();
            let policy = Policy {
                jobs: self.jobs,
                fresh: self.fresh,
                locations: experiment.wanted.locations.for_spec_in(experiment.spec.directory()),
                keep: self.keep_releases.then(|| self.out.join(&experiment.spec.id).join("releases")),
                turns: Some(Turns::of_this_machine()),
                pin: None,
            };
            let executor = ProcessExecutor::this_binary()?;
            let progress = Progress::new(self.style);
            let outcome = run_cells(&cells, &policy, &executor, &store, &progress, &interrupt)?;
            if outcome.summary.interrupted {
                let message = match self.fresh {
                    false => "interrupted; what is done is kept, and the same command goes on from there",
                    true => "interrupted; what is done is kept; the same command without --fresh goes on from there",
                };
                return Err(SweepError::Interrupted(message.to_string()));
            }
            missing += outcome.summary.missing;
            summary.cells += outcome.entries.len();
            summary.cached += outcome.summary.cached;
            for entry in outcome.entries.values() {
                *summary.statuses.entry(entry.answer.status).or_default() += 1;
            }
            summary.reasons += &reasons_told(
                distinct(&cells)
                    .into_iter()
                    .filter_map(|(cell, _)| outcome.entries.get(&cell.key).map(|entry| (cell, entry))),
            );
        }
        if missing > 0 {
            return Err(SweepError::Unfinished(missing_told(missing)));
        }
        Ok(summary)
    }
}

impl fmt::Display for PartSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", counted(self.cells, "cell"))?;
        if self.cached > 0 {
            write!(f, ", {} of them from the store", self.cached)?;
        }
        for (status, count) in self.statuses.iter().filter(|(status, _)| **status != Status::Ok) {
            write!(f, ", {count} {status}")?;
        }
        match self.reasons.trim_end() {
            "" => Ok(()),
            reasons => write!(f, "\n{reasons}"),
        }
    }
}
