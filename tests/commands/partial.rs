//! Running a part never destroys the rest, and the index never tells another story than the pages beside it.

use crate::lab::{Lab, PATIENTS};

/// Two figures; the first has a claim.
fn two_figures() -> String {
    format!(
        "{}
    claims:
      - {{says: Errors are small, metric: mean_relative_error, is: {{at_most: 1000}}}}
  groups:
    title: Groups
    datasets: [patients]
    algorithms: [anatomy]
    sweep: {{product: {{l: [2, 4]}}}}
    draw: {{x: l, y: groups}}
",
        PATIENTS.trim_end()
    )
}

#[test]
fn a_run_of_one_figure_keeps_the_others() {
    let lab = Lab::with("p.yaml", &two_figures());
    lab.run(&["run", "p.yaml"]).expect(0);
    let (measurements, costs) = (lab.read("reports/p/measurements.csv"), lab.read("reports/p/costs.csv"));
    let page = lab.read("reports/p/index.html");
    lab.run(&["run", "p.yaml", "--only", "groups"]).expect(0);
    assert_eq!(lab.read("reports/p/measurements.csv"), measurements);
    assert_eq!(lab.read("reports/p/costs.csv"), costs);
    let without_run = |page: &str| {
        let (before, rest) = page.split_once("<!-- run -->").unwrap();
        format!("{before}{}", rest.split_once("<!-- /run -->").unwrap().1)
    };
    assert_eq!(without_run(&lab.read("reports/p/index.html")), without_run(&page));
    assert!(lab.read("reports/index.html").contains("2 figures"), "the index has both");
    assert!(lab.read("reports/p/claims.csv").contains("Errors are small"));
}

#[test]
fn a_figure_of_an_earlier_run_says_in_what_that_was_another() {
    let lab = Lab::with("p.yaml", &two_figures());
    lab.run(&["run", "p.yaml"]).expect(0);
    let before = lab.read("reports/p/measurements.csv");
    lab.run(&["run", "p.yaml", "--only", "groups", "--seed", "9"]).expect(0);
    let page = lab.read("reports/p/index.html");
    assert_eq!(page.matches("kept from an earlier run, with another seed").count(), 1, "{page}");
    let errors =
        |text: &str| text.lines().filter(|line| line.starts_with("errors,")).map(String::from).collect::<Vec<_>>();
    assert_eq!(errors(&before), errors(&lab.read("reports/p/measurements.csv")));
    assert!(!errors(&before).is_empty());
}

#[test]
fn what_cannot_be_kept_of_an_earlier_run_is_told() {
    let lab = Lab::with("p.yaml", &two_figures());
    lab.run(&["run", "p.yaml"]).expect(0);
    lab.write("reports/p/figures/groups.json", "{}");
    let said = lab.run(&["run", "p.yaml", "--only", "errors"]).expect(0);
    assert!(
        said.err.contains("groups.json") && said.err.contains("its rows of the earlier run cannot be kept"),
        "{}",
        said.err
    );
    assert!(!lab.read("reports/p/measurements.csv").contains("\ngroups,"));

    lab.run(&["run", "p.yaml"]).expect(0);
    lab.write("reports/p/costs.csv", "figure,metric\ngroups\n");
    let said = lab.run(&["run", "p.yaml", "--only", "errors"]).expect(0);
    assert!(
        said.err.contains("costs.csv") && said.err.contains("the other figures of the earlier run cannot be kept"),
        "{}",
        said.err
    );
    let said = lab.run(&["run", "p.yaml"]).expect(0);
    assert!(!said.err.contains("cannot be kept"), "{}", said.err);
    assert!(lab.read("reports/p/measurements.csv").contains("\ngroups,"));
}

#[test]
fn what_belongs_to_no_figure_any_more_goes() {
    let lab = Lab::with("p.yaml", &two_figures());
    lab.run(&["run", "p.yaml"]).expect(0);
    assert!(lab.path("reports/p/figures/groups.svg").exists());
    lab.write("p.yaml", &two_figures().replace("  groups:", "  buckets:").replace("kind: line", ""));
    lab.run(&["run", "p.yaml", "--only", "errors"]).expect(0);
    for extension in ["csv", "svg", "json"] {
        assert!(!lab.path(&format!("reports/p/figures/groups.{extension}")).exists(), "{extension}");
        assert!(lab.path(&format!("reports/p/figures/errors.{extension}")).exists(), "{extension}");
    }
    assert!(!lab.read("reports/p/measurements.csv").contains("\ngroups,"));
}

#[test]
fn two_specs_of_one_name_are_kept_apart() {
    let lab = Lab::with("a/p.yaml", PATIENTS);
    lab.write("b/p.yaml", PATIENTS);
    lab.run(&["run", "a/p.yaml"]).expect(0);
    let said = lab.run(&["run", "b/p.yaml"]).expect(2);
    assert!(said.err.contains("holds the results of"), "{}", said.err);
    assert!(said.err.contains("rename one, or name another directory with --out"), "{}", said.err);
    lab.run(&["run", "b/p.yaml", "--out", "elsewhere"]).expect(0);
    std::fs::rename(lab.path("a"), lab.path("c")).unwrap();
    lab.run(&["run", "c/p.yaml"]).expect(0);
}

#[test]
fn a_report_that_was_not_finished_is_not_in_the_index() {
    let lab = Lab::with("p.yaml", &two_figures());
    lab.write("q.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "q.yaml"]).expect(0);
    assert!(lab.read("reports/index.html").contains("href=\"p/index.html\""));
    // The run dies half-way through its pages: a file cannot be written.
    std::fs::remove_file(lab.path("reports/p/claims.csv")).unwrap();
    std::fs::create_dir(lab.path("reports/p/claims.csv")).unwrap();
    lab.run(&["run", "p.yaml", "--seed", "3"]).expect(2);
    let index = lab.read("reports/index.html");
    assert!(!index.contains("href=\"p/index.html\""), "nothing of a report that is half old and half new");
    assert!(
        index.contains("<bdi>p</bdi>: its pages are being written, or the run that wrote them was stopped"),
        "{index}"
    );
    assert!(index.contains("href=\"q/index.html\""));
    // Another command does not bring it back; a run of it does.
    lab.run(&["run", "q.yaml"]).expect(0);
    assert!(!lab.read("reports/index.html").contains("href=\"p/index.html\""));
    std::fs::remove_dir(lab.path("reports/p/claims.csv")).unwrap();
    lab.run(&["run", "p.yaml"]).expect(0);
    let index = lab.read("reports/index.html");
    assert!(index.contains("href=\"p/index.html\"") && !index.contains("was stopped"));
}
