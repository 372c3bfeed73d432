use super::*;
use crate::report::figure::FigureNames;
use crate::report::metrics::Metrics;
use crate::report::observations::{Hole, Measurement, Observations, run_number};
use crate::report::value::Value;
use crate::run::Limits;
use crate::spec::draw::Draw;
use crate::spec::reference::ReferenceValue;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Rows of "algorithm x: value value …" (one value a repetition) or "algorithm x: status"; `-` for what does not apply.
fn measured(metric: &str, table: &str) -> Observations {
    let mut observations = Observations {
        columns: ["dataset", "algorithm", "at", "x"].map(String::from).to_vec(),
        ..Observations::default()
    };
    add(&mut observations, metric, table);
    observations
}

fn add(observations: &mut Observations, metric: &str, table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (cell, values) = line.split_once(':').unwrap();
        let (algorithm, x) = cell.split_once(' ').unwrap();
        let x = if x == "-" { Value::None } else { Value::parse(x) };
        let key = vec![Value::Text("d".into()), Value::parse(algorithm), Value::None, x];
        for (repetition, value) in values.split_whitespace().enumerate() {
            let (key, repetition) = (key.clone(), repetition as i64);
            match value.parse() {
                Ok(value) => observations.rows.push(Measurement { key, repetition, metric: metric.into(), value }),
                Err(_) => observations.holes.push(Hole {
                    key,
                    repetition,
                    status: value.parse().unwrap(),
                    reason: "stopped".into(),
                }),
            }
        }
    }
}

fn claim(yaml: &str) -> Claim {
    let claim: Claim = serde_yaml::from_str(yaml).unwrap();
    claim.check().unwrap();
    claim
}

fn judged_with(observations: &Observations, reference: &[ReferenceValue], yaml: &str) -> Judgement {
    let none = BTreeMap::new();
    let draw: Draw = serde_yaml::from_str("{x: x, y: m}").unwrap();
    let case =
        Case { observations, reference, limits: Limits::default(), names: FigureNames::new(&draw, Metrics(&none)) };
    judge(&claim(&format!("says: s\n{yaml}")), &case)
}

fn judged(observations: &Observations, yaml: &str) -> (Verdict, String) {
    let judgement = judged_with(observations, &[], yaml);
    (judgement.verdict, judgement.detail)
}

fn verdict(observations: &Observations, yaml: &str) -> Verdict {
    judged(observations, yaml).0
}

use Verdict::{Fails, Holds, Inconclusive};

#[test]
fn no_answer_within_the_limits_is_a_verdict_and_a_failure_is_none() {
    let seconds = measured("seconds", "a 1: 3\na 2: timeout\nb 1: out_of_memory\nc 1: failed\nd 1: 3 timeout");
    let said = |of: &str, wanted: bool| judged(&seconds, &format!("metric: seconds\n{of}\nis: {{answered: {wanted}}}"));
    assert_eq!(said("of: b", false).0, Holds);
    assert_eq!(said("of: b", true).0, Fails);
    assert_eq!(
        said("of: a", false),
        (Fails, "1 of 2 points fails, the worst at x = 1: 3\u{a0}s".to_string()),
        "an answer contradicts it"
    );
    assert_eq!(said("of: a\nwhere: {x: 1}", true).0, Holds);
    assert_eq!(said("of: c", false).0, Inconclusive, "a failed cell says nothing about limits");
    assert_eq!(said("of: d", false).0, Inconclusive, "one of two repetitions answered");
    let late = measured("seconds", "a 1: 61");
    assert_eq!(
        verdict(&late, "metric: seconds\nis: {answered: false}"),
        Holds,
        "after a minute, in another figure's time"
    );
}

#[test]
fn what_the_name_of_an_algorithm_says_is_not_said_again() {
    let m = measured("m", "a 1: 5\nb 2: 3");
    assert_eq!(judged(&m, "metric: m\nis: {at_most: 4}").1, "1 of 2 points fails, the worst at a: 5, asked: at most 4");
    let m = measured("m", "a 1: 5\na 2: 3\nb 2: 3");
    assert_eq!(
        judged(&m, "metric: m\nis: {at_most: 4}").1,
        "1 of 3 points fails, the worst at a, x = 1: 5, asked: at most 4"
    );
}

