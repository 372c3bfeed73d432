//! A good release and what a dishonest or careless program could make of it: every corruption is named.

use super::*;

const ORIGINAL: &str = "age town illness
    21 Aa flu\n22 Aa cold\n23 Bo gout\n24 Bo flu
    31 Aa cold\n32 Bo gout\n33 Ho flu\n34 Ho cold
    41 Ho gout\n42 Ho flu\n43 Aa cold\n44 Bo gout";

const CELLS: &str = "[21,24] {Aa;Bo}\n[21,24] {Aa;Bo}\n[21,24] {Aa;Bo}\n[21,24] {Aa;Bo}
    [31,34] *\n[31,34] *\n[31,34] *\n[31,34] *
    [41,44] *\n[41,44] *\n[41,44] *\n[41,44] *";

fn promised() -> Vec<Requirement> {
    vec![Requirement::KAnonymity { k: 4 }, Requirement::DistinctDiversity { l: 3 }, Requirement::Alpha { alpha: 0.5 }]
}

fn set(dataset: &Dataset, table: &mut GeneralizedTable, row: usize, column: usize, text: &str) {
    let cell = Domain::new(dataset.microdata().unwrap(), column).parse(text).unwrap();
    let column = &mut table.columns[column];
    column.of_row[row] = column.cells.len() as u32;
    column.cells.push(cell);
}

#[test]
fn a_good_release_passes_and_every_corruption_is_named() {
    let dataset = dataset(ORIGINAL);
    let good = release(&dataset, CELLS);
    assert_eq!(faults(&dataset, &good, &promised()), [""; 0]);
    let broken = |corrupt: &dyn Fn(&mut GeneralizedTable), message: &str| {
        let mut table = good.clone();
        corrupt(&mut table);
        let faults = faults(&dataset, &table, &promised());
        assert!(faults.iter().any(|fault| fault.contains(message)), "{message}: {faults:?}");
    };
    let value = |text: &str| dataset.microdata().unwrap().table.columns[2].code(text);
    // One row short of k: by an interval that covers one value less.
    broken(&|table| set(&dataset, table, 0, 0, "[21,23]"), "the class of row 1 has 1 row, fewer than 4");
    broken(&|table| set(&dataset, table, 0, 0, "[21,23]"), "the class of row 2 has 3 rows, fewer than 4");
    broken(&|table| set(&dataset, table, 11, 1, "Bo"), "the class of row 9 has 3 rows, fewer than 4");
    broken(&|table| set(&dataset, table, 4, 0, "31"), "the class of row 5 has 1 row");
    broken(&|table| set(&dataset, table, 4, 1, "{Aa;Bo}"), "the class of row 5 has 1 row");
    // Cells that do not cover.
    broken(
        &|table| set(&dataset, table, 6, 0, "[31,33)"),
        "row 7: `age` is `[31,33)`, which does not cover the original's `33`",
    );
    broken(&|table| set(&dataset, table, 6, 0, "(33,34]"), "does not cover the original's `33`");
    broken(
        &|table| set(&dataset, table, 2, 1, "{Aa;Ho}"),
        "row 3: `town` is `{Aa;Ho}`, which does not cover the original's `Bo`",
    );
    broken(&|table| set(&dataset, table, 2, 1, "Ho"), "row 3: `town` is `Ho`");
    // Values and nodes that nobody has.
    for cell in [GeneralizedCell::Value(99), GeneralizedCell::Set(vec![0, 99]), GeneralizedCell::Node(99)] {
        let corrupt = |table: &mut GeneralizedTable| {
            table.columns[0].of_row[0] = table.columns[0].cells.len() as u32;
            table.columns[0].cells.push(cell.clone());
        };
        broken(&corrupt, "row 1: `age` is `?`, which does not cover the original's `21`");
    }
    // Rows swapped, with or without their sensitive values.
    broken(
        &|table| {
            table.columns.iter_mut().for_each(|column| column.of_row.swap(0, 11));
            table.sensitive.swap(0, 11);
        },
        "row 1: `age` is `[41,44]`, which does not cover the original's `21`",
    );
    broken(&|table| table.sensitive.swap(0, 1), "row 1: `illness` is `cold`, in the original `flu`");
    // A sensitive value altered, within its class and beyond.
    broken(&|table| table.sensitive[5] = value("flu"), "row 6: `illness` is `flu`, in the original `gout`");
    broken(&|table| table.sensitive[5] = Some(99), "row 6: `illness` is `?`, in the original `gout`");
    broken(&|table| table.sensitive[5] = None, "row 6: `illness` is `*`, but the row is not suppressed");
    // Suppression beyond the limit, of one row or of its cells alone.
    broken(
        &|table| table.suppress(|row| row == 3),
        "1 of 12 rows suppressed, more than the 0 that `suppression: 0` allows",
    );
    broken(&|table| table.suppress(|row| row == 3), "the class of row 1 has 3 rows, fewer than 4");
    broken(&|table| set(&dataset, table, 8, 0, "*"), "the class of row 9 has 1 row");
    // Rows lost or invented.
    broken(
        &|table| {
            table.sensitive.pop();
            table.columns.iter_mut().for_each(|column| column.of_row.truncate(11));
        },
        "the release has 11 rows, the original 12",
    );
    broken(&|table| table.columns[1].of_row.truncate(11), "the release has 12 rows, the original 12");
    broken(&|table| table.columns.truncate(1), "the release has 1 quasi-identifier, the original 2");
}

