//! Sweeps: which combinations of parameters a figure runs.

use crate::lab::counted;
use crate::lab::math::powf;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The combinations a figure runs: every one of `product`, each with every row of `zip`, plus, one at a time, every value
/// of `vary`, less what `exclude` matches. Axes are named as in `Axis`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sweep {
    /// Every combination of these axes' values.
    pub product: IndexMap<String, Values>,
    /// The first values of all these axes together, then the second ones, and so on.
    pub zip: IndexMap<String, Values>,
    /// One axis at a time, the others at their defaults.
    pub vary: IndexMap<String, Values>,
    /// Combinations to leave out: those that agree with all values of one of these.
    pub exclude: Vec<IndexMap<String, Value>>,
    /// What an axis sets, where its name alone does not say it: `algorithm.parameter`, `measure.parameter` or
    /// `dataset.step`. By default `l` sets `l` of every algorithm and measure of the figure that has it.
    pub sets: IndexMap<String, Vec<String>>,
}

/// The values of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Values {
    List(Vec<Value>),
    Range(Range),
}

/// Hand-written, so that an error in a range is told as itself and not as "did not match any variant".
impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValuesVisitor;

        impl<'de> Visitor<'de> for ValuesVisitor {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of values or a range {from, to, step}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Values, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Values::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Values, A::Error> {
                Range::deserialize(MapAccessDeserializer::new(map)).map(Values::Range)
            }
        }

        deserializer.deserialize_any(ValuesVisitor)
    }
}

/// `{from: 0.1, to: 0.5, step: 0.1}` or `{from: 1, to: 1000, points: 4, log: true}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub from: f64,
    /// Included, where a step meets it.
    pub to: f64,
    #[serde(default)]
    pub step: Option<f64>,
    #[serde(default)]
    pub points: Option<u32>,
    /// Points at equal ratios instead of equal distances.
    #[serde(default)]
    pub log: bool,
}

/// One combination: axis to value.
pub type SweepPoint = IndexMap<String, Value>;

/// More points than this in one figure is a slip, not an experiment.
pub const MOST_POINTS: u128 = 10_000_000;

/// What is wrong with a sweep, and below which of its keys.
pub type SweepFault = (Vec<String>, String);

impl Values {
    /// How many values there are. Nothing is spelled out for it.
    fn count(&self) -> Result<u128, String> {
        match self {
            Self::List(values) => Ok(values.len() as u128),
            Self::Range(range) => range.count(),
        }
    }

    /// The values, with ranges spelled out.
    pub fn expand(&self) -> Result<Vec<Value>, String> {
        match self {
            Self::List(values) => Ok(values.clone()),
            Self::Range(range) => range.expand(),
        }
    }
}

impl Range {
    fn count(&self) -> Result<u128, String> {
        let Self { from, to, step, points, log } = *self;
        match (step, points, log) {
            _ if !(from.is_finite() && to.is_finite()) => Err("a range has two ends that are numbers".to_string()),
            // A little grace, so that 0.1 + 0.1 + … meets 0.5. Converting saturates.
            (Some(step), None, false) if step > 0.0 && to >= from => {
                Ok((((to - from) / step + 1e-9).floor() as u128).saturating_add(1))
            }
            (None, Some(points @ 2..), false) => Ok(points.into()),
            (None, Some(points @ 2..), true) if from > 0.0 && to > 0.0 => Ok(points.into()),
            _ => Err(
                "a range is `{from, to, step}` with a step above 0 and `to` not below `from`, or `{from, to, points}` \
                      with at least 2 points (and both ends above 0 with `log: true`)"
                    .to_string(),
            ),
        }
    }

    fn expand(&self) -> Result<Vec<Value>, String> {
        let Self { from, to, step, log, .. } = *self;
        let count = self.count()?;
        if count > MOST_POINTS {
            return Err(format!("a range of {count} values; a sweep has at most {MOST_POINTS} combinations"));
        }
        let last = (count - 1) as f64;
        let number = |i: f64| match (step, log) {
            (Some(step), _) => from + step * i,
            (None, false) => from + (to - from) * i / last,
            (None, true) => from * powf(to / from, i / last),
        };
        Ok((0..count as u32).map(|i| tidy(number(f64::from(i)))).collect())
    }
}