#[test]
fn values_are_held_against_bounds() {
    let m = measured("m", "a 1: 0 0 0\na 2: 0 0 0\nb 1: 3 4 5\nb 2: 4 4 4");
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {equals: 0}"), Holds);
    assert_eq!(
        judged(&m, "metric: m\nof: b\nis: {equals: 4}"),
        (Fails, "1 of 2 points fails, the worst at x = 1: m = 5, not 4".into())
    );
    assert_eq!(verdict(&m, "metric: m\nof: b\nis: {at_most: 5}"), Holds);
    assert_eq!(
        judged(&m, "metric: m\nof: b\nis: {at_most: 3.5}"),
        (Fails, "1 of 2 points fails, the worst at x = 2: 4, asked: at most 3.5".into())
    );
    assert_eq!(
        judged(&m, "metric: m\nof: b\nwhere: {x: 1}\nis: {at_least: 4}"),
        (Inconclusive, "4 [3, 5], asked: at least 4".into())
    );
    assert_eq!(verdict(&m, "metric: m\nof: b\nwhere: {x: [2]}\nis: {within: {value: 5, relative: 0.2}}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: b\nwhere: {x: 2}\nis: {within: {value: 5, tolerance: 0.5}}"), Fails);
}

#[test]
fn nothing_to_judge_is_inconclusive_and_says_so() {
    let m = measured("m", "a 1: 0");
    assert_eq!(
        judged(&m, "metric: n\nof: [a, b]\nwhere: {x: 1}\nis: {equals: 0}"),
        (Inconclusive, "nothing to judge: no cell has `n` of a, b with x = 1".into())
    );
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {less_than: {algorithm: b}}"), Inconclusive);
}

#[test]
fn missing_cells_leave_a_claim_open_unless_it_has_failed_anyway() {
    let m = measured("m", "a 1: 1\na 2: timeout\nb 1: 9\nb 2: timeout");
    assert_eq!(
        judged(&m, "metric: m\nof: a\nis: {at_most: 5}"),
        (Inconclusive, "1 of 2 points open, 1 passes; the most doubtful at x = 2: timeout (stopped)".into())
    );
    assert_eq!(verdict(&m, "metric: m\nof: b\nis: {at_most: 5}"), Fails);
    let partly = measured("m", "a 1: 1 1 timeout");
    assert_eq!(
        judged(&partly, "metric: m\nis: {at_most: 5}"),
        (Inconclusive, "1 [2 repetitions], but timeout (stopped) in others".into())
    );
}

#[test]
fn algorithms_are_compared_point_by_point() {
    let m = measured("m", "a 1: 1\na 2: 2\na 3: 9\nb 1: 2\nb 2: 3\nb 3: 4");
    let (verdict_, detail) = judged(&m, "metric: m\nof: a\nis: {less_than: {algorithm: b}}");
    assert_eq!(
        (verdict_, detail.as_str()),
        (Fails, "1 of 3 points fails, the worst at x = 3: 9 against 4 (+125\u{a0}%)")
    );
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {less_than: {algorithm: b, in: 0.6}}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {less_than: {algorithm: b, in: 0.6, margin: 0.4}}"), Fails);
    assert_eq!(
        verdict(&m, "metric: m\nof: b\nwhere: {x: [1, 2]}\nis: {more_than: {algorithm: a, margin: 0.4}}"),
        Holds
    );
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {same_as: {algorithm: b, tolerance: 5}}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {same_as: {algorithm: b, tolerance: 2}}"), Fails);
    // Other rows of the same algorithm.
    assert_eq!(verdict(&m, "metric: m\nof: a\nwhere: {x: 1}\nis: {less_than: {where: {x: 2}}}"), Holds);
}

#[test]
fn equal_is_not_less_and_repetitions_are_paired() {
    let m = measured("m", "a 1: 1 5 9\nb 1: 2 6 10\nc 1: 1 5 9");
    // The intervals of a and b overlap widely; their paired difference is −1 in each repetition.
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {less_than: {algorithm: b}}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {less_than: {algorithm: c}}"), Fails);
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {same_as: {algorithm: c}}"), Holds);
}

