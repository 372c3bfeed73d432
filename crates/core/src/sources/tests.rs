//! Definitions to datasets, end to end.

use super::definition::DatasetDefinition;
use super::*;
use crate::data::{ColumnKind, Content, Item, Microdata, NodeId, Origin, SensitiveAttribute};
use crate::lab::Seed;
use serde_json::json;
use std::path::Path;

fn definition(yaml: &str) -> DatasetDefinition {
    serde_yaml::from_str(yaml).unwrap()
}

/// Locations with an empty data directory and an empty cache.
fn nowhere(dir: &Path) -> DataLocations {
    DataLocations {
        data_dir: dir.join("data"),
        cache_dir: dir.join("cache"),
        spec_dir: dir.join("spec"),
        ..DataLocations::new(None)
    }
}

fn load_here(yaml: &str) -> Result<Loaded, DataError> {
    let dir = tempfile::tempdir().unwrap();
    load(&definition(yaml), &nowhere(dir.path()), Seed(1))
}

fn faults(yaml: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    check(&definition(yaml), &nowhere(dir.path())).iter().map(Fault::to_string).collect()
}

fn rows(loaded: &Loaded) -> Vec<String> {
    let transactions = &loaded.dataset.baskets().unwrap().transactions;
    let text =
        |row: &[Item]| row.iter().map(|&i| transactions.labels[i as usize].as_str()).collect::<Vec<_>>().join(" ");
    transactions.rows().map(text).collect()
}

const PATIENTS: &str = "
source:
  format: csv
  inline: |
    name,age,sex,disease,cost
    Bob,23,M,flu,low
    Ann,,F,cold,high
    Cid,9,?,flu,low
    Dee,61,F,,low
quasi_identifiers: [sex, age]
";

#[test]
fn tables_have_their_roles_and_lose_rows_only_when_asked() {
    let loaded = load_here(&format!("{PATIENTS}\nsensitive: disease")).unwrap();
    let microdata = loaded.dataset.microdata().unwrap();
    assert_eq!(microdata.table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["sex", "age", "disease"]);
    assert_eq!((microdata.quasi_identifiers.clone(), microdata.sensitive), (vec![0, 1], 2));
    assert_eq!(microdata.table.columns[1].kind, ColumnKind::Numeric);
    assert_eq!(microdata.rows(), 4);
    for (steps, left) in [("used", 1), ("all", 1)] {
        let loaded = load_here(&format!("{PATIENTS}\nsensitive: disease\nderive: [drop_missing: {steps}]")).unwrap();
        assert_eq!(loaded.dataset.microdata().unwrap().rows(), left, "{steps}");
    }
    let loaded =
        load_here(&format!("{PATIENTS}\nsensitive: cost\nderive: [{{drop_missing: used}}, {{first: 5}}]")).unwrap();
    assert_eq!(loaded.dataset.microdata().unwrap().rows(), 2);
}

#[test]
fn sensitive_columns_are_combined() {
    let loaded = load_here(&format!("{PATIENTS}\nsensitive: [disease, cost]\nderive: [drop_missing: all]")).unwrap();
    let sensitive = &loaded.dataset.microdata().unwrap().table.columns[2];
    assert_eq!((sensitive.name.as_str(), sensitive.values.join(",")), ("disease & cost", "flu & low".to_string()));
}

