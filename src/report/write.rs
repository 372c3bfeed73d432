//! From results to the files of a report.

use super::ReportError;
use super::claims::{Conclusion, Judgement, Verdict};
use super::claims_csv::{claims_csv, readings_csv, standings_csv, statements_csv};
use super::claims_table::ClaimsTable;
use super::contest::{self, Contest};
use super::export;
use super::figure::{DrawnFigure, to_csv};
use super::files::{check_id, create_folder, remove, renewed_folder, write as write_file};
use super::findings::Findings;
use super::metrics::Metrics;
use super::observations::{Observations, machines_of};
use super::page::card::{self, Card};
use super::page::{Pages, view};
use super::palette::Palette;
use super::plot::standalone;
use super::prepared::Prepared;
use super::readings::{self, OtherReading, others};
use super::results::ExperimentResult;
use crate::lab::Better;
use crate::spec::expectation::Standing;
use std::path::{Path, PathBuf};

/// What a report came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportSummary {
    pub figures: usize,
    /// In the order of the experiments, their figures and their claims.
    pub claims: Vec<JudgedClaim>,
    /// The page to open first.
    pub index: PathBuf,
}

/// A claim's verdict and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedClaim {
    pub experiment: String,
    pub figure: String,
    /// As the spec stands, with the first seed.
    pub judgement: Judgement,
    /// Under all readings and seeds.
    pub conclusion: Conclusion,
    /// What is not as it is known to be.
    pub surprise: Option<String>,
}

impl ReportSummary {
    pub fn count(&self, verdict: Verdict) -> usize {
        self.claims.iter().filter(|claim| claim.conclusion.verdict == verdict).count()
    }

    pub fn standing(&self, standing: Standing) -> usize {
        self.claims.iter().filter(|claim| claim.conclusion.standing == standing).count()
    }

    /// Claims that do not come to what is known of them.
    pub fn surprises(&self) -> impl Iterator<Item = &JudgedClaim> {
        self.claims.iter().filter(|claim| claim.surprise.is_some())
    }
}

/// Before anything of these experiments is written: the index says nothing of them until all of it is there. A run that is
/// killed on the way leaves no page beside an index that tells another story.
pub fn begin(experiments: &[&str], dir: &Path) -> Result<(), ReportError> {
    for id in experiments {
        remove(&dir.join(id).join(card::FILE))?;
    }
    let index = dir.join("index.html");
    if index.is_file() {
        write_index(&Pages::new()?, &Card::in_directory(dir), dir)?;
    }
    Ok(())
}

fn write_index(pages: &Pages, cards: &[Card], dir: &Path) -> Result<PathBuf, ReportError> {
    let index = dir.join("index.html");
    let unfinished = card::unfinished(dir);
    // What another version left and this one cannot read is not told; its card links to its own page.
    let mut findings: Vec<Findings> =
        cards.iter().filter_map(|card| Findings::read(&dir.join(&card.id)).ok()).filter(Findings::tells).collect();
    findings.sort_by_key(|findings| findings.statements.is_empty());
    let page = pages.index(cards, &findings, &unfinished, dir.join(super::trends::FILE).is_file())?;
    write_file(&index, page.as_bytes())?;
    Ok(index)
}

