use crate::lab::with_defaults;

with_defaults! {
    pub struct QueryErrorParameters {
        /// How many queries with a positive true count are asked.
        #[schemars(range(min = 1, max = 10_000_000))]
        pub queries: usize = 1000,
        /// The number of quasi-identifiers a query restricts.
        #[schemars(range(min = 1))]
        pub dim: usize = 3,
        /// The largest part of an attribute's values that a query may admit.
        #[schemars(range(min = 0.0, max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub sel: f64 = 0.5,
    }
}
