//! What a publisher promises of its release, and the independent check that it keeps the promise.

use super::{Release, RulesStated};
use crate::data::Dataset;
use crate::lab::LabError;
use crate::mining::NegativeRuleParameters;
use serde::Serialize;
use serde_json::{Map, Value};

/// The privacy a release claims to give. It follows from the parameters alone, so an external program cannot choose an
/// easier one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "guarantee", rename_all = "kebab-case")]
pub enum Guarantee {
    /// Every group has at least ℓ distinct sensitive values, none in more than its share of the rows (Anatomy).
    Diversity { l: usize },
    /// Every group has at least ℓ distinct sensitive values, in whatever shares.
    DistinctValues { l: usize },
    /// Every tuple has at least ℓ valid sensitive values in its group for an adversary who knows the negative rules that can
    /// be mined from the original with these parameters (Injector).
    MatchingDiversity { l: usize, rules: NegativeRuleParameters },
    /// Every set of at most m published items that is in some transaction is in at least k of them.
    KmAnonymity { k: usize, m: usize },
    /// Every set of at most p public items that is in some transaction is in at least k of them, and at most the share h
    /// of these has any one private item; the empty set counts, too.
    Cohesion { h: f64, k: usize, p: usize },
    /// Every rule is true of the original and reaches the thresholds, and none that does is missing.
    RulesAsStated(RulesStated),
}

impl Guarantee {
    /// Its parameters by name, those of its parts among them: `l` and `min_exp` of matching diversity.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut parameters = Map::new();
        if let Ok(Value::Object(fields)) = serde_json::to_value(self) {
            for (name, value) in fields.into_iter().filter(|(name, _)| name != "guarantee") {
                match value {
                    Value::Object(parts) => parameters.extend(parts),
                    value => {
                        parameters.insert(name, value);
                    }
                }
            }
        }
        parameters
    }
}

/// What a verifier found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Private,
    /// The first few ways in which the promise is broken, in words.
    Broken(Vec<String>),
}

impl Verdict {
    pub fn from_faults(faults: Vec<String>) -> Self {
        if faults.is_empty() { Self::Private } else { Self::Broken(faults) }
    }
}

/// Checks that `release` says nothing untrue of `dataset` (no record dropped, invented or altered beyond what its kind
/// allows) and keeps `guarantee`. Shares no code with any publisher.
pub fn verify(dataset: &Dataset, release: &Release, guarantee: &Guarantee) -> Result<Verdict, LabError> {
    let faults = match (release, guarantee) {
        (Release::Buckets(buckets), Guarantee::Diversity { l }) => {
            super::buckets::diversity_faults(dataset.microdata()?, buckets, *l)
        }
        (Release::Buckets(buckets), Guarantee::DistinctValues { l }) => {
            super::buckets::distinct_faults(dataset.microdata()?, buckets, *l)
        }
        (Release::Buckets(buckets), Guarantee::MatchingDiversity { l, rules }) => {
            super::matching::matching_faults(dataset.microdata()?, buckets, *l, rules)?
        }
        (Release::Rules(rules), Guarantee::RulesAsStated(stated)) => {
            super::rules_verifier::rules_faults(dataset.microdata()?, rules, stated)
        }
        (Release::Generalized(release), Guarantee::KmAnonymity { k, m }) => {
            super::generalized_verifier::km_faults(dataset.baskets()?, release, *k, *m)?
        }
        (Release::Suppressed(release), Guarantee::Cohesion { h, k, p }) => {
            super::suppressed_verifier::cohesion_faults(dataset.baskets()?, release, *h, *k, *p)?
        }
        (release, guarantee) => {
            let guarantee = serde_json::to_string(guarantee).unwrap_or_default();
            return Err(LabError::input(format!("{} cannot be held to {guarantee}", release.kind())));
        }
    };
    Ok(Verdict::from_faults(faults))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarantee_names_its_parameters_and_those_of_its_parts() {
        let names = |guarantee: Guarantee| guarantee.parameters().keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(Guarantee::Diversity { l: 4 }), "l");
        assert_eq!(names(Guarantee::Cohesion { h: 0.5, k: 3, p: 2 }), "h k p");
        let injector = Guarantee::MatchingDiversity { l: 3, rules: NegativeRuleParameters::default() };
        assert_eq!(injector.parameters()["l"], 3);
        assert_eq!(injector.parameters()["min_exp"], NegativeRuleParameters::default().min_exp);
    }
}
