//! Data that is drawn anew for each repetition: what is planned, what every algorithm sees, and the same bytes again.

use crate::lab::Lab;
use std::collections::BTreeSet;

/// Transactions with a drawn share of private items, and two algorithms that give the same answer on the same draw.
const DRAWN: &str = r#"
anonlab: 1
title: Drawn
datasets:
  baskets:
    source:
      format: fimi
      inline: |
        1 2 3 4
        1 2 3 5
        1 2 4 6
        1 3 4 7
        2 3 4 8
        1 2 3 9
        1 2 5 6
        2 4 6 8
        1 3 5 7
        2 3 6 9
        1 4 5 9
        3 4 7 8
    private: {share: 0.25}
    redraw: true
  fixed:
    source: {format: fimi, inline: "1 2\n1 2\n1 2\n3 4\n3 4\n3 4\n"}
    private: {items: [4]}
algorithms:
  borders: {publisher: cohesion, parameters: {h: 0.9, k: 2, p: 2, k_prime: 2}}
  all: {publisher: cohesion-enumerate, parameters: {h: 0.9, k: 2, p: 2, k_prime: 2}}
measures:
  nuggets: {measure: nuggets-kept, parameters: {k_prime: 2}}
figures:
  kept:
    title: Nuggets kept
    datasets: [baskets, fixed]
    algorithms: [borders, all]
    measures: [nuggets]
    repetitions: 6
    sweep: {product: {k: [2, 3]}}
    draw: {x: k, y: nuggets_kept, series: [algorithm, dataset]}
    claims:
      - {says: The same nuggets are kept, metric: nuggets_kept, of: borders, each_repetition: true, is: {same_as: {algorithm: all}}}
"#;

/// One text replaced by another.
#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(DRAWN.contains(from), "{from}");
    DRAWN.replace(from, to)
}

fn keys(lab: &Lab, spec: &str) -> Vec<String> {
    lab.write("d.yaml", spec);
    let said = lab.run(&["plan", "d.yaml", "--format", "json"]).expect(0);
    let plan: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    plan["cells"].as_array().unwrap().iter().map(|cell| cell["key"].to_string()).collect()
}

#[test]
fn a_repetition_is_a_cell_where_the_data_is_drawn_anew_and_nowhere_else() {
    let lab = Lab::new();
    let redrawn = keys(&lab, DRAWN);
    // Two algorithms at two points: six draws of one dataset, and the other once.
    assert_eq!(redrawn.iter().collect::<BTreeSet<_>>().len(), 4 * 6 + 4);
    assert_eq!(redrawn.len(), 4 * 6 + 4);
    let explained = lab.run(&["explain", "d.yaml", redrawn[1].trim_matches('"'), "--format", "json"]).expect(0).out;
    let explained: serde_json::Value = serde_json::from_str(&explained).unwrap();
    let (dataset, repetition) = (&explained["fields"]["dataset"], &explained["fields"]["repetition"]);
    assert!(dataset.as_str().unwrap().contains("\"redraw\":true") && *repetition == "1", "{explained}");
    let once = keys(&lab, &with("    redraw: true\n", ""));
    assert_eq!(once.len(), 8);
    let untouched: Vec<&String> = once.iter().filter(|key| redrawn.contains(key)).collect();
    assert_eq!(untouched.len(), 4, "what draws nothing is the same cell");
}

