//! Publishes a small table with Anatomy, has the release verified, and asks what an adversary learns from it.
//!
//! `cargo run -p anonlab-core --example publish_verify_audit`

use anonlab_core::data::{Dataset, Table};
use anonlab_core::lab::{Seed, Workbench};
use anonlab_core::measures::measure;
use anonlab_core::publish::publisher;
use anonlab_core::release::{PrivacyVerdict, verify};
use serde_json::{Map, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = [["29", "Bo", "flu"], ["31", "Bo", "cold"], ["44", "Aa", "flu"], ["52", "Aa", "gout"]];
    let table = Table::from_rows(&["age", "town", "illness"], &rows.each_ref().map(|row| &row[..]));
    let original = Dataset::of_table(table, &["age", "town"], "illness")?;

    let anatomy = publisher("anatomy").ok_or("there is no anatomy")?;
    let parameters = Map::from_iter([("l".to_string(), json!(2))]);
    let mut bench = Workbench::new(Seed(1), "example");
    let release = anatomy.publish(&original, &parameters, &mut bench)?;
    for file in release.files(&original)? {
        println!("{}:\n{}", file.name, String::from_utf8(file.bytes)?);
    }

    let verdict = verify(&original, &release, &anatomy.guarantee(&parameters)?)?;
    assert_eq!(verdict, PrivacyVerdict::Private);
    let audit = measure("maximum-entropy").ok_or("there is no such audit")?;
    for seen in audit.measure(&original, Some(&release), &Map::new(), &mut bench)? {
        println!("{} {}: {}", seen.metric, seen.at.unwrap_or_default(), seen.value);
    }
    Ok(())
}
