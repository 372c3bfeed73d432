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
    let lab = Lab::new();
    lab.write("s.yaml", &settings("[0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]"));
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
    let lab = Lab::new();
    lab.write("s.yaml", &settings("[0.4, 0.6, 0.8]"));
    lab.run(&["run", "s.yaml"]).expect(0);
    let text = lab.run(&["compare", "s.yaml", "--metric", "mean_relative_error"]).expect(0).out;
    assert!(text.contains("3 points are too few for any difference to be told from chance"), "{text}");
    assert!(text.contains("too few to tell"), "{text}");
}