#[test]
fn a_column_that_does_not_apply_parts_nobody() {
    let m = measured("m", "anatomy -: 5\ninjector 0.7: 1\ninjector 0.8: 2");
    let judgement = judged_with(&m, &[], "metric: m\nof: injector\nis: {less_than: {algorithm: anatomy}}");
    assert_eq!(judgement.verdict, Holds);
    let places: Vec<&str> = judgement.evidence.iter().map(|evidence| evidence.place.as_str()).collect();
    assert_eq!(places, ["x = 0.7", "x = 0.8"]);
    assert_eq!(verdict(&m, "metric: m\nof: anatomy\nis: {more_than: {algorithm: injector}}"), Holds);
}

#[test]
fn what_an_entry_fixes_parts_nobody() {
    // Two settings of one algorithm: x is fixed by the entries.
    let m = measured("m", "loose 2: 1\nstrict 6: 3");
    assert_eq!(
        judged(&m, "metric: m\nof: loose\nis: {less_than: {algorithm: strict}}"),
        (Holds, "1 against 3 (−67\u{a0}%)".into())
    );
    // One is swept: the other stands beside every value, and places are those of the swept one.
    let m = measured("m", "swept 1: 1\nswept 2: 2\nfixed 6: 3");
    for claim in ["of: swept\nis: {less_than: {algorithm: fixed}}", "of: fixed\nis: {more_than: {algorithm: swept}}"] {
        let judgement = judged_with(&m, &[], &format!("metric: m\n{claim}"));
        assert_eq!(judgement.verdict, Holds);
        let places: Vec<&str> = judgement.evidence.iter().map(|evidence| evidence.place.as_str()).collect();
        assert_eq!(places, ["x = 1", "x = 2"]);
    }
    // Both are swept: only the same x is compared, and a timeout is a value of the sweep too.
    let m = measured("m", "a 1: 1\na 2: timeout\nb 1: 2\nb 2: 1");
    assert_eq!(judged_with(&m, &[], "metric: m\nof: a\nis: {less_than: {algorithm: b}}").evidence.len(), 2);
}

#[test]
fn other_rows_are_those_of_the_same_algorithm() {
    let m = measured("m", "a 1: 5\na 2: 4\nb 1: 3\nb 2: 2");
    let (verdict, told) = judged(&m, "metric: m\nwhere: {x: 2}\nis: {less_than: {where: {x: 1}}}");
    assert_eq!(verdict, Holds, "4 is not to be held against b's 3: {told}");
    assert!(told.starts_with("both points pass"), "{told}");
}

#[test]
fn times_need_repetitions_and_a_timeout_is_more_than_its_limit() {
    let once = measured("seconds", "a 1: 1\nb 1: 9");
    assert_eq!(
        judged(&once, "metric: seconds\nof: a\nis: {less_than: {algorithm: b}}"),
        (Inconclusive, "1 of the 3 repetitions a verdict needs".into())
    );
    assert_eq!(verdict(&once, "metric: seconds\nof: a\nrepetitions: 1\nis: {less_than: {algorithm: b}}"), Holds);
    let stopped = measured("seconds", "a 1: 1 1.1 1.2\nb 1: timeout timeout timeout\nc 1: 70 71 72");
    assert_eq!(
        judged(&stopped, "metric: seconds\nof: a\nis: {less_than: {algorithm: b}}"),
        (Holds, "1.1 [1, 1.2]\u{a0}s against more than 60\u{a0}s".into())
    );
    assert_eq!(verdict(&stopped, "metric: seconds\nof: b\nis: {less_than: {algorithm: a}}"), Fails);
    assert_eq!(verdict(&stopped, "metric: seconds\nof: c\nis: {less_than: {algorithm: b}}"), Inconclusive);
    assert_eq!(verdict(&stopped, "metric: seconds\nof: b\nis: {at_least: 50}"), Holds);
}

