//! What is asked of a release, as it is written on a command line: `k-anonymity:k=5`, `query-error:dim=2,sel=0.1`.

use crate::lab::{LabError, Seed, did_you_mean_or_list};
use crate::measures::{AnyMeasure, measure, measures};
use crate::publish::{Contract, contract, contracts};
use crate::release::{Guarantee, ReleaseKind};
use serde_json::{Map, Value};
use std::time::Duration;

/// A guarantee or a measure with parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The guarantee's or measure's name.
    pub name: String,
    /// Its parameters, as far as they were given.
    pub parameters: Map<String, Value>,
}

/// Everything that is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What the release is held to.
    pub guarantees: Vec<Asked>,
    /// Empty: every measure that applies.
    pub measures: Vec<Asked>,
    /// How stars and suppressed rows of tables are read, by every guarantee and measure that does not say it itself.
    pub conventions: Map<String, Value>,
    /// What query workloads are drawn with.
    pub seed: Seed,
    /// How long one measure may take.
    pub time: Option<Duration>,
    /// Whether witnesses may say what the original says of single rows; else rows are named by number.
    pub show_rows: bool,
    /// There is no original: what was made of the release alone stands for it.
    pub alone: bool,
}

impl Asked {
    /// `NAME`, or `NAME:PARAMETER=VALUE,…`.
    pub fn parse(text: &str) -> Result<Self, LabError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let parameters = pairs(rest).map_err(|pair| {
            LabError::input(format!("`{text}`: `{pair}` is not of the form PARAMETER=VALUE, as in k-anonymity:k=5"))
        })?;
        Ok(Self { name: name.trim().to_string(), parameters })
    }

    /// The guarantee that is meant, and its complete parameters.
    pub(super) fn guarantee(
        &self,
        kind: ReleaseKind,
        conventions: &Map<String, Value>,
    ) -> Result<(Guarantee, Map<String, Value>), LabError> {
        let contract = self.contract(kind)?;
        let known = contract.parameters();
        let takes = |name: &str| known.iter().any(|parameter| parameter.name == name);
        if let Some(name) = self.parameters.keys().find(|name| !takes(name)) {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name.as_str()).collect();
            return Err(LabError::input(format!(
                "{}: there is no parameter `{name}`; {}",
                self.name,
                did_you_mean_or_list(name, &names)
            )));
        }
        let mut given = self.parameters.clone();
        for (name, value) in conventions.iter().filter(|(name, _)| takes(name)) {
            given.entry(name.clone()).or_insert_with(|| value.clone());
        }
        // Nothing is promised about what was not asked for.
        if takes("suppression") {
            given.entry("suppression").or_insert(Value::from(1.0));
        }
        if takes("k") && takes("suppression") && !self.name.ends_with("k-anonymity") {
            given.entry("k").or_insert(Value::from(1));
        }
        let complete = contract.complete(&given)?;
        let guarantee = contract.guarantee(&complete);
        let guarantee = guarantee.map_err(|error| LabError::input(format!("{}: {error}", self.name)))?;
        Ok((guarantee, complete))
    }

    fn contract(&self, kind: ReleaseKind) -> Result<&'static Contract, LabError> {
        contract(kind, Some(&self.name)).ok_or_else(|| {
            let of_kind: Vec<&str> =
                contracts().iter().filter(|known| known.release == kind).map(|known| known.name).collect();
            let name = &self.name;
            let elsewhere = contracts().iter().find(|known| known.name == *name);
            let hint = match elsewhere {
                Some(known) => format!("that is for {}; these are held to {}", known.release, of_kind.join(", ")),
                None => did_you_mean_or_list(name, &of_kind),
            };
            LabError::input(format!("{kind} have no guarantee `{name}`; {hint}"))
        })
    }

    pub(super) fn measure(&self) -> Result<&'static dyn AnyMeasure, LabError> {
        measure(&self.name).ok_or_else(|| {
            let names: Vec<&str> = measures().iter().map(|measure| measure.name()).collect();
            LabError::input(format!(
                "there is no measure `{}`; {}",
                self.name,
                did_you_mean_or_list(&self.name, &names)
            ))
        })
    }
}

