use super::blocks::Contender;
use super::*;
use crate::report::metrics::MetricSide;
use crate::report::observations::{Hole, Measurement};
use crate::report::value::Value;
use proptest::prelude::*;

/// dataset, algorithm, k, own, repetition, metric, value
type Line<'a> = (&'a str, &'a str, Option<i32>, Option<i32>, i64, &'a str, f64);

fn observed(lines: &[Line]) -> Observations {
    let number = |value: Option<i32>| value.map_or(Value::None, |value| Value::Number(f64::from(value)));
    let rows = lines.iter().map(|&(dataset, algorithm, k, own, repetition, metric, value)| Measurement {
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
    let info = |better, side| MetricInfo {
        unit: "%".into(),
        better,
        about: String::new(),
        side,
        relative: false,
        tolerance: 0.0,
    };
    BTreeMap::from([
        ("loss".to_string(), info(Better::Lower, MetricSide::Utility)),
        ("leak".to_string(), info(Better::Lower, MetricSide::Privacy)),
        ("kept".to_string(), info(Better::Higher, MetricSide::Utility)),
        ("groups".to_string(), info(Better::Neither, MetricSide::Fact)),
    ])
}

fn run(lines: &[Line], options: &Options) -> Result<Contest, String> {
    contest(&[&observed(lines)], &known(), options).map_err(|error| error.to_string())
}

/// `ours` loses by `by` in both repetitions at each of ten k.
fn clear(by: f64) -> Vec<Line<'static>> {
    (0..20)
        .flat_map(|i| {
            let (k, repetition, base) = (Some(2 + i / 2), i64::from(i % 2), f64::from(i % 7));
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
    assert_eq!((duel.pairs, duel.units, duel.wins, duel.ties, duel.losses), (20, 10, 0, 0, 10));
    assert_eq!((duel.difference, duel.low, duel.high), (0.5, Some(0.5), Some(0.5)));
    // Ten of ten on one side: 2 of 1,024.
    assert_eq!((duel.p, duel.verdict), (Some(2.0 / 1024.0), DuelVerdict::Worse), "{duel:?}");
    let mut twice = clear(0.5);
    twice.extend(clear(0.5).into_iter().map(|line| ("e", line.1, line.2, line.3, line.4, line.5, line.6)));
    let found = run(&twice, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].groups.len(), 2);
    let duel = found.metrics[0].groups[0].standings[1].duel.clone().unwrap();
    assert_eq!(duel.p_adjusted, duel.p.map(|p| 2.0 * p), "two duels, so twice the p: {duel:?}");
}

#[test]
fn ties_at_most_points_do_not_turn_a_win_around() {
    // Of 26 points 20 tie and `ours` wins the others, so that the middle of all differences is zero: 2 of 64.
    let lines: Vec<Line> = (0..26)
        .flat_map(|k| {
            let lost = if k < 6 { f64::from(k) + 1.0 } else { 0.0 };
            [("d", "theirs", Some(k), None, 0, "loss", 9.0 + lost), ("d", "ours", Some(k), None, 0, "loss", 9.0)]
        })
        .collect();
    let found = run(&lines, &Options { baseline: Some("theirs".to_string()), ..Options::default() }).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    let ours = standings.iter().find(|standing| standing.contender == "ours").unwrap();
    let duel = ours.duel.as_ref().unwrap();
    assert_eq!((duel.wins, duel.ties, duel.losses, duel.difference, duel.p), (6, 20, 0, 0.0, Some(2.0 / 64.0)));
    assert_eq!(duel.verdict, DuelVerdict::Better);
    assert!(ours.best, "{standings:?}");
}

#[test]
fn repetitions_are_no_units_and_too_few_points_are_told() {
    // A deterministic algorithm at five points against fifty repetitions of a randomized one.
    let mut lines: Vec<Line> = Vec::new();
    for k in 2..7 {
        lines.push(("d", "fixed", Some(k), None, 0, "loss", f64::from(k)));
        lines.extend((0..50).map(|r| ("d", "random", Some(k), None, r, "loss", f64::from(k) + 1.0 + r as f64 / 100.0)));
    }
    let found = run(&lines, &Options::default()).unwrap();
    let group = &found.metrics[0].groups[0];
    let duel = group.standings[1].duel.as_ref().unwrap();
    assert_eq!((duel.pairs, duel.units, duel.losses), (250, 5, 5));
    assert_eq!((duel.p, duel.p_adjusted, duel.low, duel.verdict), (None, None, None, DuelVerdict::TooFew));
    assert_eq!(group.needed, Some(6));
    let text: Vec<String> = sheets(&found).into_iter().flat_map(|sheet| sheet.notes).collect();
    let told =
        "5 points are too few for any difference to be told from chance at 5 %: 6 points would be the fewest here";
    assert!(text.iter().any(|note| note == told), "{text:?}");
    let over = Options { over: vec!["k".into()], ..Options::default() };
    let found = run(&lines, &over).unwrap();
    let duels = found.metrics[0].groups.iter().filter_map(|group| group.standings[1].duel.as_ref());
    assert!(duels.map(|duel| (duel.units, duel.verdict)).all(|found| found == (1, DuelVerdict::TooFew)));
}

#[test]
fn the_distance_is_that_of_the_medians_shown() {
    // One outlier among the repetitions of each point moves its mean, and not the median of all repetitions.
    let mut lines: Vec<Line> = Vec::new();
    for k in 2..9 {
        for repetition in 0..3 {
            let ours = if repetition == 2 { 10.0 } else { 1.0 };
            lines.push(("d", "ours", Some(k), None, repetition, "loss", ours));
            lines.push(("d", "theirs", Some(k), None, repetition, "loss", 2.0));
        }
    }
    let found = run(&lines, &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    let shown: Vec<(&str, f64, Option<f64>)> =
        standings.iter().map(|one| (one.contender.as_str(), one.median, one.relative)).collect();
    assert_eq!(shown, [("theirs", 2.0, None), ("ours", 4.0, Some(1.0))]);
    assert_eq!(standings[1].duel.as_ref().unwrap().difference, 2.0, "and so is the difference at each point");
}

#[test]
fn what_lies_along_a_measures_own_axis_is_one_unit() {
    let mut figure = observed(&clear(0.5));
    let rows = std::mem::take(&mut figure.rows);
    for at in 0..5 {
        figure.rows.extend(rows.iter().cloned().map(|mut row| {
            row.key[2] = Value::Number(f64::from(at));
            row
        }));
    }
    let found = contest(&[&figure], &known(), &Options::default()).unwrap();
    let duel = found.metrics[0].groups[0].standings[1].duel.clone().unwrap();
    assert_eq!((duel.pairs, duel.units), (100, 10));
}

#[test]
fn rounds_are_the_units_of_times_at_few_points() {
    let times = |rounds: i64| -> Vec<Line<'static>> {
        (0..rounds)
            .flat_map(|round| {
                let drift = 1.0 + round as f64 / 3.0;
                [
                    ("d", "fast", Some(2), None, round, "seconds", 0.1 * drift),
                    ("d", "slow", Some(2), None, round, "seconds", 0.11 * drift),
                ]
            })
            .collect()
    };
    let duel = |rounds: i64| {
        run(&times(rounds), &Options::default()).unwrap().metrics[0].groups[0].standings[1].duel.clone().unwrap()
    };
    let found = duel(8);
    assert_eq!((found.unit, found.units, found.verdict), (DuelUnit::Round, 8, DuelVerdict::Worse));
    assert_eq!(duel(5).verdict, DuelVerdict::TooFew);
}

#[test]
fn what_an_entry_fixes_is_part_of_the_contender() {
    // k is swept; `own` is fixed by the entries, to 2 and to 6.
    let lines: Vec<Line> = (0..10)
        .flat_map(|k| {
            let base = f64::from(k);
            [
                ("d", "loose", Some(k), Some(2), 0, "loss", base),
                ("d", "strict", Some(k), Some(6), 0, "loss", base + 1.0),
            ]
        })
        .collect();
    let found = run(&lines, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].contenders, ["loose", "strict"]);
    let group = &found.metrics[0].groups[0];
    assert_eq!((group.common_blocks, group.standings[1].missing), (10, 0));
    assert_eq!(group.standings[1].duel.as_ref().unwrap().verdict, DuelVerdict::Worse);
}

/// A figure that leaves a column open has the default of its data or measure there, not each value that another figure sets.
#[test]
fn what_a_figure_leaves_open_is_no_value_of_another_figure() {
    let swept: Vec<Line> = (0..4)
        .flat_map(|k| [("d", "one", Some(k), None, 0, "loss", 1.0), ("d", "two", Some(k), None, 0, "loss", 2.0)])
        .collect();
    let open: Vec<Line> = vec![
        ("d", "one", None, None, 0, "loss", 50.0),
        ("d", "two", None, None, 0, "loss", 60.0),
        ("d", "three", None, None, 0, "loss", 0.0),
    ];
    let (swept, open) = (observed(&swept), observed(&open));
    let blocks = Blocks::of(&[&swept, &open], "loss");
    assert_eq!(blocks.values.len(), 5, "four points of the one and one of the other");
    let of = |name: &str| blocks.contenders.iter().position(|contender| contender.name() == name).unwrap();
    let count = |name: &str| blocks.values.values().filter(|block| !block[of(name)].is_empty()).count();
    // Whoever has no such parameter stands beside all.
    assert_eq!((count("one"), count("two"), count("three")), (5, 5, 5));
}

#[test]
fn who_does_not_vary_stands_beside_every_value_of_the_others() {
    let mut lines: Vec<Line> = vec![("d", "fixed", None, Some(6), 0, "loss", 0.5)];
    for k in 0..8 {
        lines.push(("d", "one", None, Some(k), 0, "loss", f64::from(k) + 1.0));
        lines.push(("d", "two", None, Some(k), 0, "loss", f64::from(k) + 2.0));
    }
    let found = run(&lines, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].groups[0].common_blocks, 8);
    let told = "fixed does not vary with `own`: it stands beside every value that others have there";
    assert_eq!(found.metrics[0].beside.iter().cloned().map(String::from).collect::<Vec<_>>(), [told]);
    // Another metric of the same contenders says nothing more about who varies.
    let both: Vec<Line> = lines
        .iter()
        .flat_map(|&line| {
            [line, {
                let mut other = line;
                other.5 = "leak";
                other
            }]
        })
        .collect();
    let sheets = sheets(&run(&both, &Options::default()).unwrap());
    let notes: Vec<&String> =
        sheets.iter().flat_map(|sheet| &sheet.notes).filter(|note| note.contains("vary")).collect();
    assert_eq!(notes, [told]);
    // An axis of each: every value of one beside every value of the other.
    let lines: Vec<Line> = vec![
        ("d", "a", Some(2), None, 0, "loss", 1.0),
        ("d", "a", Some(3), None, 0, "loss", 2.0),
        ("d", "b", Some(2), None, 0, "loss", 1.0),
        ("d", "b", Some(3), None, 0, "loss", 2.0),
        ("d", "c", None, Some(7), 0, "loss", 3.0),
        ("d", "c", None, Some(8), 0, "loss", 4.0),
        ("d", "e", None, Some(7), 0, "loss", 3.0),
        ("d", "e", None, Some(8), 0, "loss", 4.0),
    ];
    assert_eq!(run(&lines, &Options::default()).unwrap().metrics[0].groups[0].common_blocks, 4);
}