/// Writes `dir/index.html`, which shows what other commands left in `dir` too, and, for each experiment, `dir/<id>/index.html`, `comparison.html` (where algorithms are
/// compared), `claims.csv`, `standings.csv`, `statements.csv`, `readings.csv`, `claims.html`, `readings/` with figures under other readings, and of each figure `figures/<id>.csv`, `.svg` and its record `.json`, and `tex/<id>.tex` with its `.csv`, `.standalone.tex` and `.table.tex` for LaTeX. What was there of figures
/// that are no more goes. Pages link to `measurements.csv`, `costs.csv` and
/// `provenance.json` of the experiment where they are there already.
///
/// The same results give the same bytes; times and machine stand between `<!-- run -->` and `<!-- /run -->` on each page.
pub fn write(experiments: &[ExperimentResult], dir: &Path) -> Result<ReportSummary, ReportError> {
    let mut prepared: Vec<Vec<Prepared>> = Vec::new();
    for (index, experiment) in experiments.iter().enumerate() {
        check_id("experiment", &experiment.id)?;
        if experiments[..index].iter().any(|other| other.id == experiment.id) {
            return Err(ReportError::Input(format!("two experiments are called `{}`", experiment.id)));
        }
        let mut figures = Vec::new();
        for (index, figure) in experiment.figures.iter().enumerate() {
            check_id("figure", &figure.id)?;
            if experiment.figures[..index].iter().any(|other| other.id == figure.id) {
                return Err(ReportError::Input(format!(
                    "two figures of `{}` are called `{}`",
                    experiment.id, figure.id
                )));
            }
            figures.push(Prepared::new(experiment, figure));
        }
        prepared.push(figures);
    }
    let mut others: Vec<Vec<OtherReading>> = experiments.iter().map(others).collect();
    let elsewhere = others.iter().flatten().map(|other| &other.prepared);
    let palette = Palette::assign(prepared.iter().flatten().chain(elsewhere).map(|prepared| &prepared.figure));
    for (figures, others) in prepared.iter_mut().zip(&others) {
        for (index, figure) in figures.iter_mut().enumerate() {
            let behind = others.iter().filter(|other| other.figure == index);
            let behind: Vec<(String, &DrawnFigure)> =
                behind.map(|other| (figure.names.name(&other.reading.to_string()), &other.prepared.figure)).collect();
            figure.draw(&palette, &behind)?;
        }
    }

    let pages = Pages::new()?;
    create_folder(dir)?;
    let mut cards = Vec::new();
    for ((experiment, figures), others) in experiments.iter().zip(&prepared).zip(&mut others) {
        let folder = create_folder(&dir.join(&experiment.id))?;
        let mut view = view::experiment(experiment, figures, files_beside(&folder));
        let contest = contested(experiment)?;
        if let Some(contest) = &contest {
            view.link_comparison(figures, contest);
        }
        let names = experiment.reading_names();
        write_figures(figures, &folder)?;
        write_latex(&experiment.id, figures, &palette, &folder)?;
        write_file(&folder.join("claims.csv"), &claims_csv(figures)?)?;
        write_file(&folder.join("standings.csv"), &standings_csv(figures)?)?;
        match experiment.statements.is_empty() {
            true => remove(&folder.join("statements.csv"))?,
            false => write_file(&folder.join("statements.csv"), &statements_csv(&experiment.statements))?,
        }
        match experiment.readings.is_empty() {
            true => remove(&folder.join("readings.csv"))?,
            false => write_file(&folder.join("readings.csv"), &readings_csv(&experiment.readings, &names))?,
        }
        readings::write(experiment, figures, others, &palette, &pages, &folder)?;
        let claims = ClaimsTable::read(&folder)?;
        let titles = experiment.figures.iter().map(|figure| (figure.id.as_str(), figure.title.as_str()));
        view.tell(&Findings::sentences_of(&folder, &claims, titles)?);
        let page = view::paper(experiment, &names.in_table(claims));
        match page.rows.is_empty() {
            true => remove(&folder.join("claims.html"))?,
            false => write_file(&folder.join("claims.html"), pages.paper(&page)?.as_bytes())?,
        }
        match &contest {
            None => remove(&folder.join("comparison.html"))?,
            Some(contest) => {
                let labels = view::Labels::of_all(experiment.figures.iter().map(|figure| &figure.draw.labels));
                write_file(&folder.join("comparison.html"), pages.comparison(&view, contest, &labels)?.as_bytes())?;
            }
        }
        write_file(&folder.join("index.html"), pages.experiment(&view)?.as_bytes())?;
        let card = Card::new(&view);
        let text = card.to_json().map_err(|error| ReportError::Input(error.to_string()))?;
        write_file(&folder.join(card::FILE), &text)?;
        cards.push(card);
    }
    let others = Card::in_directory(dir).into_iter().filter(|card| experiments.iter().all(|own| own.id != card.id));
    cards.extend(others);
    let index = write_index(&pages, &cards, dir)?;
    Ok(ReportSummary { figures: prepared.iter().map(Vec::len).sum(), claims: judged(experiments, &prepared), index })
}

