//! Holds a release to what is asked for, and measures it.

use super::asked::{Asked, Question};
use super::rows::MatchedRows;
use super::take::Taken;
use super::truth::truth;
use crate::data::{Content, Dataset};
use crate::lab::{Better, LabError, Witness, Workbench};
use crate::measure::MeasureKind;
use crate::measures::{AnyMeasure, measures};
use crate::release::{FormFault, Guarantee, Release, ReleaseKind, verify};
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct Examination {
    /// What kind of release it was read as.
    pub kind: ReleaseKind,
    /// Whether it is known to be a release of the original that keeps every guarantee asked for.
    pub holds: bool,
    /// What was taken for what.
    pub took: Vec<String>,
    /// What came of matching rows, where they may be in any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<MatchedRows>,
    /// Whether it says nothing untrue of the original. None without the original, unless the release contradicts itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Held>,
    /// Whether its files give nothing away by their form: an order, a repetition, a way of writing. Without the original, an order
    /// cannot be shown to do so, and is told among `took`.
    pub form: Held,
    /// What was asked for, and whether it is kept.
    pub guarantees: Vec<Held>,
    /// The numbers.
    pub measures: Vec<Measured>,
    /// What cannot be said, and why.
    pub unsaid: Vec<Unsaid>,
    /// Cases behind the faults and the numbers, to check by hand.
    pub witnesses: Vec<Witness>,
}

/// A promise and whether it is kept.
#[derive(Debug, Clone, Serialize)]
pub struct Held {
    /// The guarantee's name.
    pub name: String,
    /// Its parameters, complete.
    pub guarantee: Map<String, Value>,
    /// Whether no fault was found; None when it was not decided.
    pub holds: Option<bool>,
    /// The first few ways in which it is broken, or why it was not decided.
    pub faults: Vec<String>,
}

/// What one measure found.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// The measure's registered name.
    pub measure: &'static str,
    /// Whether it is an audit, a utility or about the data alone.
    pub kind: MeasureKind,
    /// Its parameters, complete.
    pub parameters: Map<String, Value>,
    /// What it found.
    pub observations: Vec<SeenNumber>,
}

/// One number.
#[derive(Debug, Clone, Serialize)]
pub struct SeenNumber {
    /// The metric's name.
    pub metric: String,
    /// Where along the metric's own axis, if it has one.
    pub at: Option<String>,
    /// The number.
    pub value: f64,
    /// Its unit; empty for shares and counts of nothing in particular.
    pub unit: &'static str,
    /// Which direction is better.
    pub better: Better,
    /// One line on what the metric is.
    pub about: &'static str,
    /// It tells how an answer came about, not what it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub diagnostic: bool,
}

/// A number that could not be given.
#[derive(Debug, Clone, Serialize)]
pub struct Unsaid {
    /// The measure or metric.
    pub of: String,
    /// The reason, in words.
    pub why: String,
}

/// A stack for measures: some go down trees that are as deep as the data is wide.
const STACK: usize = 256 << 20;