#[test]
fn each_repetition_is_a_point_of_its_own_where_the_claim_asks_for_it() {
    let m = measured("m", "a 1: 9 3 5\na 2: 8 2 6\nb 1: 8 9 1\nb 2: 1 1 1");
    let told = |yaml: &str| judged(&m, &format!("metric: m\nof: a\n{yaml}"));
    let against = "is: {more_than: {algorithm: b, in: 0.8}}";
    assert_eq!(told(against).0, Inconclusive, "the median of three differences is anywhere");
    let (found, detail) = told(&format!("each_repetition: true\n{against}"));
    let closest = "5 of 6 points pass, 5 asked for; the closest at x = 1, repetition = 1: 9 against 8";
    assert!(found == Holds && detail.starts_with(closest), "{detail}");
    assert_eq!(told("each_repetition: true\nis: {more_than: {algorithm: b, in: 0.9}}").0, Fails);
    assert_eq!(told("each_repetition: true\nis: {at_least: 3}").0, Fails);
    let (found, detail) = told("each_repetition: true\nis: {at_least: {value: 3, in: 0.8}}");
    assert!(found == Holds && detail.starts_with("5 of 6 points pass, 5 asked for"), "{detail}");
    assert_eq!(told("each_repetition: true\nis: {at_most: {value: 3, in: 0.5}}").0, Fails);
    // The third rises, the others fall.
    assert_eq!(told("each_repetition: true\nis: {falling: {along: x}}").0, Fails);
    let (found, detail) = told("each_repetition: true\nis: {falling: {along: x, in: 0.6}}");
    assert!(found == Holds && detail.starts_with("2 of 3 series pass, 2 asked for"), "{detail}");
    // Samples of one repetition stay together.
    let mut times = measured("seconds", "a 1: 1 3\nb 1: 2 2");
    for sample in 1..6 {
        add_sample(&mut times, sample);
    }
    let faster =
        |more: &str| verdict(&times, &format!("metric: seconds\nof: a\n{more}is: {{less_than: {{algorithm: b}}}}"));
    assert_eq!(faster("each_repetition: true\nwhere: {repetition: 1}\n"), Holds);
    assert_eq!(faster("each_repetition: true\nwhere: {repetition: 2}\n"), Fails);
    // What was stopped leaves one point open, not all.
    let stopped = measured("m", "a 1: 1 timeout 2");
    let (_, detail) = judged(&stopped, "metric: m\neach_repetition: true\nis: {at_least: 1}");
    assert!(detail.starts_with("1 of 3 points open, 2 pass"), "{detail}");
}

/// Times again what was timed first.
fn add_sample(observations: &mut Observations, sample: i64) {
    let first = |row: &&Measurement| row.repetition < 1 << 32;
    let again = |row: &Measurement| Measurement { repetition: run_number(row.repetition, sample), ..row.clone() };
    let more: Vec<Measurement> = observations.rows.iter().filter(first).map(again).collect();
    observations.rows.extend(more);
}

#[test]
fn differences_and_quotients_are_judged_like_values() {
    let m = measured("m", "a 1: 3\na 2: 3\na 3: 3\nb 1: 1\nb 2: 2\nb 3: 3");
    assert_eq!(verdict(&m, "metric: m\nof: a\nminus: {algorithm: b}\nis: {falling: {along: x}}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: a\nover: {algorithm: b}\nis: {at_most: 3}"), Holds);
    assert_eq!(verdict(&m, "metric: m\nof: a\nover: {algorithm: b}\nis: {at_most: 2}"), Fails);
}

#[test]
fn a_quotient_by_another_metric_has_the_units_of_both() {
    let mut data = measured("seconds", "a 1: 0.002");
    add(&mut data, "peak_heap_bytes", "a 1: 100");
    add(&mut data, "m", "a 1: 4");
    let told = |metric: &str, over: &str| {
        judged(&data, &format!("metric: {metric}\nrepetitions: 1\n{over}is: {{at_most: 1.0e+9}}")).1
    };
    assert_eq!(told("seconds", ""), "2\u{a0}ms, asked: at most 1,000,000,000\u{a0}s");
    assert!(told("seconds", "over: {metric: peak_heap_bytes}\n").starts_with("20\u{a0}µs/byte, asked"));
    assert!(told("seconds", "over: {metric: m}\n").starts_with("0.5\u{a0}ms, asked"), "`m` has no unit");
    assert!(told("seconds", "over: {metric: seconds}\n").starts_with("1, asked"));
}

