use super::{Plan, PlanOptions, Spec, SpecError, plan};
use crate::run::{Company, PlannedCell, distinct};

/// A spec with its cells.
#[derive(Debug)]
pub struct Experiment {
    pub spec: Spec,
    pub plan: Plan,
    /// What the plan was made with.
    pub wanted: PlanOptions,
    /// When it was begun.
    pub started: String,
}

impl Experiment {
    pub fn new(spec: Spec, wanted: &PlanOptions, started: &str) -> Result<Self, Vec<SpecError>> {
        let wanted = wanted.for_spec(&spec);
        let plan = plan(&spec, &wanted)?;
        Ok(Self { spec, plan, wanted, started: started.to_string() })
    }
}

/// Who is timed in the same rounds, and must stay together wherever it runs.
pub fn all_company(experiments: &[Experiment]) -> Company<'_> {
    Company::paired(experiments.iter().map(|experiment| experiment.plan.cells.as_slice()))
}

/// The distinct cells of experiments, with whether they run alone.
pub fn all_cells(experiments: &[Experiment]) -> Vec<(&PlannedCell, bool)> {
    distinct(experiments.iter().flat_map(|experiment| &experiment.plan.cells))
}
