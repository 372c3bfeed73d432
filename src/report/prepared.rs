//! One figure with everything that is shown of it.

use super::ReportError;
use super::claims::{Conclusion, Judgement, Trial, conclusion};
use super::compare::{Comparison, comparisons};
use super::figure::{Figure, Table, build, table};
use super::files::reading_file_name;
use super::metrics::Metrics;
use super::observations::Observations;
use super::palette::Palette;
use super::plot::{Plot, plot};
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
    pub figure: Figure,
    pub table: Table,
    /// The claims under every reading and seed, the default reading and the first seed first.
    pub trials: Cow<'a, [Trial]>,
    /// What each claim's trials come to.
    pub conclusions: Vec<Conclusion>,
    /// What is not as it is known to be, for each claim.
    pub surprises: Vec<Option<String>>,
    pub comparisons: Vec<Comparison>,
    /// None for tables.
    pub plot: Option<Plot>,
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
        let comparisons = comparisons(result, metrics);
        Self { result, metrics, table, figure, trials, conclusions, surprises, observations, comparisons, plot: None }
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

    /// Colours depend on what else is in the report.
    pub fn draw(&mut self, palette: &Palette) -> Result<(), ReportError> {
        if self.figure.kind != DrawKind::Table {
            self.plot = Some(plot(&self.figure, &palette.styles(&self.figure))?);
        }
        Ok(())
    }

    /// Stand-in where any of the data is, then partial, then example, then real.
    pub fn worst_origin(&self) -> Origin {
        let has = |origin: &Origin| self.observations.origins.iter().any(|(_, known)| known == origin);
        [Origin::StandIn, Origin::Partial, Origin::Example].into_iter().find(has).unwrap_or(Origin::Real)
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
