//! Where the paper's printed values belong in a figure.

use super::plan::FigurePlan;
use super::{DrawnPoint, Printed};
use crate::report::value::{Value, is_among};
use crate::spec::reference::ReferenceValue;

/// The panels and series of a figure, as the data parts them.
pub struct Layout<'a> {
    pub panel_values: Vec<&'a Value>,
    pub panel_metrics: Vec<Vec<String>>,
    pub series_keys: Vec<&'a [Value]>,
}

impl Layout<'_> {
    pub fn place(&self, plan: &FigurePlan, references: &[ReferenceValue], points: &[DrawnPoint]) -> Vec<Printed> {
        let mut placed = Vec::new();
        for reference in references {
            for panel in 0..self.panel_values.len() {
                let shown = self.panel_metrics[panel].contains(&reference.metric);
                if !shown || !agrees(plan, reference, plan.panel, self.panel_values[panel]) {
                    continue;
                }
                let series = self.series_of(plan, reference, panel, points);
                for (x, number) in reference.points() {
                    let places = x.map_or_else(|| restricted_x(plan, reference), |x| vec![Value::from(x)]);
                    placed.extend(places.into_iter().map(|x| Printed {
                        panel,
                        series,
                        metric: reference.metric.clone(),
                        x,
                        number,
                        source: reference.source.clone(),
                    }));
                }
            }
        }
        placed
    }

    /// The one series a printed value stands for; None where it stands for several, or for none that we measured.
    fn series_of(
        &self,
        plan: &FigurePlan,
        reference: &ReferenceValue,
        panel: usize,
        points: &[DrawnPoint],
    ) -> Option<usize> {
        let shows = |series: usize| {
            let of =
                |point: &DrawnPoint| point.panel == panel && point.series == series && point.metric == reference.metric;
            points.iter().any(of)
        };
        let stands_for = |series: usize| {
            let mut parts = plan.series.iter().zip(self.series_keys[series]);
            parts.all(|(&column, value)| value.is_none() || agrees(plan, reference, Some(column), value))
        };
        let mut series = (0..self.series_keys.len()).filter(|&series| shows(series) && stands_for(series));
        series.next().filter(|_| series.next().is_none())
    }
}

/// Whether the value of a column is one the printed value was printed for; a column it does not name is.
fn agrees(plan: &FigurePlan, reference: &ReferenceValue, column: Option<usize>, value: &Value) -> bool {
    let Some(name) = column.and_then(|column| plan.observations.columns.get(column)) else { return true };
    match reference.only.get(name) {
        Some(allowed) => is_among(&[(name.clone(), allowed.clone())].into(), |_| value),
        None => true,
    }
}

/// A single value may say its x, or several, in its `where`; without, it stands for all.
fn restricted_x(plan: &FigurePlan, reference: &ReferenceValue) -> Vec<Value> {
    let name = plan.x.and_then(|column| plan.observations.columns.get(column));
    match name.and_then(|name| reference.only.get(name)) {
        Some(allowed) => allowed.iter().map(Value::from).collect(),
        None => vec![Value::None],
    }
}
