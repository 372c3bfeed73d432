//! One figure with everything that is shown of it.

use super::ReportError;
use super::claims::{Conclusion, Judgement, Trial, conclusion};
use super::figure::{DrawnFigure, FigureTable, build, table};
use super::files::reading_file_name;
use super::metrics::Metrics;
use super::observations::{ALGORITHM, Observations};
use super::palette::Palette;
use super::plot::{Ghost, Plot, plot};
use super::reading_names::ReadingNames;
use super::results::{ExperimentResult, FigureResult};
use crate::data::Origin;
use crate::spec::Variant;
use crate::spec::claim::Claim;
use crate::spec::draw::DrawKind;
use std::borrow::Cow;

pub struct Prepared<'a> {
    pub result: &'a FigureResult,
    pub metrics: Metrics<'a>,
    pub observations: &'a Observations,
    pub figure: DrawnFigure,
    pub table: FigureTable,
    /// The claims under every reading and seed, the default reading and the first seed first.
    pub trials: Cow<'a, [Trial]>,
    /// What each claim's trials come to.
    pub conclusions: Vec<Conclusion>,
    /// What is not as it is known to be, for each claim.
    pub surprises: Vec<Option<String>>,
    /// What its readings are called.
    pub names: ReadingNames,
    /// None for tables.
    pub plot: Option<Plot>,
    /// The other readings that its plot shows whole, by their place in the switch between readings.
    pub shown_whole: Vec<usize>,
}

impl<'a> Prepared<'a> {
    pub fn new(experiment: &'a ExperimentResult, result: &'a FigureResult) -> Self {
        let metrics = Metrics(&experiment.metrics);
        let observations = &result.observations;
        let figure = build(result, metrics);
        let trials = match result.trials.is_empty() {
            false => Cow::Borrowed(result.trials.as_slice()),
            true => Cow::Owned(vec![Trial {
                reading: Variant::default(),
                seed: None,
                judgements: result.judge(observations, &experiment.metrics),
                draws: vec![false; result.claims.len()],
            }]),
        };
        let conclusions: Vec<Conclusion> =
            result.claims.iter().enumerate().map(|(index, claim)| conclusion(index, claim, &trials)).collect();
        let surprise = |(claim, found): (&Claim, &Conclusion)| found.surprise(&claim.expected, &experiment.readings);
        let surprises = result.claims.iter().zip(&conclusions).map(surprise).collect();
        let table = table(&figure);
        let names = ReadingNames::of(&experiment.readings, std::iter::once(&result.draw.labels));
        let (plot, shown_whole) = (None, Vec::new());
        Self { result, metrics, table, figure, trials, conclusions, surprises, names, observations, plot, shown_whole }
    }

    /// The page of the figure under another reading, beside the experiment's own; empty where there is none.
    pub fn page_of(&self, reading: &str) -> String {
        let other = self.result.others.iter().find(|(other, _)| other.to_string() == reading);
        other.map_or(String::new(), |(other, _)| format!("readings/{}.html", reading_file_name(&self.result.id, other)))
    }

    /// As the spec stands, with the first seed.
    pub fn judgements(&self) -> &[Judgement] {
        &self.trials[0].judgements
    }

    /// Colours depend on what else is in the report. `others` are the figure under other readings, in the order of the
    /// switch between them.
    pub fn draw(&mut self, palette: &Palette, others: &[(String, &DrawnFigure)]) -> Result<(), ReportError> {
        if self.figure.kind == DrawKind::Table {
            return Ok(());
        }
        let ghosts: Vec<Ghost> = others
            .iter()
            .enumerate()
            .map(|(index, (name, figure))| Ghost { reading: index + 1, name, figure })
            .collect();
        self.shown_whole =
            ghosts.iter().filter(|ghost| ghost.is_shown_whole(&self.figure)).map(|ghost| ghost.reading).collect();
        self.plot = Some(plot(&self.figure, &palette.styles(&self.figure), &ghosts)?);
        Ok(())
    }

    /// Stand-in where any of the data is, then partial, then generated, then example, then real.
    pub fn worst_origin(&self) -> Origin {
        let has = |origin: &Origin| self.observations.origins.iter().any(|(_, known)| known == origin);
        [Origin::StandIn, Origin::Partial, Origin::Generated, Origin::Example]
            .into_iter()
            .find(has)
            .unwrap_or(Origin::Real)
    }

    /// Whether several algorithms report a metric here.
    pub fn has_contenders(&self, metric: &str) -> bool {
        let of_metric = self.observations.rows.iter().filter(|row| row.metric == metric);
        let mut algorithms = of_metric.map(|row| &row.key[ALGORITHM]).filter(|algorithm| !algorithm.is_none());
        let first = algorithms.next();
        algorithms.any(|algorithm| Some(algorithm) != first)
    }

    /// What a reader must know of times from several machines; nothing where they are from one.
    pub fn machines_note(&self) -> String {
        match self.result.machines() {
            0 | 1 => String::new(),
            several => {
                format!("The times are of {several} different machines (costs.csv says which) and do not compare.")
            }
        }
    }

    pub fn data_caveats(&self) -> Vec<String> {
        self.result.data_caveats()
    }
}
