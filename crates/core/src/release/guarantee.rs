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
    /// Its parameters by name, those of its parts among them: `l` and `min_exp` of matching diversity. Of a conjunction, `k`
    /// and `l` are the strictest that follow from it: an entropy of ln 2.5 takes 3 different values. An ℓ of 1 promises nothing
    /// and is left out.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut parameters = Map::new();
        if let Ok(Value::Object(fields)) = serde_json::to_value(self) {
            for (name, value) in fields.into_iter().filter(|(name, _)| name != "guarantee") {
                match value {
                    Value::Object(parts) => parameters.extend(parts),
                    Value::Array(parts) => {
                        let fields = parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten();
                        add_strictest(&mut parameters, fields.filter(|(name, _)| name != "require"));
                    }
                    value => {
                        parameters.insert(name, value);
                    }
                }
            }
        }
        parameters
    }

    /// The parameters of several guarantees that are all asked for.
    pub fn parameters_of_all<'a>(guarantees: impl Iterator<Item = &'a Self>) -> Map<String, Value> {
        let mut parameters = Map::new();
        add_strictest(&mut parameters, guarantees.flat_map(Self::parameters));
        parameters
    }
}

/// In words that follow "the release keeps".
impl std::fmt::Display for Guarantee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Diversity { l } => {
                write!(f, "{l}-diversity: no sensitive value is in more than 1 of {l} rows of a group")
            }
            Self::DistinctValues { l } => write!(f, "at least {l} different sensitive values in every group"),
            Self::MatchingDiversity { l, .. } => {
                write!(f, "at least {l} possible sensitive values for everybody, whoever knows the negative rules")
            }
            Self::Table(table) => write!(f, "{table}"),
            Self::KmAnonymity { k, m } => write!(f, "k^m-anonymity with k = {k} and m = {m}"),
            Self::Cohesion { h, k, p } => write!(f, "({h}, {k}, {p})-cohesion"),
            Self::RulesAsStated(_) => {
                f.write_str("its word: every rule is true and reaches the thresholds, and none that does is missing")
            }
        }
    }
}

/// Adds parameters of further requirements: the largest `k` and `l` count, of others the first.
fn add_strictest(parameters: &mut Map<String, Value>, more: impl Iterator<Item = (String, Value)>) {
    for (name, value) in more {
        // Every ℓ-diversity takes at least ℓ different values: a whole number of them.
        let whole =
            if matches!(name.as_str(), "k" | "l") { value.as_f64().map(|value| value.ceil() as u64) } else { None };
        let Some(whole) = whole else {
            parameters.entry(name).or_insert(value);
            continue;
        };
        let known = parameters.get(&name).and_then(Value::as_u64);
        if name != "l" || whole > 1 {
            parameters.insert(name, Value::from(known.map_or(whole, |known| known.max(whole))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::generalized_table::{Conventions, Requirement};
    use serde_json::json;

    #[test]
    fn a_guarantee_names_its_parameters_and_those_of_its_parts() {
        let names = |guarantee: Guarantee| guarantee.parameters().keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(Guarantee::Diversity { l: 4 }), "l");
        assert_eq!(names(Guarantee::Cohesion { h: 0.5, k: 3, p: 2 }), "h k p");
        let injector = Guarantee::MatchingDiversity { l: 3, rules: NegativeRuleParameters::default() };
        assert_eq!(injector.parameters()["l"], 3);
        assert_eq!(injector.parameters()["min_exp"], NegativeRuleParameters::default().min_exp);
    }

    #[test]
    fn guarantees_are_told_in_words() {
        assert_eq!(Guarantee::Cohesion { h: 0.5, k: 3, p: 2 }.to_string(), "(0.5, 3, 2)-cohesion");
        let table = |requirements: &[Requirement], suppression| {
            let conventions = Conventions { suppression, ..Conventions::default() };
            Guarantee::Table(TableGuarantee { requirements: requirements.to_vec(), conventions }).to_string()
        };
        assert_eq!(table(&[], 0.0), "the truth: every cell covers the original's");
        let both = [Requirement::KAnonymity { k: 5 }, Requirement::Alpha { alpha: 0.5 }];
        assert_eq!(table(&both, 0.0), "5-anonymity and α = 0.5");
        assert_eq!(table(&both[..1], 0.02), "5-anonymity, with at most the share 0.02 of the rows suppressed");
    }

    #[test]
    fn a_conjunction_has_the_strictest_k_and_l_that_follow_from_it() {
        let table = |requirements: &[Requirement]| {
            Guarantee::Table(TableGuarantee {
                requirements: requirements.to_vec(),
                conventions: Conventions::default(),
            })
        };
        use Requirement::{DistinctDiversity, EntropyDiversity, KAnonymity};
        let told = |guarantee: &Guarantee| {
            let parameters = guarantee.parameters();
            (parameters.get("k").cloned(), parameters.get("l").cloned())
        };
        let entropy = table(&[KAnonymity { k: 2 }, EntropyDiversity { l: 2.0 }]);
        assert_eq!(told(&entropy), (Some(json!(2)), Some(json!(2))));
        let both =
            table(&[KAnonymity { k: 7 }, DistinctDiversity { l: 2 }, EntropyDiversity { l: 2.5 }, KAnonymity { k: 3 }]);
        assert_eq!(told(&both), (Some(json!(7)), Some(json!(3))));
        assert_eq!(told(&table(&[DistinctDiversity { l: 1 }])), (None, None));
        let all = Guarantee::parameters_of_all([&entropy, &both].into_iter());
        assert_eq!((&all["k"], &all["l"]), (&json!(7), &json!(3)));
    }
}
