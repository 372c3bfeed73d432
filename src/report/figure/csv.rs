//! `figures/<id>.csv`: what is plotted, with every digit.

use super::DrawnFigure;
use crate::data::Origin;
use crate::report::ReportError;
use crate::report::value::Value;
use crate::run::Status;
use polars::prelude::*;

/// `origin` is that of the figure's data: real, or what of it is not.
pub fn to_csv(figure: &DrawnFigure, origin: Origin) -> Result<Vec<u8>, ReportError> {
    let plain = |value: &Value| match value {
        Value::None => None,
        other => Some(other.to_string()),
    };
    let mut lines: Vec<CsvLine> = Vec::new();
    for point in &figure.points {
        lines.push(CsvLine {
            panel: figure.panels[point.panel].title.clone(),
            metric: point.metric.clone(),
            series: Some(figure.series[point.series].name.clone()),
            x: plain(&point.x),
            y: point.y.map(|y| y.value),
            low: point.y.map(|y| y.low),
            high: point.y.map(|y| y.high),
            repetitions: point.y.map_or(0, |y| y.repetitions as u32),
            status: point.missing.as_ref().map_or(Status::Ok, |missing| missing.status).name().to_string(),
        });
    }
    for printed in &figure.printed {
        lines.push(CsvLine {
            panel: figure.panels[printed.panel].title.clone(),
            metric: printed.metric.clone(),
            series: printed.series.map(|series| figure.series[series].name.clone()),
            x: plain(&printed.x),
            y: Some(printed.number.value),
            low: None,
            high: None,
            repetitions: 0,
            status: format!("printed {}", printed.number.wording.words()).trim_end().replace(' ', "_"),
        });
    }
    macro_rules! column {
        ($field:ident) => {
            Column::new(stringify!($field).into(), lines.iter().map(|line| line.$field.clone()).collect::<Vec<_>>())
        };
    }
    let columns = vec![
        column!(panel),
        column!(metric),
        column!(series),
        column!(x),
        column!(y),
        column!(low),
        column!(high),
        column!(repetitions),
        column!(status),
        Column::new("origin".into(), vec![origin.name(); lines.len()]),
    ];
    frame_to_csv(lines.len(), columns)
}

struct CsvLine {
    panel: Option<String>,
    metric: String,
    series: Option<String>,
    x: Option<String>,
    y: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    repetitions: u32,
    /// How its cell ended; "printed" for a value of the paper.
    status: String,
}

pub fn frame_to_csv(height: usize, columns: Vec<Column>) -> Result<Vec<u8>, ReportError> {
    let fault = |error: PolarsError| ReportError::Input(format!("cannot make a CSV: {error}"));
    let mut frame = DataFrame::new(height, columns).map_err(fault)?;
    let mut bytes = Vec::new();
    CsvWriter::new(&mut bytes).finish(&mut frame).map_err(fault)?;
    Ok(bytes)
}
