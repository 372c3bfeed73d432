//! Frequent itemsets, positive and negative rules, maximal and minimal borders: one miner for the whole project.

mod antecedents;
mod attribute_values;
mod negative;
mod value_set;

pub use antecedents::{Antecedent, Classes, Condition, OneClass, visit_antecedents};
pub use attribute_values::{AttributeValues, GeneralizedValue};
pub use negative::{Incompatibilities, NegativeRule, NegativeRuleParameters, NegativeRules, Quantitative};
pub use value_set::ValueSet;
