//! `data` and `algorithms`: what there is.

use crate::lab::Lab;

#[test]
fn algorithms_describe_themselves() {
    let lab = Lab::new();
    let list = lab.run(&["algorithms", "list"]).expect(0).out;
    assert!(list.contains("anatomy") && list.contains("query-error"), "{list}");
    let show = lab.run(&["algorithms", "show", "anatomy"]).expect(0).out;
    assert!(show.contains("VLDB 2006") && show.contains("integer at least 2") && show.contains("default 6"), "{show}");
    let slip = lab.run(&["algorithms", "show", "anatomie"]).expect(2).err;
    assert!(slip.contains("did you mean `anatomy`?"), "{slip}");
}

#[test]
fn the_catalogue_says_what_is_here() {
    let lab = Lab::new();
    let list = lab.run(&["data", "list"]).expect(0).out;
    assert!(list.contains("adult-train") && list.contains("real") && list.contains("stand-in"), "{list}");
    let show = lab.run(&["data", "show", "bms-pos"]).expect(0).out;
    assert!(show.contains("Blue Martini") && show.contains("part a") && show.contains("KDD 2001"), "{show}");
    let json = lab.run(&["data", "list", "--format", "json"]).expect(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["name"], &json[0]["here"]), (&"adult-train".into(), &"real".into()));
    let slip = lab.run(&["data", "show", "adlut"]).expect(2).err;
    assert!(slip.contains("did you mean `adult`?"), "{slip}");
    let slip = lab.run(&["data", "fetch", "bms-pos"]).expect(2).err;
    assert!(slip.contains("KDD Cup 2000 archive"), "{slip}");
    assert!(slip.contains("terms: KDD Cup 2000 terms") && slip.contains("cite: Z. Zheng"), "{slip}");
    lab.write("data/BMS-WebView-1.dat", "1 2 3\n");
    let wrong = lab.run(&["data", "fetch", "bms-webview-1"]).expect(2).err;
    assert!(wrong.contains("wrong checksum"), "{wrong}");
}

#[test]
fn a_stand_in_is_compared_with_data_that_is_here() {
    let lab = Lab::new();
    let absent = lab.run(&["data", "compare", "bms-webview-1", "stand-in"]).expect(2).err;
    assert!(absent.contains("KDD Cup 2000 archive"), "{absent}");
    let table = lab.run(&["data", "compare", "adult", "stand-in"]).expect(2).err;
    assert!(table.contains("no measured statistics"), "{table}");
    let checked = lab.run(&["data", "measure", "--check"]).expect(0).out;
    assert!(checked.contains("retail: not here"), "{checked}");
}

#[test]
fn reproducing_asks_nobody_elsewhere_than_on_a_terminal() {
    let lab = Lab::with(
        "experiments/c.yaml",
        "anonlab: 1\ntitle: t\ndatasets: {d: {source: retail, stand_in: allowed, derive: [{first: 50}]}}\n\
         measures: {s: {measure: transaction-statistics}}\n\
         figures: {f: {title: f, datasets: [d], measures: [s], draw: {kind: table, x: dataset, y: transactions}}}\n",
    );
    let said = lab.run(&["reproduce", "--quiet"]).expect(0);
    assert!(!said.err.contains("Fetch it?"), "{}", said.err);
    assert!(lab.read("reports/c/measurements.csv").contains("f,d,stand-in,"));
    assert!(lab.run(&["reproduce", "--fetch", "maybe"]).expect(2).err.contains("possible values: ask, always, never"));
}

#[test]
fn verifying_finds_a_file_that_is_not_what_it_says() {
    let lab = Lab::with("data/chess.dat", "1 2 3\n");
    let sound = lab.run(&["data", "verify", "adult"]).expect(0).out;
    assert!(sound.contains("adult.data") && sound.contains("embedded"), "{sound}");
    let broken = lab.run(&["data", "verify"]).expect(1).out;
    assert!(broken.contains("chess.dat has the wrong checksum") && broken.contains("a12ea887"), "{broken}");
}

#[test]
fn completions_and_help_need_nothing() {
    let lab = Lab::new();
    assert!(lab.run(&["completions", "bash"]).expect(0).out.contains("_anonlab"));
    let help = lab.run(&["--help"]).expect(0).out;
    assert!(help.contains("Exit codes") && help.contains("anonlab reproduce"), "{help}");
}

#[test]
fn the_committed_schema_is_current_and_accepts_the_specs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = std::fs::read_to_string(root.join("experiments/schema.json")).unwrap();
    let current = Lab::new().run(&["schema"]).expect(0).out;
    assert!(committed == current, "run `cargo run --release -- schema > experiments/schema.json`");
    let schema: serde_json::Value = serde_json::from_str(&committed).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for entry in std::fs::read_dir(root.join("experiments")).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let spec: serde_json::Value = serde_yaml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let faults: Vec<String> =
                validator.iter_errors(&spec).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
            assert!(faults.is_empty(), "{}: {}", path.display(), faults.join("\n"));
        }
    }
}
