use super::association::{Association, AssociationParameters, visit_associations};
use crate::data::InputKind;
use crate::lab::{Foremost, Metric, Observation, Witness, Workbench, concise};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;

/// Association rules the release hides or invents (Injector, Section VI-C).
pub struct IdentificationError;

const FALSE_POSITIVES: Metric = Metric::lower(
    "false_positives",
    "%",
    "σ⁺: rules of the release that the original does not have, per 100 rules of the original",
);
const FALSE_NEGATIVES: Metric = Metric::lower(
    "false_negatives",
    "%",
    "σ⁻: rules of the original that the release does not have, per 100 rules of the original",
);
const RULES: Metric = Metric::fact("association_rules", "rules", "association rules of the original");
const RECONSTRUCTED: Metric = Metric::fact("reconstructed_rules", "rules", "association rules of the release");

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

    fn measure(subject: Subject<'_>, parameters: &AssociationParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let (mut invented, mut hidden, mut reconstructed) = (0, 0, 0);
        // Those that are most of a rule on the one side, with their confidence on both.
        let foremost = || Foremost::<f64, (String, f64, f64)>::new(Witness::MOST);
        let (mut most_invented, mut most_hidden) = (foremost(), foremost());
        let rules = visit_associations(subject, parameters, &mut |rule: Association<'_>| {
            let (was, is) = (rule.original.is_rule, rule.release.is_rule);
            invented += usize::from(is && !was);
            hidden += usize::from(was && !is);
            reconstructed += usize::from(is);
            let (seems, truth) = (rule.release.confidence, rule.original.confidence);
            match (was, is) {
                (false, true) => {
                    most_invented.offer(-seems, || (rule.in_words(microdata), seems, rule.true_confidence(microdata)));
                }
                (true, false) => most_hidden.offer(-truth, || (rule.in_words(microdata), seems, truth)),
                (true, true) | (false, false) => {}
            }
        })?;
        bench.witness(|| {
            let witness = |metric: &Metric, what: &str, (rule, seems, is): (String, f64, f64)| {
                let says = format!("{rule} {what}; by the release its confidence is {}", concise(seems));
                Witness::of_metric(metric, says).by([rule]).number(seems).against(is)
            };
            let invented = most_invented
                .into_cases()
                .map(|(_, rule)| witness(&FALSE_POSITIVES, "is no rule of the original", rule));
            let hidden = most_hidden
                .into_cases()
                .map(|(_, rule)| witness(&FALSE_NEGATIVES, "is a rule of the original alone", rule));
            invented.chain(hidden).collect::<Vec<_>>()
        });
        let percent = |count: usize| count as f64 / rules as f64 * 100.0;
        Ok(vec![
            Observation::new(&FALSE_POSITIVES, percent(invented)),
            Observation::new(&FALSE_NEGATIVES, percent(hidden)),
            Observation::new(&RULES, rules as f64),
            Observation::new(&RECONSTRUCTED, reconstructed as f64),
        ])
    }
}