/// 0.1 + 0.2 is 0.3 to a person; whole numbers are integers.
fn tidy(number: f64) -> Value {
    let rounded = format!("{number:.12e}").parse::<f64>().unwrap_or(number);
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 { Value::from(rounded as i64) } else { Value::from(rounded) }
}

impl Sweep {
    /// The axes, each once, in the order of the columns.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.product.keys().chain(self.zip.keys()).chain(self.vary.keys()).map(String::as_str)
    }

    /// How many combinations there are before any is excluded, counted without making them.
    pub fn count(&self) -> Result<u128, SweepFault> {
        let of = |group: &str, axis: &String, values: &Values| {
            values.count().map_err(|message| (vec![group.to_string(), axis.clone()], message))
        };
        let mut product: u128 = 1;
        for (axis, values) in &self.product {
            product = product.saturating_mul(of("product", axis, values)?);
        }
        let rows = match self.zip.first() {
            Some((axis, values)) => of("zip", axis, values)?,
            None => 1,
        };
        let mut varied: u128 = 0;
        for (axis, values) in &self.vary {
            varied = varied.saturating_add(of("vary", axis, values)?);
        }
        let around = if self.vary.is_empty() { 1 } else { varied };
        Ok(product.saturating_mul(rows).saturating_mul(around))
    }

    /// Every combination, in the order the spec names them. A sweep without axes is one combination of nothing.
    pub fn points(&self) -> Result<Vec<SweepPoint>, SweepFault> {
        let count = self.count()?;
        if count > MOST_POINTS {
            return Err((vec![], format!("{count} combinations; a sweep has at most {MOST_POINTS}")));
        }
        let expand = |group: &str, axis: &str, values: &Values| -> Result<Vec<Value>, SweepFault> {
            let place = || vec![group.to_string(), axis.to_string()];
            let values = values.expand().map_err(|message| (place(), message))?;
            if values.is_empty() {
                return Err((place(), format!("`{axis}` has no values, so there would be no cell")));
            }
            Ok(values)
        };
        let mut seen = std::collections::BTreeSet::new();
        if let Some(axis) = self.axes().find(|axis| !seen.insert(*axis)) {
            return Err((vec![], format!("`{axis}` is swept in two ways; name it in one of product, zip and vary")));
        }
        let mut points = vec![SweepPoint::new()];
        for (axis, values) in &self.product {
            let values = expand("product", axis, values)?;
            points = points.iter().flat_map(|point| values.iter().map(|value| with(point, axis, value))).collect();
        }
        let mut rows: Option<Vec<SweepPoint>> = None;
        for (axis, values) in &self.zip {
            let values = expand("zip", axis, values)?;
            let so_far = rows.get_or_insert_with(|| vec![SweepPoint::new(); values.len()]);
            if so_far.len() != values.len() {
                let (other, wanted) = (self.zip.keys().next().map_or("", String::as_str), so_far.len());
                let values = counted(values.len(), "value");
                let message = format!("`{axis}` has {values} and `{other}` {wanted}; zipped axes have as many");
                return Err((vec!["zip".to_string(), axis.clone()], message));
            }
            for (row, value) in so_far.iter_mut().zip(&values) {
                row.insert(axis.clone(), value.clone());
            }
        }
        if let Some(rows) = rows {
            points = points
                .iter()
                .flat_map(|point| {
                    rows.iter().map(|row| point.iter().chain(row).map(|(a, v)| (a.clone(), v.clone())).collect())
                })
                .collect();
        }
        if !self.vary.is_empty() {
            let around = points;
            points = Vec::new();
            for (axis, values) in &self.vary {
                for value in expand("vary", axis, values)? {
                    points.extend(around.iter().map(|point| with(point, axis, &value)));
                }
            }
        }
        let agrees = |point: &SweepPoint, excluded: &IndexMap<String, Value>| {
            excluded.iter().all(|(axis, value)| point.get(axis).is_some_and(|known| same(known, value)))
        };
        points.retain(|point| !self.exclude.iter().any(|excluded| agrees(point, excluded)));
        if points.is_empty() {
            return Err((vec!["exclude".to_string()], "everything is excluded, so there would be no cell".to_string()));
        }
        Ok(points)
    }
}

