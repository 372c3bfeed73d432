//! A figure as its report left it: `figures/<id>.json`, and its rows of the experiment's CSV files.

use super::ReportError;
use super::observations::Observations;
use super::results::FigureResult;
use crate::spec::DEFAULT_READING;
use std::path::Path;

impl FigureResult {
    /// Without observations.
    pub fn read_record(folder: &Path, id: &str) -> Result<Self, ReportError> {
        let path = folder.join("figures").join(format!("{id}.json"));
        let fault = |error: String| ReportError::Input(format!("cannot read {}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| fault(error.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))
    }

    /// What was observed, under the default reading and the others.
    pub fn read_observations(&mut self, folder: &Path) -> Result<(), ReportError> {
        self.observations = Observations::read_figure(folder, &self.id, DEFAULT_READING)?;
        for (reading, other) in &mut self.others {
            other.observations = Observations::read_figure(folder, &other.id, &reading.to_string())?;
        }
        Ok(())
    }
}