/// Verifies and measures. An error is a question that makes no sense; what cannot be answered is told in the answer.
pub fn examine(taken: Taken, question: &Question) -> Result<Examination, LabError> {
    let Taken { dataset, release, notes: mut took, rows, form } = taken;
    let kind = release.kind();
    let wanted = question.guarantees.iter().map(|asked| {
        let (guarantee, parameters) = asked.guarantee(kind, &question.conventions)?;
        Ok((asked, guarantee, parameters))
    });
    let wanted = wanted.collect::<Result<Vec<(&Asked, Guarantee, Map<String, Value>)>, LabError>>()?;
    let plan = ChosenMeasures::new(&dataset, kind, question, wanted.iter().map(|(_, guarantee, _)| guarantee))?;

    let unmatched = rows.as_ref().and_then(|rows| rows.shortage.clone());
    let undecided = rows.as_ref().and_then(|rows| rows.undecided.clone());
    let mut witnesses: Vec<Witness> = Vec::new();
    let mut held = |name: &str, guarantee: &Guarantee, parameters: Map<String, Value>| -> Result<Held, LabError> {
        if let Some(why) = &undecided {
            return Ok(Held { name: name.to_string(), guarantee: parameters, holds: None, faults: vec![why.clone()] });
        }
        let cases = match &unmatched {
            Some(shortage) => vec![Witness::of(Witness::TRUTH, shortage.as_str())],
            None => verify(&dataset, &release, guarantee)?.witnesses().to_vec(),
        };
        let cases: Vec<Witness> = cases.into_iter().map(|case| shown(case, &dataset, question.show_rows)).collect();
        let faults: Vec<String> = cases.iter().map(|case| case.says.clone()).collect();
        // What is untrue is found again by every guarantee.
        witnesses.extend(cases.into_iter().filter(|case| !witnesses.contains(case)).collect::<Vec<_>>());
        Ok(Held { name: name.to_string(), guarantee: parameters, holds: Some(faults.is_empty()), faults })
    };
    let truth = held("truth", &truth(&release), Map::new())?;
    let is_true = truth.holds;
    let guarantees = wanted
        .into_iter()
        .map(|(asked, guarantee, parameters)| held(&asked.name, &guarantee, parameters))
        .collect::<Result<Vec<_>, _>>()?;
    let (leaks, odd): (Vec<FormFault>, Vec<FormFault>) = form.into_iter().partition(|fault| fault.leaks);
    // An order that nobody knows is worth a look, and proves nothing.
    took.extend(odd.into_iter().map(|fault| fault.says));
    let form = Held {
        name: "form".to_string(),
        guarantee: Map::new(),
        holds: Some(leaks.is_empty()),
        faults: leaks.into_iter().map(|fault| fault.says).collect(),
    };
    // Without the original nobody knows what is true of it.
    let truth = (!question.alone || is_true != Some(true)).then_some(truth);
    let all = truth.iter().chain([&form]).chain(&guarantees);
    let holds = all.into_iter().all(|held| held.holds == Some(true));
    let mut examination = Examination {
        kind,
        holds,
        took,
        rows,
        truth,
        form,
        guarantees,
        measures: Vec::new(),
        unsaid: plan.unsaid,
        witnesses,
    };
    if is_true != Some(true) {
        let why = match is_true {
            Some(_) => "no number is taken from a release that says something untrue of its original",
            None => {
                "it is not known whether it is a release of this original; without --original it is audited by itself"
            }
        };
        let why = why.to_string();
        examination.unsaid.push(Unsaid { of: "every measure".to_string(), why });
        return Ok(examination);
    }
    let both = Arc::new((dataset, release));
    for (measure, parameters) in plan.measures {
        match measured(measure, parameters, &both, question) {
            Ok((measured, cases)) => {
                let cases = cases.into_iter().map(|case| shown(case, &both.0, question.show_rows));
                examination.witnesses.extend(cases);
                let seen = |name: &str| measured.observations.iter().any(|seen| seen.metric == name);
                // Other metrics are given on request; a guarantee that is reached by no finite number says something.
                let is_reached = |name: &str| name.starts_with("reached_");
                let metrics = measure.about().metrics.iter();
                let silent = metrics.filter(|metric| is_reached(metric.name) && !seen(metric.name));
                examination.unsaid.extend(silent.map(|metric| Unsaid {
                    of: metric.name.to_string(),
                    why: format!("it has no finite value here: {}", metric.about),
                }));
                examination.measures.push(measured);
            }
            Err(error) => {
                examination.unsaid.push(Unsaid { of: measure.name().to_string(), why: error.to_string() });
            }
        }
    }
    Ok(examination)
}

/// A witness with what the original says of its row, or by number alone.
fn shown(mut witness: Witness, dataset: &Dataset, show_rows: bool) -> Witness {
    match show_rows {
        true => dataset.introduce(&mut witness),
        false => witness.by_number(),
    }
    witness
}

