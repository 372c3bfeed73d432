//! What a publisher promises of its release.

use super::generalized_table::TableGuarantee;
use super::rules::RulesStated;
use crate::mining::NegativeRuleParameters;
use serde::Serialize;
use serde_json::{Map, Value};

/// The privacy a release claims to give. It follows from the parameters alone, so an external program cannot choose an
/// easier one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "guarantee", rename_all = "kebab-case")]
pub enum Guarantee {
    /// Every group has at least ℓ distinct sensitive values, none in more than its share of the rows (Anatomy).
    Diversity {
        /// One in so many rows of a group may have one value.
        l: usize,
    },
    /// Every group has at least ℓ distinct sensitive values, in whatever shares.
    DistinctValues {
        /// Different values in every group.
        l: usize,
    },
    /// Every tuple has at least ℓ valid sensitive values in its group for an adversary who knows the negative rules that can
    /// be mined from the original with these parameters (Injector).
    MatchingDiversity {
        /// Values that remain possible for every row.
        l: usize,
        /// What the adversary is assumed to have mined.
        rules: NegativeRuleParameters,
    },
    /// Every class of a generalized table meets every requirement, and few enough rows are suppressed.
    Table(TableGuarantee),
    /// Every set of at most m published items that is in some transaction is in at least k of them.
    KmAnonymity {
        /// Transactions that share any such itemset.
        k: usize,
        /// Items that an adversary knows, at most.
        m: usize,
    },
    /// Every set of at most p public items that is in some transaction is in at least k of them, and at most the share h
    /// of these has any one private item; the empty set counts, too.
    Cohesion {
        /// The largest share of transactions with a private item.
        h: f64,
        /// Transactions that share any such itemset.
        k: usize,
        /// Public items that an adversary knows, at most.
        p: usize,
    },
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
                    Value::Array(parts) => {
                        let fields = parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten();
                        parameters.extend(fields.filter(|(name, _)| name != "require"));
                    }
                    value => {
                        parameters.insert(name, value);
                    }
                }
            }
        }
        parameters
    }
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