/// How the algorithms fare over all figures, in the metrics that some figure draws; None where nobody can be best.
fn contested(experiment: &ExperimentResult) -> Result<Option<Contest>, ReportError> {
    let info = Metrics(&experiment.metrics);
    let observed: Vec<&Observations> = experiment.figures.iter().map(|figure| &figure.observations).collect();
    let mut metrics: Vec<String> = Vec::new();
    for metric in experiment.figures.iter().flat_map(|figure| figure.draw.metrics()) {
        let measured = || observed.iter().flat_map(|figure| &figure.rows).any(|row| row.metric == metric);
        let comparable = info.better(metric) != Better::Neither && machines_of(observed.iter().copied(), metric) < 2;
        if comparable && !metrics.iter().any(|known| known == metric) && measured() {
            metrics.push(metric.to_string());
        }
    }
    // Nothing drawn has a better and a worse: nobody is best.
    if metrics.is_empty() {
        return Ok(None);
    }
    let options = contest::Options { metrics, ..contest::Options::default() };
    let found = contest::contest(&observed, &experiment.metrics, &options)?;
    Ok(Some(found).filter(|found| !found.metrics.is_empty()))
}

/// The files a page links to: our own, and those that whoever ran the experiment has put there before.
fn files_beside(folder: &Path) -> Vec<String> {
    let theirs = ["measurements.csv", "costs.csv", "witnesses.csv", "provenance.json"];
    let theirs = theirs.into_iter().filter(|name| folder.join(name).is_file());
    ["claims.csv", "standings.csv"].into_iter().chain(theirs).map(String::from).collect()
}

fn write_figures(figures: &[Prepared], folder: &Path) -> Result<(), ReportError> {
    let folder = create_folder(&folder.join("figures"))?;
    for stale in files_in(&folder).iter().filter(|file| is_stale(file, figures)) {
        remove(stale)?;
    }
    for prepared in figures {
        let id = &prepared.result.id;
        let record =
            serde_json::to_vec_pretty(prepared.result).map_err(|error| ReportError::Input(error.to_string()))?;
        write_file(&folder.join(format!("{id}.json")), &record)?;
        write_file(&folder.join(format!("{id}.csv")), &to_csv(&prepared.figure, prepared.worst_origin())?)?;
        if let Some(plot) = &prepared.plot {
            let svg = standalone(&prepared.figure, plot, &prepared.result.title, &prepared.data_caveats());
            write_file(&folder.join(format!("{id}.svg")), svg.as_bytes())?;
        }
    }
    Ok(())
}

/// `tex/`: each figure for a paper, beside its own numbers.
fn write_latex(experiment: &str, figures: &[Prepared], palette: &Palette, folder: &Path) -> Result<(), ReportError> {
    let folder = renewed_folder(&folder.join("tex"))?;
    let mut files = Vec::new();
    for Prepared { result, figure, .. } in figures {
        files.extend(export::figure_files(experiment, result, figure, &palette.styles(figure), &export::LATEX)?);
    }
    export::write(&files, &folder)
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Whether a file is one of ours and of no figure any more, or the plot of a figure that is a table now.
fn is_stale(file: &Path, figures: &[Prepared]) -> bool {
    let (stem, extension) = (file.file_stem().and_then(|s| s.to_str()), file.extension().and_then(|e| e.to_str()));
    let figure = figures.iter().find(|figure| stem == Some(figure.result.id.as_str()));
    match (extension, figure) {
        (Some("csv" | "svg" | "json"), None) => true,
        (Some("svg"), Some(figure)) => figure.plot.is_none(),
        _ => false,
    }
}

fn judged(experiments: &[ExperimentResult], prepared: &[Vec<Prepared>]) -> Vec<JudgedClaim> {
    let mut claims = Vec::new();
    for (experiment, figures) in experiments.iter().zip(prepared) {
        for figure in figures {
            let found = figure.judgements().iter().zip(&figure.conclusions).zip(&figure.surprises);
            claims.extend(found.map(|((judgement, conclusion), surprise)| JudgedClaim {
                experiment: experiment.id.clone(),
                figure: figure.result.id.clone(),
                judgement: judgement.clone(),
                conclusion: conclusion.clone(),
                surprise: surprise.clone(),
            }));
        }
    }
    claims
}
