//! Every requirement by itself, with a threshold that a release meets exactly: each of many subtle corruptions breaks it.

use super::*;
use crate::data::HierarchyBuilder;

/// Four classes of six people; each class has every illness twice, so that no threshold could be stricter.
fn balanced() -> (Dataset, GeneralizedTable) {
    let mut lines = String::from("age town illness");
    let mut cells = String::new();
    for (class, low) in [20, 30, 40, 50].into_iter().enumerate() {
        for (i, illness) in ["flu", "flu", "cold", "cold", "gout", "gout"].into_iter().enumerate() {
            lines += &format!("\n{} t{} {illness}", low + i, (class + i) % 3);
            cells += &format!("[{low},{}) *\n", low + 10);
        }
    }
    let mut dataset = dataset(&lines);
    let microdata = microdata(&mut dataset);
    let mut tree = HierarchyBuilder::new(microdata.table.columns[microdata.sensitive].values.clone());
    let colds = tree.group("infection", &[0, 1]);
    tree.group("any", &[colds, 2]);
    microdata.sensitive_hierarchy = Some(tree.finish().unwrap());
    let table = release(&dataset, &cells);
    (dataset, table)
}

/// Met by the tables of these tests and by nothing that is less even.
pub(super) fn requirements() -> Vec<Requirement> {
    use Requirement::*;
    let close = |distance| TCloseness { t: 0.0, distance };
    vec![
        KAnonymity { k: 6 },
        DistinctDiversity { l: 3 },
        FrequencyDiversity { l: 3 },
        EntropyDiversity { l: 3.0 },
        RecursiveDiversity { c: 1.000_000_1, l: 3 },
        Alpha { alpha: 0.333_333_334 },
        close(Distance::Equal),
        close(Distance::Ordered),
        close(Distance::Hierarchical),
        BetaLikeness { beta: 0.0 },
        EnhancedBetaLikeness { beta: 0.0 },
        DeltaDisclosure { delta: 1e-9 },
    ]
}

/// Puts other text into the cells of `column` in `rows`.
fn put(dataset: &Dataset, table: &mut GeneralizedTable, rows: &[usize], column: usize, text: &str) {
    let cell = Domain::new(dataset.microdata().unwrap(), column).parse(text).unwrap();
    let column = &mut table.columns[column];
    rows.iter().for_each(|&row| column.of_row[row] = column.cells.len() as u32);
    column.cells.push(cell);
}

#[test]
fn a_dozen_corruptions_break_each_requirement() {
    let (dataset, good) = balanced();
    let value = |text: &str| dataset.microdata().unwrap().table.columns[2].code(text);
    type Corruption<'a> = (&'a str, Box<dyn Fn(&mut GeneralizedTable) + 'a>);
    let dataset_of = &dataset;
    let cell = |name, rows: &'static [usize], column, text: &'static str| -> Corruption<'_> {
        (name, Box::new(move |table| put(dataset_of, table, rows, column, text)))
    };
    let corruptions: Vec<Corruption<'_>> = vec![
        // Cells stay true, and a class falls apart.
        cell("one row stands out by a narrower interval", &[0], 0, "[20,25)"),
        cell("one row shows its age", &[7], 0, "31"),
        cell("one row shows its town", &[13], 1, "t0"),
        cell("a pair of one illness is told apart", &[2, 3], 0, "[22,23]"),
        cell("five of six", &[18, 19, 20, 21, 22], 0, "[50,54]"),
        cell("one row of a class joins another", &[6], 0, "[20,60)"),
        // Cells that are not true.
        cell("an interval that ends before the value", &[5], 0, "[20,25)"),
        cell("an interval that begins after it", &[6], 0, "(30,40)"),
        cell("a town of somebody else", &[0], 1, "t1"),
        ("rows swapped", Box::new(|table| table.columns.iter_mut().for_each(|column| column.of_row.swap(0, 6)))),
        ("an illness altered", Box::new(|table| table.sensitive[3] = value("flu"))),
        ("illnesses swapped within a class", Box::new(|table| table.sensitive.swap(1, 2))),
        ("illnesses swapped between classes", Box::new(|table| table.sensitive.swap(1, 8))),
        ("an illness hidden", Box::new(|table| table.sensitive[9] = None)),
        // Suppression that was not allowed.
        ("a row suppressed", Box::new(|table| table.suppress(|row| row == 11))),
        ("a class suppressed", Box::new(|table| table.suppress(|row| row >= 18))),
        // Rows lost.
        (
            "the last row lost",
            Box::new(|table| {
                table.sensitive.pop();
                table.columns.iter_mut().for_each(|column| column.of_row.truncate(23));
            }),
        ),
    ];
    for requirement in requirements() {
        let promised = std::slice::from_ref(&requirement);
        assert_eq!(faults(&dataset, &good, promised), [""; 0], "{requirement}");
        for (name, corrupt) in &corruptions {
            let mut table = good.clone();
            corrupt(&mut table);
            assert_ne!(faults(&dataset, &table, promised), [""; 0], "{requirement}: {name}");
        }
        // Half a class with every illness once is too small, and nothing else.
        let mut halves = good.clone();
        put(&dataset, &mut halves, &[0, 2, 4], 0, "{20;22;24}");
        let is_broken = !faults(&dataset, &halves, promised).is_empty();
        assert_eq!(is_broken, matches!(requirement, Requirement::KAnonymity { .. }), "{requirement}");
        // Another text for what the same cells cover changes nothing.
        let mut same = good.clone();
        put(&dataset, &mut same, &[1, 4], 0, "[19.5,25.5]");
        put(&dataset, &mut same, &[1, 3], 1, "{t0;t1;t2}");
        assert_eq!(faults(&dataset, &same, promised), [""; 0], "{requirement}");
    }
}
