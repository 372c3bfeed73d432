//! The commands as a user runs them, on specs written in the tests themselves.

mod audit;
mod bad_specs;
mod capsules;
mod catalogue;
mod columns;
mod comparisons;
mod conformance;
mod exports;
mod external;
mod guarantees;
mod jail;
mod kills;
mod lab;
mod newcomer;
mod outputs;
mod papers;
mod partial;
mod promises;
mod publishing;
mod readings;
mod shards;
mod slurm;
mod statements;
mod strangers;
mod track;
mod witnesses;
