//! What goes into a paper: figures, claims, comparisons and numbers of an experiment, from the files that its report left.

use super::ReportError;
use super::claims_table::ClaimsTable;
use super::contest::{self, Options};
use super::figure::{DrawnFigure, build, table};
use super::files::{create_folder, write as write_file};
use super::findings::Findings;
use super::latex::{self, LatexCommand, Plotted, commands, figure_table, macro_file, plotted};
use super::markdown;
use super::metrics::{MetricInfo, Metrics};
use super::observations::Observations;
use super::palette::{Palette, Style};
use super::picture::{pdf, png};
use super::plot::{plot, standalone};
use super::reading_names::ReadingNames;
use super::results::FigureResult;
use crate::run::CsvSheet;
use crate::spec::draw::DrawKind;
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What an experiment is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportKind {
    /// Pictures for \input, with their numbers in a CSV beside them, and a document around each
    Pgfplots,
    /// A table (booktabs) of each figure
    Table,
    /// A table of the claims and their verdicts
    Claims,
    /// Tables of the algorithms against each other
    Comparison,
    /// Every number as a command
    Macros,
    /// Pictures for anything else, to be scaled and restyled
    Svg,
    /// Pictures that need no LaTeX fonts: text stays text, in a font that is inside
    Pdf,
    /// Pictures in pixels, two for each of the drawing's
    Png,
}

/// What a report has of each figure for LaTeX.
pub const LATEX: [ExportKind; 2] = [ExportKind::Pgfplots, ExportKind::Table];

/// What is made from a figure's drawing.
const PICTURES: [ExportKind; 3] = [ExportKind::Svg, ExportKind::Pdf, ExportKind::Png];

/// A file to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    /// What it is made from.
    pub from: String,
}

impl File {
    fn new(name: String, bytes: impl Into<Vec<u8>>, from: &str) -> Self {
        Self { name, bytes: bytes.into(), from: from.to_string() }
    }
}

/// A finished experiment.
pub struct FinishedExperiment<'a> {
    folder: PathBuf,
    /// The folder's name.
    pub id: String,
    /// In the order of the spec.
    figures: Vec<FigureResult>,
    metrics: &'a BTreeMap<String, MetricInfo>,
}

impl<'a> FinishedExperiment<'a> {
    pub fn read(folder: &Path, metrics: &'a BTreeMap<String, MetricInfo>) -> Result<Self, ReportError> {
        let id = folder.canonicalize().unwrap_or(folder.to_path_buf());
        let id = id.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let measured = CsvSheet::read(&folder.join("measurements.csv")).map_err(ReportError::Input)?;
        let mut figures = Vec::new();
        for id in measured.figures() {
            let mut figure = FigureResult::read_record(folder, id)?;
            figure.read_observations(folder)?;
            figures.push(figure);
        }
        if figures.is_empty() {
            return Err(ReportError::Input(format!(
                "there are no figures in {}: name the folder of an experiment, as `anonlab run` leaves it",
                folder.display()
            )));
        }
        Ok(Self { folder: folder.to_path_buf(), id, figures, metrics })
    }

    pub fn figure_ids(&self) -> Vec<&str> {
        self.figures.iter().map(|figure| figure.id.as_str()).collect()
    }

    /// The files of these kinds, for these figures; for all where none is named.
    pub fn files(&self, kinds: &[ExportKind], only: &[String]) -> Result<Vec<File>, ReportError> {
        let built: Vec<DrawnFigure> = self.figures.iter().map(|result| build(result, Metrics(self.metrics))).collect();
        let palette = Palette::assign(built.iter());
        let wanted = |result: &FigureResult| only.is_empty() || only.contains(&result.id);
        let mut files = Vec::new();
        let mut numbers: Vec<LatexCommand> = Vec::new();
        let mut caveats: Vec<String> = Vec::new();
        for (result, figure) in self.figures.iter().zip(&built).filter(|(result, _)| wanted(result)) {
            let styles = palette.styles(figure);
            files.extend(figure_files(&self.id, result, figure, &styles, kinds)?);
            numbers.extend(commands(&self.id, result, figure, Metrics(self.metrics)));
            caveats.extend(result.data_caveats());
        }
        caveats.sort();
        caveats.dedup();
        if kinds.contains(&ExportKind::Claims) {
            let mut claims = ReadingNames::read(&self.folder)?.in_table(ClaimsTable::read(&self.folder)?);
            claims.rows.retain(|row| only.is_empty() || only.contains(&row.figure));
            if !claims.rows.is_empty() {
                files.push(File::new("claims.tex".into(), latex::claims(&claims, &caveats), "the claims"));
            }
        }
        if kinds.contains(&ExportKind::Comparison)
            && let Some(sheets) = self.compared(only)?
        {
            files.push(File::new("comparison.tex".into(), latex::sheets(&sheets, &caveats), "the comparison"));
        }
        if kinds.contains(&ExportKind::Macros) {
            if only.is_empty() {
                numbers.extend(latex::outcomes(&self.id, &Findings::read(&self.folder)?));
            }
            files.push(File::new("macros.tex".into(), macro_file(&self.id, &numbers)?, "the numbers"));
        }
        Ok(files)
    }

