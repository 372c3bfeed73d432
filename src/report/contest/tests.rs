use super::*;
use crate::report::observations::{Hole, Row};
use crate::report::results::Side;
use crate::report::value::Value;

/// dataset, algorithm, k, own, repetition, metric, value
type Line<'a> = (&'a str, &'a str, Option<i32>, Option<i32>, i64, &'a str, f64);

fn observed(lines: &[Line]) -> Observations {
    let number = |value: Option<i32>| value.map_or(Value::None, |value| Value::Number(f64::from(value)));
    let rows = lines.iter().map(|&(dataset, algorithm, k, own, repetition, metric, value)| Row {
        key: vec![Value::parse(dataset), Value::parse(algorithm), Value::None, number(k), number(own)],
        repetition,
        metric: metric.to_string(),
        value,
    });
    Observations {
        columns: ["dataset", "algorithm", "at", "k", "own"].map(String::from).to_vec(),
        rows: rows.collect(),
        ..Observations::default()
    }
}

fn known() -> BTreeMap<String, MetricInfo> {
    let info = |better, side| MetricInfo { unit: "%".into(), better, about: String::new(), side };
    BTreeMap::from([
        ("loss".to_string(), info(Better::Lower, Side::Utility)),
        ("leak".to_string(), info(Better::Lower, Side::Privacy)),
        ("kept".to_string(), info(Better::Higher, Side::Utility)),
        ("groups".to_string(), info(Better::Neither, Side::Fact)),
    ])
}

fn run(lines: &[Line], options: &Options) -> Result<Contest, String> {
    contest(&[&observed(lines)], &known(), options).map_err(|error| error.to_string())
}

/// `ours` loses by `by` in every one of ten repetitions at two k.
fn clear(by: f64) -> Vec<Line<'static>> {
    (0..20)
        .flat_map(|i| {
            let (k, repetition, base) = (Some(2 + i / 10), i64::from(i % 10), f64::from(i % 7));
            [
                ("d", "theirs", k, None, repetition, "loss", base + 1.0),
                ("d", "ours", k, None, repetition, "loss", base + 1.0 + by),
            ]
        })
        .collect()
}