#[test]
fn each_of_several_sensitive_columns_is_known_by_the_combined_codes() {
    let several = format!("{PATIENTS}\nsensitive: [disease, cost]");
    let trees = "hierarchies: {cost: {tree: {any: [low, high]}}}";
    let loaded = load_here(&format!("{several}\n{trees}")).unwrap();
    let microdata = loaded.dataset.microdata().unwrap();
    let told = |microdata: &Microdata| -> Vec<String> {
        let attributes = microdata.sensitive_attributes();
        let value = |attribute: &SensitiveAttribute<'_>, code: u32| {
            attribute.values[attribute.of_code.unwrap()[code as usize] as usize].clone()
        };
        let codes = microdata.sensitive_codes().iter();
        codes.map(|&code| attributes.iter().map(|a| value(a, code)).collect::<Vec<_>>().join("/")).collect()
    };
    assert_eq!(told(microdata), ["flu/low", "cold/high", "flu/low", "/low"]);
    let part = &microdata.sensitive_parts[1];
    assert_eq!((part.name.as_str(), part.values.join(",")), ("cost", "high,low".to_string()));
    assert!(part.hierarchy.is_some() && microdata.sensitive_parts[0].hierarchy.is_none());
    let attributes = microdata.sensitive_attributes();
    assert_eq!(attributes[0].counts(&microdata.table.columns[2].histogram()), [1, 1, 2]);
    assert_eq!(attributes[1].sparse_counts(&[(0, 3), (1, 1), (2, 2)]), [(0, 1), (1, 5)]);
    // Values that no row has any more leave the attributes, too.
    let some = microdata.select(&[0, 3]).unwrap();
    assert_eq!(
        (told(&some), some.sensitive_parts[1].values.join(",")),
        (vec!["flu/low".into(), "/low".into()], "low".to_string())
    );
    let columnar =
        super::columnar::Columnar { content: loaded.dataset.content.clone(), rows_read: 4, rows_left: vec![] };
    let Content::Table(again) = super::columnar::Columnar::from_bytes(&columnar.to_bytes()).unwrap().content else {
        panic!()
    };
    assert_eq!(again.sensitive_parts, microdata.sensitive_parts);
    // Combined, they are one attribute, and a hierarchy of one of them means nothing.
    let loaded = load_here(&format!("{several}\ncombine_sensitive: true")).unwrap();
    assert!(loaded.dataset.microdata().unwrap().sensitive_parts.is_empty());
    let error = load_here(&format!("{several}\ncombine_sensitive: true\n{trees}")).unwrap_err().to_string();
    assert!(error.starts_with("hierarchies.cost: there is no quasi-identifier `cost`"), "{error}");
    let error = load_here(&format!("{PATIENTS}\nsensitive: cost\ncombine_sensitive: true")).unwrap_err().to_string();
    assert_eq!(error, "combine_sensitive: there are no two sensitive columns to combine");
}

#[test]
fn faults_of_tables_are_named_with_their_place() {
    let yaml = format!(
        "{PATIENTS}
sensitive: diseas
part: a
derive: [{{modulo: 3}}, {{first: 0}}, {{sample_share: 1.5}}]
hierarchies: {{ag: {{degree: 1}}, sex: adult/sexx, age: {{intervals: [5, 12]}}}}
private: {{share: 0.1}}"
    );
    assert_eq!(
        faults(&yaml),
        [
            "part: only catalogue entries come in parts",
            "private: this is for transactions, and the source is a table",
            "sensitive: there is no column `diseas`; did you mean `disease`?",
            "hierarchies.ag: there is no quasi-identifier `ag`; did you mean `age`?",
            "hierarchies.ag.degree: must be at least 2, not 1",
            "hierarchies.sex: there is no built-in hierarchy `adult/sexx`; did you mean `adult/sex`?",
            "hierarchies.age.intervals: each width must be a multiple of the one before: 12 is no multiple of 5",
            "derive[0].modulo: this is for transactions, and the source is a table",
            "derive[1].first: must be at least 1, not 0",
            "derive[2].sample_share: a share is above 0 and at most 1, not 1.5",
        ]
    );
    assert_eq!(
        faults("{source: adult, quasi_identifiers: [age, ocupation], sensitive: age}"),
        [
            "quasi_identifiers[1]: there is no column `ocupation`; did you mean `occupation`?",
            "sensitive: `age` has a role already"
        ]
    );
    assert_eq!(faults("source: adult").len(), 2);
}

