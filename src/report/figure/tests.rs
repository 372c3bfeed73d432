use super::*;
use crate::data::Origin;
use crate::lab::Better;
use crate::report::metrics::Metrics;
use crate::report::metrics::{MetricInfo, MetricSide};
use crate::report::observations::{Hole, Measurement, Observations};
use crate::report::palette::Palette;
use crate::report::results::FigureResult;
use crate::run::{Limits, Status};
use std::collections::BTreeMap;

/// Lines of "dataset algorithm at x y: metric value value …"; `-` for what does not apply; a status instead of values.
fn observed(table: &str) -> Observations {
    let columns = ["dataset", "algorithm", "at", "x", "y"].map(String::from).to_vec();
    let mut observations = Observations { columns, ..Observations::default() };
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (keys, values) = line.split_once(": ").unwrap();
        let value = |text: &str| if text == "-" { Value::None } else { Value::parse(text) };
        let key: Vec<Value> = keys.split_whitespace().map(value).collect();
        let mut words = values.split_whitespace();
        let metric = words.next().unwrap().to_string();
        for (repetition, word) in words.enumerate() {
            let (key, repetition) = (key.clone(), repetition as i64);
            match word.parse() {
                Ok(value) => observations.rows.push(Measurement { key, repetition, metric: metric.clone(), value }),
                Err(_) => {
                    observations.holes.push(Hole {
                        key,
                        repetition,
                        status: word.parse().unwrap(),
                        reason: String::new(),
                    });
                }
            }
        }
    }
    observations
}

pub fn figure(draw: &str, reference: &str, table: &str) -> DrawnFigure {
    let result = FigureResult {
        id: "f".into(),
        title: String::new(),
        caption: String::new(),
        draw: serde_yaml::from_str(draw).unwrap(),
        reference: if reference.is_empty() { Vec::new() } else { serde_yaml::from_str(reference).unwrap() },
        claims: Vec::new(),
        unclaimed: String::new(),
        observations: observed(table),
        trials: Vec::new(),
        others: Vec::new(),
        limits: Limits::default(),
        repetitions: 1,
        seed: 0,
        seeds: 1,
        parameters: Default::default(),
        notes: Vec::new(),
        command: String::new(),
        quick: false,
        spec_digest: String::new(),
        code_digest: String::new(),
        kept: None,
    };
    let info = |unit: &str| MetricInfo {
        unit: unit.into(),
        better: Better::Lower,
        about: String::new(),
        side: MetricSide::Fact,
        relative: false,
        tolerance: 0.0,
    };
    let metrics: BTreeMap<String, MetricInfo> =
        [("m".to_string(), info("%")), ("size".to_string(), info("nodes")), ("o".to_string(), info("%"))].into();
    build(&result, Metrics(&metrics))
}

fn names(figure: &DrawnFigure) -> Vec<&str> {
    figure.series.iter().map(|series| series.name.as_str()).collect()
}

