//! Figures under other readings than the default: a page, a CSV and a plot for each, in `readings/`.

use super::ReportError;
use super::figure::to_csv;
use super::files::{create_folder, reading_file_name, write as write_file};
use super::page::{Pages, view};
use super::palette::Palette;
use super::plot::standalone;
use super::prepared::Prepared;
use super::results::ExperimentResult;
use crate::spec::Variant;
use std::path::Path;

/// A figure under another reading.
pub struct OtherReading<'a> {
    pub reading: &'a Variant,
    pub prepared: Prepared<'a>,
    /// The figure as the spec stands, by its place in the experiment.
    pub figure: usize,
}

/// All of an experiment's.
pub fn others(experiment: &ExperimentResult) -> Vec<OtherReading<'_>> {
    let of_figure = |(figure, result): (usize, &'_ super::FigureResult)| -> Vec<(usize, usize)> {
        (0..result.others.len()).map(|other| (figure, other)).collect()
    };
    let places: Vec<(usize, usize)> = experiment.figures.iter().enumerate().flat_map(of_figure).collect();
    places
        .into_iter()
        .map(|(figure, other)| {
            let (reading, result) = &experiment.figures[figure].others[other];
            OtherReading { reading, prepared: Prepared::new(experiment, result), figure }
        })
        .collect()
}

/// Writes `readings/<figure>.<reading>.html`, `.csv` and `.svg`, and removes what was there before.
pub fn write(
    experiment: &ExperimentResult,
    figures: &[Prepared],
    others: &mut [OtherReading],
    palette: &Palette,
    pages: &Pages,
    folder: &Path,
) -> Result<(), ReportError> {
    let folder = folder.join("readings");
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| ReportError::Input(format!("cannot renew {}: {error}", folder.display())))?;
    }
    if others.is_empty() {
        return Ok(());
    }
    create_folder(&folder)?;
    for OtherReading { reading, prepared, figure } in others {
        prepared.draw(palette, &[])?;
        let name = reading_file_name(&prepared.result.id, reading);
        let path = |ending: &str| folder.join(format!("{name}.{ending}"));
        write_file(&path("csv"), &to_csv(&prepared.figure, prepared.worst_origin())?)?;
        if let Some(plot) = &prepared.plot {
            let title = format!("{} ({})", prepared.result.title, prepared.names.name(&reading.to_string()));
            write_file(&path("svg"), standalone(&prepared.figure, plot, &title, &prepared.data_caveats()).as_bytes())?;
        }
        let page = view::reading(experiment, &figures[*figure], prepared, reading);
        write_file(&path("html"), pages.reading(&page)?.as_bytes())?;
    }
    Ok(())
}