#[test]
fn trends_are_weak_and_tolerant() {
    let m = measured("m", "up 1: 1\nup 2: 1\nup 3: 2\ndip 1: 1\ndip 2: 2\ndip 3: 1.9\ndip 4: 1.8");
    assert_eq!(judged(&m, "metric: m\nof: up\nis: {rising: {along: x}}"), (Holds, "from 1 at 1 to 2 at 3".into()));
    assert_eq!(verdict(&m, "metric: m\nof: up\nis: {rising: {along: x, strictly: true}}"), Fails);
    assert_eq!(verdict(&m, "metric: m\nof: up\nis: {falling: {along: x}}"), Fails);
    assert_eq!(
        judged(&m, "metric: m\nof: dip\nis: {rising: {along: x}}"),
        (Fails, "1.8 at 4 after 2 at 2; from 1 at 1 to 1.8 at 4".into())
    );
    // Two dips of 0.1 do not hide behind a tolerance of 0.15.
    assert_eq!(verdict(&m, "metric: m\nof: dip\nis: {rising: {along: x, tolerance: 0.15}}"), Fails);
    assert_eq!(verdict(&m, "metric: m\nof: dip\nis: {rising: {along: x, relative: 0.1}}"), Holds);
    assert_eq!(
        judged(&m, "metric: m\nof: dip\nis: {rising: {along: algorithm}}"),
        (Inconclusive, "`algorithm` must have numbers, not `dip`".into())
    );
    assert_eq!(
        judged(&m, "metric: m\nof: dip\nis: {rising: {along: y}}"),
        (Inconclusive, "there is no column `y`".into())
    );
}

#[test]
fn what_is_zipped_with_an_axis_goes_along_with_it() {
    let mut zipped = measured("m", "a 1: 5\na 2: 4\nb 1: 3\nb 2: 9");
    zipped.columns.push("k".into());
    for row in &mut zipped.rows {
        let k = row.key[3].number().unwrap_or(0.0) * 100.0;
        row.key.push(Value::parse(&k.to_string()));
    }
    let falling = |observations: &Observations, of: &str| {
        judged(observations, &format!("metric: m\nof: {of}\nis: {{falling: {{along: x}}}}"))
    };
    assert_eq!(falling(&zipped, "a"), (Holds, "from 5 at 1 to 4 at 2".into()));
    assert_eq!(falling(&zipped, "b").0, Fails);
    // With a second value at one of the places it is an axis of its own, and parts the points.
    let mut crossed = zipped.clone();
    crossed.rows.extend(zipped.rows.iter().filter(|row| row.key[3] == Value::parse("1")).cloned().map(|mut row| {
        row.key[4] = Value::parse("200");
        row.value = 9.0;
        row
    }));
    let (found, detail) = falling(&crossed, "a");
    assert!(found == Inconclusive && detail.contains("fewer than two points"), "{detail}");
}

#[test]
fn of_two_points_beyond_the_limit_nobody_knows_which_is_further() {
    let rising = |table: &str, direction: &str| {
        verdict(&measured("seconds", table), &format!("metric: seconds\nof: a\nis: {{{direction}: {{along: x}}}}"))
    };
    assert_eq!(rising("a 1: 1 1 1\na 2: 2 2 2\na 3: timeout", "rising"), Holds);
    assert_eq!(rising("a 1: 1 1 1\na 2: timeout\na 3: timeout", "rising"), Inconclusive);
    assert_eq!(rising("a 1: timeout\na 2: timeout\na 3: 1 1 1", "falling"), Inconclusive);
    assert_eq!(rising("a 1: timeout\na 2: timeout\na 3: 1 1 1", "rising"), Fails, "the last lies below both");
}

#[test]
fn a_trend_within_the_scatter_is_inconclusive() {
    let m = measured("m", "a 1: 1 2 3 4 5\na 2: 1.1 2.1 2.9 4 5\na 3: 1 2 3.1 4 5");
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {rising: {along: x}}"), Inconclusive);
}