#[test]
fn a_clear_difference_is_found_with_its_size() {
    let found = run(&clear(0.5), &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    assert_eq!((standings[0].contender.as_str(), standings[0].best), ("theirs", true));
    let duel = standings[1].duel.as_ref().unwrap();
    assert_eq!((duel.pairs, duel.wins, duel.ties, duel.losses), (20, 0, 0, 20));
    assert_eq!((duel.difference, duel.low, duel.high), (0.5, 0.5, 0.5));
    assert!(duel.p < 1e-5 && duel.verdict == Verdict::Worse, "{duel:?}");
    let over = Options { over: vec!["k".into()], ..Options::default() };
    let found = run(&clear(0.5), &over).unwrap();
    assert_eq!(found.metrics[0].groups.len(), 2);
    let duel = found.metrics[0].groups[0].standings[1].duel.clone().unwrap();
    assert!((duel.p_adjusted - 2.0 * duel.p).abs() < 1e-12, "two duels, so twice the p: {duel:?}");
}

#[test]
fn equals_are_the_same_and_few_pairs_decide_nothing() {
    let found = run(&clear(0.0), &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    assert!(standings.iter().all(|standing| standing.best));
    assert_eq!(standings[1].duel.as_ref().unwrap().verdict, Verdict::Same);
    let found = run(&clear(0.5)[..6], &Options::default()).unwrap();
    assert_eq!(found.metrics[0].groups[0].standings[1].duel.as_ref().unwrap().verdict, Verdict::Undecided);
}

#[test]
fn a_baseline_is_compared_with_whoever_it_is() {
    let options = Options { baseline: Some("ours".into()), ..Options::default() };
    let found = run(&clear(0.5), &options).unwrap();
    let duel = found.metrics[0].groups[0].standings[0].duel.clone().unwrap();
    assert_eq!((duel.opponent.as_str(), duel.verdict), ("ours", Verdict::Better));
    let options = Options { baseline: Some("our".into()), ..Options::default() };
    assert_eq!(run(&clear(0.5), &options).unwrap_err(), "there is no contender `our`; did you mean `ours`?");
}

#[test]
fn what_was_measured_once_stands_beside_every_repetition() {
    let mut lines: Vec<Line> = (0..8).map(|r| ("d", "random", Some(2), None, r, "kept", 10.0 + r as f64)).collect();
    lines.push(("d", "fixed", Some(2), None, 0, "kept", 20.0));
    let found = run(&lines, &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    assert_eq!(standings[0].contender, "fixed", "higher is better");
    let duel = standings[1].duel.as_ref().unwrap();
    assert_eq!((duel.pairs, duel.losses, duel.verdict), (8, 8, Verdict::Worse));
}

#[test]
fn own_parameters_that_are_swept_make_contenders_of_their_own() {
    let lines: Vec<Line> = vec![
        ("d", "plain", Some(2), None, 0, "loss", 3.0),
        ("d", "tuned", Some(2), Some(1), 0, "loss", 2.0),
        ("d", "tuned", Some(2), Some(9), 0, "loss", 4.0),
    ];
    let found = run(&lines, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].contenders, ["plain", "tuned (own=1)", "tuned (own=9)"]);
}

#[test]
fn nobody_gains_by_failing_where_it_is_hard() {
    let lines: Vec<Line> = vec![
        ("d", "steady", Some(2), None, 0, "loss", 1.0),
        ("d", "steady", Some(9), None, 0, "loss", 50.0),
        ("d", "fragile", Some(2), None, 0, "loss", 2.0),
    ];
    let mut figure = observed(&lines);
    figure.holes.push(Hole {
        key: vec![Value::parse("d"), Value::parse("fragile"), Value::None, Value::Number(9.0), Value::None],
        repetition: 0,
        status: Status::Timeout,
        reason: "took longer than 1s".into(),
    });
    let found = contest(&[&figure], &known(), &Options::default()).unwrap();
    let group = &found.metrics[0].groups[0];
    assert_eq!((group.common_blocks, group.standings[0].contender.as_str()), (1, "steady"));
    assert_eq!(group.standings[1].missing, 1);
    assert_eq!((found.holes[0].algorithm.as_str(), found.holes[0].cells), ("fragile", 1));
}

#[test]
fn ranks_are_over_data_sets() {
    let mut lines: Vec<Line> = Vec::new();
    let datasets = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    for (i, dataset) in datasets.iter().enumerate() {
        let scale = 10f64.powi(i as i32);
        lines.push((dataset, "good", Some(2), None, 0, "loss", scale));
        lines.push((dataset, "middling", Some(2), None, 0, "loss", 2.0 * scale));
        lines.push((dataset, "bad", Some(2), None, 0, "loss", 3.0 * scale));
    }
    let ranking = run(&lines, &Options::default()).unwrap().metrics[0].ranking.clone().unwrap();
    assert_eq!(ranking.ranks.iter().map(|rank| rank.mean_rank).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    assert!(ranking.p < 0.001);
    // 2.344·√(12/72) = 0.957: neighbours are one rank apart, so all are told apart.
    assert!(ranking.alike.is_empty(), "{ranking:?}");
    let few = run(&lines[..9], &Options::default()).unwrap().metrics[0].ranking.clone().unwrap();
    assert_eq!(few.alike, [["good", "middling"], ["middling", "bad"]]);
    assert_eq!(run(&lines[..3], &Options::default()).unwrap().metrics[0].ranking, None, "one data set ranks nobody");
}

#[test]
fn the_front_is_of_those_that_nobody_beats() {
    let mut lines: Vec<Line> = Vec::new();
    for (name, leak, loss, seconds) in
        [("private", 0.0, 9.0, 2.0), ("useful", 5.0, 1.0, 2.0), ("quick", 5.0, 9.0, 1.0), ("none", 5.0, 9.0, 2.0)]
    {
        lines.push(("d", name, Some(2), None, 0, "leak", leak));
        lines.push(("d", name, Some(2), None, 0, "loss", loss));
        lines.push(("d", name, Some(2), None, 0, "cpu_seconds", seconds));
    }
    let found = run(&lines, &Options::default()).unwrap();
    let front = &found.fronts[0];
    let on: Vec<&str> = front.points.iter().filter(|p| p.on_front).map(|p| p.contender.as_str()).collect();
    assert_eq!(on, ["private", "useful", "quick"]);
    assert_eq!(front.axes.values().collect::<Vec<_>>(), ["leak", "loss", "cpu_seconds"]);
}

#[test]
fn wrong_names_are_told_with_the_nearest() {
    let metric = |name: &str| Options { metrics: vec![name.into()], ..Options::default() };
    assert!(run(&clear(0.5), &metric("los")).unwrap_err().ends_with("did you mean `loss`?"));
    let mut lines = clear(0.5);
    lines.push(("d", "ours", Some(2), None, 0, "groups", 3.0));
    assert!(run(&lines, &metric("groups")).unwrap_err().starts_with("`groups` is a fact"));
    let over = Options { over: vec!["kk".into()], ..Options::default() };
    assert!(run(&clear(0.5), &over).unwrap_err().contains("did you mean `k`?"));
}
