//! Published association rules Q ⇒ X, with or without their exact support and confidence.

mod cases;
mod files;
mod form;
mod thresholds;
mod verifier;

pub use thresholds::{RulesStated, Thresholds};

use super::conclusions::Conclusions;
use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::guarantee::Guarantee;
use super::kind::{About, Kind, KindGuarantee, ReleaseFile, Skeleton};
use crate::data::{Dataset, Microdata};
use crate::lab::{LabError, Witness};
use serde::{Deserialize, Serialize};

/// Q ⇒ X: whoever has these quasi-identifier values has this sensitive value, with at least the published confidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRule {
    /// (position among the dataset's quasi-identifiers, value code), ascending by position; empty is the rule ∅ ⇒ X.
    pub antecedent: Vec<(u32, u32)>,
    /// Sensitive value code.
    pub consequent: u32,
    /// Exact counts of Q and of Q with X, where they are published. Counts, not fractions, so that nothing is rounded.
    pub counts: Option<(u64, u64)>,
}

/// What is published about a table instead of the table: rules, and what they have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleSet {
    /// Shorter antecedents first, then by code: an order that tells nothing about confidences that are withheld.
    pub rules: Vec<PublishedRule>,
    /// The number of records, which the public knows.
    pub records: u64,
    /// What it takes for a pattern to be a rule.
    pub thresholds: Thresholds,
    /// Whether a pattern that is not published is known not to be a rule (false when only the first T were published).
    pub complete: bool,
    /// Records per sensitive code, where the sensitive distribution is published.
    pub sensitive_counts: Option<Vec<u64>>,
}

/// Rules say how groups that overlap are made up, which is more than [`Conclusions`] ask for; the maximum-entropy audit reads
/// them as constraints.
impl Conclusions for RuleSet {}

impl Kind for RuleSet {
    const ABOUT: About = About {
        name: "rules",
        files: &[files::RULES, files::HEADER],
        guarantees: &[KindGuarantee { name: "rules-as-stated", like: "association-rules", of: &[] }],
        skeletons: &[Skeleton { ending: "py", text: include_str!("skeletons/program.py") }],
        skeleton_spec: include_str!("skeletons/spec.yaml"),
    };

    fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError> {
        Ok(self.to_files(original.microdata()?))
    }

    fn read(original: &Dataset, files: &[&[u8]]) -> Result<Self, LabError> {
        let [rules, header] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Self::from_files(original.microdata()?, rules, header)
    }

    fn form_faults(beside: Beside<'_>, files: &[&[u8]], _read: &Self) -> Result<Vec<FormFault>, LabError> {
        let [rules, _] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Ok(form::faults(beside.dataset().microdata()?, rules))
    }

    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>> {
        match guarantee {
            Guarantee::RulesAsStated(stated) => {
                Some(original.microdata().map(|microdata| verifier::rules_faults(microdata, self, stated)))
            }
            _ => None,
        }
    }

    fn cases(_guarantee: &str) -> Result<Vec<Case>, LabError> {
        cases::cases()
    }
}

/// A pattern Q ⇒ X in words: `education = Doctorate ∧ sex = Female ⇒ salary = 50K+`.
pub fn rule_in_words(microdata: &Microdata, antecedent: &[(u32, u32)], consequent: u32) -> String {
    let antecedent: Vec<String> = antecedent
        .iter()
        .map(|&(position, code)| {
            let column = &microdata.table.columns[microdata.quasi_identifiers[position as usize]];
            format!("{} = {}", column.name, column.values[code as usize])
        })
        .collect();
    let antecedent = if antecedent.is_empty() { "∅".to_string() } else { antecedent.join(" ∧ ") };
    let sensitive = &microdata.table.columns[microdata.sensitive];
    format!("{antecedent} ⇒ {} = {}", sensitive.name, sensitive.values[consequent as usize])
}
