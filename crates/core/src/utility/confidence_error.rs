use super::association::{AssociationParameters, visit_associations};
use crate::data::{Dataset, InputKind};
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::{Release, ReleaseKind};

/// How far the confidences of the original's association rules are off in the release (Injector, Section VI-C).
pub struct ConfidenceError;

const ERROR: Metric = Metric::new(
    "confidence_error",
    "%",
    Better::Lower,
    "mean over the original's rules of |reconstructed − true confidence| / true confidence",
);
const RULES: Metric = Metric::new("association_rules", "rules", Better::Neither, "association rules of the original");

impl Measure for ConfidenceError {
    type Parameters = AssociationParameters;
    const NAME: &'static str = "confidence-error";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Error of the confidence of association rules computed from the release",
        paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008, Section VI-C",
        input: InputKind::Table,
        releases: &[ReleaseKind::Buckets, ReleaseKind::GeneralizedTable],
        metrics: &[ERROR, RULES],
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &AssociationParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let mut sum = 0.0;
        let rules = visit_associations(original, release, parameters, &mut |rule| {
            if rule.original.is_rule {
                sum += (rule.release.confidence - rule.original.confidence).abs() / rule.original.confidence;
            }
        })?;
        Ok(vec![Observation::new(&ERROR, sum / rules as f64 * 100.0), Observation::new(&RULES, rules as f64)])
    }
}