#[test]
fn fronts_are_within_a_guarantee_unless_privacy_is_measured_absolutely() {
    // The weaker promise (k = 2) leaks less by its own standard and loses less.
    let lines: Vec<Line> = [(2, 0.0, 1.0), (5, 1.0, 2.0)]
        .into_iter()
        .flat_map(|(k, leak, loss)| {
            ["a", "b"].into_iter().flat_map(move |name| {
                let worse = if name == "b" { 1.0 } else { 0.0 };
                [
                    ("d", name, Some(k), None, 0, "leak", leak + worse),
                    ("d", name, Some(k), None, 0, "loss", loss + worse),
                ]
            })
        })
        .collect();
    let mut relative = known();
    relative.get_mut("leak").unwrap().relative = true;
    let within = contest(&[&observed(&lines)], &relative, &Options::default()).unwrap().fronts;
    let headings: Vec<Option<&String>> = within.iter().map(|front| front.guarantee.get("k")).collect();
    assert_eq!(headings, [Some(&"2".to_string()), Some(&"5".to_string())]);
    assert!(within.iter().all(|front| front.points[0].on_front && front.points[1].beaten_by.as_deref() == Some("a")));
    let over = contest(&[&observed(&lines)], &known(), &Options::default()).unwrap().fronts;
    assert_eq!((over.len(), over[0].guarantee.len(), over[0].points.len()), (1, 0, 4));
}

