use super::clock::cpu_time;
use super::shared::{Shared, SharedNumbers};
use super::{Seed, Whereabouts, Witness};
use indexmap::IndexMap;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A named stretch of an algorithm's time ("mining", "bucketization").
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// The phase's name, as in `seconds.<name>`.
    pub name: String,
    /// What all its stretches took together.
    pub elapsed: Duration,
}

/// What was spent on counting what an algorithm as printed would do, which is no part of what the algorithm costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aside {
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Processor time.
    pub cpu: Duration,
}

/// A file an audit can leave behind beside its numbers (a table of posteriors), written under `--keep-releases`.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The file's name.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What an algorithm works on: its random streams, its named phases and its counters.
///
/// Counters are facts of the computation (nodes of a tree, itemsets kept, rules mined) that repeat to the last digit;
/// what a release is worth is for measures to say, never for the algorithm.
#[derive(Debug)]
pub struct Workbench {
    seed: Seed,
    /// What streams of this workbench depend on, as JSON: the dataset, the algorithm and its parameters, the repetition.
    axes: serde_json::Value,
    phases: Vec<Phase>,
    aside: Aside,
    counters: IndexMap<String, f64>,
    keeps_attachments: bool,
    attachments: Vec<Attachment>,
    wants_witnesses: bool,
    witnesses: Vec<Witness>,
    /// Whether a random stream was asked for.
    drew: AtomicBool,
    shared: Option<Shared>,
    whereabouts: Option<Whereabouts>,
}

impl Workbench {
    /// A workbench whose random streams belong to `axes`.
    pub fn new(seed: Seed, axes: impl Serialize) -> Self {
        Self {
            seed,
            axes: serde_json::to_value(axes).expect("axes are plain data, which always serializes"),
            phases: Vec::new(),
            aside: Aside::default(),
            counters: IndexMap::new(),
            keeps_attachments: false,
            attachments: Vec::new(),
            wants_witnesses: false,
            witnesses: Vec::new(),
            drew: AtomicBool::new(false),
            shared: None,
            whereabouts: None,
        }
    }

    /// Whether somebody wants attachments: without, none are kept.
    pub fn keeping_attachments(mut self, keep: bool) -> Self {
        self.keeps_attachments = keep;
        self
    }

    /// Whether somebody wants witnesses: without, none are kept.
    pub fn wanting_witnesses(mut self, wanted: bool) -> Self {
        self.wants_witnesses = wanted;
        self
    }

    /// Cells on the same dataset share what `shared_numbers` keeps.
    pub fn sharing(mut self, shared: Option<Shared>) -> Self {
        self.shared = shared;
        self
    }

    /// Somebody wants to know how far the work is.
    pub fn telling(mut self, whereabouts: Option<Whereabouts>) -> Self {
        self.whereabouts = whereabouts;
        self
    }

    /// Says that so much of the work is done, if anybody wants to know.
    pub fn reached(&self, done: usize, of: usize) {
        if let Some(whereabouts) = &self.whereabouts {
            whereabouts.reached(done, of);
        }
    }

    /// Where numbers are kept that depend on the dataset, `inputs` and the random streams of this workbench alone; None where
    /// nothing is shared.
    pub fn shared_numbers(&self, name: &str, inputs: &impl Serialize) -> Option<SharedNumbers> {
        let inputs = serde_json::to_vec(&(self.seed.0, &self.axes, inputs)).ok()?;
        Some(self.shared.as_ref()?.numbers(name, &inputs))
    }

    /// A random stream of this cell; the same name gives the same stream again.
    pub fn rng(&self, stream: &str) -> ChaCha8Rng {
        self.drew.store(true, Relaxed);
        self.seed.stream(stream, &self.axes)
    }

    /// Whether anything was drawn: what says that it draws nothing is held to it.
    pub fn drew(&self) -> bool {
        self.drew.load(Relaxed)
    }

    /// Times `work` under `name`. A phase entered again adds to its time.
    pub fn phase<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = work(self);
        self.add_to_phase(name, start.elapsed());
        result
    }

    fn add_to_phase(&mut self, name: &str, elapsed: Duration) {
        match self.phases.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => phase.elapsed += elapsed,
            None => self.phases.push(Phase { name: name.to_string(), elapsed }),
        }
    }

    /// A phase of instrumentation: timed under its name, and in no total. Peaks and numbers of allocations have it in them.
    pub fn aside<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let (cpu, start) = (cpu_time(), Instant::now());
        let result = self.phase(name, |_| work());
        self.aside.elapsed += start.elapsed();
        self.aside.cpu += cpu_time().saturating_sub(cpu);
        result
    }

    /// What all asides took together.
    pub fn spent_aside(&self) -> Aside {
        self.aside
    }

    /// Reports a counter; a later report of the same name replaces it.
    pub fn count(&mut self, name: &str, value: f64) {
        self.counters.insert(name.to_string(), value);
    }

    /// Leaves a file beside the numbers, if anybody asked for it; `content` is not called otherwise.
    pub fn attach(&mut self, name: &str, content: impl FnOnce() -> Vec<u8>) {
        if self.keeps_attachments {
            self.attachments.push(Attachment { name: name.to_string(), bytes: content() });
        }
    }

    /// Shows cases behind the numbers, if anybody wants them; `cases` is not called otherwise. The time it takes is no part
    /// of what the measure costs.
    pub fn witness<I: IntoIterator<Item = Witness>>(&mut self, cases: impl FnOnce() -> I) {
        if self.wants_witnesses {
            let (cpu, start) = (cpu_time(), Instant::now());
            self.witnesses.extend(cases());
            self.aside.elapsed += start.elapsed();
            self.aside.cpu += cpu_time().saturating_sub(cpu);
        }
    }

    /// The cases that were noted.
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// The phases in the order in which they began.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Counters by name, in the order in which they were first counted.
    pub fn counters(&self) -> &IndexMap<String, f64> {
        &self.counters
    }

    /// Files that an audit left beside its numbers.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instrumentation_is_timed_aside() {
        let mut bench = Workbench::new(Seed(1), ());
        bench.phase("search", |_| ());
        assert_eq!(bench.aside("counting", || 7), 7);
        bench.aside("counting", || std::thread::sleep(Duration::from_millis(5)));
        let named: Vec<&str> = bench.phases().iter().map(|phase| phase.name.as_str()).collect();
        assert_eq!(named, ["search", "counting"]);
        let spent = bench.spent_aside();
        assert!(spent.elapsed >= Duration::from_millis(5) && spent.elapsed >= bench.phases()[1].elapsed);
    }
}
