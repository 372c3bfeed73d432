use crate::data::Microdata;
use crate::lab::{LabError, with_defaults};
use crate::mining::AttributeValues;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

with_defaults! {
    /// Which negative rules are mined: what an adversary is taken to know. Publisher, verifier and audit share it.
    pub struct NegativeRuleParameters {
        /// The least expectation of a rule: how probable the forbidden value would be among the rows of its antecedent.
        #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
        pub min_exp: f64 = 0.9,
        /// The least confidence of a rule; 1 admits no exceptions.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub min_conf: f64 = 1.0,
        /// The largest number of attributes in an antecedent.
        #[schemars(range(min = 1))]
        pub rule_length: usize = 1,
        /// Whether antecedents take values from every level of the hierarchies, not only those in the table.
        pub generalized: bool = true,
        /// How numeric attributes belong to their values.
        pub quantitative: Quantitative = Quantitative::Crisp,
        /// With fuzzy values: the part of an attribute's range over which membership falls from 1 to 0.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub fuzzy_reach: f64 = 0.05,
        /// Whether rules that a more general rule says already are listed and counted.
        pub redundant: bool = true,
    }
}

/// How numeric attributes enter antecedents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantitative {
    /// A number is in an interval or not.
    Crisp,
    /// Numbers near an interval are in it in part.
    Fuzzy,
}

impl NegativeRuleParameters {
    pub(super) fn check(&self) -> Result<(), LabError> {
        if !(self.min_exp > 0.0 && self.min_exp < 1.0) {
            return Err(LabError::input(format!("`min_exp` must be above 0 and below 1, not {}", self.min_exp)));
        }
        if !(self.min_conf > 0.0 && self.min_conf <= 1.0) {
            return Err(LabError::input(format!("`min_conf` must be above 0 and at most 1, not {}", self.min_conf)));
        }
        if self.rule_length == 0 {
            return Err(LabError::input("`rule_length` must be at least 1, not 0"));
        }
        if !(self.fuzzy_reach > 0.0 && self.fuzzy_reach <= 1.0) {
            return Err(LabError::input(format!(
                "`fuzzy_reach` must be above 0 and at most 1, not {}",
                self.fuzzy_reach
            )));
        }
        Ok(())
    }

    /// The values antecedents can ask of the `i`-th quasi-identifier.
    pub(super) fn values<'a>(&self, microdata: &'a Microdata, i: usize) -> Result<AttributeValues<'a>, LabError> {
        let values = match self.generalized {
            true => AttributeValues::generalized(microdata, i)?,
            false => AttributeValues::leaves(microdata, i),
        };
        Ok(match self.quantitative {
            Quantitative::Crisp => values,
            Quantitative::Fuzzy => values.fuzzy(self.fuzzy_reach),
        })
    }

    /// C_X[Y] / C_X ≤ 1 − minConf; a hair of slack, since 1 − 0.9 is a hair below 0.1.
    pub(super) fn is_confident(&self, count: f64, exceptions: f64) -> bool {
        exceptions <= (1.0 - self.min_conf + 1e-12) * count
    }
}
