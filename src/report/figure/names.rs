//! What things are called on a page: the spec's labels first, then words made from names.

use super::structure::in_words;
use crate::report::metrics::{Metrics, words};
use crate::report::number::number;
use crate::report::typeset::typeset;
use crate::report::value::Value;
use crate::spec::draw::Draw;

#[derive(Debug, Clone, Copy)]
pub struct FigureNames<'a> {
    pub draw: &'a Draw,
    pub metrics: Metrics<'a>,
}

impl<'a> FigureNames<'a> {
    pub fn new(draw: &'a Draw, metrics: Metrics<'a>) -> Self {
        Self { draw, metrics }
    }

    fn label(&self, name: &str) -> Option<String> {
        self.draw.labels.get(name).map(|label| typeset(label))
    }

    pub fn metric(&self, metric: &str) -> String {
        self.label(metric).unwrap_or_else(|| self.metrics.title(metric))
    }

    /// A measure's own axis, `at`, has no name but the one a spec gives it.
    pub fn column(&self, column: &str) -> String {
        let x = self.draw.x_label.clone().filter(|_| self.draw.x.as_deref() == Some(column));
        x.or_else(|| self.label(column)).unwrap_or_else(|| match column {
            "at" => "case".to_string(),
            _ => words(column),
        })
    }

    /// A value on an axis or in a table, where its column is named already.
    pub fn value(&self, column: &str, value: &Value) -> String {
        let plain = value.to_string();
        self.label(&format!("{column}={plain}")).or_else(|| self.label(&plain)).unwrap_or_else(|| match value {
            Value::Number(value) => number(*value),
            _ => truth(column, &plain).map(str::to_string).or_else(|| in_words(&plain)).unwrap_or(plain),
        })
    }

    /// "ℓ = 6": where a point stands. Names of algorithms, of data and along a measure's own axis speak for themselves.
    pub fn place(&self, column: &str, value: &Value) -> String {
        let is_name = matches!(value, Value::Text(text) if text.parse::<f64>().is_err());
        match column {
            "algorithm" | "dataset" | "at" if is_name => self.value(column, value),
            // What a spec calls `exact=true` names its column itself.
            _ => self
                .label(&format!("{column}={value}"))
                .unwrap_or_else(|| format!("{} = {}", self.column(column), self.value(column, value))),
        }
    }

    /// A value in a legend, where only itself says what it is: numbers and truth values name their column.
    pub fn value_alone(&self, column: &str, value: &Value) -> String {
        let plain = value.to_string();
        let labelled = self.label(&format!("{column}={plain}")).or_else(|| self.label(&plain));
        match (labelled, value) {
            (Some(label), _) => label,
            (None, Value::Number(value)) => format!("{} = {}", self.column(column), number(*value)),
            (None, Value::Text(text)) if truth(column, text).is_some() => {
                format!("{} = {}", self.column(column), self.value(column, value))
            }
            (None, _) => in_words(&plain).unwrap_or(plain),
        }
    }
}

/// What a parameter is that is so or not, in the words of metrics that are.
fn truth(column: &str, value: &str) -> Option<&'static str> {
    match (column, value) {
        ("algorithm" | "dataset" | "at", _) => None,
        (_, "true") => Some("yes"),
        (_, "false") => Some("no"),
        _ => None,
    }
}

/// A label less the unit that a spec wrote behind it: "last count-tree, nodes".
pub fn without_unit<'a>(label: &'a str, unit: &str) -> &'a str {
    let parted = label.strip_suffix(unit).and_then(|label| label.strip_suffix(", "));
    parted.filter(|_| !unit.is_empty()).unwrap_or(label)
}

/// A label with a unit that it does not name already.
pub fn with_unit(label: &str, unit: &str) -> String {
    let bare = without_unit(label, unit);
    match unit {
        "" => label.to_string(),
        // One way of writing it, whatever a spec prefers.
        unit if bare != label => format!("{bare} ({unit})"),
        // `classes` is counted in classes, and items suppressed in items: the name says it. “Queries” says nothing of s.
        unit if label.split(|c: char| !c.is_alphanumeric() && c != '%').any(|word| word == unit) => label.to_string(),
        unit => format!("{label} ({unit})"),
    }
}
