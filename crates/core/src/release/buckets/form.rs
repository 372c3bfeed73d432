//! What `qit.csv` and `st.csv` say by their form.

use super::Buckets;
use super::files::{COUNT, GROUP, QIT, ST};
use crate::data::{Microdata, line_of};
use crate::release::form::{FormFault, LineOrder, by_number, unordered};
use crate::release::kind::NAMED_FAULTS;
use std::collections::{BTreeMap, BTreeSet};

/// One line of `st.csv`.
struct SensitiveLine {
    line: u64,
    text: String,
    code: u32,
    count: u32,
}

/// The sensitive values of a group must stand in an order that has nothing to do with the rows of the group, and numbers must be
/// written in one way. `read` is what the files say; `microdata` shows whose values are in which order where it `is_original`.
pub(super) fn faults(
    microdata: &Microdata,
    qit: &[u8],
    st: &[u8],
    read: &Buckets,
    is_original: bool,
) -> Vec<FormFault> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut faults = Vec::new();
    let mut groups: BTreeMap<GroupOrder, Vec<SensitiveLine>> = BTreeMap::new();
    let (header, values) = lines(st);
    let [group_at, text_at, count_at] =
        [GROUP, &sensitive.name, COUNT].map(|name| header.iter().position(|head| head.trim() == name));
    for (line, fields) in values {
        let [Some(group), Some(text), Some(count)] =
            [group_at, text_at, count_at].map(|at| at.and_then(|at| fields.get(at)))
        else {
            continue;
        };
        faults.extend([group, count].into_iter().filter_map(|number| oddly_written(ST, line, number)));
        let (Some(code), Ok(count)) = (sensitive.code(text.trim()), count.trim().parse()) else { continue };
        let group = (group.trim().parse().ok(), group.trim().to_string());
        groups.entry(group).or_default().push(SensitiveLine { line, text: text.clone(), code, count });
    }
    let (header, rows) = lines(qit);
    let group_at = header.iter().position(|head| head.trim() == GROUP);
    for (line, fields) in rows {
        faults.extend(group_at.and_then(|at| fields.get(at)).and_then(|id| oddly_written(QIT, line, id)));
        if faults.len() >= NAMED_FAULTS {
            break;
        }
    }
    let lists: Vec<Vec<SensitiveLine>> = groups.into_values().collect();
    let orders: [LineOrder<'_, SensitiveLine>; 6] = [
        &|a, b| a.code.cmp(&b.code),
        &|a, b| a.text.cmp(&b.text),
        &|a, b| by_number(&a.text, &b.text),
        &|a, b| b.code.cmp(&a.code),
        &|a, b| b.count.cmp(&a.count).then(a.code.cmp(&b.code)),
        &|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)),
    ];
    if let Some(group) = unordered(&lists, &orders) {
        let leaks = is_original && in_order_of_rows(microdata, read, &lists);
        let line = lists[group].first().map_or(0, |value| value.line);
        let what = if leaks {
            "are in the order of its rows, which says whose they are"
        } else {
            "are in no order that everybody knows, and the order may say whose they are"
        };
        faults.push(FormFault::new(
            leaks,
            format!("{ST} line {line}: the values of this group {what}; sort the lines by `group_id` and value"),
        ));
    }
    faults.truncate(NAMED_FAULTS);
    faults
}

/// Groups in the order of their ids as numbers, where they are such.
type GroupOrder = (Option<u32>, String);

/// The header of a CSV file that was read before, and its lines.
fn lines(bytes: &[u8]) -> (Vec<String>, impl Iterator<Item = (u64, Vec<String>)>) {
    let fields = |record: &csv::StringRecord| record.iter().map(String::from).collect::<Vec<_>>();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = reader.headers().map(fields).unwrap_or_default();
    (header, reader.into_records().flatten().map(move |record| (line_of(&record, bytes), fields(&record))))
}

