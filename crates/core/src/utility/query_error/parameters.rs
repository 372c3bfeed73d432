use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct QueryErrorParameters {
    /// How many queries with a positive true count are asked.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub queries: usize,
    /// The number of quasi-identifiers a query restricts.
    #[schemars(range(min = 1))]
    pub dim: usize,
    /// The largest part of an attribute's values that a query may admit.
    #[schemars(range(min = 0.0, max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub sel: f64,
}

impl Default for QueryErrorParameters {
    fn default() -> Self {
        Self { queries: 1000, dim: 3, sel: 0.5 }
    }
}
