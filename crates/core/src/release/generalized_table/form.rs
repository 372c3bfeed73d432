//! What a generalized table says by the ways in which its cells are written.

use super::{Classes, GeneralizedTable, SuppressedIf};
use crate::data::Microdata;
use crate::release::form::FormFault;
use rustc_hash::FxHashMap;

/// What a cell covers counts, but people see its text: rows of one class that are written in different ways can be told apart. A row
/// that is written like no other is singled out; groups of rows that look alike and are smaller than the smallest class are worth a
/// look. `read` has one cell for each text, as readers make it.
pub(super) fn faults(microdata: &Microdata, read: &GeneralizedTable) -> Vec<FormFault> {
    let classes = Classes::new(microdata, read, SuppressedIf::default());
    let Some(&smallest) = classes.sizes.iter().min() else { return Vec::new() };
    // Rows that look alike: how many, and the first of them.
    let mut alike: FxHashMap<Vec<u32>, (u32, usize)> = FxHashMap::default();
    for row in (0..read.rows()).filter(|&row| classes.of_row(row).is_some()) {
        let texts = read.columns.iter().map(|column| column.of_row[row]).collect();
        let (count, _) = alike.entry(texts).or_insert((0, row));
        *count += 1;
    }
    let told_apart = alike.into_values().filter(|&(count, _)| count < smallest).min().map(|(count, row)| {
        let others = match count {
            1 => "no other row is".to_string(),
            _ => format!("only {count} rows are"),
        };
        let says = format!(
            "row {}: {others} written like this one, and every class has at least {smallest}: rows of its class have the same cells \
             written in another way; write them alike",
            row + 1
        );
        FormFault::new(count == 1, says)
    });
    told_apart.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    #[test]
    fn rows_of_a_class_look_the_same() {
        let rows: [&[&str]; 8] = [
            &["21", "flu"],
            &["22", "flu"],
            &["21", "cold"],
            &["22", "cold"],
            &["50", "flu"],
            &["50", "cold"],
            &["50", "gout"],
            &["50", "flu"],
        ];
        let dataset = Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap();
        let microdata = dataset.microdata().unwrap();
        let found = |young: [&str; 4]| {
            let ages = young.iter().chain(&["50"; 4]).zip(&rows);
            let lines: String = ages.map(|(age, row)| format!("\"{age}\",{}\n", row[1])).collect();
            let table = GeneralizedTable::from_files(microdata, format!("age,ill\n{lines}").as_bytes()).unwrap();
            faults(microdata, &table)
        };
        assert_eq!(found(["[21,22]"; 4]), []);
        let marked = found(["[21,22]", "[21,22]", "[21,23)", "[21,22]"]);
        let [fault] = marked.as_slice() else { panic!("{marked:?}") };
        assert!(fault.leaks);
        assert!(
            fault.says.starts_with("row 3: no other row is written like this one, and every class has at least 4"),
            "{}",
            fault.says
        );
        // As small as the smallest class, or in pairs: nobody is singled out.
        assert_eq!(found(["21", "22", "21", "22"]), []);
        let [fault] = &found(["[21,22]", "[21,22]", "[21,23)", "[21,23)"])[..] else { panic!() };
        assert!(!fault.leaks && fault.says.starts_with("row 1: only 2 rows are"), "{}", fault.says);
    }
}
