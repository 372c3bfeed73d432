//! What things are called on a page: the spec's labels first, then words made from names.

use crate::report::metrics::{Metrics, words};
use crate::report::number::{Unit, number};
use crate::report::value::Value;
use crate::spec::draw::Draw;
use indexmap::IndexMap;

#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    pub labels: &'a IndexMap<String, String>,
    pub metrics: Metrics<'a>,
}

impl<'a> Names<'a> {
    pub fn new(draw: &'a Draw, metrics: Metrics<'a>) -> Self {
        Self { labels: &draw.labels, metrics }
    }

    fn label(&self, name: &str) -> Option<String> {
        self.labels.get(name).cloned()
    }

    pub fn metric(&self, metric: &str) -> String {
        self.label(metric).unwrap_or_else(|| self.metrics.title(metric))
    }

    /// "query error (%)".
    pub fn metric_with_unit(&self, metric: &str, unit: &Unit) -> String {
        with_unit(&self.metric(metric), &unit.name)
    }

    pub fn column(&self, column: &str) -> String {
        self.label(column).unwrap_or_else(|| words(column))
    }

    /// A value on an axis or in a table, where its column is named already.
    pub fn value(&self, column: &str, value: &Value) -> String {
        let plain = value.to_string();
        self.label(&format!("{column}={plain}")).or_else(|| self.label(&plain)).unwrap_or_else(|| match value {
            Value::Number(value) => number(*value),
            _ => plain,
        })
    }

    /// A value in a legend, where only itself says what it is: numbers and truth values name their column.
    pub fn value_alone(&self, column: &str, value: &Value) -> String {
        let plain = value.to_string();
        let labelled = self.label(&format!("{column}={plain}")).or_else(|| self.label(&plain));
        match (labelled, value) {
            (Some(label), _) => label,
            (None, Value::Number(value)) => format!("{} = {}", self.column(column), number(*value)),
            (None, Value::Text(text)) if text == "true" || text == "false" => {
                format!("{} = {text}", self.column(column))
            }
            (None, _) => plain,
        }
    }
}

/// A label with a unit that it does not name already.
pub fn with_unit(label: &str, unit: &str) -> String {
    match unit {
        "" => label.to_string(),
        unit if label.ends_with(unit) => label.to_string(),
        unit => format!("{label} ({unit})"),
    }
}