    fn figure(&self, id: &str) -> Result<&FigureResult, ReportError> {
        let found = self.figures.iter().find(|figure| figure.id == id);
        let known = || self.figure_ids().join(", ");
        found.ok_or_else(|| {
            ReportError::Input(format!("there is no figure `{id}` in {}; there are {}", self.id, known()))
        })
    }

    /// What a figure is called.
    pub fn title(&self, id: &str) -> Result<String, ReportError> {
        Ok(self.figure(id)?.title.clone())
    }

    /// A figure's table in Markdown, with what of its data is not the real one below it.
    pub fn markdown(&self, id: &str) -> Result<String, ReportError> {
        let result = self.figure(id)?;
        let table = table(&build(result, Metrics(self.metrics)));
        let beside = |main: &str, note: &str| format!("{main} {note}").trim().to_string();
        let mut rows = vec![table.heads.iter().map(|head| beside(&head.text, &head.note)).collect::<Vec<_>>()];
        rows.extend(table.rows.iter().map(|row| row.iter().map(|cell| beside(&cell.text, &cell.note)).collect()));
        let mut text = markdown::table(&rows);
        if let caveats @ [_, ..] = result.data_caveats().as_slice() {
            text += &format!("\nData: {}\n", markdown::escaped(&caveats.join(", ")));
        }
        Ok(text)
    }

    /// None where no two algorithms report a metric that has a better and a worse.
    fn compared(&self, only: &[String]) -> Result<Option<Vec<contest::ContestSheet>>, ReportError> {
        let wanted = self.figures.iter().filter(|figure| only.is_empty() || only.contains(&figure.id));
        let observed: Vec<&Observations> = wanted.map(|figure| &figure.observations).collect();
        let found = contest::contest(&observed, self.metrics, &Options::default())?;
        Ok((!found.metrics.is_empty()).then(|| contest::sheets(&found)))
    }
}

/// The files of one figure.
pub fn figure_files(
    experiment: &str,
    result: &FigureResult,
    figure: &DrawnFigure,
    styles: &[Style],
    kinds: &[ExportKind],
) -> Result<Vec<File>, ReportError> {
    let (id, title, caveats) = (&result.id, &result.title, result.data_caveats());
    let from = format!("figure `{id}`");
    let mut files = Vec::new();
    let mut add = |ending: &str, bytes: Vec<u8>| files.push(File::new(format!("{id}.{ending}"), bytes, &from));
    if kinds.contains(&ExportKind::Pgfplots)
        && let Some(made) = plotted(&Plotted { experiment, id, title, caveats: &caveats, figure, styles })
    {
        add("tex", made.tex.into());
        add("csv", made.csv.into());
        add("standalone.tex", made.standalone.into());
    }
    if kinds.contains(&ExportKind::Table) {
        add("table.tex", figure_table(&format!("{title} ({experiment}, {id})"), &table(figure), &caveats).into());
    }
    if kinds.iter().any(|kind| PICTURES.contains(kind)) && figure.kind != DrawKind::Table {
        let svg = standalone(figure, &plot(figure, styles, &[])?, title, &caveats);
        if kinds.contains(&ExportKind::Pdf) {
            add("pdf", pdf(&svg, title)?);
        }
        if kinds.contains(&ExportKind::Png) {
            add("png", png(&svg)?);
        }
        if kinds.contains(&ExportKind::Svg) {
            add("svg", svg.into());
        }
    }
    Ok(files)
}

/// Writes files into a folder; two of one name are an error before anything is written.
pub fn write(files: &[File], folder: &Path) -> Result<(), ReportError> {
    let mut known: BTreeMap<&str, &File> = BTreeMap::new();
    for file in files {
        if let Some(other) = known.insert(&file.name, file) {
            return Err(ReportError::Input(format!(
                "{} and {} would both be written to {}: rename one in the spec",
                other.from, file.from, file.name
            )));
        }
    }
    let folder = create_folder(folder)?;
    files.iter().try_for_each(|file| write_file(&folder.join(&file.name), &file.bytes))
}