#[test]
fn laws_of_growth() {
    let m = measured(
        "nodes",
        "line 1: 10\nline 2: 21\nline 3: 30\nline 4: 41\nexp 1: 1\nexp 2: 11\nexp 3: 90\nexp 4: 1100\n\
         square 1: 1\nsquare 2: 4\nsquare 3: 9\nsquare 4: 16\nflat 1: 5\nflat 2: 5\nflat 3: 5\ntwo 1: 1\ntwo 2: 2\n\
         root 1: 1\nroot 4: 2\nroot 9: 3",
    );
    let grows = |of: &str, law: &str| verdict(&m, &format!("metric: nodes\nof: {of}\nis: {{{law}: {{along: x}}}}"));
    assert_eq!(grows("line", "at_most_linear"), Holds);
    assert_eq!(grows("line", "at_least_exponential"), Fails);
    assert_eq!(grows("exp", "at_most_linear"), Fails);
    assert_eq!(grows("exp", "at_least_exponential"), Holds);
    assert_eq!(grows("square", "at_most_linear"), Fails);
    assert_eq!(grows("square", "at_least_exponential"), Fails);
    assert_eq!(grows("flat", "at_most_linear"), Holds);
    assert_eq!(grows("flat", "at_least_exponential"), Fails);
    assert_eq!(grows("root", "at_most_linear"), Holds);
    assert_eq!(grows("two", "at_most_linear"), Inconclusive);
    // Where the last point was stopped it may be beyond any line; an exponential has no upper end.
    let stopped = measured(
        "seconds",
        "line 1: 1\nline 2: 2\nline 3: 3\nline 4: timeout\nexp 1: 1\nexp 2: 11\nexp 3: 90\nexp 4: timeout",
    );
    let (found, detail) =
        judged(&stopped, "metric: seconds\nrepetitions: 1\nof: line\nis: {at_most_linear: {along: x}}");
    assert!(found == Inconclusive && detail.ends_with("1 stopped at the limit"), "{detail}");
    assert_eq!(
        verdict(&stopped, "metric: seconds\nrepetitions: 1\nof: exp\nis: {at_least_exponential: {along: x}}"),
        Holds
    );
}

#[test]
fn steady_values_stay_within_a_factor() {
    let m = measured("m", "a 1: 10\na 2: 12\na 3: 11\nb 1: 10\nb 2: 30\nz 1: 0\nz 2: 0");
    assert_eq!(verdict(&m, "metric: m\nof: a\nis: {steady: {along: x, factor: 1.2}}"), Holds);
    assert_eq!(
        judged(&m, "metric: m\nof: b\nis: {steady: {along: x, factor: 2}}"),
        (Fails, "10 to 30, a factor of 3, asked: at most 2".into())
    );
    assert_eq!(verdict(&m, "metric: m\nof: z\nis: {steady: {along: x, factor: 2}}"), Holds);
}

#[test]
fn a_phase_is_a_share_of_the_total() {
    let mut m = measured("seconds", "a 1: 10 11 12");
    add(&mut m, "seconds.mining", "a 1: 9 10 11");
    assert_eq!(verdict(&m, "metric: seconds.mining\nis: {share: {of: seconds, at_least: 0.5}}"), Holds);
    assert_eq!(verdict(&m, "metric: seconds.mining\nis: {share: {of: seconds, at_most: 0.5}}"), Fails);
}

#[test]
fn round_and_bounding_prints_are_judged_as_what_they_are() {
    let m = measured("size", "a 1: 766582");
    let judged = |printed: &str, near: &str| {
        let reference: ReferenceValue = serde_yaml::from_str(&format!("{{metric: size, {printed}}}")).unwrap();
        let judgement = judged_with(&m, &[reference], &format!("metric: size\nis: {{reference: {near}}}"));
        (judgement.verdict, judgement.detail)
    };
    assert_eq!(judged("about: 766000", "{}"), (Holds, "766,582 against about 766,000 printed".to_string()));
    assert_eq!(judged("about: 700000", "{}").0, Holds, "one digit is printed, and ours begins with it");
    assert_eq!(judged("about: 760000", "{}").0, Holds);
    assert_eq!(judged("about: 765000", "{}").0, Fails);
    assert_eq!(judged("about: 765000", "{relative: 0.01}").0, Holds);
    assert_eq!(judged("value: 766000", "{}").0, Fails, "an exact print has no such leeway");
    assert_eq!(judged("more_than: 766000", "{}"), (Holds, "766,582 against more than 766,000 printed".to_string()));
    assert_eq!(judged("more_than: 766582", "{}").0, Fails, "more, not as many");
    assert_eq!(judged("at_least: 766582", "{}").0, Holds);
    assert_eq!(judged("at_most: 766582", "{}").0, Holds);
    assert_eq!(judged("less_than: 766582", "{}").0, Fails);
    assert_eq!(judged("at_most: 700000", "{}").0, Fails);
    assert_eq!(judged("at_most: 700000", "{relative: 0.1}").0, Holds);
}

