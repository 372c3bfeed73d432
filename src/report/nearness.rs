//! How far stand-ins are from the data at the points of a paper's figure: `experiments/stand-ins.json`, which
//! `scripts/compare-verdicts.sh --write` measures by running every spec on both.

use crate::report::metrics::words;
use crate::spec::draw::Draw;
use serde::Deserialize;
use std::sync::LazyLock;

/// One metric of one figure under one reading.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nearness {
    experiment: String,
    figure: String,
    reading: String,
    metric: String,
    /// What differences are in: "%" of the value on the data, or percentage "points".
    unit: String,
    points: usize,
    /// How many of the points are within `bound`.
    within: usize,
    bound: f64,
    /// None where the data has 0 and the stand-in has not, which no percentage tells.
    median: Option<f64>,
    largest: Option<f64>,
}

static MEASURED: LazyLock<Vec<Nearness>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../experiments/stand-ins.json")).expect("a test reads the embedded file")
});

/// What a reader of a figure of stand-ins must know, for each drawn metric that was compared with the data.
pub fn nearness(experiment: &str, figure: &str, reading: &str, draw: &Draw) -> Vec<String> {
    let drawn: Vec<&str> = draw.metrics().collect();
    MEASURED
        .iter()
        .filter(|of| (of.experiment.as_str(), of.figure.as_str(), of.reading.as_str()) == (experiment, figure, reading))
        .filter(|of| drawn.contains(&of.metric.as_str()))
        .map(|of| told(of, &draw.labels.get(&of.metric).cloned().unwrap_or_else(|| words(&of.metric))))
        .collect()
}

fn told(of: &Nearness, label: &str) -> String {
    let Nearness { unit, points, within, bound, .. } = of;
    let number = |value: f64| format!("{value} {unit}");
    let far = match (of.median, of.largest) {
        (Some(median), Some(largest)) => {
            format!("half of them are at most {} off, the farthest is {}", number(median), number(largest))
        }
        _ => "some are off where the data itself has 0".to_string(),
    };
    let near = number(*bound);
    format!(
        "Stand-ins, not the real data. Of {label}, the {points} points of the whole sweep were compared with the real ones: \
         {far}; {within} of {points} are within {near}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_told_of_its_figure_alone() {
        let draw: Draw = serde_json::from_str(r#"{"x": "k", "y": ["ncp", "seconds"]}"#).unwrap();
        assert!(!MEASURED.is_empty());
        for of in MEASURED.iter().filter(|of| of.metric == "ncp") {
            let notes = nearness(&of.experiment, &of.figure, &of.reading, &draw);
            assert_eq!(notes.len(), 1, "{notes:?}");
            assert!(of.within <= of.points && of.points > 0);
        }
        assert!(nearness("km-anonymity", "no-such-figure", "default", &draw).is_empty());
        let seconds: Draw = serde_json::from_str(r#"{"x": "k", "y": "seconds"}"#).unwrap();
        assert!(nearness(&MEASURED[0].experiment, &MEASURED[0].figure, "default", &seconds).is_empty());
    }

    #[test]
    fn differences_are_told_in_their_unit() {
        let mut of: Nearness = serde_json::from_str(
            r#"{"experiment": "e", "figure": "f", "reading": "default", "metric": "ncp", "unit": "%", "points": 4,
                "within": 3, "bound": 20.0, "median": 7.5, "largest": 31.0}"#,
        )
        .unwrap();
        assert_eq!(
            told(&of, "loss"),
            "Stand-ins, not the real data. Of loss, the 4 points of the whole sweep were compared with the real ones: half of \
             them are at most 7.5 % off, the farthest is 31 %; 3 of 4 are within 20 %."
        );
        (of.unit, of.median) = ("points".to_string(), None);
        assert!(told(&of, "x").contains("some are off where the data itself has 0; 3 of 4 are within 20 points"));
    }
}
