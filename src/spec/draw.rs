//! How a figure is drawn: `draw:` of a figure.

use super::select::{OneOrMany, Where};
use crate::statistics::{mean, median};
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How a figure is drawn.
///
/// A point of the figure is what one metric is at one combination of panel, series and x, over all repetitions. A column
/// that varies and is named nowhere here becomes part of the series, so that no measurement is hidden in another's spread.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// Lines with markers unless said otherwise.
    #[serde(default)]
    pub kind: DrawKind,
    /// What runs along the x axis (the rows of a table): a parameter, `dataset`, `algorithm`, `at` (the axis of a
    /// measure's own), or a metric (for scatter plots of one metric over another).
    #[serde(default)]
    pub x: Option<String>,
    /// The metric or metrics to show, from measurements or costs (`seconds`, `seconds.<phase>`, `cpu_seconds`,
    /// `peak_heap_bytes`, `peak_rss_bytes`, `allocations`).
    pub y: OneOrMany<Curve>,
    /// The column or columns whose values are told apart by colour and marker; `algorithm` unless said otherwise.
    #[serde(default = "by_algorithm")]
    pub series: OneOrMany<String>,
    /// One panel for each value of this column, or `metric`: one for each of `y`. Metrics of different units get panels
    /// of their own without being told.
    #[serde(default)]
    pub panels: Option<String>,
    #[serde(default)]
    pub x_scale: XScale,
    #[serde(default)]
    pub y_scale: YScale,
    /// Whether the y axis starts at zero. Bars always do on a linear scale; lines do where they come near it, unless said.
    #[serde(default)]
    pub zero: Option<bool>,
    /// Fixed ends of the y axis, instead of those the data asks for.
    #[serde(default)]
    pub y_range: Option<[f64; 2]>,
    /// Instead of the column's name.
    #[serde(default)]
    pub x_label: Option<String>,
    /// Instead of the metric's name and unit.
    #[serde(default)]
    pub y_label: Option<String>,
    /// Names to show instead of the ones in the data: of metrics, columns, algorithms, datasets or any other value.
    #[serde(default)]
    pub labels: IndexMap<String, String>,
    /// What stands for the repetitions of a point.
    #[serde(default)]
    pub statistic: Statistic,
    /// How the spread of the repetitions is shown.
    #[serde(default)]
    pub spread: Spread,
}

fn by_algorithm() -> OneOrMany<String> {
    OneOrMany::one("algorithm".to_string())
}

impl Draw {
    /// With labels for what has none here.
    pub fn with_labels(mut self, labels: IndexMap<String, String>) -> Self {
        for (name, label) in labels {
            self.labels.entry(name).or_insert(label);
        }
        self
    }

    /// Every metric drawn. `x` may be one more, which only the data tells.
    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        self.y.iter().map(|curve| curve.metric.as_str())
    }

    /// Every column named, but for `x` (which may be a metric) and the panels' `metric`.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let panels = self.panels.as_deref().filter(|&column| column != "metric");
        let restricted = self.y.iter().flat_map(|curve| curve.only.keys());
        self.series.iter().chain(restricted).map(String::as_str).chain(panels)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    /// Points joined along x.
    #[default]
    Line,
    /// Bars side by side, one group for each x.
    Bar,
    /// Points alone.
    Scatter,
    /// No plot: a row for each x, a column for each series and metric.
    Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum XScale {
    /// Numbers on a linear scale; words side by side in their order in the data.
    #[default]
    Auto,
    Log,
    /// Side by side at equal distance, numbers too.
    Category,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YScale {
    #[default]
    Linear,
    /// Values of zero and below sit on the lower edge, marked.
    Log,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    #[default]
    Median,
    Mean,
}

/// What it does to values.
pub fn function(statistic: Statistic) -> fn(&[f64]) -> f64 {
    match statistic {
        Statistic::Median => median,
        Statistic::Mean => mean,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// Error bars: the bootstrap interval (95 %) of the statistic.
    #[default]
    Interval,
    /// The same interval as a band behind the line.
    Band,
    /// Error bars from the smallest to the largest repetition.
    Range,
    None,
}

/// One metric to show; in its short form just its name.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Curve {
    pub metric: String,
    /// Only the rows with these values: `{metric: seconds.mining, where: {algorithm: injector}}`.
    #[serde(rename = "where", skip_serializing_if = "Where::is_empty")]
    pub only: Where,
    /// The name of the series in the legend, instead of one made from its columns and metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Curve {
    pub fn metric(name: &str) -> Self {
        Self { metric: name.to_string(), ..Self::default() }
    }
}

/// The long form of a curve.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LongCurve {
    metric: String,
    #[serde(rename = "where", default)]
    only: Where,
    #[serde(default)]
    label: Option<String>,
}