#[test]
fn the_sweep_of_one_algorithm_makes_no_contenders_of_its_settings() {
    let both = observed(&clear(0.5));
    let swept: Vec<Line> = (0..5).map(|own| ("d", "ours", Some(3), Some(own), 0, "loss", f64::from(own))).collect();
    let alone = observed(&swept);
    let names = |figures: &[&Observations]| {
        Blocks::of(figures, "loss").contenders.iter().map(Contender::name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[&both, &alone]), ["theirs", "ours"]);
    // It is one contender in figures of different columns.
    let mut plain = observed(&clear(0.5));
    plain.columns.truncate(4);
    plain.rows.iter_mut().for_each(|row| row.key.truncate(4));
    let other =
        observed(&[("e", "theirs", Some(3), Some(1), 0, "loss", 1.0), ("e", "ours", Some(3), Some(2), 0, "loss", 2.0)]);
    assert_eq!(names(&[&plain, &other]), ["theirs", "ours"]);
    // Where no figure has several, all are taken together.
    let other = observed(&[("d", "theirs", Some(3), None, 0, "loss", 1.0)]);
    assert_eq!(names(&[&alone, &other]).len(), 6);
}

proptest! {
    /// Whatever is fixed, for each algorithm to a value of its own, pairs stay as they are.
    #[test]
    fn a_fixed_parameter_unpairs_nothing(
        present in prop::collection::vec(prop::bool::ANY, 18), fixed in prop::collection::vec(prop::option::of(0i32..3), 3)
    ) {
        let cells = || (0..18).filter(|&i| present[i]).map(|i| (["a", "b", "c"][i % 3], i % 3, i / 3));
        let line = |name: &'static str, k: usize, own: Option<i32>| {
            ("d", name, Some(k as i32), own, 0, "loss", (k * 3) as f64 + name.len() as f64)
        };
        let without: Vec<Line> = cells().map(|(name, _, k)| line(name, k, None)).collect();
        let with: Vec<Line> = cells().map(|(name, index, k)| line(name, k, fixed[index])).collect();
        let pairs = |lines: &[Line]| {
            let blocks = Blocks::of(&[&observed(lines)], "loss");
            let values = blocks.values.into_values().collect::<Vec<_>>();
            (blocks.contenders.iter().map(|contender| contender.name()).collect::<Vec<_>>(), values)
        };
        prop_assert_eq!(pairs(&without), pairs(&with));
    }
}