/// Twelve rows in two classes of six, whose sensitive values `text` lists.
fn two_classes(first: &str, second: &str) -> (Dataset, GeneralizedTable) {
    let rows: Vec<String> = first
        .split_whitespace()
        .map(|value| format!("a {value}"))
        .chain(second.split_whitespace().map(|value| format!("b {value}")))
        .collect();
    let dataset = dataset(&format!("q s\n{}", rows.join("\n")));
    let table = GeneralizedTable::identity(dataset.microdata().unwrap());
    (dataset, table)
}

#[test]
fn each_threshold_is_met_exactly_or_missed_by_a_hair() {
    let check = |first: &str, second: &str, met: Requirement, missed: Requirement, message: &str| {
        let (dataset, table) = two_classes(first, second);
        assert_eq!(faults(&dataset, &table, &[met]), [""; 0], "{first} | {second}");
        let faults = faults(&dataset, &table, &[missed]);
        assert!(faults[0].contains(message), "{first} | {second}: {faults:?}");
    };
    use Requirement::*;
    check("x x x y y y", "x y x y x y", KAnonymity { k: 6 }, KAnonymity { k: 7 }, "has 6 rows, fewer than 7");
    check(
        "x y z x y z",
        "x y z z z z",
        DistinctDiversity { l: 3 },
        DistinctDiversity { l: 4 },
        "row 1 has 3 different",
    );
    check(
        "x y z x y z",
        "x y z z z y",
        FrequencyDiversity { l: 2 },
        FrequencyDiversity { l: 3 },
        "row 7 has a sensitive value in 3 of its 6 rows, more than 1 in 3",
    );
    check(
        "x y z x y z",
        "x x y y z z",
        EntropyDiversity { l: 3.0 },
        EntropyDiversity { l: 3.000_000_1 },
        "fewer than 3.0000001",
    );
    check(
        "x y z x y z",
        "x x x y z z",
        RecursiveDiversity { c: 1.01, l: 2 },
        RecursiveDiversity { c: 1.0, l: 2 },
        "row 7 has its most frequent sensitive value 3 times and those from number 2 on 3 times: 3 is not below 1 · 3",
    );
    check(
        "x y z x y z",
        "x x x y y z",
        Alpha { alpha: 0.5 },
        Alpha { alpha: 0.499_999_999 },
        "row 7 has a sensitive value in 3 of its 6 rows",
    );
    let (t, distance) = (0.5, Distance::Equal);
    check(
        "x x x x x x",
        "y y y y y y",
        TCloseness { t, distance },
        TCloseness { t: 0.499_999_999_999, distance },
        "is 0.500000 from",
    );
    // Three values, all at one end against all at the other: half of the way on average.
    let distance = Distance::Ordered;
    check(
        "1 1 2 2 1 1",
        "3 3 2 2 3 3",
        TCloseness { t: 0.333_333_333_334, distance },
        TCloseness { t: 0.333_333_333_333, distance },
        "is 0.333333 from",
    );
    check(
        "x x x y y y",
        "x x y y y y",
        BetaLikeness { beta: 0.2 },
        BetaLikeness { beta: 0.199_999_999 },
        "(q − p) / p = 0.200000",
    );
    // p(x) = 1/3: (q − p) / p is 1/2 for x, and −ln p is 1.0986.
    check(
        "x x x y y y",
        "y y x y y y",
        EnhancedBetaLikeness { beta: 0.5 },
        EnhancedBetaLikeness { beta: 0.49 },
        "up to 0.500000",
    );
    // p(z) = 2/3 and q = 1 in the second class: a gain of 1/2 is above −ln p = 0.405, whatever β.
    let (dataset, table) = two_classes("x x x x z z", "z z z z z z");
    let groups = groups(&dataset, &table, Conventions::default());
    let overall = overall(&dataset);
    assert_eq!(
        (enhanced_beta(&groups, &overall), delta(&groups, &overall)),
        (Some(f64::INFINITY), Some(f64::INFINITY))
    );
    check("x x x y y y", "x x x y y y", DeltaDisclosure { delta: 1e-9 }, DeltaDisclosure { delta: 0.0 }, "not below 0");
    check(
        "x x x y y y",
        "x x y y y y",
        DeltaDisclosure { delta: 0.24 },
        DeltaDisclosure { delta: 0.22 },
        "|ln(q / p)| = 0.223144",
    );
    check("x x x y y y", "x x x y y z", KAnonymity { k: 1 }, DeltaDisclosure { delta: 1e9 }, "= inf");
}

