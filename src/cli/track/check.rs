use super::against::Against;
use super::capsule;
use super::measure::{Bench, MeasureOptions, MeasuredSide, lanes};
use super::revision::Checkout;
use crate::cli::output::out;
use crate::cli::{Exit, Failure};
use crate::run::{Machine, write_atomically};
use crate::sources::DataLocations;
use crate::statistics::median;
use crate::track::{
    self, ChangeFinding, CheckFormat, CheckOutcome, CheckReport, ComparedCell, ComparedSide, History,
    InterleaveSettings, Lane, RunComparison, Snapshot, Spreads, Topic,
};
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Compare this build with a baseline, another build or a revision, and say what got worse
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab track check --quick --embedded-data --against baselines\n  anonlab track check --against main --allow-external --only fig4a\n  anonlab track check --against result.zip --spec mine.yaml\n  anonlab track check --against ./anonlab-1.0 --lane noisy --samples 20\n  anonlab track check --against baselines --write markdown=summary.md --write junit=track.xml\n\nExit codes: 0 unchanged or better · 1 regression · 2 bad input · 3 nothing comparable was measured"
)]
pub struct Args {
    /// A baseline (file or directory), a capsule, an anonlab binary, or a git revision, which is built (under --allow-external)
    #[arg(long, value_name = "FILE|DIR|CAPSULE|BINARY|REVISION", default_value = "baselines")]
    against: String,
    /// Which lanes to compare; by default exact against a baseline, both against a binary or a revision
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    lane: Vec<Lane>,
    /// A history, which tells how far each cell's seconds move by themselves
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Also fail on what is inconclusive or could not be compared
    #[arg(long)]
    strict: bool,
    /// What is printed
    #[arg(long, default_value = "text")]
    format: CheckFormat,
    /// Further formats, into files
    #[arg(long, value_name = "FORMAT=FILE", value_parser = format_and_file)]
    write: Vec<(CheckFormat, PathBuf)>,
    #[command(flatten)]
    options: MeasureOptions,
}

fn format_and_file(text: &str) -> Result<(CheckFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("write FORMAT=FILE, e.g. markdown=summary.md")?;
    Ok((CheckFormat::from_str(format, false)?, PathBuf::from(file)))
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let against = Against::resolve(&args.against)?;
    let history =
        args.history.as_deref().map(History::read).transpose().map_err(|error| Failure::new(error.to_string()))?;
    let specs = args.options.specs()?;
    let now = MeasuredSide::here(&specs, &args.options, locations)?;
    let then = match &against {
        Against::Baseline(path) => Then::Remembered(remembered(args, path)?),
        Against::Capsule(path) => Then::Remembered(restricted(args, capsule::snapshot(path, locations)?)),
        Against::Binary(path) => Then::Measured(MeasuredSide::by(path.clone(), &specs, &args.options, locations)?),
        Against::Revision(commit) => Then::Measured(revision(args, commit, &specs, locations)?),
    };
    let both = [Lane::Exact, Lane::Noisy];
    let lanes = lanes(&args.lane, if matches!(then, Then::Remembered(_)) { &both[..1] } else { &both });
    let bench = Bench::new(&args.options)?;
    let check = Check { args, bench: &bench, now: &now, then: &then, history: history.as_ref() };
    let (comparison, measured) = check.run(&lanes)?;
    let outcome = CheckOutcome::of(&comparison, args.strict);
    let report = CheckReport { against: &args.against, comparison: &comparison, measured: &measured, outcome };
    for (format, file) in &args.write {
        write_atomically(file, track::render(*format, &report).as_bytes())?;
    }
    out!("{}", track::render(args.format, &report))?;
    Ok(match outcome {
        CheckOutcome::Well => Exit::AllWell,
        CheckOutcome::Regression | CheckOutcome::Open => Exit::NotAllWell,
        CheckOutcome::NothingComparable => Exit::NothingComparable,
    })
}

/// The other side.
enum Then {
    Remembered(Snapshot),
    Measured(MeasuredSide),
}

/// A baseline, as far as it is about what was asked for.
fn remembered(args: &Args, path: &std::path::Path) -> Result<Snapshot, Failure> {
    let snapshot = track::read(path).map_err(|error| Failure::new(error.to_string()))?;
    Ok(restricted(args, snapshot))
}

