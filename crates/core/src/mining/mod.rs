//! Frequent itemsets, positive and negative rules, maximal and minimal borders: one miner for the whole project.

mod antecedents;
mod attribute_values;
mod classes;
mod closed;
mod coding;
mod database;
mod dense;
mod frames;
mod frequent;
mod itemized;
mod kernels;
mod masks;
mod maximal;
mod minimal;
mod negative;
mod rules;
mod search;
mod sink;
mod sparse;
mod tables;
mod value_set;

pub use antecedents::{Antecedent, Classes, Condition, OneClass, visit_antecedents};
pub use attribute_values::{AttributeValues, GeneralizedValue};
pub use classes::mine_with_classes;
pub use closed::mine_closed;
pub use frequent::{count, mine};
pub use itemized::Itemized;
pub use maximal::mine_maximal;
pub use minimal::mine_minimal_infrequent;
pub use negative::{Incompatibilities, NegativeRule, NegativeRuleParameters, NegativeRules, Quantitative};
pub use rules::{AssociationRule, RuleThresholds, association_rules};
pub use tables::{ItemSource, TableItems, Values};
pub use value_set::ValueSet;
mod patterns;
mod sensitive_rules;

pub use patterns::{Pattern, Profiles};
pub use sensitive_rules::{SensitiveRule, Wanted, sensitive_rules};
