//! Frequent and maximal itemsets, positive and negative rules: one miner for the whole project.

mod antecedents;
mod attribute_values;
mod class_counts;
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

pub use antecedents::Condition;
pub(crate) use antecedents::{Antecedent, OneClass, RowClasses, visit_antecedents};
pub(crate) use attribute_values::AttributeValues;
pub(crate) use class_counts::ClassCounts;
pub use frequent::{count, mine};
pub use maximal::mine_maximal;
pub use negative::{Incompatibilities, NegativeRule, NegativeRuleParameters, NegativeRules, Quantitative};
pub(crate) use patterns::Pattern;
pub use patterns::Profiles;
pub(crate) use sensitive_rules::{SensitiveRule, Wanted, sensitive_rules};
pub use value_set::ValueSet;