#[test]
fn every_algorithm_sees_the_draw_of_its_repetition_and_draws_differ() {
    let lab = Lab::with("d.yaml", DRAWN);
    let said = lab.run(&["run", "d.yaml"]).expect(0);
    assert!(said.out.contains("claims: 1 hold"), "{}", said.out);
    let measurements = lab.read("reports/d/measurements.csv");
    let found = |algorithm: &str, dataset: &str| -> Vec<String> {
        let cells = format!("kept,{dataset},example,{algorithm},");
        let rows = measurements.lines().filter(|row| row.starts_with(&cells) && row.contains(",nuggets_kept,"));
        rows.map(|row| row.rsplit_once(",nuggets_kept,").unwrap().1.to_string()).collect()
    };
    let (borders, all) = (found("borders", "baskets"), found("all", "baskets"));
    assert_eq!((borders.len(), found("borders", "fixed").len()), (12, 2), "{measurements}");
    assert_eq!(borders, all);
    assert!(borders.iter().collect::<BTreeSet<_>>().len() > 1, "{borders:?}");
    // The figure has an interval over the draws.
    let figure = lab.read("reports/d/figures/kept.csv");
    let spread = |row: &str| {
        let fields: Vec<&str> = row.rsplit(',').collect();
        row.contains("baskets") && fields[2] == "6" && fields[3] != fields[4]
    };
    assert!(figure.lines().any(spread), "{figure}");
    // The first draw is that of the spec without the word.
    lab.write("d.yaml", &with("    redraw: true\n", ""));
    lab.run(&["run", "d.yaml", "--out", "once"]).expect(0);
    let first = lab.read("once/d/measurements.csv");
    for row in first.lines() {
        assert!(measurements.contains(row), "{row}\n{measurements}");
    }
}

#[test]
fn the_same_bytes_at_any_number_of_jobs_through_shards_and_after_a_kill() {
    let lab = Lab::with("d.yaml", &with("repetitions: 6", "repetitions: 20"));
    let run = |words: &[&str]| lab.run(&[&["run", "d.yaml", "--quiet"], words].concat()).expect(0);
    run(&["--jobs", "1", "--out", "one"]);
    run(&["--jobs", "3", "--out", "three"]);
    for shard in ["1/2", "2/2"] {
        run(&["--shard", shard, "--out", "shards"]);
    }
    lab.run(&["collect", "shards"]).expect(0);
    let words = ["run", "d.yaml", "--quiet", "--jobs", "1", "--out", "killed"];
    let mut killed = lab.command(&words).spawn().unwrap();
    while lab.stored("killed").len() < 10 {
        assert!(killed.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(lab.stored("killed").len() < lab.stored("one").len());
    run(&["--out", "killed"]);
    for file in ["measurements.csv", "claims.csv", "witnesses.csv"] {
        let one = lab.read(&format!("one/d/{file}"));
        for other in ["three", "shards", "killed"] {
            assert_eq!(one, lab.read(&format!("{other}/d/{file}")), "{file} of {other}");
        }
    }
}

#[test]
fn where_nothing_is_drawn_there_is_nothing_to_draw_anew() {
    let lab = Lab::new();
    let said = |spec: &str, code: i32| {
        lab.write("d.yaml", spec);
        lab.run(&["validate", "d.yaml"]).expect(code).err.trim().to_string()
    };
    let nothing = with("private: {share: 0.25}", "private: {items: [1]}");
    assert_eq!(
        said(&nothing, 2),
        "d.yaml:22:5: nothing of `baskets` is drawn, so every repetition would have the same data; `redraw` needs a `sample`, \
         a hierarchy of `order: random` or a `share` of private items"
    );
    // A sweep or a reading may bring the draw.
    let swept = nothing
        .replace("    redraw: true", "    hierarchy: {degree: 2, order: id}\n    redraw: true")
        .replace("datasets: [baskets, fixed]", "datasets: [baskets]")
        .replace("{k: [2, 3]}", "{dataset.hierarchy.order: [id, random]}");
    said(&swept, 0);
    let reading = "readings:\n  private:\n    asks: Which?\n    options: {named: {}, drawn: {datasets.baskets.private: {share: 0.25}}}\n";
    let read = nothing.replace("datasets:\n  baskets", &format!("{reading}datasets:\n  baskets"));
    said(&read.replace("    repetitions: 6", "    repetitions: 6\n    readings: [private]"), 0);
}