#[test]
fn faults_of_transactions_are_named_with_their_place() {
    assert_eq!(faults("source: bms-poss"), ["source: there is no data set `bms-poss`; did you mean `bms-pos`?"]);
    assert_eq!(
        faults("{source: bms-pos, part: c, sensitive: x, derive: [{drop_missing: all}], private: {share: 2}}"),
        [
            "part: there is no part of bms-pos `c`; did you mean `a`?",
            "sensitive: this is for tables, and the source has transactions",
            "private.share: a share is at least 0 and at most 1, not 2",
            "derive[0].drop_missing: this is for tables, and the source has transactions",
        ]
    );
    assert!(faults("source: {file: x.dat, format: fimi}")[0].starts_with("source.file: there is no file `x.dat`"));
    assert_eq!(
        faults("source: {synthetic: {like: retail, transactions: 1000}}"),
        ["source.synthetic: 1000 transactions of 10.31 items have 10310 occurrences: not enough for 16470 items"]
    );
    assert_eq!(
        faults(
            "source: {synthetic: {transactions: 4000000000, items: 4000000000, longest: 4000000000, mean: 3000000000}}"
        ),
        ["source.synthetic: 4000000000 transactions of 3000000000 items on average cannot be generated"]
    );
    assert_eq!(
        faults("source: {synthetic: {items: 5, longest: 3, mean: 2}}"),
        ["source.synthetic: give `transactions`, or a catalogue entry to be `like`"]
    );
    assert_eq!(
        faults("source: {format: uci, inline: 'a, b'}\nquasi_identifiers: [a]\nsensitive: b"),
        ["source: uci files have no header: give the names of the `columns`"]
    );
    assert_eq!(
        faults("source: {format: fimi, inline: 'a b', columns: [x], delimiter: ;}"),
        ["source.delimiter: only csv has a delimiter, fimi has its own", "source.columns: fimi files have no columns"]
    );
}

#[test]
fn modulo_ranks_ids_of_the_whole_source() {
    let source = "source: {format: fimi, inline: \"11 13 15\\n13 17\\n19\\n\"}";
    let all = load_here(&format!("{source}\nderive: [{{modulo: 2}}]")).unwrap();
    assert_eq!(rows(&all), ["0 1", "1", "0"]);
    for steps in ["[{modulo: 3}, {first: 2}]", "[{first: 2}, {modulo: 3}]"] {
        let first = load_here(&format!("{source}\nderive: {steps}")).unwrap();
        assert_eq!(rows(&first), ["0 1 2", "0 1"], "{steps}");
    }
    let one = load_here(&format!("{source}\nderive: [{{modulo: 3}}, {{first: 5}}, {{first: 1}}]")).unwrap();
    assert_eq!(one.dataset.baskets().unwrap().transactions.items(), 3);
}

#[test]
fn modulo_of_ids_takes_the_id_itself() {
    let by_id = |text: &str| {
        load_here(&format!("source: {{format: fimi, inline: \"{text}\"}}\nderive: [{{modulo: 4}}]\nmodulo_of: id"))
    };
    assert_eq!(rows(&by_id("11 13 15\\n13 17\\n19\\n").unwrap()), ["1 3", "1", "3"]);
    // Fewer items than the divisor, which stays what it is.
    assert_eq!(rows(&by_id("7 11\\n").unwrap()), ["3"]);
    let error = by_id("x 11\\n").unwrap_err().to_string();
    assert!(error.contains("`modulo_of: id` needs ids that are whole numbers, and `x` is none"), "{error}");
}

#[test]
fn samples_are_seeded_nested_and_can_grow_the_data() {
    let text: String = (0..200).map(|i| format!("{i}\\n")).collect();
    let sample = |steps: &str| {
        rows(&load_here(&format!("source: {{format: fimi, inline: \"{text}\"}}\nderive: [{steps}]")).unwrap())
    };
    let (small, large) = (sample("sample: 20"), sample("sample: 60"));
    assert_eq!((small.len(), large.len()), (20, 60));
    assert_eq!(small, sample("sample: 20"));
    assert!(small.iter().all(|row| large.contains(row)));
    assert!(small.is_sorted_by_key(|row| row.parse::<u32>().unwrap()), "the old order stays");
    assert_eq!(sample("sample_share: 0.25").len(), 50);
    let up = sample("sample: 1000");
    let distinct: std::collections::BTreeSet<&String> = up.iter().collect();
    assert!(up.len() == 1000 && distinct.len() > 150);
}

