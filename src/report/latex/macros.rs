//! Every number of a figure as a command, so that the text of a paper is never out of date.
//!
//! A name is made from what the spec calls things and not from labels: `\anonlab`, the experiment, the figure, the panel, what
//! tells the series apart, the metric, the place along x. Nothing is left out because it happens to be the same everywhere,
//! so that a name stays when an algorithm or a sweep point joins.

use super::name;
use super::text::{comment, text};
use crate::report::ReportError;
use crate::report::figure::{DrawnFigure, DrawnPoint, Printed};
use crate::report::findings::{Findings, StatementOutcome};
use crate::report::metrics::Metrics;
use crate::report::number::{number, with_unit};
use crate::report::results::FigureResult;
use crate::report::value::Value;
use crate::run::Status;
use std::collections::BTreeMap;

/// One command without its backslash, what it stands for, and its text in LaTeX.
#[derive(Debug, Clone, PartialEq)]
pub struct LatexCommand {
    pub name: String,
    pub what: String,
    pub text: String,
}

/// The commands of one figure: for each value the number alone, its ends (`Low`, `High`) where it has a spread, every digit
/// (`Exact`) and the number with its unit (`WithUnit`) where it has one; for printed values `Printed`. A value that is not
/// there is told by its status.
pub fn commands(experiment: &str, result: &FigureResult, figure: &DrawnFigure, metrics: Metrics) -> Vec<LatexCommand> {
    let namer = Namer { base: format!("anonlab{}{}", name::part(experiment), name::part(&result.id)), result, figure };
    let mut commands = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for point in &figure.points {
        let (mut name, mut what) = namer.point(point);
        if figure.x.is_metric {
            let count = places.entry(name.clone()).or_default();
            *count += 1;
            name += &format!("Point{}", name::value(&Value::Number(*count as f64)));
            what += &format!(", point {count}");
            let x = point.x.number().unwrap_or(f64::NAN);
            commands.push(command(format!("{name}X"), format!("{what}: {}", figure.x.label), &number(x)));
        }
        commands.extend(values(name, what, point, metrics.unit(&point.metric)));
    }
    for printed in &figure.printed {
        let (name, what) = namer.printed(printed);
        let value = printed.number.told(&number(printed.number.value));
        let name = format!("{name}Printed");
        // A paper may print a number and a bound for one place.
        let count = places.entry(name.clone()).or_default();
        *count += 1;
        let again = if *count > 1 { name::value(&Value::Number(*count as f64)) } else { String::new() };
        commands.push(command(name + &again, format!("{what}, printed in the paper"), &value));
    }
    commands
}

fn command(name: String, what: String, value: &str) -> LatexCommand {
    LatexCommand { name, what, text: text(value) }
}

fn values(name: String, what: String, point: &DrawnPoint, unit: &str) -> Vec<LatexCommand> {
    let Some(spot) = point.y else {
        let status = point.missing.as_ref().map_or("no value", |missing| Status::in_words(missing.status));
        return vec![command(name, what, status)];
    };
    let mut commands = vec![
        command(name.clone(), what.clone(), &number(spot.value)),
        command(format!("{name}Exact"), format!("{what}, every digit"), &spot.value.to_string()),
    ];
    if !unit.is_empty() {
        commands.push(command(
            format!("{name}WithUnit"),
            format!("{what}, with its unit"),
            &with_unit(spot.value, unit),
        ));
    }
    if spot.low != spot.high {
        commands.push(command(format!("{name}Low"), format!("{what}, lower end"), &number(spot.low)));
        commands.push(command(format!("{name}High"), format!("{what}, upper end"), &number(spot.high)));
    }
    commands
}

struct Namer<'a> {
    base: String,
    result: &'a FigureResult,
    figure: &'a DrawnFigure,
}