/// Which measures are taken, with complete parameters.
struct ChosenMeasures {
    measures: Vec<(&'static dyn AnyMeasure, Map<String, Value>)>,
    unsaid: Vec<Unsaid>,
}

impl ChosenMeasures {
    fn new<'a>(
        dataset: &Dataset,
        kind: ReleaseKind,
        question: &Question,
        guarantees: impl Iterator<Item = &'a Guarantee>,
    ) -> Result<Self, LabError> {
        let mut promised = question.conventions.clone();
        for (name, value) in Guarantee::parameters_of_all(guarantees) {
            promised.entry(name).or_insert(value);
        }
        let (quasi, all_have_hierarchies) = match &dataset.content {
            Content::Table(microdata) => {
                (microdata.quasi_identifiers.len(), microdata.hierarchies.iter().all(Option::is_some))
            }
            Content::Transactions(_) => (usize::MAX, true),
        };
        let mut plan = Self { measures: Vec::new(), unsaid: Vec::new() };
        let complete = |measure: &'static dyn AnyMeasure, asked: &Map<String, Value>| {
            let mut given = asked.clone();
            for parameter in measure.parameters() {
                let shared = question.conventions.contains_key(&parameter.name)
                    || measure.of_guarantee().contains(&parameter.name.as_str());
                if let (true, Some(value)) = (shared, promised.get(&parameter.name)) {
                    given.entry(parameter.name.clone()).or_insert_with(|| value.clone());
                }
                // Queries restrict no more attributes than there are.
                let default = parameter.default.as_ref().and_then(Value::as_u64);
                if parameter.name == "dim" && default.is_some_and(|dim| dim > quasi as u64) {
                    given.entry("dim").or_insert(Value::from(quasi));
                }
                // Rules about nodes of hierarchies need these; an adversary knows rules about values in any case.
                if parameter.name == "generalized" && !all_have_hierarchies {
                    given.entry("generalized").or_insert(Value::from(false));
                }
            }
            let name = measure.name();
            measure.complete(&given).map_err(|error| LabError::input(format!("{name}: {error}")))
        };
        for asked in &question.measures {
            let measure = asked.measure()?;
            let releases = measure.about().releases;
            if !releases.is_empty() && !releases.contains(&kind) {
                let why = format!("it is no measure of {kind}");
                plan.unsaid.push(Unsaid { of: asked.name.clone(), why });
                continue;
            }
            plan.add(measure, complete(measure, &asked.parameters)?, question.alone);
        }
        if question.measures.is_empty() {
            for &measure in measures().iter().filter(|measure| measure.about().releases.contains(&kind)) {
                plan.add(measure, complete(measure, &Map::new())?, question.alone);
            }
        }
        Ok(plan)
    }

    fn add(&mut self, measure: &'static dyn AnyMeasure, parameters: Map<String, Value>, alone: bool) {
        if alone && !measure.of_release_alone() {
            let why = format!("it needs the original: {}", measure.about().summary);
            self.unsaid.push(Unsaid { of: measure.name().to_string(), why });
        } else {
            self.measures.push((measure, parameters));
        }
    }
}

/// Takes one measure in a thread of its own, which is left behind when its time is over.
fn measured(
    measure: &'static dyn AnyMeasure,
    parameters: Map<String, Value>,
    both: &Arc<(Dataset, Release)>,
    question: &Question,
) -> Result<(Measured, Vec<Witness>), LabError> {
    let (send, receive) = mpsc::channel();
    let (shared, given, seed) = (Arc::clone(both), parameters.clone(), question.seed);
    let work = move || {
        // The same queries for every release and original: only the measure and its parameters decide them.
        let mut bench = Workbench::new(seed, (measure.name(), &given)).wanting_witnesses(true);
        let (dataset, release) = &*shared;
        // Nobody listens any more when the time is over.
        let observations = measure.measure(dataset, Some(release), &given, &mut bench);
        let _ = send.send(observations.map(|observations| (observations, bench.witnesses().to_vec())));
    };
    let started = std::thread::Builder::new().stack_size(STACK).spawn(work);
    started.map_err(|error| LabError::no_answer(format!("no thread can be started: {error}")))?;
    let time = question.time.unwrap_or(Duration::MAX);
    let (observations, witnesses) = match receive.recv_timeout(time) {
        Ok(answer) => answer?,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            return Err(LabError::no_answer(format!("it took longer than {} s", time.as_secs())));
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => return Err(LabError::no_answer("it ended without an answer")),
    };
    let about = measure.about();
    let seen = observations.into_iter().map(|observation| {
        let known = about.metrics.iter().find(|metric| observation.metric == metric.name);
        SeenNumber {
            unit: known.map_or("", |metric| metric.unit),
            better: known.map_or(Better::Neither, |metric| metric.better),
            about: known.map_or("", |metric| metric.about),
            diagnostic: known.is_some_and(|metric| metric.diagnostic),
            metric: observation.metric.to_string(),
            at: observation.at,
            value: observation.value,
        }
    });
    let measured = Measured { measure: measure.name(), kind: about.kind, parameters, observations: seen.collect() };
    Ok((measured, witnesses))
}