#[test]
fn private_items_are_named_drawn_or_rare() {
    let text = "1 2 3 4 5 6 7 8\\n1 2 3 4\\n1 2\\n";
    let private = |how: &str, more: &str| {
        let yaml = format!("source: {{format: fimi, inline: \"{text}\"}}\nprivate: {{{how}}}\n{more}");
        load_here(&yaml).map(|loaded| {
            let baskets = loaded.dataset.baskets().unwrap().clone();
            let labels = baskets.transactions.labels.iter().zip(&baskets.private);
            labels.filter(|(_, private)| **private).map(|(label, _)| label.clone()).collect::<Vec<_>>().join(" ")
        })
    };
    assert_eq!(private("items: [2, 7]", "").unwrap(), "2 7");
    assert_eq!(private("least_frequent: 0.25", "").unwrap(), "7 8");
    assert_eq!(
        private("items: [2, 70]", "").unwrap_err().to_string(),
        "private.items[1]: no transaction has the item `70`; did you mean `7`?"
    );
    let (few, many) = (private("share: 0.25", "").unwrap(), private("share: 0.5", "").unwrap());
    assert_eq!((few.split(' ').count(), many.split(' ').count()), (2, 4));
    assert!(few.split(' ').all(|item| many.contains(item)));
    assert!((1..20).any(|seed| private("share: 0.25", &format!("seed: {seed}")).unwrap() != few));
}

#[test]
fn embedded_adult_is_always_here() {
    let yaml = "
source: adult-train
quasi_identifiers: [age, workclass, education, marital_status, race, sex]
sensitive: occupation
derive: [drop_missing: used]
hierarchies:
  age: adult/age
  workclass: adult/workclass
  education: adult/education
  marital_status: adult/marital_status
  race: adult/race
  sex: adult/sex
";
    let dir = tempfile::tempdir().unwrap();
    let loaded = load(&definition(yaml), &nowhere(dir.path()), Seed(1)).unwrap();
    let microdata = loaded.dataset.microdata().unwrap();
    assert_eq!((microdata.rows(), loaded.dataset.origin), (30_718, Origin::Real));
    let heights: Vec<usize> = microdata.hierarchies.iter().map(|tree| tree.as_ref().unwrap().height()).collect();
    assert_eq!(heights, [5, 3, 4, 3, 3, 2]);
    let workclass = microdata.hierarchies[1].as_ref().unwrap();
    let inner: Vec<&str> =
        (workclass.leaves()..workclass.nodes()).map(|node| workclass.label(node as NodeId)).collect();
    assert_eq!(inner, ["Government", "Self-employed", "Any workclass"]);
    assert_eq!(loaded.note, "adult.data embedded");
    assert_eq!(loaded.digests.len(), 7);
    let resolution = resolve(&definition(yaml), &nowhere(dir.path())).unwrap();
    assert_eq!((resolution.digests, resolution.note), (loaded.digests, loaded.note));

    for (name, step, rows) in [
        ("adult-train", "drop_missing: all", 30_162),
        ("adult-test", "drop_missing: all", 15_060),
        ("adult", "drop_missing: all", 45_222),
        ("adult", "first: 100000", 48_842),
    ] {
        let yaml = format!("{{source: {name}, quasi_identifiers: [age], sensitive: salary, derive: [{step}]}}");
        let loaded = load_here(&yaml).unwrap();
        let microdata = loaded.dataset.microdata().unwrap();
        assert_eq!(microdata.rows(), rows, "{name}");
        assert_eq!(microdata.table.columns[1].values, ["<=50K", ">50K"]);
    }
}

#[test]
fn missing_values_meet_a_hierarchy_with_advice() {
    let yaml = "{source: adult, quasi_identifiers: [workclass], sensitive: occupation, hierarchies: {workclass: adult/workclass}}";
    assert_eq!(
        load_here(yaml).unwrap_err().to_string(),
        "adult.data, line 28: column `workclass`: the hierarchy lacks `?`, which the data has; `drop_missing` drops rows with missing values"
    );
}

#[test]
fn a_file_with_another_checksum_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let locations = nowhere(dir.path());
    std::fs::create_dir_all(&locations.data_dir).unwrap();
    std::fs::write(locations.data_dir.join("chess.dat"), "1 2 3\n").unwrap();
    let error = resolve(&definition("source: chess"), &locations).unwrap_err();
    let DataError::Checksum { file, expected, found, .. } = &error else { panic!("{error}") };
    assert!(file.ends_with("chess.dat"));
    assert_eq!(expected, "a12ea887df58a396709430af5bf0a9a32d1f6eba8e7c13dd41f28b98572c5db2");
    assert_eq!(found, &digest::sha256(b"1 2 3\n"));
    assert_eq!(load(&definition("source: chess"), &locations, Seed(1)).unwrap_err(), error);
    std::fs::write(locations.data_dir.join("BMS-POS.dat"), "1 2 3\n").unwrap();
    let error = load(&definition("source: bms-pos"), &locations, Seed(1)).unwrap_err().to_string();
    assert!(error.contains("515,597 transactions, 1,657 items") && error.contains("it has 1 transaction,"), "{error}");
}