#[test]
fn printed_values_are_matched_within_a_tolerance() {
    let m = measured("rules", "a 0.75: 46\na 0.8: 39");
    let reference: ReferenceValue = serde_yaml::from_str("{metric: rules, x: [0.75, 0.8], value: [45, 39]}").unwrap();
    let judged = |yaml: &str| judged_with(&m, std::slice::from_ref(&reference), yaml);
    let exact = judged("metric: rules\nis: {reference: {}}");
    assert_eq!(exact.verdict, Fails);
    assert_eq!(exact.detail, "1 of 2 points fails, the worst at x = 0.75: 46 against 45 printed");
    assert_eq!(judged("metric: rules\nis: {reference: {tolerance: 1}}").verdict, Holds);
    assert_eq!(judged("metric: rules\nis: {reference: {relative: 0.03}}").verdict, Holds);
    let missing = measured("rules", "a 0.75: 45");
    let judgement = judged_with(&missing, std::slice::from_ref(&reference), "metric: rules\nis: {reference: {}}");
    assert_eq!(
        (judgement.verdict, judgement.detail.as_str()),
        (Inconclusive, "1 of 2 points open, 1 passes; the most doubtful at x = 0.8: 39 printed, nothing measured")
    );
}

proptest! {
    /// A claim and its contrary never both hold, and exact data leaves nothing open.
    #[test]
    fn at_most_and_at_least_are_contrary(values in prop::collection::vec(-50f64..50.0, 1..6), bound in -50f64..50.0) {
        let m = measured("m", &format!("a 1: {}", values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")));
        let most = verdict(&m, &format!("metric: m\nis: {{at_most: {bound:?}}}"));
        let least = verdict(&m, &format!("metric: m\nis: {{at_least: {bound:?}}}"));
        prop_assert!(!(most == Holds && least == Holds));
        prop_assert_eq!(most == Inconclusive, least == Inconclusive);
        if values.len() == 1 {
            prop_assert!(most != Inconclusive);
        }
    }

    /// Sorted values never fall, and the reverse of a strict rise is a strict fall.
    #[test]
    fn rising_and_falling_mirror_each_other(mut values in prop::collection::vec(0f64..100.0, 2..8)) {
        let table = |values: &[f64]| {
            measured("m", &values.iter().enumerate().map(|(x, y)| format!("a {x}: {y}\n")).collect::<String>())
        };
        let rising = |m: &Observations| verdict(m, "metric: m\nis: {rising: {along: x}}");
        let falling = |m: &Observations| verdict(m, "metric: m\nis: {falling: {along: x}}");
        let before = table(&values);
        let reversed: Vec<f64> = values.iter().rev().copied().collect();
        prop_assert_eq!(rising(&before), falling(&table(&reversed)));
        values.sort_by(f64::total_cmp);
        prop_assert_eq!(rising(&table(&values)), Holds);
    }

    /// No claim on any values is a panic.
    #[test]
    fn judging_never_panics(values in prop::collection::vec(prop::num::f64::ANY, 0..6), seed in 0usize..10) {
        let tests = [
            "equals: 0", "at_most: 1", "within: {value: 1}", "less_than: {algorithm: a}", "same_as: {}",
            "rising: {along: x}", "at_most_linear: {along: x}", "at_least_exponential: {along: x}",
            "steady: {along: x, factor: 2}", "share: {of: m, at_least: 1}",
        ];
        let mut m = measured("m", "b 0: failed");
        for (x, &value) in values.iter().enumerate() {
            let key = vec![Value::None, Value::parse("a"), Value::None, Value::Number((x / 2) as f64)];
            m.rows.push(Measurement { key, repetition: x as i64 % 2, metric: "m".into(), value });
        }
        verdict(&m, &format!("metric: m\nis: {{{}}}", tests[seed]));
    }
}

#[test]
fn a_quotient_of_zeros_is_no_number_and_meets_no_claim() {
    // Both count 0: their quotient is neither 1 nor rising nor steady.
    let counts = measured("m", "a 1: 0\nb 1: 0\na 2: 3\nb 2: 3\na 3: 3\nb 3: 3");
    for is in ["{equals: 1}", "{rising: {along: x}}", "{falling: {along: x}}", "{steady: {along: x, factor: 2}}"] {
        let (verdict, detail) = judged(&counts, &format!("metric: m\nof: a\nover: {{algorithm: b}}\nis: {is}"));
        assert_eq!(verdict, Inconclusive, "{is}: {detail}");
        assert!(detail.contains("zero divided by zero"), "{is}: {detail}");
    }
    let sound = "metric: m\nof: a\nwhere: {x: [2, 3]}\nover: {algorithm: b}\nis: {equals: 1}";
    assert_eq!(verdict(&counts, sound), Holds);
}
