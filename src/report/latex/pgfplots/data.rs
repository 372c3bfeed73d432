//! The numbers of a picture: a row for each x, columns for each series of each panel. All of it is numbers, which is what
//! PGFPlots reads.

use super::numbers::{number, scaled};
use crate::report::figure::{DrawnFigure, DrawnPoint, Printed, Spot};
use crate::report::plot::is_categorical;
use crate::report::value::Value;
use crate::spec::draw::DrawKind;

pub struct PlotData {
    rows: Vec<f64>,
    pub columns: Vec<SeriesColumn>,
}

/// One series in one panel.
pub struct SeriesColumn {
    pub panel: usize,
    pub series: usize,
    pub name: String,
    values: Vec<f64>,
    /// The ends of the spread, where there is any.
    spread: Option<(Vec<f64>, Vec<f64>)>,
    printed: Option<Vec<f64>>,
}

impl SeriesColumn {
    pub fn has_values(&self) -> bool {
        self.values.iter().any(|value| value.is_finite())
    }

    pub fn has_spread(&self) -> bool {
        self.spread.is_some()
    }

    pub fn has_printed(&self) -> bool {
        self.printed.is_some()
    }
}

/// Where a value of x stands on its axis.
pub fn along(figure: &DrawnFigure, x: &Value) -> f64 {
    match is_categorical(figure) {
        true => figure.x.rank(x).unwrap_or(0) as f64,
        false => scaled(x.number().unwrap_or(f64::NAN), figure.x.unit.divisor),
    }
}

impl PlotData {
    pub fn of(figure: &DrawnFigure) -> Self {
        // Where x is a metric no two points need share an x: each is a row.
        let xs: Vec<Value> = match figure.x.is_metric {
            true => figure.points.iter().map(|point| point.x.clone()).collect(),
            false => figure.x.values.clone(),
        };
        let rows: Vec<f64> = xs.iter().map(|x| along(figure, x)).collect();
        let mut columns: Vec<SeriesColumn> = Vec::new();
        for panel in 0..figure.panels.len() {
            for series in 0..figure.series.len() {
                let found = column(figure, panel, series, &xs, unique(figure, panel, series, &columns));
                if found.has_values() || found.has_printed() {
                    columns.push(found);
                }
            }
        }
        Self { rows, columns }
    }

    pub fn column(&self, panel: usize, series: usize) -> Option<&SeriesColumn> {
        self.columns.iter().find(|column| column.panel == panel && column.series == series)
    }

    pub fn csv(&self) -> String {
        let mut heads = vec!["x".to_string()];
        let mut fields: Vec<&[f64]> = vec![&self.rows];
        for column in &self.columns {
            if column.has_values() {
                heads.push(column.name.clone());
                fields.push(&column.values);
            }
            if let Some((low, high)) = &column.spread {
                heads.extend([format!("{}-low", column.name), format!("{}-high", column.name)]);
                fields.extend([low.as_slice(), high.as_slice()]);
            }
            if let Some(printed) = &column.printed {
                heads.push(format!("{}-printed", column.name));
                fields.push(printed);
            }
        }
        let mut csv = heads.join(",") + "\n";
        for row in 0..self.rows.len() {
            let line: Vec<String> = fields.iter().map(|field| number(field[row])).collect();
            csv += &(line.join(",") + "\n");
        }
        csv
    }
}

fn column(figure: &DrawnFigure, panel: usize, series: usize, xs: &[Value], name: String) -> SeriesColumn {
    let divisor = figure.panels[panel].unit.divisor;
    let bars = figure.kind == DrawKind::Bar;
    let mine: Vec<(usize, &DrawnPoint)> = figure.points.iter().enumerate().filter(|(_, p)| p.panel == panel).collect();
    // A series that x does not apply to has its bar everywhere; its line needs no rows.
    let stands = |index: usize, point: &DrawnPoint, row: usize| match figure.x.is_metric {
        true => index == row,
        false => point.x == xs[row] || bars && point.x.is_none(),
    };
    let spot = |row: usize| {
        let mut found = mine.iter().filter(|(index, point)| point.series == series && stands(*index, point, row));
        found.find_map(|(_, point)| point.y)
    };
    let spots: Vec<_> = (0..xs.len()).map(spot).collect();
    let field = |of: fn(&Spot) -> f64| -> Vec<f64> {
        spots.iter().map(|spot| spot.as_ref().map_or(f64::NAN, |spot| scaled(of(spot), divisor))).collect()
    };
    let spreads = spots.iter().flatten().any(|spot| spot.low != spot.high);
    let is_mine = |printed: &&Printed| {
        printed.panel == panel
            && printed.series == Some(series)
            && !printed.x.is_none()
            && !printed.number.wording.is_bound()
    };
    let printed: Vec<&Printed> = figure.printed.iter().filter(is_mine).collect();
    let at = |x: &Value| {
        printed.iter().find(|printed| printed.x == *x).map_or(f64::NAN, |p| scaled(p.number.value, divisor))
    };
    let printed_here = !figure.x.is_metric && xs.iter().any(|x| at(x).is_finite());
    SeriesColumn {
        panel,
        series,
        name,
        values: field(|spot| spot.value),
        spread: spreads.then(|| (field(|spot| spot.low), field(|spot| spot.high))),
        printed: printed_here.then(|| xs.iter().map(at).collect()),
    }
}

/// A name for a column, of what the spec calls things: the panel where there are several, and the series.
fn unique(figure: &DrawnFigure, panel: usize, series: usize, before: &[SeriesColumn]) -> String {
    let mut parts = Vec::new();
    if figure.panels.len() > 1 {
        let panel = &figure.panels[panel];
        parts.extend(panel.key.iter().map(|(_, value)| simple(&value.to_string())));
        parts.push(simple(&panel.metrics.join("-")));
    }
    let series = &figure.series[series];
    let told = |(column, value): &(String, Value)| match value {
        Value::Text(text) => simple(text),
        other => simple(&format!("{column}-{other}")),
    };
    parts.extend(series.key.iter().map(told).chain(series.label.as_deref().map(simple)));
    if parts.is_empty() {
        parts.push(simple(&series.name));
    }
    let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let name = if name.is_empty() || name == "x" { format!("y{name}") } else { name };
    let taken = |name: &str| before.iter().any(|column| column.name == name);
    let numbered = |n: usize| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    (1..).map(numbered).find(|name| !taken(name)).unwrap_or(name.clone())
}

/// Small letters and digits, parted by `-`.
fn simple(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").chars().take(40).collect()
}
