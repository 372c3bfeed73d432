//! Several sensitive attributes: each alone must meet what is promised, unless they are combined.

use super::*;
use crate::data::{HierarchyBuilder, SensitivePart, combined};

/// The last two columns are sensitive, each protected alone or as one.
fn people(text: &str, are_combined: bool) -> Dataset {
    let lines: Vec<Vec<&str>> = text.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let rows: Vec<&[&str]> = lines[1..].iter().map(Vec::as_slice).collect();
    let mut columns = Table::from_rows(&lines[0], &rows).columns;
    let parts = columns.split_off(lines[0].len() - 2);
    columns.push(combined(&parts).unwrap());
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let quasi: Vec<&str> = names[..names.len() - 1].iter().map(String::as_str).collect();
    let mut dataset = Dataset::of_table(Table::new(columns), &quasi, &names[names.len() - 1]).unwrap();
    if !are_combined {
        let microdata = microdata(&mut dataset);
        let part = |part| {
            let column: &crate::data::Column = part;
            let mut tree = HierarchyBuilder::new(column.values.clone());
            tree.group("any", &(0..column.cardinality() as u32).collect::<Vec<_>>());
            SensitivePart::new(column, &microdata.table.columns[microdata.sensitive], tree.finish().ok())
        };
        microdata.sensitive_parts = parts.iter().map(part).collect();
    }
    dataset
}

/// Two classes of six; each has every illness and every job twice, and no pair of them more than once.
const PEOPLE: &str = "age illness job
    21 flu cook\n22 flu clerk\n23 cold clerk\n24 cold farmer\n25 gout farmer\n26 gout cook
    31 flu cook\n32 flu clerk\n33 cold clerk\n34 cold farmer\n35 gout farmer\n36 gout cook";
const CELLS: &str =
    "[21,26]\n[21,26]\n[21,26]\n[21,26]\n[21,26]\n[21,26]\n[31,36]\n[31,36]\n[31,36]\n[31,36]\n[31,36]\n[31,36]";

/// Those about sensitive values.
fn requirements() -> impl Iterator<Item = Requirement> {
    super::each_verifier::requirements().into_iter().filter(|asked| !matches!(asked, Requirement::KAnonymity { .. }))
}

/// Rows that are told apart so that one attribute keeps everything: what the other loses is named, for every requirement.
#[test]
fn the_attribute_that_fails_is_named_and_the_other_is_not() {
    let dataset = people(PEOPLE, false);
    let good = release(&dataset, CELLS);
    for requirement in requirements() {
        let promised = std::slice::from_ref(&requirement);
        assert_eq!(faults(&dataset, &good, promised), [""; 0], "{requirement}");
    }
    // Each of three rows has another illness, and two of the jobs only; and the other way round.
    for (apart, rest, fails, keeps) in [([0usize, 2, 5], 2, "job", "illness"), ([0, 1, 3], 3, "illness", "job")] {
        let mut table = good.clone();
        let cell = Domain::new(dataset.microdata().unwrap(), 0).parse("{21;22;23;24;26}").unwrap();
        let place = table.columns[0].cells.len() as u32;
        table.columns[0].cells.push(cell);
        apart.iter().for_each(|&row| table.columns[0].of_row[row] = place);
        for requirement in requirements() {
            let faults = faults(&dataset, &table, std::slice::from_ref(&requirement));
            let named = format!("`{fails}`: the class of row 1 ");
            assert!(faults[0].starts_with(&named), "{requirement}: {faults:?}");
            assert!(!faults.iter().any(|fault| fault.contains(keeps)), "{requirement}: {faults:?}");
        }
        // How many rows a class has is said once, of no attribute.
        let small = faults(&dataset, &table, &[Requirement::KAnonymity { k: 4 }]);
        assert_eq!(small, [1, rest].map(|row| format!("the class of row {row} has 3 rows, fewer than 4")));
    }
}

/// Six different pairs of only two illnesses: a diverse combination protects neither attribute.
#[test]
fn what_is_combined_is_held_to_its_combinations() {
    let text = "age illness job\n21 flu cook\n22 flu clerk\n23 flu farmer\n24 cold cook\n25 cold clerk\n26 cold farmer";
    let cells = "*\n*\n*\n*\n*\n*";
    let diverse = [Requirement::DistinctDiversity { l: 3 }];
    let together = people(text, true);
    assert_eq!(faults(&together, &release(&together, cells), &diverse), [""; 0]);
    let alone = people(text, false);
    assert_eq!(
        faults(&alone, &release(&alone, cells), &diverse),
        ["`illness`: the class of row 1 has 2 different sensitive values, fewer than 3"]
    );
}

#[test]
fn the_file_has_a_column_for_each_and_one_for_what_is_combined() {
    for (are_combined, header) in [(false, "age,illness,job"), (true, "age,illness & job")] {
        let dataset = people(PEOPLE, are_combined);
        let microdata = dataset.microdata().unwrap();
        let mut table = release(&dataset, CELLS);
        table.suppress(|row| row == 3);
        let files = table.to_files(microdata);
        let text = String::from_utf8(files[0].bytes.clone()).unwrap();
        assert_eq!(text.lines().next(), Some(header));
        assert_eq!(text.lines().nth(4), Some(if are_combined { "*,*" } else { "*,*,*" }));
        let again = GeneralizedTable::from_files(microdata, text.as_bytes()).unwrap();
        assert_eq!(again.to_files(microdata), files);
    }
    // A program may publish the one column it was given.
    let (alone, together) = (people(PEOPLE, false), people(PEOPLE, true));
    let given = release(&together, CELLS).to_files(together.microdata().unwrap());
    let read = GeneralizedTable::from_files(alone.microdata().unwrap(), &given[0].bytes).unwrap();
    assert_eq!(read.sensitive, release(&alone, CELLS).sensitive);
    let wrong = b"age,illness,job\n21,flu,kook\n";
    let error = GeneralizedTable::from_files(alone.microdata().unwrap(), wrong).unwrap_err().to_string();
    assert_eq!(
        error,
        "table.csv line 2: the original has no `illness & job` of `flu & kook`; did you mean `flu & cook`?"
    );
}