#[test]
fn equals_are_the_same_and_few_pairs_decide_nothing() {
    let found = run(&clear(0.0), &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    assert!(standings.iter().all(|standing| standing.best));
    assert_eq!(standings[1].duel.as_ref().unwrap().verdict, DuelVerdict::Same);
    let mixed: Vec<Line> = clear(0.5)
        .into_iter()
        .map(|line| match line.2 {
            Some(k) if k % 2 == 0 && line.1 == "ours" => (line.0, line.1, line.2, line.3, line.4, line.5, line.6 - 1.0),
            _ => line,
        })
        .collect();
    let found = run(&mixed, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].groups[0].standings[1].duel.as_ref().unwrap().verdict, DuelVerdict::Undecided);
}

#[test]
fn a_baseline_is_compared_with_whoever_it_is() {
    let options = Options { baseline: Some("ours".into()), ..Options::default() };
    let found = run(&clear(0.5), &options).unwrap();
    let duel = found.metrics[0].groups[0].standings[0].duel.clone().unwrap();
    assert_eq!((duel.opponent.as_str(), duel.verdict), ("ours", DuelVerdict::Better));
    let options = Options { baseline: Some("our".into()), ..Options::default() };
    assert_eq!(run(&clear(0.5), &options).unwrap_err(), "there is no contender `our`; did you mean `ours`?");
}