/// `a=1,b=x`: numbers and truth values as such, other words as text. The pair at fault where there is one.
fn pairs(text: &str) -> Result<Map<String, Value>, String> {
    outer_commas(text)
        .filter(|pair| !pair.trim().is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').ok_or_else(|| pair.trim().to_string())?;
            let value = value.trim();
            let value = serde_yaml::from_str(value).unwrap_or_else(|_| Value::from(value));
            Ok((name.trim().to_string(), value))
        })
        .collect()
}

/// The parts between commas; those within brackets part nothing: `also=[{require: entropy-diversity, l: 2.5}]`.
fn outer_commas(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |letter| {
        depth += match letter {
            '[' | '{' => 1,
            ']' | '}' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::TableGuarantee;
    use crate::release::generalized_table::Requirement;

    fn guarantee(kind: ReleaseKind, text: &str) -> Result<Guarantee, String> {
        let asked = Asked::parse(text).map_err(|error| error.to_string())?;
        asked.guarantee(kind, &Map::new()).map(|(guarantee, _)| guarantee).map_err(|error| error.to_string())
    }

    #[test]
    fn guarantees_are_what_they_say_and_no_more() {
        assert_eq!(guarantee(ReleaseKind::Buckets, "diversity:l=3").unwrap(), Guarantee::Diversity { l: 3 });
        let km = guarantee(ReleaseKind::GeneralizedTransactions, "km-anonymity:k=4,m=3").unwrap();
        assert_eq!(km, Guarantee::KmAnonymity { k: 4, m: 3 });
        let Guarantee::Table(TableGuarantee { requirements, conventions }) =
            guarantee(ReleaseKind::GeneralizedTable, "l-diversity:l=2").unwrap()
        else {
            panic!("not a table's")
        };
        let asks_for_k = |requirement: &Requirement| matches!(requirement, Requirement::KAnonymity { k } if *k > 1);
        assert!(!requirements.iter().any(asks_for_k), "{requirements:?}");
        assert_eq!(conventions.suppression, 1.0);
    }

    #[test]
    fn further_requirements_stand_in_brackets() {
        let text = "k-anonymity:also=[{require: entropy-diversity, l: 2.5}, {require: t-closeness, t: 0.3}],k=4";
        let Guarantee::Table(TableGuarantee { requirements, .. }) =
            guarantee(ReleaseKind::GeneralizedTable, text).unwrap()
        else {
            panic!("no table");
        };
        let words: Vec<String> = requirements.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["4-anonymity", "entropy 2.5-diversity", "0.3-closeness"]);
        let unclosed =
            guarantee(ReleaseKind::GeneralizedTable, "k-anonymity:also=[{require: t-closeness,k=4").unwrap_err();
        assert!(unclosed.contains("also"), "{unclosed}");
    }

    #[test]
    fn what_does_not_exist_is_named_with_what_does() {
        let says = |kind, text| guarantee(kind, text).unwrap_err();
        assert_eq!(
            says(ReleaseKind::GeneralizedTable, "k-anonimity:k=5"),
            "generalized-table have no guarantee `k-anonimity`; did you mean `k-anonymity`?"
        );
        assert_eq!(
            says(ReleaseKind::Buckets, "k-anonymity:k=5"),
            "buckets have no guarantee `k-anonymity`; that is for generalized-table; these are held to diversity, matching-diversity"
        );
        assert!(says(ReleaseKind::GeneralizedTable, "k-anonymity:q=5").contains("there is no parameter `q`"));
        assert!(
            says(ReleaseKind::GeneralizedTable, "k-anonymity:5").contains("`5` is not of the form PARAMETER=VALUE")
        );
        assert_eq!(
            says(ReleaseKind::GeneralizedTable, "t-closeness"),
            "t-closeness promises nothing without `t`: give it"
        );
    }
}