impl JsonSchema for Curve {
    fn schema_name() -> Cow<'static, str> {
        "Curve".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let long = LongCurve::json_schema(generator);
        schemars::json_schema!({
            "description": "A metric's name; or the metric, the rows it is restricted to, and the label of its series.",
            "anyOf": [{ "type": "string" }, long]
        })
    }
}

/// Hand-written, so that an error in the long form is told as itself and not as "did not match any variant".
impl<'de> Deserialize<'de> for Curve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CurveVisitor;

        impl<'de> Visitor<'de> for CurveVisitor {
            type Value = Curve;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a metric, or {metric, where, label}")
            }

            fn visit_str<E: de::Error>(self, metric: &str) -> Result<Curve, E> {
                Ok(Curve::metric(metric))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Curve, A::Error> {
                let LongCurve { metric, only, label } = LongCurve::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Curve { metric, only, label })
            }
        }

        deserializer.deserialize_any(CurveVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::select::Scalar;

    fn draw(yaml: &str) -> Result<Draw, String> {
        serde_yaml::from_str(yaml).map_err(|error| error.to_string())
    }

    #[test]
    fn a_metric_may_be_a_name_a_list_or_a_restricted_one() {
        let plain = draw("{x: l, y: query_error}").unwrap();
        assert_eq!((plain.kind, plain.x.as_deref()), (DrawKind::Line, Some("l")));
        assert_eq!(plain.metrics().collect::<Vec<_>>(), ["query_error"]);
        assert_eq!(plain.columns().collect::<Vec<_>>(), ["algorithm"]);
        let phases = draw(
            "kind: bar\nx: l\ny:\n  - seconds\n  - {metric: seconds.mining, where: {algorithm: injector, l: [3, 4]}, label: mining}\n",
        )
        .unwrap();
        assert_eq!(phases.metrics().collect::<Vec<_>>(), ["seconds", "seconds.mining"]);
        assert_eq!(phases.y[1].only["l"], OneOrMany(vec![Scalar::Number(3.0), Scalar::Number(4.0)]));
        assert_eq!(phases.columns().collect::<Vec<_>>(), ["algorithm", "algorithm", "l"]);
    }

    #[test]
    fn the_schema_agrees_with_the_parser() {
        let schema = schemars::schema_for!(Draw).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (text, right) in [
            ("{x: l, y: query_error}", true),
            ("{y: [a, {metric: b, where: {k: [1, 2]}, label: c}], series: [algorithm, order]}", true),
            ("{kind: table, y: a, labels: {a: A}, y_range: [0, 1], zero: true}", true),
            ("{x: l}", false),
            ("{y: []}", false),
            ("{y: {metric: a, lable: b}}", false),
            ("{y: a, kind: pie}", false),
            ("{y: a, colour: red}", false),
        ] {
            let value: serde_json::Value = serde_yaml::from_str(text).unwrap();
            assert_eq!(validator.is_valid(&value), right, "{text}");
            assert_eq!(serde_yaml::from_str::<Draw>(text).is_ok(), right, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(draw("{x: l, y: a, colour: red}").unwrap_err().contains("colour"));
        assert!(draw("{x: l, y: [{metric: a, lable: b}]}").unwrap_err().contains("lable"));
        assert!(draw("{x: l, y: []}").unwrap_err().contains("the list is empty"));
        assert!(draw("{x: l, y: a, kind: pie}").unwrap_err().contains("pie"));
    }
}
