//! The report as files: what needs no browser to be checked.

use crate::fixtures::{self, Found, Line, experiment, noise};
use anonlab::data::Origin;
use anonlab::report::{self, ExperimentResult, ReportError, Verdict};
use anonlab::run::Status;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that could get out of its element, its attribute, its line or its direction.
const HOSTILE: &str =
    "<script>window.pwned=1</script>\"'><img src=x onerror=window.pwned=1>]]><!--\u{202e}\u{0}{{ 1 }}{% raw %}";

/// Hostile strings wherever a string can come from data or a spec.
pub fn hostile() -> ExperimentResult {
    let long = format!("{HOSTILE} {}", "x".repeat(10_000));
    let mut found = Found::default();
    for (a, algorithm) in [HOSTILE, &long, "plain"].into_iter().enumerate() {
        for x in 0..4usize {
            let line = Line::of(&long, algorithm).origin(Origin::StandIn).axis("k", format!("{HOSTILE}{x}"));
            if a == 1 && x == 3 {
                found.measure(line.status(Status::Failed, &long));
                continue;
            }
            found.measure(line.metric("ncp", (a + x) as f64));
        }
    }
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    let claims =
        format!("- {{says: {quoted}, metric: ncp, of: plain, is: {{at_most: 0}}, expected: fails, because: {quoted}}}");
    let mut figures: Vec<_> = ["line", "bar", "table"]
        .map(|kind| {
            let mut figure =
                found.figure(kind, HOSTILE, &long, &format!("{{kind: {kind}, x: k, y: ncp}}"), "", &claims);
            figure.draw.x_label = Some(long.clone());
            figure.draw.y_label = Some(HOSTILE.to_string());
            figure.command = long.clone();
            figure.parameters.insert(HOSTILE.into(), long.clone());
            figure
        })
        .into();
    figures[0].draw.panels = Some("dataset".into());
    let mut hostile = experiment("hostile", &long, None, figures);
    hostile.about = long.clone();
    for data in &mut hostile.provenance.data {
        (data.name, data.note, data.citation, data.licence) =
            (HOSTILE.into(), long.clone(), long.clone(), HOSTILE.into());
    }
    hostile.provenance.git_revision = Some(HOSTILE.into());
    hostile.paper = Some(anonlab::spec::Paper {
        title: long.clone(),
        authors: HOSTILE.into(),
        venue: HOSTILE.into(),
        year: 2008,
        link: Some("javascript:window.pwned=1".into()),
    });
    hostile
}

pub fn forty() -> ExperimentResult {
    let figures = (0..40)
        .map(|number| {
            let mut found = Found::default();
            for algorithm in ["oa", "da", "aa", "anatomy"] {
                for x in 0..12usize {
                    for repetition in 0..10usize {
                        let line = Line::of("adult", algorithm).axis("k", x).repetition(repetition as i64);
                        found.measure(line.metric("ncp", 10.0 + x as f64 + noise(x + number, repetition)));
                    }
                }
            }
            let id = format!("figure-{number}");
            let claim = "- {says: OA is below DA, metric: ncp, of: oa, is: {less_than: {algorithm: da}}}";
            found.figure(&id, &format!("Figure {number}"), "One of many.", "{x: k, y: ncp}", "", claim)
        })
        .collect();
    experiment("forty", "Forty figures", None, figures)
}

/// Path → bytes of every file below a folder.
fn files(folder: &Path, below: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, below, found),
            false => {
                let name = path.strip_prefix(below).unwrap().display().to_string();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
}

fn written(experiments: &[ExperimentResult]) -> (report::ReportSummary, BTreeMap<String, Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let summary = report::write(experiments, folder.path()).unwrap();
    let mut found = BTreeMap::new();
    files(folder.path(), folder.path(), &mut found);
    (summary, found)
}

fn text<'a>(files: &'a BTreeMap<String, Vec<u8>>, name: &str) -> &'a str {
    std::str::from_utf8(&files[name]).unwrap()
}

