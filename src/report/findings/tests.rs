use super::*;
use crate::data::Origin;

const HEADS: &str = "figure,claim,statement,standing,verdict,told,expected,surprise,detail,because,printed\n";

/// A report's folder with these lines of standings.csv (claim, statement, standing, verdict, because, printed). The verdicts of
/// several seeds stand behind a verdict: `inconclusive = holds holds fails`.
fn findings(lines: &[[&str; 6]], statements: &str) -> Findings {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let mut standings = HEADS.to_string();
    let mut claims = String::from("figure,claim,statement,reading,seed,verdict\n");
    for [claim, statement, standing, verdict, because, printed] in lines {
        let (verdict, seeds) = verdict.split_once(" = ").unwrap_or((*verdict, *verdict));
        standings += &format!(
            "f,{claim},{statement},{standing},{verdict},told of {claim},holds,,numbers of {claim},{because},{printed}\n"
        );
        for (seed, verdict) in seeds.split(' ').enumerate() {
            claims += &format!("f,{claim},{statement},default,{seed},{verdict}\n");
        }
    }
    write("standings.csv", &standings);
    write("claims.csv", &claims);
    if !statements.is_empty() {
        write("statements.csv", &format!("statement,section,says,test\n{statements}"));
    }
    let paper = r#"{"title": "T", "authors": "A", "venue": "V 2008"}"#;
    let figures = r#"[{"id": "f", "title": "Of loss"}]"#;
    write("card.json", &format!(r#"{{"title": "Of k^m", "paper": {paper}, "figures": {figures}, "more": 1}}"#));
    Findings::read(folder.path()).unwrap()
}

#[test]
fn a_statement_comes_to_what_its_claims_say_together() {
    let found = findings(
        &[
            ["a", "S-1", "robust", "holds", "", "false"],
            ["b", "S-1", "depends_on_reading", "holds", "", "false"],
            ["c", "S-2", "robust", "holds", "", "false"],
            ["d", "S-2", "open", "fails", "it is so", "false"],
            ["e", "S-3", "robust", "fails", "", "true"],
            ["f", "S-4", "open", "inconclusive", "", "false"],
            ["g", "ours", "robust", "holds", "", "false"],
        ],
        "S-1,1,first,\nS-2,2,second,\nS-3,3,third,\nS-4,4,fourth,\nS-5,5,fifth,tests/x.rs\nS-6,6,sixth,\n",
    );
    let outcomes: Vec<(StatementOutcome, Standing)> =
        found.statements.iter().map(|f| (f.outcome, f.standing)).collect();
    assert_eq!(
        outcomes,
        [
            (StatementOutcome::Holds, Standing::DependsOnReading),
            (StatementOutcome::InPart, Standing::Open),
            (StatementOutcome::Fails, Standing::Robust),
            (StatementOutcome::Undecided, Standing::Open),
            (StatementOutcome::Tested, Standing::Robust),
            (StatementOutcome::NotMeasured, Standing::Robust),
        ]
    );
    assert_eq!(found.paper.as_deref(), Some("A: T, V 2008"));
    let second = &found.statements[1];
    assert_eq!(second.found(), "“d” fails: numbers of d. 1 more claim holds");
    assert_eq!(second.why(), "it is so");
    assert_eq!(found.statements[4].found(), "shown by a test (tests/x.rs)");
    assert_eq!(found.ours.len(), 1);
    let surprises: Vec<(SurpriseKind, &str)> = found.surprises.iter().map(|s| (s.kind, s.claim.as_str())).collect();
    assert_eq!(
        surprises,
        [
            (SurpriseKind::DependsOnReading, "b"),
            (SurpriseKind::NotSettled, "f"),
            (SurpriseKind::PrintedNotReached, "e")
        ]
    );
    assert_eq!(
        found.sentences,
        [
            "1 of the 4 statements that were measured holds, 1 fails, 1 holds in part and 1 is undecided; a test shows 1 more.",
            "Against the paper: “third” (Section 3) and “second” (Section 2; holds in part: “d” fails).",
            "One of these outcomes is the same under all readings and seeds that were tried; 1 depends on how the paper is \
             read (S-1); 2 need more seeds, or a conclusive verdict (S-2, S-4).",
        ]
    );
}

#[test]
fn what_was_not_measured_stands_nowhere() {
    let found = findings(
        &[["a", "S-1", "robust", "holds", "", "false"]],
        "S-1,1,first,\nS-2,2,second,\nS-3,3,third,tests/x.rs\n",
    );
    let stands: Vec<String> = found.statements.iter().map(Finding::stands).collect();
    assert_eq!(stands, ["✓ holds, robust", "– not measured", "✓ tested"]);
}

#[test]
fn why_it_fails_is_told_of_what_fails_here_or_elsewhere() {
    let why = |standing: &str, verdict: &str| {
        let found = findings(&[["a", "S-1", standing, verdict, "it is so", "false"]], "S-1,1,first,\n");
        found.statements[0].why()
    };
    assert_eq!(why("robust", "fails"), "it is so");
    assert_eq!(why("depends_on_reading", "holds"), "where it fails: it is so");
    assert_eq!(why("robust", "holds"), "");
    assert_eq!(why("open", "inconclusive"), "");
}

#[test]
fn where_seeds_settle_nothing_the_numbers_are_said_to_be_of_one() {
    let found = |seeds: &str| {
        let verdict = format!("inconclusive = {seeds}");
        let found = findings(&[["a", "S-1", "open", &verdict, "", "false"]], "S-1,1,first,\n");
        found.statements[0].found()
    };
    assert_eq!(
        found("holds holds fails inconclusive"),
        "“a” varies: holds in 2 of 4 seeds, fails in 1, gives no verdict in 1; with the first seed numbers of a"
    );
    assert_eq!(
        found("holds holds inconclusive"),
        "“a” is open: holds in 2 of 3 seeds, gives no verdict in 1; with the first seed numbers of a"
    );
    assert_eq!(
        found("inconclusive inconclusive inconclusive"),
        "“a” is open: gives no verdict in all 3 seeds; with the first seed numbers of a"
    );
    assert_eq!(found("inconclusive"), "“a” is open: numbers of a");
}

#[test]
fn what_seeds_disagree_about_varies_and_is_not_undecided() {
    let by_chance = "inconclusive = holds fails holds";
    let found = findings(
        &[
            ["a", "S-1", "robust", "holds", "", "false"],
            ["b", "S-1", "depends_on_chance", by_chance, "", "false"],
            ["c", "S-2", "depends_on_chance", by_chance, "", "false"],
            ["d", "S-2", "open", "inconclusive = holds inconclusive", "", "false"],
            ["e", "S-3", "depends_on_chance", by_chance, "", "false"],
            ["f", "S-3", "robust", "fails", "", "false"],
        ],
        "S-1,1,first,\nS-2,2,second,\nS-3,3,third,\n",
    );
    let outcomes: Vec<StatementOutcome> = found.statements.iter().map(|finding| finding.outcome).collect();
    assert_eq!(outcomes, [StatementOutcome::Varies, StatementOutcome::Undecided, StatementOutcome::Fails]);
    assert_eq!(found.statements[0].stands(), "≈ varies, depends on chance");
    assert_eq!(found.statements[2].found(), "“f” fails: numbers of f. 1 more claim varies");
    assert_eq!(
        found.sentences[0],
        "None of the 3 statements that were measured holds outright, 1 fails, 1 varies with the seed and 1 is undecided."
    );
    let text = section(&found);
    let chance = "### A matter of chance\n\n- S-1, b (Of loss): told of b\n- S-2, c (Of loss): told of c\n- S-3, e (Of loss): told of e\n";
    assert!(text.contains(chance), "{text}");
    assert!(text.contains("### Not settled\n\n- S-2, d (Of loss): told of d\n"), "{text}");
    assert!(summary(&[found]).contains("| Of kᵐ | 3 | 0 | 0 | 1 | 1 | 1 | “third” |\n"));
}

#[test]
fn what_one_seed_alone_says_is_in_no_list() {
    let found = findings(&[["a", "S-1", "open", "holds", "", "false"]], "S-1,1,first,\n");
    assert!(found.surprises.is_empty(), "{:?}", found.surprises);
}

#[test]
fn questions_that_the_paper_leaves_open_are_listed() {
    let mut found = findings(&[["a", "S-1", "robust", "holds", "", "false"]], "S-1,1,first,\n");
    assert!(!section(&found).contains("leaves open"));
    let options = ["id", "frequency"].map(String::from).to_vec();
    found.readings = vec![OpenQuestion { reading: "order".into(), asks: "Which | order?".into(), options }];
    assert!(section(&found).contains("\n- `order`: Which \\| order? id; frequency\n"), "{}", section(&found));
}

#[test]
fn a_paper_that_stands_is_told_so() {
    let found = findings(&[["a", "S-1", "robust", "holds", "", "false"]], "S-1,1,first,\n");
    assert_eq!(
        found.sentences,
        [
            "The one statement that was measured holds.",
            "Nothing that was measured contradicts the paper.",
            "Every one of these outcomes is the same under all readings and seeds that were tried.",
        ]
    );
}

#[test]
fn without_a_register_the_claims_are_the_labs_own() {
    let found = findings(&[["a", "", "robust", "holds", "", "false"], ["b", "", "robust", "fails", "", "false"]], "");
    assert_eq!((found.statements.len(), found.ours.len()), (0, 2));
    assert_eq!(
        found.sentences[..2],
        ["1 of the 2 claims that were measured holds and 1 fails.", "Against what was said: “b” (Of loss)."]
    );
}

#[test]
fn four_that_fail_are_some_quoted_and_the_rest_counted() {
    let claims = ["a", "b", "c", "d"].map(|claim| [claim, "S-1", "robust", "fails", "", "false"]);
    let claims: Vec<[&str; 6]> =
        claims.iter().zip(["S-1", "S-2", "S-3", "S-4"]).map(|(c, s)| [c[0], s, c[2], c[3], "", "false"]).collect();
    let found = findings(&claims, "S-1,1,first,\nS-2,2,second,\nS-3,3,third,\nS-4,4,fourth,\n");
    assert_eq!(
        found.sentences[1],
        "Against the paper: “first” (Section 1), “second” (Section 2), “third” (Section 3) and 1 more."
    );
    assert!(summary(&[found]).ends_with("| 4 | 0 | 0 | “first”, “second” and 2 more |\n"));
}

#[test]
fn markdown_of_findings_is_tables_that_nothing_breaks_out_of() {
    let found = findings(&[["a | b `x|y` k^m", "S-1", "robust", "fails", "be_cause", "false"]], "S-1,§1,says | it,\n");
    let text = section(&found);
    let row = "| S-1 | says \\| it (§1) | “a \\| b `x\\|y` kᵐ” fails: numbers of a \\| b `x\\|y` kᵐ | be\\_cause | ✗ fails, robust |\n";
    let start = "## Of kᵐ\n\nA: T, V 2008\n\nThe one statement that was measured fails.\n";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains(row), "{text}");
    let text = summary(&[found]);
    assert!(text.contains("\n| Of kᵐ | 1 | 0 | 0 | 1 | 0 | 0 | “says \\| it” |\n"), "{text}");
}

#[test]
fn generated_data_is_no_stand_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = |name: &str, origin: Origin| serde_json::json!({"name": name, "origin": origin, "note": "", "sha256": {}, "citation": "", "licence": ""});
    let record = serde_json::json!({
        "version": "0.1.0", "git_revision": null, "git_dirty": null, "readings": "each", "seeds": 1, "seed": 7, "set": [],
        "data": [data("many", Origin::Generated), data("many (default)", Origin::Generated)],
        "machine": {"processor": "p", "cores": 2, "memory_bytes": 1, "system": "s"}, "started": "", "finished": "",
    });
    let words = |record: &serde_json::Value| {
        std::fs::write(folder.path().join("provenance.json"), record.to_string()).unwrap();
        RunSettings::read(folder.path()).unwrap().unwrap().words()
    };
    assert_eq!(words(&record), "each reading, seed 7, full sweeps, no stand-ins, generated data (many)");
    let mut absent = record.clone();
    absent["data"] = serde_json::json!([data("pos", Origin::StandIn), data("pos (part=both)", Origin::StandIn)]);
    assert_eq!(words(&absent), "each reading, seed 7, full sweeps, stand-ins for pos");
}