/// Whether two values of an axis or a parameter are one: 2 and 2.0 are.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn with(point: &SweepPoint, axis: &str, value: &Value) -> SweepPoint {
    let mut point = point.clone();
    point.insert(axis.to_string(), value.clone());
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(yaml: &str) -> Result<Vec<String>, String> {
        let sweep: Sweep = serde_yaml::from_str(yaml).unwrap();
        let show = |point: &SweepPoint| point.iter().map(|(a, v)| format!("{a}={v}")).collect::<Vec<_>>().join(" ");
        sweep.points().map(|points| points.iter().map(show).collect()).map_err(|(_, message)| message)
    }

    #[test]
    fn products_zips_and_variations() {
        assert_eq!(points("product: {k: [2, 5], m: [1, 2]}").unwrap(), ["k=2 m=1", "k=2 m=2", "k=5 m=1", "k=5 m=2"]);
        assert_eq!(points("zip: {k: [2, 5], m: [1, 2]}").unwrap(), ["k=2 m=1", "k=5 m=2"]);
        assert_eq!(points("vary: {k: [2, 5], m: [1]}").unwrap(), ["k=2", "k=5", "m=1"]);
        assert_eq!(points("{product: {k: [2, 5], m: [1]}, exclude: [{k: 2}]}").unwrap(), ["k=5 m=1"]);
        assert_eq!(points("{product: {p: [0.5, 1.0]}, exclude: [{p: 1}]}").unwrap(), ["p=0.5"]);
        assert_eq!(points("{}").unwrap(), [""]);
    }

    #[test]
    fn ranges_meet_their_end_and_are_tidy() {
        assert_eq!(points("product: {c: {from: 0.1, to: 0.3, step: 0.1}}").unwrap(), ["c=0.1", "c=0.2", "c=0.3"]);
        assert_eq!(
            points("product: {n: {from: 1, to: 1000, points: 4, log: true}}").unwrap(),
            ["n=1", "n=10", "n=100", "n=1000"]
        );
        assert!(points("product: {n: {from: 1, to: 1000, step: 0}}").is_err());
        assert!(points("product: {n: {from: 0, to: 1e30, step: 1}}").is_err());
    }

    #[test]
    fn sweeps_are_counted_before_they_are_made() {
        let refused = |yaml: &str, count: &str| {
            assert_eq!(
                points(yaml).unwrap_err(),
                format!("{count} combinations; a sweep has at most 10000000"),
                "{yaml}"
            );
        };
        refused("product: {n: {from: 0, to: 1, points: 4294967295}}", "4294967295");
        refused("product: {n: {from: 1, to: 1e9, step: 1}, m: {from: 1, to: 1e9, step: 1}}", "1000000000000000000");
        refused("vary: {n: {from: 1, to: 2, points: 6000000}, m: {from: 1, to: 2, points: 6000000}}", "12000000");
        refused("zip: {n: {from: 1, to: 2, points: 4000000000}, m: [1]}", "4000000000");
        let axes: Vec<String> = (0..30).map(|i| format!("a{i}: [1, 2, 3]")).collect();
        refused(&format!("product: {{{}}}", axes.join(", ")), "205891132094649");
        for ends in ["from: .nan, to: 1", "from: 0, to: .inf", "from: -.inf, to: 1"] {
            assert!(points(&format!("product: {{n: {{{ends}, step: 1}}}}")).is_err(), "{ends}");
        }
        assert_eq!(points("{vary: {k: [2, 5], m: [1]}, zip: {a: [1, 2], b: [3, 4]}}").unwrap().len(), 6);
    }

    #[test]
    fn sweeps_of_no_cell_and_crooked_zips_are_errors() {
        assert_eq!(points("product: {k: []}").unwrap_err(), "`k` has no values, so there would be no cell");
        assert_eq!(
            points("{product: {k: [1]}, exclude: [{k: 1}]}").unwrap_err(),
            "everything is excluded, so there would be no cell"
        );
        assert_eq!(
            points("zip: {k: [1, 2], m: [1]}").unwrap_err(),
            "`m` has 1 value and `k` 2; zipped axes have as many"
        );
        assert!(points("{product: {k: [1]}, vary: {k: [1]}}").unwrap_err().contains("two ways"));
    }
}