#[test]
fn a_report_has_its_files_and_a_summary() {
    let (summary, files) = written(&fixtures::papers());
    assert_eq!(summary.figures, 15);
    assert_eq!(summary.claims.len(), 23);
    assert_eq!(
        summary.count(Verdict::Holds) + summary.count(Verdict::Fails) + summary.count(Verdict::Inconclusive),
        23
    );
    let surprises: Vec<&str> = summary.surprises().map(|claim| claim.judgement.says.as_str()).collect();
    assert_eq!(surprises, Vec::<&str>::new());
    for name in [
        "index.html",
        "injector/index.html",
        "injector/comparison.html",
        "injector/claims.csv",
        "injector/figures/fig3.csv",
        "injector/figures/fig4a.svg",
        "maxent/figures/fig8.csv",
    ] {
        assert!(files.contains_key(name), "{name} is missing");
    }
    assert!(!files.contains_key("injector/figures/fig3.svg"), "a table is not a plot");
    assert!(!files.keys().any(|name| name.contains(".report-")), "temporary files are left");
}

#[test]
fn what_is_plotted_and_claimed_is_in_csv_files() {
    let (_, files) = written(&fixtures::papers());
    let plotted = text(&files, "km-anonymity/figures/fig10.csv");
    let some: Vec<&str> = plotted.lines().filter(|line| line.contains("ncp,AA") || !line.contains(",real")).collect();
    insta::assert_snapshot!(some.join("\n"), @r"
    panel,metric,series,x,y,low,high,repetitions,status,origin
    ,ncp,AA,1,10.299999999999999,10.299999999999999,10.299999999999999,3,ok,real
    ,ncp,AA,2,12.5,12.5,12.5,3,ok,real
    ,ncp,AA,3,14.700000000000001,14.700000000000001,14.700000000000001,3,ok,real
    ,ncp,AA,4,16.900000000000002,16.900000000000002,16.900000000000002,3,ok,real
    ,ncp,AA,1,10.0,,,0,printed,real
    ,ncp,AA,2,12.0,,,0,printed,real
    ,ncp,AA,3,15.0,,,0,printed,real
    ,ncp,AA,4,17.0,,,0,printed,real
    ");
    assert!(plotted.contains("\n,seconds,OA,4,,,,0,timeout,real\n"));
    assert!(text(&files, "km-anonymity/figures/fig11a.csv").contains(",stand-in\n"));
    insta::assert_snapshot!(text(&files, "km-anonymity/claims.csv").lines().take(6).collect::<Vec<_>>().join("\n"), @r#"
    figure,claim,statement,reading,seed,verdict,detail,expected
    fig7,The data sets have the size the paper says,"",default,,fails,"1 of 3 points fails, the worst at POS: 343,000 against 515,597 printed",fails
    fig10,OA and DA are exponential in m,"",default,,inconclusive,"2 of 2 series open; for example at DA: 40 nodes at 1 to 10,240 nodes at 3 (3 points): a line misses by 116 %, a power by 34 % (exponent 4.93), an exponential by 0.0 %; at 4: 163,840 nodes [2 repetitions], but failed (thread 'main' panicked at src/example.rs:1:1:) in others",holds
    fig10,AA's loss is that of OA,"",default,,inconclusive,"1 of 4 points open, 3 pass; the most doubtful at m = 4: timeout (stopped after 60 s)",holds
    fig10,AA is the fastest,"",default,,holds,"all 4 points pass, the closest at m = 1: 3.001 [2.92, 3.082] ms against 20.33 [19.79, 20.87] ms (−85 %)",holds
    fig11a,The loss is at most 3 %,"",default,,fails,"1 of 3 points fails, the worst at WV1: 3.24 %, asked: at most 3 %",fails
    "#);
}

#[test]
fn the_index_shows_what_other_commands_left_in_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let papers = fixtures::papers();
    report::write(&papers[..2], directory.path()).unwrap();
    let summary = report::write(&papers[2..3], directory.path()).unwrap();
    assert_eq!(summary.figures, papers[2].figures.len());
    let index = || std::fs::read_to_string(directory.path().join("index.html")).unwrap();
    let cards = |index: &str| {
        let ids = papers.iter().map(|paper| paper.id.clone());
        ids.filter(|id| index.contains(&format!(r#"<h3><a href="{id}/index.html">"#))).collect::<Vec<_>>()
    };
    assert_eq!(cards(&index()), papers[..3].iter().map(|paper| paper.id.clone()).collect::<Vec<_>>());
    assert!(index().contains("3 experiments"));

    // What is gone, or is no card, is not shown.
    std::fs::remove_dir_all(directory.path().join(&papers[0].id)).unwrap();
    std::fs::write(directory.path().join(&papers[1].id).join("card.json"), "{").unwrap();
    report::write(&papers[2..3], directory.path()).unwrap();
    assert_eq!(cards(&index()), [papers[2].id.clone()]);
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let (_, first) = written(&fixtures::papers());
    let (_, second) = written(&fixtures::papers());
    assert_eq!(first, second);

    // Another machine at another time differs in the marked places alone.
    let mut later = fixtures::papers();
    for experiment in &mut later {
        experiment.provenance.started = "2027-12-31T00:00:00Z".into();
        experiment.provenance.finished = "2027-12-31T00:01:00Z".into();
        experiment.provenance.machine.processor = "Another processor".into();
    }
    let (_, third) = written(&later);
    let marked = |files: &BTreeMap<String, Vec<u8>>| -> Vec<(String, String)> {
        let unmarked = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let mut parts = text.split("<!-- run -->");
            let mut rest = parts.next().unwrap_or_default().to_string();
            for part in parts {
                rest += part.split_once("<!-- /run -->").unwrap().1;
            }
            rest
        };
        // A card is no page: it tells the next index when and where, too.
        let pages = files.iter().filter(|(name, _)| !name.ends_with("card.json"));
        pages.map(|(name, bytes)| (name.clone(), unmarked(bytes))).collect()
    };
    assert_eq!(marked(&first), marked(&third));
    assert_ne!(first["index.html"], third["index.html"]);
}

#[test]
fn nothing_hostile_gets_out_of_its_place() {
    let (summary, files) = written(&[hostile()]);
    assert_eq!(summary.figures, 3);
    for (name, bytes) in &files {
        let text = std::str::from_utf8(bytes).unwrap();
        if name.ends_with(".html") || name.ends_with(".svg") {
            assert!(!text.contains("<script>window.pwned"), "{name}");
            assert!(!text.contains("<img"), "{name}");
            assert!(!text.contains("javascript:"), "{name}");
            assert!(!text.contains('\u{202e}') && !text.contains('\0'), "{name}");
        }
    }
}

#[test]
fn names_that_are_no_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["../up", "a/b", "", ".hidden", "<b>", "a b"] {
        let mut bad = fixtures::papers().remove(0);
        bad.id = id.into();
        let refused = report::write(&[bad], folder.path());
        assert!(matches!(refused, Err(ReportError::Input(_))), "{id}");
        let mut bad = fixtures::papers().remove(0);
        bad.figures[0].id = id.into();
        assert!(report::write(&[bad], folder.path()).is_err(), "{id}");
    }
    let twice = vec![fixtures::papers().remove(0), fixtures::papers().remove(0)];
    assert!(report::write(&twice, folder.path()).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

#[test]
fn a_figure_without_any_value_is_still_a_figure() {
    let mut found = Found::default();
    for x in 0..3 {
        found.measure(Line::of("adult", "oa").axis("k", x).status(Status::Timeout, "stopped after 60 s"));
    }
    let figures = ["line", "bar", "scatter", "table"]
        .map(|kind| found.figure(kind, kind, "", &format!("{{kind: {kind}, x: k, y: seconds}}"), "", ""));
    let nothing = Found::default().figure("nothing", "nothing", "", "{x: k, y: ncp, y_scale: log}", "", "");
    let (summary, files) = written(&[experiment("empty", "Empty", None, [figures.to_vec(), vec![nothing]].concat())]);
    assert_eq!(summary.figures, 5);
    assert!(text(&files, "empty/index.html").contains("stopped at the limit"));
    let (summary, _) = written(&[]);
    assert_eq!(summary.figures, 0);
}