#[test]
fn where_the_paper_says_it_is_said_in_words() {
    let place = |section: &str| {
        let quoted = format!("S-1,\"{section}\",first,\n");
        findings(&[["a", "S-1", "robust", "holds", "", "false"]], &quoted).statements[0].place()
    };
    for (section, words) in [
        ("5.2", "Section 5.2"),
        ("VI-C", "Section VI-C"),
        ("3–6", "Sections 3–6"),
        ("V, VI-D", "Sections V, VI-D"),
        ("5, fn. 2", "Section 5, fn. 2"),
        ("Table III", "Table III"),
        ("abstract", "abstract"),
        ("–", ""),
    ] {
        assert_eq!(place(section), words);
    }
}

#[test]
fn printed_values_that_are_missed_are_told_last() {
    let found = findings(
        &[
            ["a", "S-1", "robust", "fails", "", "true"],
            ["b", "S-1", "robust", "holds", "", "false"],
            ["c", "S-2", "robust", "fails", "", "false"],
            ["d", "S-2", "robust", "holds", "", "false"],
        ],
        "S-1,1,first,\nS-2,2,second,\n",
    );
    assert_eq!(
        found.sentences[1],
        "Against the paper: “second” (Section 2; holds in part: “c” fails) and “first” (Section 1; holds in part: “a” fails)."
    );
}
