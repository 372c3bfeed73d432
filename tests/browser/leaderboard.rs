//! The results of several people: one matrix, the ranks and the fronts, as on the page of one experiment.

use crate::chromium::{self, Chromium};
use crate::{check_everywhere, fixtures, folder};
use anonlab::report::Observations;
use anonlab::report::contest::{Options, contest};
use anonlab::report::leaderboard::{Entrant, Leaderboard, SideBySide, write_leaderboards};
use serde_json::json;

const HOSTILE: &str = "Grace</bdi><script>window.pwned = 1</script>";

/// The k^m paper, once by Ada and once by somebody whose name wants to be markup.
fn board() -> Leaderboard {
    let paper = fixtures::papers().into_iter().find(|paper| paper.id == "km-anonymity").unwrap();
    let by = |name: &'static str| paper.figures.iter().map(move |figure| figure.observations.clone().labelled(name));
    let observed: Vec<Observations> = by("Ada").chain(by(HOSTILE)).collect();
    let found = contest(&observed.iter().collect::<Vec<_>>(), &paper.metrics, &Options::default()).unwrap();
    let entrant = |label: &str| Entrant {
        label: label.to_string(),
        file: format!("submissions/{}.zip", "long-".repeat(12)),
        licence: "CC-BY-4.0".to_string(),
        code: "0123456789ab".to_string(),
        machine: "A processor with 2 cores".to_string(),
        finished: "2026-01-01T00:00:00Z".to_string(),
    };
    let claim = |index: usize| SideBySide {
        figure: "fig10".to_string(),
        claim: format!("Claim {index} about the loss"),
        verdicts: vec!["holds".to_string(), if index == 0 { String::new() } else { "fails".to_string() }],
    };
    Leaderboard {
        experiment: "km-anonymity".to_string(),
        entrants: vec![entrant("Ada"), entrant(HOSTILE)],
        notes: vec!["They were computed by different code, and stand side by side, never as one.".to_string()],
        contest: found,
        claims: (0..3).map(claim).collect(),
    }
}

#[test]
fn a_leaderboard_is_one_matrix_and_can_be_filtered() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("leaderboard");
    write_leaderboards(&[board()], &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    check_everywhere(&mut chromium, &folder);
    chromium.open(&folder.join("km-anonymity.leaderboard.html"));
    chromium.settled();
    assert_eq!(chromium.ask("window.pwned === undefined"), true);
    // A metric on a data set is one row, whoever has measured it.
    let rows = "[...document.querySelectorAll('.matrix tr[data-metric]')].filter((row) => row.getClientRects().length)";
    let places = chromium.ask(&format!("{rows}.map((row) => `${{row.dataset.metric}} ${{row.dataset.data}}`)"));
    let mut places: Vec<String> = serde_json::from_value(places).unwrap();
    let all = places.len();
    places.sort();
    places.dedup();
    assert!(all > 3 && places.len() == all, "{places:?}");
    assert_eq!(chromium.ask("document.querySelectorAll('main h3, main h4').length"), 0, "no small tables");
    let heads = chromium.ask("document.querySelector('.matrix thead').innerText");
    assert!(heads.as_str().unwrap().contains("aa [Ada]") && heads.as_str().unwrap().contains("[Grace"), "{heads}");
    chromium.ask("(() => { const s = document.querySelector('select[name=metric]'); s.value = 'ncp'; s.dispatchEvent(new Event('change')); })()");
    let shown = chromium.ask(&format!("[...new Set({rows}.map((row) => row.dataset.metric))]"));
    assert_eq!(shown, json!(["ncp"]));
    assert_eq!(chromium.complaints, Vec::<String>::new());
}
