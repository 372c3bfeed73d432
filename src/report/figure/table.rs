//! The figure as a table to read: a row for each x, a column for each series, the printed values beside ours.

use super::names::with_unit;
use super::{DrawnFigure, DrawnPoint, Printed};
use crate::report::number::percent;
use crate::report::value::Value;
use crate::run::Status;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureTable {
    pub heads: Vec<TableHead>,
    pub rows: Vec<Vec<TableCell>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TableHead {
    pub text: String,
    /// In smaller type: the metric of a series, or that the column is printed.
    pub note: String,
    /// Numbers are set to the right.
    pub numeric: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableCell {
    pub text: String,
    /// In smaller type: the interval, the difference to the printed value.
    pub note: String,
    /// What the column is sorted by; text where None.
    pub number: Option<f64>,
    /// The status of a cell without an answer.
    pub status: Option<Status>,
    /// It names its row.
    pub heads_row: bool,
}

impl TableHead {
    fn new(text: impl Into<String>, numeric: bool) -> Self {
        Self { text: text.into(), note: String::new(), numeric }
    }

    fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

impl TableCell {
    fn head(text: String, number: Option<f64>) -> Self {
        Self { text, number, heads_row: true, ..Self::default() }
    }
}

pub fn table(figure: &DrawnFigure) -> FigureTable {
    match () {
        () if figure.x.is_metric => by_point(figure),
        () if figure.x.values.is_empty() => by_metric(figure),
        () => by_x(figure),
    }
}

/// One metric of one series, and whether the column is of printed values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TableColumn {
    metric: String,
    series: Option<usize>,
    printed: bool,
}

fn columns(figure: &DrawnFigure) -> Vec<TableColumn> {
    let mut columns: Vec<TableColumn> = Vec::new();
    let mut add = |column: TableColumn| {
        if !columns.contains(&column) {
            columns.push(column);
        }
    };
    for metric in figure.panels.iter().flat_map(|panel| &panel.metrics) {
        for series in 0..figure.series.len() {
            let shown = |point: &DrawnPoint| point.metric == *metric && point.series == series;
            if figure.points.iter().any(shown) {
                add(TableColumn { metric: metric.clone(), series: Some(series), printed: false });
            }
            if figure.printed.iter().any(|printed| printed.metric == *metric && printed.series == Some(series)) {
                add(TableColumn { metric: metric.clone(), series: Some(series), printed: true });
            }
        }
        if figure.printed.iter().any(|printed| printed.metric == *metric && printed.series.is_none()) {
            add(TableColumn { metric: metric.clone(), series: None, printed: true });
        }
    }
    columns
}

fn by_x(figure: &DrawnFigure) -> FigureTable {
    let columns = columns(figure);
    let metrics = figure.panels.iter().flat_map(|panel| &panel.metrics);
    let several_metrics = metrics.clone().any(|metric| Some(metric) != figure.panels[0].metrics.first());
    let mut heads = Vec::new();
    heads.extend(figure.panel_column.iter().map(|column| TableHead::new(column.as_str(), false)));
    heads.push(TableHead::new(figure.x.label.as_str(), figure.x.is_numeric()));
    heads.extend(columns.iter().map(|column| head(figure, column, &columns, several_metrics)));
    let mut rows = Vec::new();
    for group in row_groups(figure) {
        for x in &figure.x.values {
            let values: Vec<TableCell> =
                columns.iter().map(|column| cell(figure, column, group, x).unwrap_or_default()).collect();
            if values.iter().all(|value| value.text.is_empty()) {
                continue;
            }
            let mut row: Vec<TableCell> = group_cell(figure, group).into_iter().collect();
            row.push(TableCell::head(figure.x.name(x), x.number()));
            row.extend(values);
            rows.push(row);
        }
    }
    FigureTable { heads, rows }
}

/// The groups of panels that are rows; None when panels are metrics alone, whose columns stand side by side.
fn row_groups(figure: &DrawnFigure) -> Vec<Option<usize>> {
    match (&figure.panel_column, figure.panels.last()) {
        (Some(_), Some(last)) => (0..=last.group).map(Some).collect(),
        _ => vec![None],
    }
}

fn group_cell(figure: &DrawnFigure, group: Option<usize>) -> Option<TableCell> {
    let group = group?;
    let title = figure.panels.iter().find(|panel| panel.group == group).and_then(|panel| panel.title.clone());
    Some(TableCell::head(title.unwrap_or_default(), None))
}

/// The series where a metric has several, the metric where it has one.
fn head(figure: &DrawnFigure, column: &TableColumn, columns: &[TableColumn], several_metrics: bool) -> TableHead {
    let panel = figure.panels.iter().find(|panel| panel.metrics.contains(&column.metric));
    let metric = panel.filter(|panel| panel.metrics.len() == 1).map_or("", |panel| panel.y_label.as_str());
    let series = |column: &TableColumn| column.series.map_or("", |series| figure.series[series].name.as_str());
    let alone = columns.iter().filter(|other| other.metric == column.metric && !other.printed).count() < 2;
    let (text, note) = match () {
        () if several_metrics && alone && !metric.is_empty() => (metric, ""),
        () if several_metrics => (series(column), metric),
        () => (series(column), ""),
    };
    match (column.printed, text, note) {
        (true, "", _) => TableHead::new("printed", true),
        (true, text, "") => TableHead::new(text, true).noted("printed"),
        (true, text, note) => TableHead::new(text, true).noted(format!("{note}, printed")),
        (false, text, note) => TableHead::new(text, true).noted(note),
    }
}

fn cell(figure: &DrawnFigure, column: &TableColumn, group: Option<usize>, x: &Value) -> Option<TableCell> {
    let in_panel = |of: usize| group.is_none_or(|group| figure.panels[of].group == group);
    let at = |of: &Value| of == x || of.is_none();
    let point = figure.points.iter().find(|point| {
        in_panel(point.panel) && point.metric == column.metric && Some(point.series) == column.series && at(&point.x)
    });
    if column.printed {
        let printed = figure.printed.iter().find(|printed| {
            in_panel(printed.panel)
                && printed.metric == column.metric
                && printed.series == column.series
                && at(&printed.x)
        })?;
        return Some(printed_cell(figure, printed, point));
    }
    point.map(|point| value_cell(figure, point))
}

fn value_cell(figure: &DrawnFigure, point: &DrawnPoint) -> TableCell {
    let unit = &figure.panels[point.panel].unit;
    let status = point.missing.as_ref().map(|missing| missing.status);
    let Some(y) = point.y else {
        let text = status.map_or("no value", Status::in_words).to_string();
        return TableCell { text, status, ..TableCell::default() };
    };
    let mut note = String::new();
    if y.low != y.high {
        note = format!("[{}, {}]", unit.show(y.low), unit.show(y.high));
    }
    if let Some(missing) = &point.missing {
        note += &format!(" {} × {}", missing.repetitions, missing.status.in_words());
    }
    TableCell {
        text: unit.show(y.value),
        note: note.trim().to_string(),
        number: Some(y.value),
        status,
        heads_row: false,
    }
}

fn printed_cell(figure: &DrawnFigure, printed: &Printed, ours: Option<&DrawnPoint>) -> TableCell {
    let unit = &figure.panels[printed.panel].unit;
    let number = printed.number;
    let note = match ours.and_then(|point| point.y) {
        Some(ours) if number.wording.is_bound() => {
            let meets = number.bounds(ours.value).unwrap_or(false);
            if meets { "met" } else { "not met" }.to_string()
        }
        Some(ours) if ours.value == number.value => "equal".to_string(),
        Some(ours) if number.value != 0.0 => {
            format!("ours\u{a0}{}", percent((ours.value - number.value) / number.value.abs()))
        }
        // There is no share of nothing.
        Some(ours) => {
            let sign = if ours.value > 0.0 { "+" } else { "" };
            // Beside shares of the printed value, a per cent sign would be another such share.
            let difference = match unit.name.as_str() {
                "%" => format!("{}\u{a0}points", unit.show(ours.value)),
                _ => unit.tell(ours.value),
            };
            format!("ours\u{a0}{sign}{difference}")
        }
        None => String::new(),
    };
    TableCell { text: number.told(&unit.show(number.value)), note, number: Some(number.value), ..TableCell::default() }
}

/// Facts: no x, so each metric is a row.
fn by_metric(figure: &DrawnFigure) -> FigureTable {
    let several = figure.series.len() > 1;
    let series: Vec<usize> = (0..figure.series.len()).collect();
    let has_printed = |series: Option<usize>| figure.printed.iter().any(|printed| printed.series == series || !several);
    let mut heads = vec![TableHead::new("what", false)];
    heads.extend(figure.panel_column.iter().map(|column| TableHead::new(column.as_str(), false)));
    for &one in &series {
        let text = if several { figure.series[one].name.as_str() } else { "measured" };
        heads.push(TableHead::new(text, true));
        if has_printed(Some(one)) {
            heads.push(if several {
                TableHead::new(text, true).noted("printed")
            } else {
                TableHead::new("printed", true)
            });
        }
    }
    let common = several && has_printed(None);
    if common {
        heads.push(TableHead::new("printed", true));
    }
    let mut rows = Vec::new();
    for group in row_groups(figure) {
        let mut metrics: Vec<&String> = Vec::new();
        for metric in figure.panels.iter().flat_map(|panel| &panel.metrics) {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        for metric in metrics {
            let column = |series, printed| TableColumn { metric: metric.clone(), series, printed };
            let get = |column: TableColumn| cell(figure, &column, group, &Value::None).unwrap_or_default();
            let label = figure.panels.iter().find(|panel| panel.metrics == [metric.clone()]).map(|p| p.y_label.clone());
            let mut row = vec![TableCell::head(label.unwrap_or_else(|| metric_name(figure, metric)), None)];
            row.extend(group_cell(figure, group));
            for &one in &series {
                row.push(get(column(Some(one), false)));
                if has_printed(Some(one)) {
                    let own = get(column(Some(one), true));
                    let shared = || if several { TableCell::default() } else { get(column(None, true)) };
                    row.push(if own.text.is_empty() { shared() } else { own });
                }
            }
            if common {
                row.push(get(column(None, true)));
            }
            if row.iter().any(|cell| !cell.heads_row && !cell.text.is_empty()) {
                rows.push(row);
            }
        }
    }
    FigureTable { heads, rows }
}

/// Where a panel holds several metrics, their names are those of their series.
fn metric_name(figure: &DrawnFigure, metric: &str) -> String {
    let unit = figure.panels.first().map_or("", |panel| panel.unit.name.as_str());
    let of = figure.points.iter().find(|point| point.metric == metric);
    let name =
        of.map_or_else(|| crate::report::metrics::words(metric), |point| figure.series[point.series].name.clone());
    with_unit(&name, unit)
}

/// Where x is a metric no two points need share an x: each is a row of its own.
fn by_point(figure: &DrawnFigure) -> FigureTable {
    let mut heads: Vec<TableHead> = Vec::new();
    heads.extend(figure.panel_column.iter().map(|column| TableHead::new(column.as_str(), false)));
    heads.push(TableHead::new("series", false));
    heads.push(TableHead::new(figure.x.label.as_str(), true));
    let label = figure.panels.iter().map(|panel| panel.y_label.clone());
    heads.push(TableHead::new(if figure.panels.len() == 1 { label.collect() } else { "y".to_string() }, true));
    let row = |point: &DrawnPoint| {
        let mut row: Vec<TableCell> = figure
            .panel_column
            .as_ref()
            .and_then(|_| group_cell(figure, Some(figure.panels[point.panel].group)))
            .into_iter()
            .collect();
        row.push(TableCell::head(figure.series[point.series].name.clone(), None));
        row.push(TableCell { text: figure.x.name(&point.x), number: point.x.number(), ..TableCell::default() });
        row.push(value_cell(figure, point));
        row
    };
    FigureTable { heads, rows: figure.points.iter().map(row).collect() }
}
