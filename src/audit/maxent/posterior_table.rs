//! The adversary's beliefs as a table: `posterior.csv`, one line per quasi-identifier value.

use super::readings::Beliefs;
use crate::data::Microdata;
use crate::mining::Profiles;

pub const FILE: &str = "posterior.csv";

/// The quasi-identifiers, the number of records, per sensitive value its share in the original and the adversary's
/// posterior, and the divergence of the two.
pub fn posterior_table(microdata: &Microdata, profiles: &Profiles, beliefs: &Beliefs, divergences: &[f64]) -> Vec<u8> {
    let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |line: &[String]| writer.write_record(line).expect("writing to memory does not fail");
    let mut line: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    line.push("records".to_string());
    line.extend(sensitive.values.iter().map(|value| format!("share of {value}")));
    line.extend(sensitive.values.iter().map(|value| format!("posterior of {value}")));
    line.push("d_individual".to_string());
    write(&line);
    for (profile, divergence) in divergences.iter().enumerate() {
        line.clear();
        let codes = columns.iter().enumerate().map(|(attribute, column)| (column, profiles.code(attribute, profile)));
        line.extend(codes.map(|(column, code)| column.values[code as usize].clone()));
        line.push(profiles.sizes()[profile].to_string());
        let size = beliefs.sizes[profile];
        line.extend(beliefs.counts_of(profile).iter().map(|count| (count / size).to_string()));
        line.extend(beliefs.posterior_of(profile).iter().map(f64::to_string));
        line.push(divergence.to_string());
        write(&line);
    }
    writer.into_inner().expect("writing to memory does not fail")
}
