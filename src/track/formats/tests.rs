use super::*;
use crate::track::exact::{compare, tests::snapshot};

/// A comparison with something under every heading.
fn comparison() -> (RunComparison, Snapshot) {
    let (before, mut after) = (snapshot(), snapshot());
    let mut cells = after.cells.values_mut();
    let first = cells.next().unwrap();
    first.metrics.insert(("mean_relative_error".into(), String::new()), 0.505);
    first.metrics.insert(("groups".into(), String::new()), 90.0);
    first.title = "anatomy on <adult> & \"co\" | l=2".into();
    let second = cells.next().unwrap();
    second.costs.insert("peak_heap_bytes".into(), vec![900_000.0]);
    second.costs.insert("seconds".into(), vec![0.01, 0.03, 0.02]);
    second.data.clear();
    (compare(&before, &after), after)
}

fn rendered(format: CheckFormat) -> String {
    let (comparison, measured) = comparison();
    let outcome = CheckOutcome::of(&comparison, false);
    render(format, &CheckReport { against: "baselines", comparison: &comparison, measured: &measured, outcome })
}

#[test]
fn text() {
    insta::assert_snapshot!(rendered(CheckFormat::Text), @r#"
    Regressions (1)
      utility mean_relative_error: e fig1: anatomy on <adult> & "co" | l=2
        0.5 → 0.505 (+1.0 %)

    Not compared (1)
      other data: e fig1: anatomy on adult, l=3
        the data was `adult.data@0123456789ab` and is nothing

    Changed (1)
      fact groups: e fig1: anatomy on <adult> & "co" | l=2
        100 → 90 (−10 %)

    against baselines: regression; 6 values compared, 4 unchanged, regressions: 1, not compared: 1, changed: 1
    "#);
}

#[test]
fn markdown() {
    insta::assert_snapshot!(rendered(CheckFormat::Markdown), @r#"
    ### ❌ anonlab track: regression

    against baselines: regression; 6 values compared, 4 unchanged, regressions: 1, not compared: 1, changed: 1

    #### Regressions (1)

    | | metric | cell | |
    |---|---|---|---|
    | utility | mean\_relative\_error | e fig1: anatomy on &lt;adult> &amp; "co" \| l=2 | 0.5 → 0.505 (+1.0 %) |

    <details><summary>Not compared (1)</summary>

    | | metric | cell | |
    |---|---|---|---|
    | other data |  | e fig1: anatomy on adult, l=3 | the data was \`adult.data\@0123456789ab\` and is nothing |

    </details>

    <details><summary>Changed (1)</summary>

    | | metric | cell | |
    |---|---|---|---|
    | fact | groups | e fig1: anatomy on &lt;adult> &amp; "co" \| l=2 | 100 → 90 (−10 %) |

    </details>
    "#);
}

#[test]
fn json() {
    insta::assert_snapshot!(rendered(CheckFormat::Json), @r#"
    {
      "format": 1,
      "against": "baselines",
      "outcome": "regression",
      "compared": 6,
      "unchanged": 4,
      "findings": [
        {
          "verdict": "regression",
          "topic": "utility",
          "lane": "exact",
          "experiment": "e",
          "cell": "e/aaaaaaaaaaaa",
          "place": "fig1: anatomy on <adult> & \"co\" | l=2",
          "metric": "mean_relative_error",
          "before": 0.5,
          "after": 0.505,
          "change": 0.010000000000000009,
          "detail": "0.5 → 0.505 (+1.0 %)"
        },
        {
          "verdict": "not_compared",
          "topic": "other_data",
          "lane": "exact",
          "experiment": "e",
          "cell": "e/bbbbbbbbbbbb",
          "place": "fig1: anatomy on adult, l=3",
          "metric": "",
          "before": null,
          "after": null,
          "change": null,
          "detail": "the data was `adult.data@0123456789ab` and is nothing"
        },
        {
          "verdict": "changed",
          "topic": "fact",
          "lane": "exact",
          "experiment": "e",
          "cell": "e/aaaaaaaaaaaa",
          "place": "fig1: anatomy on <adult> & \"co\" | l=2",
          "metric": "groups",
          "before": 100.0,
          "after": 90.0,
          "change": -0.1,
          "detail": "100 → 90 (−10 %)"
        }
      ]
    }
    "#);
}

#[test]
fn junit() {
    insta::assert_snapshot!(rendered(CheckFormat::Junit), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="anonlab track" tests="2" failures="1" errors="0" skipped="1">
      <testsuite name="e" tests="2" failures="1" errors="0" skipped="1">
        <testcase classname="e" name="fig1: anatomy on &lt;adult&gt; &amp; &quot;co&quot; | l=2"><failure message="mean_relative_error: 0.5 → 0.505 (+1.0 %)">mean_relative_error: 0.5 → 0.505 (+1.0 %)</failure></testcase>
        <testcase classname="e" name="fig1: anatomy on adult, l=3"><skipped message="other data: the data was `adult.data@0123456789ab` and is nothing"/></testcase>
      </testsuite>
    </testsuites>
    "#);
}

#[test]
fn github_action_benchmark() {
    insta::assert_snapshot!(rendered(CheckFormat::GithubActionBenchmark), @r#"
    [
      {
        "name": "e: anatomy on <adult> & \"co\" | l=2: allocations",
        "unit": "allocations",
        "value": 500.0
      },
      {
        "name": "e: anatomy on <adult> & \"co\" | l=2: mean_relative_error",
        "unit": "%",
        "value": 0.505
      },
      {
        "name": "e: anatomy on <adult> & \"co\" | l=2: peak_heap_bytes",
        "unit": "bytes",
        "value": 1000000.0
      },
      {
        "name": "e: anatomy on adult, l=3: allocations",
        "unit": "allocations",
        "value": 500.0
      },
      {
        "name": "e: anatomy on adult, l=3: mean_relative_error",
        "unit": "%",
        "value": 0.5
      },
      {
        "name": "e: anatomy on adult, l=3: peak_heap_bytes",
        "unit": "bytes",
        "value": 900000.0
      },
      {
        "name": "e: anatomy on adult, l=3: seconds",
        "unit": "s",
        "value": 0.02,
        "range": "0.01 to 0.03"
      }
    ]
    "#);
    assert_eq!(rendered(CheckFormat::GithubActionBenchmarkBigger), "[]\n");
}

#[test]
fn bencher() {
    insta::assert_snapshot!(rendered(CheckFormat::Bencher), @r#"
    {
      "e: anatomy on <adult> & \"co\" | l=2": {
        "allocations": {
          "value": 500.0
        },
        "groups": {
          "value": 90.0
        },
        "mean_relative_error": {
          "value": 0.505
        },
        "peak_heap_bytes": {
          "value": 1000000.0
        }
      },
      "e: anatomy on adult, l=3": {
        "allocations": {
          "value": 500.0
        },
        "groups": {
          "value": 100.0
        },
        "mean_relative_error": {
          "value": 0.5
        },
        "peak_heap_bytes": {
          "value": 900000.0
        },
        "seconds": {
          "value": 0.02,
          "lower_value": 0.01,
          "upper_value": 0.03
        }
      }
    }
    "#);
}

#[test]
fn outcomes() {
    let same = compare(&snapshot(), &snapshot());
    assert_eq!(CheckOutcome::of(&same, true), CheckOutcome::Well);
    assert_eq!(CheckOutcome::of(&comparison().0, false), CheckOutcome::Regression);
    let mut fewer = snapshot();
    fewer.cells.pop_first();
    assert_eq!(CheckOutcome::of(&compare(&snapshot(), &fewer), false), CheckOutcome::Well);
    assert_eq!(CheckOutcome::of(&compare(&snapshot(), &fewer), true), CheckOutcome::Open);
    assert_eq!(CheckOutcome::of(&compare(&snapshot(), &Snapshot::default()), false), CheckOutcome::NothingComparable);
}
