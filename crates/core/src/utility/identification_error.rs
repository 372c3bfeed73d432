use super::association::{AssociationParameters, visit_associations};
use crate::data::{Dataset, InputKind};
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::{Release, ReleaseKind};

/// Association rules the release hides or invents (Injector, Section VI-C).
pub struct IdentificationError;

const FALSE_POSITIVES: Metric = Metric::new(
    "false_positives",
    "%",
    Better::Lower,
    "σ⁺: rules of the release that the original does not have, per 100 rules of the original",
);
const FALSE_NEGATIVES: Metric = Metric::new(
    "false_negatives",
    "%",
    Better::Lower,
    "σ⁻: rules of the original that the release does not have, per 100 rules of the original",
);
const RULES: Metric = Metric::new("association_rules", "rules", Better::Neither, "association rules of the original");
const RECONSTRUCTED: Metric =
    Metric::new("reconstructed_rules", "rules", Better::Neither, "association rules of the release");

impl Measure for IdentificationError {
    type Parameters = AssociationParameters;
    const NAME: &'static str = "identification-error";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Association rules that the release hides (σ⁻) or invents (σ⁺)",
        paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008, Section VI-C",
        input: InputKind::Table,
        releases: &[ReleaseKind::Buckets, ReleaseKind::GeneralizedTable],
        metrics: &[FALSE_POSITIVES, FALSE_NEGATIVES, RULES, RECONSTRUCTED],
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &AssociationParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let (mut invented, mut hidden, mut reconstructed) = (0, 0, 0);
        let rules = visit_associations(original, release, parameters, &mut |rule| {
            let (was, is) = (rule.original.is_rule, rule.release.is_rule);
            invented += usize::from(is && !was);
            hidden += usize::from(was && !is);
            reconstructed += usize::from(is);
        })?;
        let percent = |count: usize| count as f64 / rules as f64 * 100.0;
        Ok(vec![
            Observation::new(&FALSE_POSITIVES, percent(invented)),
            Observation::new(&FALSE_NEGATIVES, percent(hidden)),
            Observation::new(&RULES, rules as f64),
            Observation::new(&RECONSTRUCTED, reconstructed as f64),
        ])
    }
}
