use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::{Release, ReleaseKind};

pub struct QueryError;

impl Measure for QueryError {
    type Parameters = NoParameters;
    const NAME: &'static str = "query-error";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "",
        paper: "",
        input: InputKind::Table,
        releases: &[ReleaseKind::Buckets],
        metrics: &[],
    };
    fn measure(
        _: &Dataset,
        _: Option<&Release>,
        _: &NoParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        Ok(vec![])
    }
}