#[test]
fn bad_thresholds_are_refused_in_words() {
    let (dataset, table) = two_classes("x y x y x y", "x y x y x y");
    let guarantee = |requirement, suppression| {
        let conventions = Conventions { suppression, ..Conventions::default() };
        let guarantee = TableGuarantee { requirements: vec![requirement], conventions };
        table_faults(dataset.microdata().unwrap(), &table, &guarantee).unwrap_err().to_string()
    };
    let alpha = |alpha| Requirement::Alpha { alpha };
    assert_eq!(guarantee(alpha(-0.1), 0.0), "a threshold must be a number from 0 to 10^15, not -0.1");
    assert_eq!(guarantee(alpha(0.5), 1.5), "`suppression` must be from 0 to 1, not 1.5");
    let t = Requirement::TCloseness { t: 0.1, distance: Distance::Hierarchical };
    assert!(guarantee(t, 0.0).starts_with("the hierarchical distance needs a hierarchy of the sensitive attribute"));
}

#[test]
fn conventions_decide_what_suppressed_rows_and_stars_are() {
    let dataset = dataset("q r s\na x 1\na x 2\na y 1\nb y 2\nc z 3");
    let mut table = release(&dataset, "a *\na *\na y\n* *\n* *");
    table.sensitive[4] = None;
    let sizes = |star, suppressed, suppressed_if| {
        let conventions = Conventions { star, suppressed, suppressed_if, suppression: 1.0 };
        groups(&dataset, &table, conventions).iter().map(|group| group.rows).collect::<Vec<_>>()
    };
    use {Star::*, Suppressed::*, SuppressedIf::*};
    assert_eq!(sizes(Value, Excluded, Everything), [2, 1, 1]);
    assert_eq!(sizes(Value, Class, Everything), [2, 1, 1, 1]);
    assert_eq!(sizes(Value, Excluded, QuasiIdentifiers), [2, 1]);
    assert_eq!(sizes(Value, Class, QuasiIdentifiers), [2, 1, 2]);
    // (a, *) is compatible with (a, y) and (*, *); with the suppressed row as well when it counts.
    assert_eq!(sizes(Wildcard, Excluded, Everything), [4, 4, 4]);
    assert_eq!(sizes(Wildcard, Class, Everything), [5, 5, 5, 5]);
    assert_eq!(sizes(Wildcard, Excluded, QuasiIdentifiers), [3, 3]);
}

#[test]
fn classes_are_formed_by_what_cells_cover() {
    let dataset = dataset("age s\n20 1\n25 2\n29 1\n40 2");
    let table = release(&dataset, "[20,30)\n{20;25;29}\n[19.5,39]\n[40,50)");
    let groups = groups(&dataset, &table, Conventions::default());
    assert_eq!(groups.iter().map(|group| group.rows).collect::<Vec<_>>(), [3, 1]);
}

#[test]
fn bad_files_are_named_by_line() {
    let dataset = dataset(ORIGINAL);
    let microdata = dataset.microdata().unwrap();
    let good = release(&dataset, CELLS);
    let files = good.to_files(microdata);
    let text = String::from_utf8(files[0].bytes.clone()).unwrap();
    let again = GeneralizedTable::from_files(microdata, text.as_bytes()).unwrap();
    assert_eq!(again.to_files(microdata), files);
    let error = |text: &str| GeneralizedTable::from_files(microdata, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error(""), "table.csv: it is empty; its first line must be `age,town,illness`");
    assert_eq!(error("age,illness\n"), "table.csv line 1: the header must be `age,town,illness`, not `age,illness`");
    assert_eq!(error("age,town,illness\n1,2\n"), "table.csv line 2: 2 fields for 3 columns");
    let cell = |cells: &str| error(&format!("age,town,illness\n{cells}\n"));
    assert_eq!(
        cell("\"[21,24]\",Aaa,flu"),
        "table.csv line 2: `Aaa` is neither a value of `town` nor a node of its hierarchy; did you mean `Aa`?"
    );
    assert!(cell("20-30,Aa,flu").contains("`20-30` is neither a value of `age`"));
    assert_eq!(cell("\"[50,60]\",Aa,flu"), "table.csv line 2: `[50,60]` has none of the values of `age` in it");
    assert_eq!(cell("21,\"[1,2]\",flu"), "table.csv line 2: `[1,2]` is an interval, and `town` is not numeric");
    assert!(cell("21,{Aa;Xyzzy},flu").contains("`Xyzzy` is neither a value of `town`"));
    assert_eq!(cell("21,Aa,flue"), "table.csv line 2: the original has no `illness` of `flue`; did you mean `flu`?");
    assert!(
        error(&text.lines().take(5).collect::<Vec<_>>().join("\n")).contains("ends after 4 of the original's 12 rows")
    );
    assert!(error(&(text.clone() + "21,Aa,flu\n")).contains("line 14: the original has only 12 rows"));
    assert!(GeneralizedTable::from_files(microdata, b"age,town,illness\n\xff,Aa,flu\n").is_err());
}
