//! Comparisons as a user makes them: settings of one algorithm, few points, and what the page says of the same.

use crate::lab::{Lab, PATIENTS};

/// The patients with two settings of Anatomy in one figure.
fn settings(selectivities: &str) -> String {
    let head = PATIENTS.split("figures:").next().unwrap();
    format!(
        "{head}algorithms:
  loose: {{publisher: anatomy, parameters: {{l: 2}}}}
  strict: {{publisher: anatomy, parameters: {{l: 4}}}}
figures:
  settings:
    title: Two settings
    datasets: [patients]
    algorithms: [loose, strict]
    measures: [queries]
    sweep: {{product: {{sel: {selectivities}}}}}
    repetitions: 3
    draw: {{x: sel, y: mean_relative_error}}
    claims:
      - says: The loose one errs less
        metric: mean_relative_error
        of: loose
        is: {{less_than: {{algorithm: strict, in: 0.1}}}}
"
    )
}

#[test]
fn two_settings_of_one_algorithm_are_compared() {
    let lab = Lab::with("s.yaml", &settings("[0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]"));
    lab.run(&["run", "s.yaml"]).expect(0);
    let claims = lab.read("reports/s/claims.csv");
    assert!(!claims.contains("nothing to compare"), "{claims}");
    let text = lab.run(&["compare", "s.yaml"]).expect(0).out;
    assert!(!text.contains("has no value in"), "{text}");
    assert!(text.contains("over 7 points"), "{text}");
    // The page has what the command prints.
    let page = lab.read("reports/s/comparison.html");
    let csv = lab.run(&["compare", "s.yaml", "--metric", "mean_relative_error", "--format", "csv"]).expect(0).out;
    let verdict = csv.lines().find(|line| line.contains(",point,7,")).and_then(|line| line.rsplit(',').next());
    assert!(verdict.is_some_and(|verdict| page.contains(verdict)) && page.contains("over 7 points"), "{csv}");
}

#[test]
fn too_few_points_are_told_instead_of_a_p() {
    let lab = Lab::with("s.yaml", &settings("[0.4, 0.6, 0.8]"));
    lab.run(&["run", "s.yaml"]).expect(0);
    let text = lab.run(&["compare", "s.yaml", "--metric", "mean_relative_error"]).expect(0).out;
    assert!(text.contains("3 points are too few for any difference to be told from chance"), "{text}");
    assert!(text.contains("too few to tell"), "{text}");
}

/// Anatomy against itself, timed.
fn against_itself(samples: &str) -> String {
    let head = PATIENTS.split("measures:").next().unwrap();
    format!(
        "{head}algorithms:
  one: {{publisher: anatomy, parameters: {{l: 2}}}}
  two: {{publisher: anatomy, parameters: {{l: 2}}, distinct: true}}
figures:
  times:
    title: The same work twice
    datasets: [patients]
    algorithms: [one, two]
    samples: {samples}
    draw: {{x: algorithm, y: seconds}}
    claims:
      - says: One is faster
        metric: seconds
        of: one
        is: {{less_than: {{algorithm: two}}}}
"
    )
}

#[test]
fn the_same_work_under_two_names_is_timed_in_rounds() {
    let lab = Lab::with("t.yaml", &against_itself("7"));
    let plan = lab.run(&["plan", "t.yaml"]).expect(0).out;
    assert!(plan.contains("times: 2 cells timed in 7 rounds"), "{plan}");
    let said = lab.run(&["run", "t.yaml"]);
    assert!(said.out.contains("2 cells"), "{}", said.out);
    // Samples are costs and no repetitions.
    let costs = lab.read("reports/t/costs.csv");
    let seconds = costs.lines().filter(|line| line.contains(",seconds,"));
    assert_eq!(seconds.count(), 14, "{costs}");
    assert!(costs.contains("seconds.first"), "a quick publisher is called several times: {costs}");
    let measurements = lab.read("reports/t/measurements.csv");
    let rows = measurements.lines().filter(|line| line.contains(",groups,"));
    assert_eq!(rows.count(), 2, "{measurements}");
    let text = lab.run(&["compare", "t.yaml", "--metric", "seconds"]).expect(0).out;
    assert!(text.contains("over 7 rounds"), "{text}");
    assert!(lab.run(&["plan", "t.yaml"]).expect(0).out.contains("2 cached"));
}

