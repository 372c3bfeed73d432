mod check;
mod new;

use super::format::{OutputFormat, print_json};
use super::list::aligned;
use super::{Exit, Failure};
use crate::cli::output::out;
use crate::lab::{Better, Metric, Parameter, counted, did_you_mean};
use crate::measure::MeasureKind;
use crate::measures::{AnyMeasure, measure, measures};
use crate::publish::{AnyPublisher, publisher, publishers};
use crate::run::plain;
use clap::Subcommand;
use serde_json::{Value, json};

/// Show the publishers, audits and utilities, and help with one of your own
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab algorithms list\n  anonlab algorithms show anatomy\n  anonlab algorithms new --lang python mine\n  anonlab algorithms check --release buckets --command python3 mine.py"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// One line each
    #[command(after_help = "Example:\n  anonlab algorithms list --format json")]
    List {
        /// The output format
        #[arg(long, default_value = "text")]
        format: OutputFormat,
    },
    /// Everything about one
    #[command(after_help = "Example:\n  anonlab algorithms show anatomy")]
    Show {
        /// A publisher, audit or utility (`anonlab algorithms list`)
        name: String,
        /// The output format
        #[arg(long, default_value = "text")]
        format: OutputFormat,
    },
    Check(check::Args),
    New(new::Args),
}

pub fn run(args: Args) -> Result<Exit, Failure> {
    match args.action {
        Action::List { format: OutputFormat::Text } => out!("{}", list())?,
        Action::List { format: OutputFormat::Json } => {
            let all = publishers().iter().map(|known| publisher_json(*known));
            print_json(&all.chain(measures().iter().map(|known| measure_json(*known))).collect::<Vec<_>>())?;
        }
        Action::Show { name, format } => show(&name, format)?,
        Action::Check(args) => return check::run(&args),
        Action::New(args) => return new::run(&args),
    }
    Ok(Exit::AllWell)
}

fn list() -> String {
    let mut rows = vec![["name", "kind", "takes", "gives", "what it does"].map(String::from).to_vec()];
    for publisher in publishers() {
        let about = publisher.about();
        rows.push(vec![
            publisher.name().to_string(),
            "publisher".to_string(),
            about.input.to_string(),
            about.release.to_string(),
            about.summary.to_string(),
        ]);
    }
    for measure in measures() {
        let about = measure.about();
        rows.push(vec![
            measure.name().to_string(),
            kind(about.kind).to_string(),
            taken(*measure),
            counted(about.metrics.len(), "metric"),
            about.summary.to_string(),
        ]);
    }
    aligned(&rows)
}

fn kind(kind: MeasureKind) -> &'static str {
    match kind {
        MeasureKind::Audit => "audit",
        MeasureKind::Utility => "utility",
        MeasureKind::Data => "data",
    }
}

/// The kinds of release a measure takes, or the kind of original when it needs none.
fn taken(measure: &dyn AnyMeasure) -> String {
    let about = measure.about();
    match about.releases {
        [] => about.input.to_string(),
        releases => releases.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn show(name: &str, format: OutputFormat) -> Result<(), Failure> {
    match (publisher(name), measure(name), format) {
        (Some(publisher), _, OutputFormat::Text) => {
            out!("{}", show_publisher(publisher))?;
            return Ok(());
        }
        (Some(publisher), _, OutputFormat::Json) => return print_json(&publisher_json(publisher)),
        (None, Some(measure), OutputFormat::Text) => {
            out!("{}", show_measure(measure))?;
            return Ok(());
        }
        (None, Some(measure), OutputFormat::Json) => return print_json(&measure_json(measure)),
        (None, None, _) => {}
    }
    let known = publishers().iter().map(|p| p.name()).chain(measures().iter().map(|m| m.name()));
    let hint = did_you_mean(name, known);
    let hint = hint.unwrap_or_else(|| "`anonlab algorithms list` shows what there is".to_string());
    Err(Failure::new(format!("there is no algorithm or measure `{name}`; {hint}")))
}

fn publisher_json(publisher: &dyn AnyPublisher) -> Value {
    let about = publisher.about();
    json!({
        "name": publisher.name(),
        "kind": "publisher",
        "summary": about.summary,
        "paper": about.paper,
        "takes": about.input.to_string(),
        "gives": about.release.to_string(),
        "randomized": about.randomized,
        "phases": about.phases,
        "parameters": publisher.schema(),
        "metrics": metrics_json(about.counters),
    })
}

fn measure_json(measure: &dyn AnyMeasure) -> Value {
    let about = measure.about();
    json!({
        "name": measure.name(),
        "kind": kind(about.kind),
        "summary": about.summary,
        "paper": about.paper,
        "takes": taken(measure),
        "parameters": measure.schema(),
        "metrics": metrics_json(about.metrics),
    })
}

fn metrics_json(metrics: &[Metric]) -> Vec<Value> {
    let json = |metric: &Metric| json!({"name": metric.name, "unit": metric.unit, "better": better(metric.better), "about": metric.about});
    metrics.iter().map(json).collect()
}

fn better(better: Better) -> &'static str {
    match better {
        Better::Lower => "lower is better",
        Better::Higher => "higher is better",
        Better::Neither => "a fact",
    }
}

fn show_publisher(publisher: &dyn AnyPublisher) -> String {
    let about = publisher.about();
    let randomized = if about.randomized { "yes: repetitions differ" } else { "no" };
    let mut text = format!("{}: {}\n\n", publisher.name(), about.summary);
    text += &aligned(&[
        vec!["paper".into(), about.paper.into()],
        vec!["takes".into(), about.input.to_string()],
        vec!["gives".into(), about.release.to_string()],
        vec!["randomized".into(), randomized.into()],
        vec!["phases".into(), about.phases.join(", ")],
    ]);
    text + &parameters(publisher.parameters()) + &metrics("Counters", about.counters)
}

fn show_measure(measure: &dyn AnyMeasure) -> String {
    let about = measure.about();
    let mut text = format!("{}: {}\n\n", measure.name(), about.summary);
    text += &aligned(&[
        vec!["paper".into(), about.paper.into()],
        vec!["kind".into(), kind(about.kind).into()],
        vec!["takes".into(), taken(measure)],
    ]);
    text + &parameters(measure.parameters()) + &metrics("Metrics", about.metrics)
}

fn parameters(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return "\nNo parameters.\n".to_string();
    }
    let rows: Vec<Vec<String>> = parameters
        .iter()
        .map(|parameter| {
            let default = match &parameter.default {
                Some(value) if value.is_null() => "none".to_string(),
                Some(value) => plain(value),
                None if parameter.optional => "none".to_string(),
                None => "must be given".to_string(),
            };
            let kind = match parameter.bounds() {
                Some(bounds) => format!("{} {bounds}", parameter.kind),
                None => parameter.kind.to_string(),
            };
            vec![format!("  {}", parameter.name), kind, format!("default {default}"), parameter.about.clone()]
        })
        .collect();
    format!("\nParameters:\n{}", aligned(&rows))
}

fn metrics(title: &str, metrics: &[Metric]) -> String {
    if metrics.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = metrics
        .iter()
        .map(|metric| {
            let better = better(metric.better).to_string();
            vec![format!("  {}", metric.name), metric.unit.to_string(), better, metric.about.to_string()]
        })
        .collect();
    format!("\n{title}:\n{}", aligned(&rows))
}