/// `07` and `7` are the same number; which one is written can mark a row.
fn oddly_written(file: &str, line: u64, number: &str) -> Option<FormFault> {
    let plain = number.trim().parse::<u32>().ok()?.to_string();
    (plain != number).then(|| {
        FormFault::new(false, format!("{file} line {line}: the number {plain} is written `{number}`, which may mark this line; write `{plain}`"))
    })
}

/// Whether every group lists its values as they first appear among its rows.
fn in_order_of_rows(microdata: &Microdata, read: &Buckets, lists: &[Vec<SensitiveLine>]) -> bool {
    let codes = microdata.sensitive_codes();
    lists.len() == read.groups()
        && read.members().iter().zip(lists).all(|(rows, list)| {
            let mut seen = BTreeSet::new();
            let first = rows.iter().map(|&row| codes[row]).filter(|&code| seen.insert(code));
            first.eq(list.iter().map(|value| value.code))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    fn patients() -> Dataset {
        let rows: [&[&str]; 5] = [&["1", "gout"], &["2", "flu"], &["3", "cold"], &["4", "flu"], &["5", "cold"]];
        Dataset::of_table(Table::from_rows(&["zip", "ill"], &rows), &["zip"], "ill").unwrap()
    }

    fn found(qit: &str, st: &str) -> Vec<FormFault> {
        let dataset = patients();
        let microdata = dataset.microdata().unwrap();
        let read = Buckets::from_files(microdata, qit.as_bytes(), st.as_bytes()).unwrap();
        faults(microdata, qit.as_bytes(), st.as_bytes(), &read, true)
    }

    const QIT_TEXT: &str = "zip,group_id\n1,0\n2,0\n3,0\n4,1\n5,1\n";

    #[test]
    fn orders_that_everybody_knows_say_nothing() {
        for st in [
            "0,cold,1\n0,flu,1\n0,gout,1\n1,cold,1\n1,flu,1\n",
            // Groups in any order, by value from the last one on, and by value over all groups.
            "1,cold,1\n1,flu,1\n0,cold,1\n0,flu,1\n0,gout,1\n",
            "0,gout,1\n0,flu,1\n0,cold,1\n1,flu,1\n1,cold,1\n",
            "0,cold,1\n1,cold,1\n0,flu,1\n1,flu,1\n0,gout,1\n",
        ] {
            // The third is also the order of the rows, but it is explained without them.
            assert_eq!(found(QIT_TEXT, &format!("group_id,ill,count\n{st}")), []);
        }
    }

    #[test]
    fn values_in_the_order_of_rows_are_a_leak_and_other_orders_might_be() {
        let qit = "zip,group_id\n1,0\n2,0\n3,1\n4,1\n5,0\n";
        let of_rows = found(qit, "group_id,ill,count\n0,gout,1\n0,flu,1\n0,cold,1\n1,cold,1\n1,flu,1\n");
        let [fault] = of_rows.as_slice() else { panic!("{of_rows:?}") };
        assert!(fault.leaks);
        assert!(fault.says.contains("in the order of its rows"), "{}", fault.says);
        let odd = found(QIT_TEXT, "group_id,ill,count\n0,flu,1\n0,cold,1\n0,gout,1\n1,cold,1\n1,flu,1\n");
        let [fault] = odd.as_slice() else { panic!("{odd:?}") };
        assert!(!fault.leaks);
        assert_eq!(
            fault.says,
            "st.csv line 2: the values of this group are in no order that everybody knows, and the order may say whose they are; \
             sort the lines by `group_id` and value"
        );
    }

    #[test]
    fn numbers_are_written_in_one_way() {
        let st = "group_id,ill,count\n0,cold,1\n0,flu,1\n0,gout,1\n1,cold,1\n1,flu,1\n";
        let marked = found(&QIT_TEXT.replace("3,0\n", "3,00\n"), st);
        let [fault] = marked.as_slice() else { panic!("{marked:?}") };
        assert_eq!(fault.says, "qit.csv line 4: the number 0 is written `00`, which may mark this line; write `0`");
    }
}