fn restricted(args: &Args, mut snapshot: Snapshot) -> Snapshot {
    if !args.options.spec.is_empty() {
        let stem =
            |spec: &PathBuf| spec.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        snapshot = snapshot.restricted_to(&args.options.spec.iter().map(stem).collect::<Vec<_>>());
    }
    let only = &args.options.figures.only;
    snapshot.cells.retain(|_, record| only.is_empty() || record.figures.iter().any(|figure| only.contains(figure)));
    snapshot
}

fn revision(args: &Args, commit: &str, specs: &[PathBuf], locations: &DataLocations) -> Result<MeasuredSide, Failure> {
    let checkout = Checkout::of(commit, &locations.cache_dir)?;
    let specs = checkout.specs(specs)?;
    match checkout.binary(args.options.plan.allow_external)? {
        Some(binary) => MeasuredSide::by(binary, &specs, &args.options, locations),
        None => MeasuredSide::here(&specs, &args.options, locations),
    }
}

struct Check<'a> {
    args: &'a Args,
    bench: &'a Bench<'a>,
    now: &'a MeasuredSide,
    then: &'a Then,
    history: Option<&'a History>,
}

impl Check<'_> {
    fn run(&self, lanes: &[Lane]) -> Result<(RunComparison, Snapshot), Failure> {
        // Also for the noisy lane alone: it tells which cells end well and are worth timing.
        let after = self.bench.exact(self.now)?;
        let before = match self.then {
            Then::Remembered(snapshot) => snapshot.clone(),
            Then::Measured(side) => self.bench.exact(side)?,
        };
        let exact = track::compare_exactly(&before, &after);
        let mut comparison = RunComparison::default();
        if lanes.contains(&Lane::Noisy) {
            comparison = self.noisy(&before, &after, &exact)?;
        }
        comparison = match lanes.contains(&Lane::Exact) {
            true => exact.join(comparison),
            false => exact.unmatched().join(comparison),
        };
        Ok((comparison, after))
    }

    fn noisy(&self, before: &Snapshot, after: &Snapshot, exact: &RunComparison) -> Result<RunComparison, Failure> {
        let machine = Machine::this().fingerprint();
        let spreads = Spreads { history: self.history.map(|history| (history, machine.as_str())) };
        // Cells of other data are not in it.
        let comparable = |subject: &ComparedCell| {
            exact.places.iter().any(|(id, _)| *id == subject.id)
                && before.cells.get(&subject.id).is_some_and(|record| record.is_ok())
        };
        let mut subjects: Vec<ComparedCell> = self.now.timed_subjects(after).into_iter().filter(comparable).collect();
        let samples = self.args.options.samples;
        match self.then {
            Then::Measured(then) => {
                let settings = InterleaveSettings { samples, at_another_time: false };
                let sides = [(ComparedSide::Before, then), (ComparedSide::After, self.now)];
                self.bench.in_turns(&sides, 2 * samples * subjects.len(), |hand| {
                    track::compare_in_turns(&subjects, settings, spreads, hand)
                })
            }
            Then::Remembered(before) => {
                let mut elsewhere = Vec::new();
                for (experiment, about) in &before.experiments {
                    if about.machine != machine {
                        let (topic, detail) = match about.machine.as_str() {
                            "" => (Topic::NotMeasured, "the baseline has no seconds".to_string()),
                            other => {
                                (Topic::OtherMachine, format!("seconds were recorded on {other}, this is {machine}"))
                            }
                        };
                        let found = ChangeFinding::of_experiment(topic, experiment, detail);
                        elsewhere.push(ChangeFinding { lane: Lane::Noisy, ..found });
                    }
                }
                let here = |subject: &ComparedCell| {
                    before.experiments.get(&subject.id.experiment).is_some_and(|about| about.machine == machine)
                };
                subjects.retain(here);
                let settings = InterleaveSettings { samples, at_another_time: true };
                let mut comparison =
                    self.bench.in_turns(&[(ComparedSide::After, self.now)], samples * subjects.len(), |hand| {
                        let mut hand = |turn: ComparedSide, subject: &ComparedCell| match turn {
                            ComparedSide::After => hand(turn, subject),
                            ComparedSide::Before => {
                                let costs = before.cells.get(&subject.id).map(|record| &record.costs);
                                let costs = costs.into_iter().flatten();
                                Ok(Ok(costs
                                    .map(|(metric, values)| (metric.clone(), median(values)))
                                    .collect::<BTreeMap<_, _>>()))
                            }
                        };
                        track::compare_in_turns(&subjects, settings, spreads, &mut hand)
                    })?;
                comparison.findings.extend(elsewhere);
                Ok(comparison.sorted())
            }
        }
    }
}
