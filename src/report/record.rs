//! A figure as its report left it: `figures/<id>.json`, and its rows of the experiment's CSV files.

use super::ReportError;
use super::claims::Trial;
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
        let record: Self = serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        match record.has_all_verdicts() {
            true => Ok(record),
            false => Err(fault("its trials are not those of its claims".to_string())),
        }
    }

    /// Whether each of its trials judges each of its claims.
    fn has_all_verdicts(&self) -> bool {
        let claims = self.claims.len();
        let judges_all = |trial: &Trial| (trial.judgements.len(), trial.draws.len()) == (claims, claims);
        self.trials.iter().all(judges_all) && self.others.iter().all(|(_, other)| other.has_all_verdicts())
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_record_whose_trials_lack_a_verdict_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("figures")).unwrap();
        let read = |trials: serde_json::Value| {
            let record = json!({
                "id": "f", "title": "f", "caption": "", "draw": {"y": "m"}, "reference": [],
                "claims": [{"says": "s", "metric": "m", "is": {"equals": 1.0}}],
                "trials": trials, "others": [], "limits": {}, "repetitions": 1, "seed": 1, "parameters": {}, "notes": [],
                "command": "", "quick": false, "spec_digest": "", "code_digest": "",
            });
            std::fs::write(folder.path().join("figures/f.json"), record.to_string()).unwrap();
            FigureResult::read_record(folder.path(), "f").map_err(|error| error.to_string())
        };
        assert!(read(json!([])).is_ok());
        let cut = json!([{"reading": {"options": []}, "seed": 1, "judgements": [], "draws": [false]}]);
        let error = read(cut).unwrap_err();
        assert!(error.ends_with("its trials are not those of its claims"), "{error}");
    }
}