#[test]
fn what_was_measured_once_stands_beside_every_repetition() {
    let mut lines: Vec<Line> = Vec::new();
    for k in 0..6 {
        lines.extend((0..8).map(|r| ("d", "random", Some(k), None, r, "kept", 10.0 + r as f64)));
        lines.push(("d", "fixed", Some(k), None, 0, "kept", 20.0));
    }
    let found = run(&lines, &Options::default()).unwrap();
    let standings = &found.metrics[0].groups[0].standings;
    assert_eq!(standings[0].contender, "fixed", "higher is better");
    let duel = standings[1].duel.as_ref().unwrap();
    assert_eq!((duel.pairs, duel.units, duel.losses, duel.verdict), (48, 6, 6, DuelVerdict::Worse));
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

/// A threshold that grows with the data is no setting that is compared with others.
#[test]
fn what_goes_along_with_the_data_makes_no_contenders() {
    let lines: Vec<Line> = [("small", 10), ("large", 100)]
        .into_iter()
        .flat_map(|(data, own)| [(data, "a", None, Some(own), 0, "loss", 1.0), (data, "b", None, None, 0, "loss", 2.0)])
        .collect();
    let found = run(&lines, &Options::default()).unwrap();
    assert_eq!(found.metrics[0].contenders, ["a", "b"]);
    assert!(found.metrics[0].groups.iter().all(|group| group.standings.len() == 2 && group.common_blocks == 1));
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

#[test]
fn who_was_not_tried_on_a_data_set_has_no_rank_there() {
    let at = |dataset: &'static str, algorithm: &'static str, value: f64| {
        (dataset, algorithm, Some(2), None, 0, "loss", value)
    };
    // Two meet on two data sets; `example` is another on a data set of its own.
    let lines: Vec<Line> = vec![
        at("d", "a", 1.0),
        at("d", "b", 2.0),
        at("e", "a", 1.0),
        at("e", "b", 2.0),
        at("small", "example", 1.0),
        at("small", "printed", 2.0),
    ];
    let ranking = run(&lines, &Options::default()).unwrap().metrics[0].ranking.clone().unwrap();
    let ranked: Vec<(&str, f64)> = ranking.ranks.iter().map(|rank| (rank.contender.as_str(), rank.mean_rank)).collect();
    assert_eq!((ranking.datasets, ranked), (2, vec![("a", 1.0), ("b", 2.0)]));
    assert_eq!(run(&lines[2..], &Options::default()).unwrap().metrics[0].ranking, None, "nobody met twice");
    // Who was tried and gave nothing ranks last.
    let mut figure = observed(&lines[..3]);
    let key = vec![Value::parse("e"), Value::parse("b"), Value::None, Value::Number(2.0), Value::None];
    figure.holes.push(Hole { key, repetition: 0, status: crate::run::Status::Timeout, reason: String::new() });
    figure.rows.extend(observed(&[at("e", "c", 5.0), at("d", "c", 5.0)]).rows);
    let found = contest(&[&figure], &known(), &Options::default()).unwrap();
    let ranks = found.metrics[0].ranking.clone().unwrap().ranks;
    let ranked: Vec<(&str, f64)> = ranks.iter().map(|rank| (rank.contender.as_str(), rank.mean_rank)).collect();
    assert_eq!(ranked, [("a", 1.0), ("b", 2.5), ("c", 2.5)]);
}

#[test]
fn of_two_the_one_that_ended_without_a_value_ranks_last() {
    let at = |dataset: &'static str, algorithm: &'static str, value: f64| {
        (dataset, algorithm, Some(2), None, 0, "loss", value)
    };
    let mut figure = observed(&[at("d", "a", 2.0), at("d", "b", 1.0), at("e", "a", 2.0)]);
    let key = vec![Value::parse("e"), Value::parse("b"), Value::None, Value::Number(2.0), Value::None];
    figure.holes.push(Hole { key, repetition: 0, status: crate::run::Status::Timeout, reason: String::new() });
    let found = contest(&[&figure], &known(), &Options::default()).unwrap();
    let ranking = found.metrics[0].ranking.clone().unwrap();
    let ranks: Vec<f64> = ranking.ranks.iter().map(|rank| rank.mean_rank).collect();
    assert_eq!((ranking.datasets, ranks), (2, vec![1.5, 1.5]), "each is best on one of the two");
}

#[test]
fn who_lost_at_points_is_not_best_for_an_equal_median() {
    // `flat` has the median of `ours`, and is beaten at the first points; `even` wins and loses as often.
    let values = [
        ("flat", [5.0, 5.0, 5.0, 5.0, 5.0]),
        ("even", [1.0, 4.0, 5.0, 6.0, 6.0]),
        ("ours", [1.0, 4.0, 5.0, 5.0, 7.0]),
        ("last", [9.0, 9.0, 9.0, 9.0, 9.0]),
    ];
    let lines: Vec<Line> = values
        .iter()
        .flat_map(|(name, values)| {
            values.iter().enumerate().map(|(k, value)| ("d", *name, Some(k as i32), None, 0, "loss", *value))
        })
        .collect();
    let best = |lines: &[Line], options: &Options| -> Vec<String> {
        let group = run(lines, options).unwrap().metrics[0].groups[0].clone();
        let best = group.standings.into_iter().filter(|standing| standing.best);
        best.map(|standing| standing.contender).collect()
    };
    // Two wins and one loss, or one and one: `ours` is ahead of `flat`, `even` is level with `ours`.
    assert_eq!(best(&lines, &Options::default()), ["even", "ours"]);
    let beside = Options { baseline: Some("last".into()), ..Options::default() };
    assert_eq!(best(&lines, &beside), ["even", "ours"], "whoever the others are compared with");
    // Nor is the best median of who is worse by the test: here at 14 of 20 points.
    let lines: Vec<Line> = (0..20)
        .flat_map(|k| {
            let (middle, edge) = (f64::from(k), if (7..13).contains(&k) { -0.5 } else { 20.0 });
            [
                ("d", "steady", Some(k), None, 0, "loss", middle),
                ("d", "middle", Some(k), None, 0, "loss", middle + edge * if k < 10 { 0.1 } else { 1.0 }),
            ]
        })
        .collect();
    let group = run(&lines, &Options::default()).unwrap().metrics[0].groups[0].clone();
    let beaten = group.standings.iter().find_map(|standing| standing.duel.clone()).unwrap();
    assert_eq!((group.standings[0].contender.as_str(), beaten.verdict), ("middle", DuelVerdict::Better), "{group:?}");
    assert_eq!(best(&lines, &Options::default()), Vec::<String>::new());
}

#[test]
fn nobody_is_best_at_points_of_their_own() {
    let lines: Vec<Line> = vec![
        ("d", "a", Some(2), None, 0, "loss", 1.0),
        ("d", "a", Some(3), None, 0, "loss", 1.0),
        ("d", "b", Some(4), None, 0, "loss", 2.0),
        ("d", "b", Some(5), None, 0, "loss", 2.0),
    ];
    let group = run(&lines, &Options::default()).unwrap().metrics[0].groups[0].clone();
    assert_eq!((group.common_blocks, group.standings.len()), (0, 2));
    assert!(group.standings.iter().all(|standing| !standing.best), "{group:?}");
}

#[test]
fn the_settings_of_one_algorithm_are_a_front_only_where_privacy_is_measured() {
    let lines = |metric: &'static str| -> Vec<Line<'static>> {
        (1..4)
            .flat_map(|own| {
                let value = f64::from(own);
                [
                    ("d", "a", Some(2), Some(own), 0, metric, value),
                    ("d", "a", Some(2), Some(own), 0, "cpu_seconds", 1.0 / value),
                ]
            })
            .collect()
    };
    assert_eq!(run(&lines("loss"), &Options::default()).unwrap().fronts, []);
    assert_eq!(run(&lines("leak"), &Options::default()).unwrap().fronts.len(), 1);
}
