use super::association::{Association, AssociationParameters, visit_associations};
use crate::data::InputKind;
use crate::lab::{Foremost, Metric, Observation, Witness, Workbench, concise};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;

/// How far the confidences of the original's association rules are off in the release (Injector, Section VI-C).
pub struct ConfidenceError;

const ERROR: Metric = Metric::lower(
    "confidence_error",
    "%",
    "mean over the original's rules of |reconstructed − true confidence| / true confidence",
);
const RULES: Metric = Metric::fact("association_rules", "rules", "association rules of the original");

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

    fn measure(subject: Subject<'_>, parameters: &AssociationParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let mut sum = 0.0;
        // The rules that are furthest off, with their confidence as it is and as it seems.
        let mut worst: Foremost<f64, (String, f64, f64)> = Foremost::new(Witness::MOST);
        let rules = visit_associations(subject, parameters, &mut |rule: Association<'_>| {
            if rule.original.is_rule {
                let error = (rule.release.confidence - rule.original.confidence).abs() / rule.original.confidence;
                sum += error;
                let (seems, is) = (rule.release.confidence, rule.original.confidence);
                worst.offer(-error, || (rule.in_words(microdata), seems, is));
            }
        })?;
        bench.witness(|| {
            let witness = |(rank, (rule, seems, is)): (f64, (String, f64, f64))| {
                let off = 100.0 * rank.abs();
                let says = format!(
                    "{rule} has a confidence of {}, and {} by the release: {} % off",
                    concise(is),
                    concise(seems),
                    concise(off)
                );
                Witness::of_metric(&ERROR, says).by([rule]).number(seems).against(is)
            };
            worst.into_cases().map(witness).collect::<Vec<_>>()
        });
        Ok(vec![Observation::new(&ERROR, sum / rules as f64 * 100.0), Observation::new(&RULES, rules as f64)])
    }
}
