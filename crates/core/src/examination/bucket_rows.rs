//! Buckets whose rows are in any order, or fewer than the original's.
//!
//! A row of `qit.csv` comes from an original with its quasi-identifiers; which of them, and so which sensitive value it has, is not
//! published. The buckets can come from the original when all rows can be given values so that each group has the ones it
//! publishes and no quasi-identifiers have a value more often than in the original: [`ThreeWay`](super::three_way::ThreeWay). The originals left out are one
//! more group, whose rows and values are known by subtraction.
//!
//! Cost. That of [`ThreeWay::decide`](super::three_way::ThreeWay::decide), by distinct quasi-identifiers.

use super::bucket_kinds::Kinds;
use super::bucket_words::InWords;
use super::rows::{MatchedRows, named};
use super::three_way::Decision;
use crate::data::{Content, Dataset, Microdata};
use crate::lab::{LabError, counted};
use crate::release::{Buckets, ListedBuckets};

/// Steps of complete searches, of all parts of a problem together.
const STEPS: u64 = 20_000;

/// The originals that were released and their buckets, both in the order of the originals.
pub(super) fn arrange(dataset: Dataset, listed: &ListedBuckets) -> Result<(Dataset, Buckets, MatchedRows), LabError> {
    let microdata = dataset.microdata()?;
    let rows = microdata.rows();
    if is_in_order(microdata, listed) {
        return Ok((dataset, listed.buckets.clone(), MatchedRows::in_order(rows)));
    }
    let released = listed.buckets.group_of.len();
    let mut matched = MatchedRows { original: rows, released, ..MatchedRows::default() };
    let kinds = Kinds::new(microdata, listed);
    if let Some((says, unmatched)) = kinds.too_many(listed).or_else(|| uneven(microdata, listed)) {
        matched.matched = released - unmatched.len();
        matched.unmatched = unmatched.len();
        matched.unmatched_rows = named(unmatched.into_iter());
        matched.shortage = Some(says);
        return Ok((dataset, listed.buckets.clone(), matched));
    }
    let problem = kinds.problem(microdata, listed);
    let words = InWords { microdata, listed, kinds: &kinds };
    match problem.decide(STEPS) {
        Decision::Impossible(why) => {
            matched.unmatched = released;
            matched.shortage = Some(words.contradiction(&why));
            Ok((dataset, listed.buckets.clone(), matched))
        }
        Decision::Open { groups } => {
            matched.undecided = Some(format!(
                "the rows of {} share quasi-identifiers, and neither an assignment of their values that agrees with the \
                 original was found nor the proof that there is none",
                counted(groups, "group")
            ));
            Ok((dataset, listed.buckets.clone(), matched))
        }
        Decision::Possible(shares) => {
            let groups = kinds.assigned(listed.buckets.groups(), shares, rows);
            let kept: Vec<usize> = (0..rows).filter(|&row| groups[row].is_some()).collect();
            let dropped = (0..rows).filter(|&row| groups[row].is_none());
            matched.matched = released;
            matched.dropped = rows - kept.len();
            matched.dropped_rows = named(dropped);
            let buckets = Buckets {
                group_of: groups.iter().copied().flatten().collect(),
                sensitive: listed.buckets.sensitive.clone(),
                ids: listed.buckets.ids.clone(),
            };
            if kept.len() == rows {
                return Ok((dataset, buckets, matched));
            }
            let some = microdata.select(&kept)?;
            // Codes of values that no longer occur are gone.
            let mut code_of = vec![0; microdata.table.columns[microdata.sensitive].cardinality()];
            for (&row, &code) in kept.iter().zip(some.sensitive_codes()) {
                code_of[microdata.sensitive_codes()[row] as usize] = code;
            }
            let mut buckets = buckets;
            buckets.sensitive.iter_mut().flatten().for_each(|(value, _)| *value = code_of[*value as usize]);
            Ok((Dataset { content: Content::Table(some), ..dataset }, buckets, matched))
        }
    }
}

/// Whether each row has the quasi-identifiers of the original's in its place, and each group the values of its rows.
fn is_in_order(microdata: &Microdata, listed: &ListedBuckets) -> bool {
    listed.buckets.group_of.len() == microdata.rows()
        && listed.quasi.iter().enumerate().all(|(i, codes)| codes == microdata.quasi_codes(i))
        && Buckets::from_groups(microdata, listed.buckets.group_of.clone()).sensitive == listed.buckets.sensitive
}