#[test]
fn absent_data_is_an_error_unless_a_stand_in_may_serve() {
    let error = load_here("source: bms-webview-1").unwrap_err().to_string();
    assert!(error.contains("KDD Cup 2000 archive") && error.contains("stand_in: allowed"), "{error}");
    let loaded = load_here("{source: bms-webview-1, stand_in: allowed, derive: [{first: 100}]}").unwrap();
    assert_eq!(loaded.dataset.origin, Origin::StandIn);
    assert!(loaded.note.starts_with("generated in place of bms-webview-1"), "{}", loaded.note);
    assert_eq!(loaded.digests[0].file, "anonlab generator 3");
    let part = load_here("{source: bms-pos, part: a, stand_in: allowed}").unwrap();
    assert_eq!(part.dataset.baskets().unwrap().transactions.len(), 100_000);
}

#[test]
fn what_a_spec_has_generated_stands_in_for_nothing() {
    for source in [
        "{rows: 20, columns: {a: 5, s: 4}}",
        "{transactions: 30, items: 6, longest: 4, mean: 2}",
        "{like: bms-webview-1, transactions: 2000}",
    ] {
        let roles = if source.contains("rows") { ", quasi_identifiers: [a], sensitive: s" } else { "" };
        let loaded = load_here(&format!("{{source: {{synthetic: {source}}}{roles}}}")).unwrap();
        assert_eq!((loaded.dataset.origin, Origin::Generated.name()), (Origin::Generated, "generated"), "{source}");
    }
}

#[test]
fn files_are_found_beside_the_spec_and_in_the_data_directory() {
    let dir = tempfile::tempdir().unwrap();
    let locations = nowhere(dir.path());
    for (place, text) in [(&locations.data_dir, "1 2\n1 3\n"), (&locations.spec_dir, "5\n")] {
        std::fs::create_dir_all(place).unwrap();
        std::fs::write(place.join("mine.dat"), text).unwrap();
    }
    std::fs::write(locations.data_dir.join("tree.csv"), "1,odd,*\n3,odd,*\n2,even,*\n").unwrap();
    let yaml = "source: {file: mine.dat, format: fimi}";
    assert_eq!(rows(&load(&definition(yaml), &locations, Seed(1)).unwrap()), ["5"]);
    std::fs::remove_file(locations.spec_dir.join("mine.dat")).unwrap();
    let yaml = format!("{yaml}\nhierarchy: {{file: tree.csv}}");
    let loaded = load(&definition(&yaml), &locations, Seed(1)).unwrap();
    assert_eq!(rows(&loaded), ["1 2", "1 3"]);
    assert_eq!(loaded.digests.iter().map(|digest| digest.file.as_str()).collect::<Vec<_>>(), ["mine.dat", "tree.csv"]);
    let tree = loaded.dataset.baskets().unwrap().hierarchy.clone().unwrap();
    assert_eq!(tree.label(tree.parent(2).unwrap()), "odd");
}

/// The data directory of the environment; none is an error on the machines that check this project.
fn real_data() -> Option<DataLocations> {
    let locations = DataLocations::new(None);
    if std::env::var_os("ANONLAB_DATA").is_some() {
        return Some(locations);
    }
    assert!(std::env::var_os("CI").is_none(), "ANONLAB_DATA must name the directory of the real data");
    None
}

/// `scripts/measure-statistics.sh --check` holds all of them to the real files; these two are fast.
#[test]
fn committed_statistics_are_those_of_the_real_files() {
    let Some(locations) = real_data() else { return };
    for name in ["bms-webview-1", "bms-webview-2"] {
        let loaded = load(&definition(&format!("source: {name}")), &locations, Seed(1)).unwrap();
        let measured = Aggregates::of(&loaded.dataset.baskets().unwrap().transactions);
        assert!(aggregates(name, None).unwrap().measured_alike(&measured), "{name}: measure-statistics.sh differs");
    }
}