impl Namer<'_> {
    fn point(&self, point: &DrawnPoint) -> (String, String) {
        self.named(point.panel, Some(point.series), &point.metric, &point.x)
    }

    fn printed(&self, printed: &Printed) -> (String, String) {
        self.named(printed.panel, printed.series, &printed.metric, &printed.x)
    }

    fn named(&self, panel: usize, series: Option<usize>, metric: &str, x: &Value) -> (String, String) {
        let series = series.map(|series| &self.figure.series[series]);
        let mut name = self.base.clone();
        let mut what = vec![format!("{}", self.result.id)];
        let columns = self.figure.panels[panel].key.iter().chain(series.into_iter().flat_map(|series| &series.key));
        for (column, value) in columns {
            name += &keyed(column, value);
            what.push(format!("{column} = {value}"));
        }
        // Two curves of one metric are told apart by their labels alone.
        let label = series.and_then(|series| series.label.as_deref());
        name += &name::part(label.unwrap_or(metric));
        what.push(label.map_or(metric.to_string(), |label| format!("{metric} ({label})")));
        if let (Some(column), false, false) = (&self.result.draw.x, x.is_none(), self.figure.x.is_metric) {
            name += &keyed(column, x);
            what.push(format!("{column} = {x}"));
        }
        (name, what.join(", "))
    }
}

/// Words say themselves; numbers and truth values name their column.
fn keyed(column: &str, value: &Value) -> String {
    match value {
        Value::Text(text) if text != "true" && text != "false" => name::part(text),
        other => name::part(column) + &name::value(other),
    }
}

/// What became of the claims and statements of an experiment: how many hold and fail, and each statement's outcome.
pub fn outcomes(experiment: &str, findings: &Findings) -> Vec<LatexCommand> {
    let base = format!("anonlab{}", name::part(experiment));
    let count = |outcome: StatementOutcome| findings.count(outcome).to_string();
    let mut commands = vec![command(
        format!("{base}Statements"),
        "statements of the paper".to_string(),
        &findings.statements.len().to_string(),
    )];
    commands.extend(StatementOutcome::ALL.map(|outcome| {
        let name = format!("{base}Statements{}", name::part(outcome.words()));
        command(name, format!("statements of the paper: {}", outcome.words()), &count(outcome))
    }));
    commands.extend(findings.statements.iter().map(|finding| {
        let name = format!("{base}Statement{}", name::part(&finding.id));
        command(name, format!("{}: {}", finding.id, finding.says), finding.outcome.words())
    }));
    commands
}

/// The file of an experiment's commands. Two commands of one name are an error that names both.
pub fn macro_file(experiment: &str, commands: &[LatexCommand]) -> Result<String, ReportError> {
    let mut known: BTreeMap<&str, &LatexCommand> = BTreeMap::new();
    let mut tex = format!("% The numbers of {}: \\{}{{}}, with the braces.\n", comment(experiment), first(commands));
    for command in commands {
        if let Some(other) = known.insert(&command.name, command) {
            return Err(ReportError::Input(format!(
                "two numbers would have the same LaTeX command \\{}: `{}` and `{}`; rename one in the spec (an id, a label of a curve, a value)",
                command.name, other.what, command.what
            )));
        }
        tex += &format!("\\newcommand{{\\{}}}{{{}}}% {}\n", command.name, command.text, comment(&command.what));
    }
    Ok(tex)
}

fn first(commands: &[LatexCommand]) -> &str {
    commands.first().map_or("anonlab", |command| command.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clash_names_both() {
        let named = |what: &str| LatexCommand { name: "anonlabA".into(), what: what.into(), text: "1".into() };
        let error = macro_file("e", &[named("first"), named("second")]).unwrap_err().to_string();
        assert!(error.contains("\\anonlabA") && error.contains("`first`") && error.contains("`second`"), "{error}");
        let file = macro_file("e\n\\input{x}", &[named("50 %\nof")]).unwrap();
        assert_eq!(
            file,
            "% The numbers of e \\input{x}: \\anonlabA{}, with the braces.\n\\newcommand{\\anonlabA}{1}% 50 % of\n"
        );
    }
}