/// A group with more or fewer values than rows, or a value that is published more often than the original has it.
fn uneven(microdata: &Microdata, listed: &ListedBuckets) -> Option<(String, Vec<usize>)> {
    let mut sizes = vec![0u64; listed.buckets.groups()];
    listed.buckets.group_of.iter().for_each(|&group| sizes[group as usize] += 1);
    let column = &microdata.table.columns[microdata.sensitive];
    let mut published = vec![0u64; column.cardinality()];
    for ((group, values), &rows) in listed.buckets.sensitive.iter().enumerate().zip(&sizes) {
        let all: u64 = values.iter().map(|&(_, count)| u64::from(count)).sum();
        if all != rows {
            let name = listed.buckets.ids.name(group);
            let says = format!("{name} has {} and {}", counted(rows, "row"), counted(all, "value"));
            let members = listed.buckets.group_of.iter().enumerate().filter(|(_, of)| **of as usize == group);
            return Some((says, members.map(|(row, _)| row).collect()));
        }
        values.iter().for_each(|&(value, count)| published[value as usize] += u64::from(count));
    }
    let mut values = published.into_iter().zip(column.histogram()).zip(&column.values);
    let ((published, has), value) = values.find(|((published, has), _)| *published > *has as u64)?;
    let says = format!(
        "`{value}` is published {}, and the original has it {}",
        counted(published, "time"),
        counted(has, "time")
    );
    Some((says, (0..listed.buckets.group_of.len()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::release::GroupIds;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn people(rows: &[(&str, &str)]) -> Dataset {
        let rows: Vec<[&str; 2]> = rows.iter().map(|&(age, ill)| [age, ill]).collect();
        let rows: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
        Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap()
    }

    fn arranged(dataset: &Dataset, qit: &str, st: &str) -> (Dataset, Buckets, MatchedRows) {
        let (qit, st) = (format!("age,group_id\n{qit}"), format!("group_id,ill,count\n{st}"));
        let listed = ListedBuckets::read(dataset.microdata().unwrap(), qit.as_bytes(), st.as_bytes()).unwrap();
        arrange(dataset.clone(), &listed).unwrap()
    }

    const PEOPLE: [(&str, &str); 5] = [("21", "flu"), ("21", "cold"), ("30", "flu"), ("40", "gout"), ("50", "cold")];

    #[test]
    fn rows_in_another_order_find_their_originals_and_dropped_ones_are_told() {
        let dataset = people(&PEOPLE);
        let (some, buckets, matched) =
            arranged(&dataset, "40,7\n21,8\n30,8\n21,7\n", "7,flu,1\n7,gout,1\n8,cold,1\n8,flu,1\n");
        assert_eq!((matched.matched, matched.dropped_rows.clone()), (4, vec![5]));
        let microdata = some.microdata().unwrap();
        assert_eq!(buckets.group_of, [0, 1, 1, 0]);
        assert_eq!(Buckets::from_groups(microdata, buckets.group_of.clone()).sensitive, buckets.sensitive);
        assert_eq!(buckets.ids, GroupIds::new([7, 8]));
        // Which of two alike was dropped follows from the values.
        let (_, _, matched) = arranged(&dataset, "50,0\n30,0\n40,1\n21,1\n", "0,cold,1\n0,flu,1\n1,cold,1\n1,gout,1\n");
        assert_eq!(matched.dropped_rows, [1]);
        let (_, _, matched) =
            arranged(&dataset, "21,0\n21,0\n30,1\n40,1\n50,1\n", "0,cold,1\n0,flu,1\n1,cold,1\n1,flu,1\n1,gout,1\n");
        assert!(matched.in_order);
    }

    #[test]
    fn buckets_that_cannot_come_from_the_original_say_why() {
        let dataset = people(&PEOPLE);
        let says = |qit: &str, st: &str| arranged(&dataset, qit, st).2.shortage.unwrap_or_default();
        assert_eq!(
            says("30,0\n30,0\n", "0,flu,2\n"),
            "the quasi-identifiers of row 2 of the release are those of 2 released rows and of 1 original"
        );
        assert_eq!(says("30,0\n", "0,flu,2\n"), "group 0 has 1 row and 2 values");
        assert_eq!(says("40,0\n30,0\n", "0,gout,2\n"), "`gout` is published 2 times, and the original has it 1 time");
        assert_eq!(
            says("21,1\n40,0\n30,0\n", "0,cold,1\n0,flu,1\n1,gout,1\n"),
            "1 row of group 0 (row 2) can have 0 of its values: no original with these quasi-identifiers has another"
        );
        assert_eq!(
            says("21,0\n21,1\n", "0,flu,1\n1,flu,1\n"),
            "1 original left out by the release (among row 3 of the original) can have 0 of the values that its groups leave over"
        );
    }

    proptest! {
        /// What is made of the original by grouping, dropping and shuffling always finds its way back, and is then true.
        #[test]
        fn what_comes_from_the_original_is_matched(
            rows in prop::collection::vec((0u32..8, 0u32..4, 0u32..6, any::<bool>()), 1..60),
            turn in 0usize..60,
        ) {
            let texts: Vec<(String, String)> =
                rows.iter().map(|(age, ill, ..)| (age.to_string(), format!("i{ill}"))).collect();
            let original: Vec<(&str, &str)> = texts.iter().map(|(age, ill)| (age.as_str(), ill.as_str())).collect();
            let dataset = people(&original);
            let kept: Vec<_> = rows.iter().filter(|row| row.3).collect();
            let mut lines: Vec<String> = kept.iter().map(|row| format!("{},{}\n", row.0, row.2)).collect();
            if !lines.is_empty() {
                lines.rotate_left(turn % kept.len());
            }
            let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            kept.iter().for_each(|row| *counts.entry((row.2, row.1)).or_default() += 1);
            let st: String = counts.iter().map(|((group, ill), count)| format!("{group},i{ill},{count}\n")).collect();
            let (some, buckets, matched) = arranged(&dataset, &lines.concat(), &st);
            prop_assert!(matched.undecided.is_none() && matched.shortage.is_none(), "{:?}", matched);
            prop_assert_eq!((matched.matched, matched.dropped), (kept.len(), rows.len() - kept.len()));
            let again = Buckets::from_groups(some.microdata().unwrap(), buckets.group_of.clone());
            prop_assert_eq!(again.sensitive, buckets.sensitive);
        }
    }
}