#[test]
fn contenders_stay_together_in_shards_and_are_timed_anew_together() {
    let lab = Lab::new();
    let point = "sweep: {product: {l: [2, 3]}}\n    ";
    lab.write(
        "t.yaml",
        &against_itself("6").replace(", parameters: {l: 2}", "").replace("samples:", &format!("{point}samples:")),
    );
    for shard in ["1/3", "2/3", "3/3"] {
        lab.run(&["run", "t.yaml", "--shard", shard]).expect(0);
    }
    let said = lab.run(&["collect", "reports"]).out;
    assert!(said.contains("4 cells"), "{said}");
    let rounds = || {
        let costs = lab.read("reports/t/costs.csv");
        costs.lines().filter(|line| line.contains(",seconds,")).count()
    };
    assert_eq!(rounds(), 24);
    let text = lab.run(&["compare", "t.yaml", "--metric", "seconds"]).expect(0).out;
    assert!(text.contains(" rounds"), "{text}");
    // One of a pair is lost: both are timed again, and nobody else is.
    let stored = || -> Vec<(std::path::PathBuf, Vec<u8>)> {
        lab.stored("reports").into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    };
    let before = stored();
    std::fs::remove_file(&before[0].0).unwrap();
    assert!(lab.run(&["collect", "reports"]).expect(3).out.contains("3 of 4 cells done, 1 missing"));
    for shard in ["1/3", "2/3", "3/3"] {
        lab.run(&["run", "t.yaml", "--shard", shard]).expect(0);
    }
    let again = stored();
    assert_eq!(before.iter().zip(&again).filter(|(a, b)| a == b).count(), 2);
    lab.run(&["collect", "reports"]);
    assert_eq!(rounds(), 24);
}

#[test]
fn samples_that_make_no_sense_are_told() {
    let lab = Lab::new();
    for (samples, told) in [
        ("0", "at least one sample"),
        ("{at_least: 9, at_most: 3}", "`at_least` (9) is above `at_most` (3)"),
        ("{until: 3}", "a share of the ratio"),
    ] {
        lab.write("t.yaml", &against_itself(samples));
        let said = lab.run(&["validate", "t.yaml"]).expect(2);
        assert!(said.err.contains(told), "{}", said.err);
    }
    lab.write("t.yaml", &settings("[0.5]").replace("repetitions: 3", "samples: 3"));
    assert!(lab.run(&["validate", "t.yaml"]).expect(2).err.contains("nothing to take samples of"));
}

#[test]
fn the_machine_is_told() {
    let lab = Lab::new();
    let text = lab.run(&["doctor"]).expect(0).out;
    assert!(["processor", "governor", "load", "clock"].iter().all(|name| text.contains(name)), "{text}");
    let facts: serde_json::Value =
        serde_json::from_str(&lab.run(&["doctor", "--format", "json"]).expect(0).out).unwrap();
    assert!(facts.as_array().is_some_and(|facts| facts.len() > 8), "{facts}");
    lab.write("t.yaml", &against_itself("2"));
    lab.run(&["run", "t.yaml", "--pin"]);
    let provenance = lab.read("reports/t/provenance.json");
    assert!(provenance.contains("\"timings\"") && provenance.contains("governor"), "{provenance}");
    let said = lab.run(&["run", "t.yaml", "--pin=9999"]).expect(2);
    assert!(said.err.contains("there is no core `9999`"), "{}", said.err);
}