#[test]
fn real_data_has_the_statistics_of_the_catalogue() {
    let Some(locations) = real_data() else { return };
    for (name, entry) in catalogue() {
        let Statistics::Baskets(expected) = entry.statistics else { continue };
        // What has no checksum was never at hand.
        if entry.parts.is_empty() && entry.files.iter().any(|file| file.sha256.is_none()) {
            continue;
        }
        let mut definition: DatasetDefinition = serde_json::from_value(json!({"source": name})).unwrap();
        if entry.parts.is_empty() {
            let loaded = load(&definition, &locations, Seed(1)).unwrap();
            let found = BasketStatistics::of(&loaded.dataset.baskets().unwrap().transactions);
            assert!(found.agrees_with(&expected), "{name}: {found}");
        }
        for (part, expected) in &entry.parts {
            definition.part = Some(part.clone());
            let loaded = load(&definition, &locations, Seed(1)).unwrap();
            let found = BasketStatistics::of(&loaded.dataset.baskets().unwrap().transactions);
            assert!(found.agrees_with(&expected.statistics), "{name} {part}: {found}");
            assert_eq!(loaded.dataset.origin, Origin::Partial);
        }
    }
    let whole = load(&definition("source: bms-pos"), &locations, Seed(1)).unwrap();
    if whole.dataset.origin == Origin::Partial {
        let t = &whole.dataset.baskets().unwrap().transactions;
        assert_eq!((t.len(), t.items()), (275_000, 1_515));
    }
    for (name, modulo) in [("bms-webview-2", 40), ("bms-webview-2", 60)] {
        let yaml = format!("{{source: {name}, derive: [{{modulo: {modulo}}}, {{first: 10000}}]}}");
        let loaded = load(&definition(&yaml), &locations, Seed(1)).unwrap();
        assert_eq!(loaded.dataset.baskets().unwrap().transactions.items(), modulo);
    }
}

#[test]
fn two_columns_of_the_archive_count_as_the_same_data() {
    let Some(real) = real_data() else { return };
    let fimi = digest::read_plain(&real.data_dir.join("BMS-WebView-1.dat.gz")).unwrap();
    let lines = String::from_utf8(fimi).unwrap();
    let pairs: String = lines
        .lines()
        .enumerate()
        .flat_map(|(tid, line)| line.split(' ').rev().map(move |item| format!("{}\t{item}\n", 3 * tid + 1)))
        .collect();
    let dir = tempfile::tempdir().unwrap();
    let locations = nowhere(dir.path());
    std::fs::create_dir_all(&locations.data_dir).unwrap();
    std::fs::write(locations.data_dir.join("BMS-WebView-1.dat"), pairs).unwrap();
    let definition = definition("source: bms-webview-1");
    let loaded = load(&definition, &locations, Seed(1)).unwrap();
    let original = load(&definition, &real, Seed(1)).unwrap();
    assert_eq!(loaded.dataset.baskets().unwrap().transactions, original.dataset.baskets().unwrap().transactions);
    assert_eq!((loaded.dataset.origin, &loaded.digests), (Origin::Real, &original.digests));
    assert_eq!(resolve(&definition, &locations).unwrap().digests, original.digests);
}

/// A definition that says it draws nothing is loaded once for all seeds.
#[test]
fn a_definition_draws_exactly_when_the_seed_changes_it() {
    let directory = tempfile::tempdir().unwrap();
    let source = "source: {format: fimi, inline: \"1 2 3\\n2 3 4\\n4 5 6\\n1 6 7\\n7 8 9\\n2 5 9\\n1 8\\n3 6\\n\"}\n";
    for (more, draws) in [
        ("", false),
        ("derive: [{first: 3}, {modulo: 4}]\n", false),
        ("derive: [{sample: 4}]\n", true),
        ("derive: [{sample_share: 0.5}]\n", true),
        ("hierarchy: {degree: 2, order: frequency}\n", false),
        ("hierarchy: {degree: 2, order: random}\n", true),
        ("hierarchy: {height: 3, order: random}\n", true),
        ("private: {least_frequent: 0.3}\n", false),
        ("private: {share: 0.3}\n", true),
    ] {
        let definition = definition(&format!("{source}{more}"));
        assert_eq!(definition.draws(), draws, "{more}");
        let loaded = |seed| format!("{:?}", load(&definition, &nowhere(directory.path()), Seed(seed)).unwrap().dataset);
        assert_eq!((2..12).any(|seed| loaded(seed) != loaded(1)), draws, "{more}");
    }
}
