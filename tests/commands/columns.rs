//! Rows, names and messages show what the spec sets; what it leaves alone stands in one column.

use crate::lab::{Lab, PATIENTS};

#[test]
fn measurements_have_a_column_for_what_is_set_and_one_for_the_rest() {
    let lab = Lab::new();
    // `queries.dim` is given, `l` is swept in one figure and `queries.queries` in the other, `queries.sel` is left alone.
    let more = "
  workload:
    title: Query error by the size of the workload
    datasets: [patients]
    algorithms: [three]
    measures: [queries]
    sweep: {product: {queries.queries: [10, 20]}}
    draw: {x: queries.queries, y: mean_relative_error}
";
    let spec = PATIENTS
        .replace("{queries: 20, dim: 1, sel: 1.0}", "{dim: 1}")
        .replace("algorithms: [anatomy]", "algorithms: [three]")
        .replace("measures:\n  q", "algorithms: {three: {publisher: anatomy, parameters: {l: 3}}}\nmeasures:\n  q");
    lab.write("p.yaml", &format!("{spec}{more}"));
    lab.run(&["run", "p.yaml"]).expect(0);
    for file in ["measurements.csv", "costs.csv"] {
        let text = lab.read(&format!("reports/p/{file}"));
        let head = text.lines().next().unwrap();
        assert!(
            head.starts_with(
                "figure,dataset,origin,algorithm,l,queries.dim,queries.queries,defaults,reading,seed,repetition,"
            ),
            "{head}"
        );
        assert!(text.contains(r#""{""queries.sel"":"#), "{text}");
    }
    let measurements = lab.read("reports/p/measurements.csv");
    let swept = measurements.lines().find(|line| line.starts_with("workload,")).unwrap();
    assert!(swept.starts_with("workload,patients,example,three,3,1,10,"), "{swept}");
    let other = measurements.lines().find(|line| line.starts_with("errors,")).unwrap();
    assert!(other.starts_with("errors,patients,example,three,2,1,1000,"), "a default that is set elsewhere: {other}");
}

#[test]
fn cells_are_called_by_what_the_spec_sets() {
    let lab = Lab::new();
    let spec = PATIENTS.replace("{queries: 20, dim: 1, sel: 1.0}", "{}").replace("repetitions: 5", "repetitions: 2");
    lab.write("p.yaml", &spec);
    let said = lab.run(&["plan", "p.yaml"]).expect(0);
    let names: Vec<&str> = said.out.lines().filter(|line| line.contains("anatomy on patients")).collect();
    assert_eq!(names.len(), 6, "{}", said.out);
    assert!(names[0].trim_end().ends_with("anatomy on patients, l=2"), "{names:?}");
    assert!(names[1].trim_end().ends_with("anatomy on patients, l=2, repetition 2"), "{names:?}");
}

#[test]
fn pages_call_things_by_their_labels_and_say_what_the_data_is() {
    let lab = Lab::new();
    let spec = PATIENTS
        .replace("title: Patients", "title: k^m and patients\nlabels: {l: distinct diseases in a group}")
        .replace("algorithms: [anatomy]", "algorithms: [mine, anatomy]")
        .replace("measures:\n  q", "algorithms: {mine: {publisher: anatomy, label: My Anatomy}}\nmeasures:\n  q");
    lab.write("p.yaml", &spec);
    lab.run(&["run", "p.yaml"]).expect(0);
    let page = lab.read("reports/p/index.html");
    assert!(page.contains("<bdi>My Anatomy</bdi>") && !page.contains("<bdi>mine</bdi>"), "a series has its label");
    assert!(page.contains(">distinct diseases in a group</text>"), "so has an axis");
    assert!(page.contains("kᵐ and patients") && !page.contains("k^m"));
    assert!(page.contains("<dt>rows</dt><dd><bdi>all 12</bdi>"), "{page}");
    assert!(page.contains("disease, 4 values: asthma 3 (25.0 %), cold 3 (25.0 %)"), "{page}");
    assert!(page.contains("age (12 numbers; no hierarchy); sex (2 values; no hierarchy)"), "{page}");
    assert!(page.contains(">example</span>"), "rows in a spec are an example");
    assert!(lab.read("reports/index.html").contains("kᵐ and patients"));
}