/// The table as text: cells parted by bars.
fn shown(figure: &DrawnFigure) -> String {
    let table = table(figure);
    let head = |head: &table::TableHead| format!("{} {}", head.text, head.note).trim().to_string();
    let cell = |cell: &TableCell| format!("{} {}", cell.text, cell.note).trim().to_string();
    let mut lines = vec![table.heads.iter().map(head).collect::<Vec<_>>().join(" | ")];
    lines.extend(table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | ")));
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

#[test]
fn repetitions_become_a_point_with_its_spread() {
    let figure = figure("{x: x, y: m, spread: range}", "", "d a - 2 -: m 1 2 9\nd a - 1 -: m 4\nd b - 1 -: m 5");
    assert_eq!(names(&figure), ["a", "b"]);
    let first = &figure.points[0];
    assert_eq!((first.x.number(), first.y.map(|y| y.value)), (Some(1.0), Some(4.0)), "sorted along x");
    assert_eq!(figure.points[1].y, Some(Spot { value: 2.0, low: 1.0, high: 9.0, repetitions: 3 }));
    assert_eq!(shown(&figure), "x | a | b\n1 | 4 | 5\n2 | 2 [1, 9] |");
}

#[test]
fn a_column_nobody_named_becomes_part_of_the_series() {
    let hidden = figure("{x: x, y: m}", "", "d a - 1 5: m 1\nd a - 1 6: m 2\nd b - 1 5: m 3");
    assert_eq!(names(&hidden), ["a · y = 5", "a · y = 6", "b · y = 5"]);
    let told_by_at = figure("{x: x, y: m}", "", "d a first 1 -: m 1\nd a second 1 -: m 2");
    assert_eq!(names(&told_by_at), ["first", "second"]);
    // A parameter that only one of the algorithms has hides nothing.
    assert_eq!(names(&figure("{x: x, y: m}", "", "d a - 1 5: m 1\nd b - 1 -: m 2")), ["a", "b"]);
}

#[test]
fn metrics_of_different_units_get_panels_of_their_own() {
    let apart = figure("{x: x, y: [m, size]}", "", "d a - 1 -: m 1\nd a - 1 -: size 2");
    assert_eq!(apart.panels.iter().map(|panel| panel.y_label.as_str()).collect::<Vec<_>>(), ["m (%)", "size (nodes)"]);
    assert_eq!(shown(&apart), "x | m (%) | size (nodes)\n1 | 1 | 2");
    let together = figure("{x: x, y: [m, o]}", "", "d a - 1 -: m 1\nd a - 1 -: o 2");
    assert_eq!((together.panels.len(), names(&together)), (1, vec!["m", "o"]));
    let by_dataset = figure("{x: x, y: m, panels: dataset}", "", "d a - 1 -: m 1\ne a - 1 -: m 2");
    assert_eq!(by_dataset.panels.iter().map(|panel| panel.title.clone().unwrap()).collect::<Vec<_>>(), ["d", "e"]);
    assert_eq!(shown(&by_dataset), "dataset | x | a\nd | 1 | 1\ne | 1 | 2");
}

#[test]
fn metrics_of_different_units_share_no_axis_in_panels_by_a_column_either() {
    let table = "d a - 1 -: m 1\nd a - 1 -: size 2\ne a - 1 -: m 3\ne a - 1 -: size 4";
    let figure = figure("{x: x, y: [m, size], panels: dataset}", "", table);
    let panels: Vec<(&str, &str)> =
        figure.panels.iter().map(|panel| (panel.title.as_deref().unwrap(), panel.y_label.as_str())).collect();
    assert_eq!(panels, [("d", "m (%)"), ("d", "size (nodes)"), ("e", "m (%)"), ("e", "size (nodes)")]);
    assert_eq!(figure.points.iter().map(|point| point.panel).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(shown(&figure), "dataset | x | m (%) | size (nodes)\nd | 1 | 1 | 2\ne | 1 | 3 | 4");
}

#[test]
fn no_tick_shows_a_structure_of_the_spec() {
    let along = figure("{x: x, y: m}", "", "d a - {\"height\":4} -: m 1\nd a - {\"height\":5} -: m 2");
    assert_eq!((along.x.label.as_str(), along.x.names.join(" ")), ("height", "4 5".to_string()));
    let named = figure("{x: y, y: m, series: x}", "", "d a - {\"height\":4} 1: m 1\nd a - {\"degree\":5} 1: m 2");
    assert_eq!(names(&named), ["height 4", "degree 5"]);
}

#[test]
fn a_series_that_x_does_not_apply_to_is_everywhere() {
    let figure = figure("{x: x, y: m}", "", "d a - - -: m 7\nd b - 1 -: m 1\nd b - 2 -: m 2");
    assert!(figure.points[0].x.is_none());
    assert_eq!(shown(&figure), "x | a | b\n1 | 7 | 1\n2 | 7 | 2");
}

#[test]
fn curves_are_restricted_and_labelled() {
    let draw = "{x: x, y: [{metric: seconds.mining, where: {algorithm: a}, label: mining}, {metric: seconds, where: {algorithm: b}}]}";
    let figure = figure(draw, "", "d a - 1 -: seconds.mining 1\nd a - 1 -: seconds 3\nd b - 1 -: seconds 2");
    assert_eq!(names(&figure), ["mining", "b · time"]);
    assert_eq!(figure.series[1].algorithm.as_deref(), Some("b"));
}

#[test]
fn a_cell_without_an_answer_keeps_its_place() {
    let figure =
        figure("{x: x, y: seconds}", "", "d a - 1 -: seconds 1\nd a - 2 -: - timeout timeout\nd b - 2 -: - failed");
    let stopped = figure.points.iter().find(|point| point.x.number() == Some(2.0) && point.series == 0).unwrap();
    let missing = stopped.missing.as_ref().unwrap();
    assert_eq!((missing.status, missing.repetitions, missing.limit), (Status::Timeout, 2, Some(60.0)));
    assert_eq!(shown(&figure), "x | a | b\n1 | 1 |\n2 | timeout | failed");
}

#[test]
fn printed_values_stand_beside_ours() {
    let reference = "[{metric: m, where: {algorithm: a}, x: [1, 2], value: [4, 6]}, {metric: m, x: [1], value: [9]}]";
    let figure = figure("{x: x, y: m}", reference, "d a - 1 -: m 4\nd b - 1 -: m 5");
    assert_eq!(figure.printed.iter().map(|printed| printed.series).collect::<Vec<_>>(), [Some(0), Some(0), None]);
    assert_eq!(shown(&figure), "x | a | a printed | b | printed\n1 | 4 | 4 equal | 5 | 9\n2 |  | 6 |  |");
}

#[test]
fn what_is_more_than_a_printed_nothing_is_told_in_its_unit() {
    let row = |ours: &str| {
        let figure = figure("{kind: table, y: m}", "[{metric: m, value: 0}]", &format!("d - - - -: m {ours}"));
        shown(&figure).lines().last().unwrap().to_string()
    };
    assert_eq!(row("0.0293"), "m (%) | 0.0293 | 0 ours\u{a0}+0.0293\u{a0}points");
    assert_eq!(row("-2"), "m (%) | −2 | 0 ours\u{a0}−2\u{a0}points");
    assert_eq!(row("0"), "m (%) | 0 | 0 equal");
}

#[test]
fn what_is_printed_is_shown_as_printed() {
    let printed = |reference: &str| {
        let text = figure("{kind: table, y: size}", reference, "d - - - -: size 766582");
        let csv = String::from_utf8(csv::to_csv(&text, Origin::Real).unwrap()).unwrap();
        (shown(&text).lines().last().unwrap().to_string(), csv.lines().last().unwrap().to_string())
    };
    let (row, line) = printed("[{metric: size, about: 766000}]");
    assert_eq!(row, "size (nodes) | 766,582 | about 766,000 ours\u{a0}+0.1\u{a0}%");
    assert!(line.contains(",766000.0,") && line.contains(",printed_about,"), "{line}");
    assert_eq!(printed("[{metric: size, more_than: 700000}]").0, "size (nodes) | 766,582 | more than 700,000 met");
    assert_eq!(printed("[{metric: size, at_most: 700000}]").0, "size (nodes) | 766,582 | at most 700,000 not met");
}

#[test]
fn facts_are_rows() {
    let draw = "{kind: table, y: [m, size]}";
    let one = figure(draw, "[{metric: size, value: 2}]", "d - - - -: m 1\nd - - - -: size 2");
    assert_eq!(shown(&one), "what | measured | printed\nm (%) | 1 |\nsize (nodes) | 2 | 2 equal");
    let two = figure(draw, "", "d a - - -: m 1\nd b - - -: m 2\nd b - - -: size 3");
    assert_eq!(shown(&two), "what | a | b\nm (%) | 1 | 2\nsize (nodes) |  | 3");
}

#[test]
fn an_axis_of_a_measures_own_is_not_called_at() {
    let drawn = |draw: &str| figure(draw, "", "d a one - -: m 1\nd a two - -: m 2").x.label;
    assert_eq!(drawn("{kind: table, x: at, y: m}"), "case");
    assert_eq!(drawn("{kind: table, x: at, x_label: rule, y: m}"), "rule");
}

#[test]
fn units_are_written_in_one_way() {
    for (label, unit, shown) in [
        ("loss", "%", "loss (%)"),
        ("loss, %", "%", "loss (%)"),
        ("loss in %", "%", "loss in %"),
        ("loss", "", "loss"),
        ("items suppressed", "items", "items suppressed"),
        ("itemsets", "items", "itemsets (items)"),
    ] {
        assert_eq!(names::with_unit(label, unit), shown);
    }
}

#[test]
fn x_may_be_a_metric() {
    let table = "d a - 1 -: size 10 30\nd a - 1 -: m 5\nd a - 2 -: size 8\nd a - 2 -: m 6\nd a - 3 -: m 7";
    let figure = figure("{kind: scatter, x: size, y: m}", "", table);
    assert_eq!(shown(&figure), "series | size (nodes) | m (%)\na | 8 | 6\na | 20 | 5");
}

#[test]
fn a_plot_is_told_in_words() {
    let figure =
        figure("{x: x, y: m}", "[{metric: m, x: 1, value: 3}]", "d a - 1 -: m 1\nd a - 2 -: m 2\nd b - 1 -: - failed");
    assert_eq!(
        describe(&figure, 0),
        "Line plot of m (%) along x. a: 1 at 1 to 2 at 2. 1 point has no value. 1 value printed in the paper."
    );
}

#[test]
fn an_algorithm_has_one_colour_and_no_other_beside_it() {
    let one = figure("{x: x, y: m}", "", "d a - 1 -: m 1\nd b - 1 -: m 1");
    let two = figure("{x: x, y: m}", "", "d c - 1 -: m 1\nd b - 1 -: m 1");
    let palette = Palette::assign([&one, &two].into_iter());
    let colours = |figure: &DrawnFigure| palette.styles(figure).iter().map(|style| style.colour).collect::<Vec<_>>();
    assert_eq!(colours(&one), [0, 1]);
    assert_eq!(colours(&two), [0, 1], "c never meets a");
    let crowded: String = (0..20).map(|i| format!("d a - 1 {i}: m 1\n")).collect();
    let styles = palette.styles(&figure("{x: x, y: m}", "", &crowded));
    for (index, style) in styles.iter().enumerate().take(8) {
        assert!(!styles[..index].iter().any(|other| other.shape == style.shape), "markers repeat at {index}");
    }
}
