//! `publish`: one anonymization outside any experiment.

use crate::lab::{Lab, PATIENTS};

#[test]
fn a_release_comes_with_its_verdict() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let publish = |l: &str| {
        lab.run(&["publish", "--dataset", "p.yaml:patients", "--algorithm", "anatomy", "-p", l, "--out", "release"])
    };
    let said = publish("l=3").expect(0);
    assert!(said.out.contains("verified"), "{}", said.out);
    let (qit, st) = (lab.read("release/qit.csv"), lab.read("release/st.csv"));
    assert_eq!((qit.lines().next(), qit.lines().count()), (Some("age,sex,group_id"), 13));
    assert_eq!(st.lines().next(), Some("group_id,disease,count"));
    let verdict: serde_json::Value = serde_json::from_str(&lab.read("release/verdict.json")).unwrap();
    assert_eq!(verdict["private"], true);
    assert_eq!(verdict["guarantee"]["l"], 3);

    // Into a used directory: what is not of the lab stays and is not told; a failed one leaves nothing that says private.
    lab.write("release/mine.txt", "kept");
    lab.write("release/table.csv", "of an earlier release of another kind");
    let again = publish("l=4").expect(0);
    assert!(again.out.contains("release/qit.csv") && !again.out.contains("mine.txt"), "{}", again.out);
    assert!(!lab.path("release/table.csv").exists());
    let refused = publish("l=5").expect(1);
    assert!(refused.err.contains("not 5-eligible"), "{}", refused.err);
    assert!(!lab.path("release/verdict.json").exists() && !lab.path("release/qit.csv").exists());
    assert_eq!(lab.read("release/mine.txt"), "kept");
    let slip = publish("ell=5").expect(2);
    assert!(slip.err.contains("there is no parameter `ell`"), "{}", slip.err);
    let form = publish("l").expect(2);
    assert!(form.err.contains("NAME=VALUE"), "{}", form.err);
}

#[test]
fn adult_is_inside() {
    let lab = Lab::new();
    let said = lab
        .run(&["publish", "--dataset", "adult", "--algorithm", "anatomy", "-p", "l=4", "--out", "release"])
        .expect(0);
    assert!(said.out.contains("verified"), "{}", said.out);
    assert!(lab.read("release/qit.csv").lines().count() > 45_000);
}
