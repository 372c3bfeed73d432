//! The adversary's beliefs as a table: `posterior.csv`, one line per quasi-identifier value.

use super::readings::Beliefs;
use crate::data::{Microdata, write_csv};
use crate::mining::Profiles;

pub const FILE: &str = "posterior.csv";

/// The quasi-identifiers, the number of records, per sensitive value its share in the original and the adversary's
/// posterior, and the divergence of the two.
pub fn posterior_table(microdata: &Microdata, profiles: &Profiles, beliefs: &Beliefs, divergences: &[f64]) -> Vec<u8> {
    let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let named = |prefix: &'static str| sensitive.values.iter().map(move |value| format!("{prefix} of {value}"));
    let names = columns.iter().map(|column| column.name.clone());
    let header: Vec<String> = names
        .chain(["records".to_string()])
        .chain(named("share"))
        .chain(named("posterior"))
        .chain(["d_individual".to_string()])
        .collect();
    let lines = divergences.iter().enumerate().map(|(profile, divergence)| {
        let belief = beliefs.of(profile);
        let codes = columns.iter().enumerate().map(|(attribute, column)| (column, profiles.code(attribute, profile)));
        let size = beliefs.size(profile);
        codes
            .map(|(column, code)| column.values[code as usize].clone())
            .chain([size.to_string()])
            .chain(belief.counts.iter().map(|count| (count / size).to_string()))
            .chain(belief.posterior.iter().map(f64::to_string))
            .chain([divergence.to_string()])
            .collect()
    });
    write_csv(std::iter::once(header).chain(lines))
}
