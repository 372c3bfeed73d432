//! The papers: every table and figure has its place in a spec.

use crate::lab::Lab;
use std::collections::BTreeSet;
use std::path::Path;

/// What each paper's spec must have. The experiments of the cohesion paper are not printed; its worked figures are.
const FIGURES: [(&str, &[&str]); 4] = [
    (
        "injector",
        &[
            "table1", "table2", "table3", "fig3", "fig4a", "fig4b", "fig5a", "fig5b", "fig6a", "fig6b", "fig7a",
            "fig7b", "fig7c", "fig7d", "fig8a", "fig8b", "fig8c", "fig8d",
        ],
    ),
    (
        "km-anonymity",
        &[
            "fig2", "fig4", "fig5", "fig6", "fig7", "fig8a", "fig8b", "fig8c", "fig9a", "fig9b", "fig9c", "fig10a",
            "fig10b", "fig10c", "fig11a", "fig11b", "fig11c", "fig11d",
        ],
    ),
    ("cohesion", &["fig1", "fig3"]),
    (
        "maxent",
        &["example1", "example2", "facts", "fig5a", "fig5b", "fig5c", "fig6", "fig7a", "fig7b", "fig7c", "fig8"],
    ),
];

#[test]
fn every_figure_of_every_paper_is_in_a_spec() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    for (paper, figures) in FIGURES {
        let spec = anonlab::spec::Spec::read(&experiments.join(format!("{paper}.yaml"))).unwrap();
        let known: BTreeSet<&str> = spec.file.figures.keys().map(String::as_str).collect();
        let missing: Vec<&&str> = figures.iter().filter(|figure| !known.contains(**figure)).collect();
        assert!(missing.is_empty(), "{paper}.yaml lacks {missing:?}");
        assert!(spec.file.paper.is_some(), "{paper}.yaml does not say whose figures these are");
    }
}

/// With this seed some buckets of Anatomy are nearly certain long before their counts are met: the second derivatives of
/// their rows are next to nothing, and the solver once took a step of 10²⁴ and gave up.
const SUMMARIES: &str = "
anonlab: 1
title: Summaries
seed: 7
datasets:
  adult:
    source: adult-train
    quasi_identifiers: [age, workclass, education, marital_status, race, sex]
    sensitive: occupation
    derive: [{drop_missing: used}]
measures:
  adversary: {measure: maximum-entropy, parameters: {knowledge: summaries}}
algorithms:
  anatomy-3: {publisher: anatomy, parameters: {l: 3}}
figures:
  knowledge:
    title: What summaries tell
    unclaimed: only whether there is an answer
    datasets: [adult]
    algorithms: [anatomy-3]
    measures: [adversary]
    draw: {x: algorithm, y: determined}
";

#[test]
fn who_knows_summaries_is_answered_where_buckets_are_nearly_certain() {
    let lab = Lab::with("s.yaml", SUMMARIES);
    lab.run(&["run", "s.yaml", "--quiet", "--out", "out"]).expect(0);
}
