//! Frequent and maximal itemsets, positive and negative rules: one miner for the whole project.

mod antecedents;
mod attribute_values;
mod coding;
mod database;
mod dense;
mod frames;
mod frequent;
mod kernels;
mod masks;
mod maximal;
mod negative;
mod patterns;
mod search;
mod sensitive_rules;
mod sink;
mod sparse;
mod value_set;

pub use antecedents::{Antecedent, Classes, Condition, OneClass, visit_antecedents};
pub use attribute_values::{AttributeValues, GeneralizedValue};
pub use frequent::{count, mine};
pub use maximal::mine_maximal;
pub use negative::{Incompatibilities, NegativeRule, NegativeRuleParameters, NegativeRules, Quantitative};
pub use patterns::{Pattern, Profiles};
pub use sensitive_rules::{SensitiveRule, Wanted, sensitive_rules};
pub use value_set::ValueSet;
