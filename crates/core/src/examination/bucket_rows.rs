//! Buckets whose rows are in any order, or fewer than the original's.
//!
//! A row of `qit.csv` comes from an original with its quasi-identifiers; which of them, and so which sensitive value it has, is not
//! published. The buckets can come from the original when all rows can be given values so that each group has the ones it
//! publishes and no quasi-identifiers have a value more often than in the original: [`ThreeWay`]. The originals left out are one
//! more group, whose rows and values are known by subtraction.
//!
//! Cost. That of [`ThreeWay::decide`], by distinct quasi-identifiers.

use super::rows::{Matched, named};
use crate::data::{Content, Dataset, Microdata};
use crate::lab::{LabError, counted};
use crate::matching::{Contradiction, Decision, Group, Line, Share, ThreeWay};
use crate::release::{Buckets, ListedBuckets};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Steps of complete searches, of all parts of a problem together.
const STEPS: u64 = 20_000;

/// The originals that were released and their buckets, both in the order of the originals.
pub(super) fn arrange(dataset: Dataset, listed: &ListedBuckets) -> Result<(Dataset, Buckets, Matched), LabError> {
    let microdata = dataset.microdata()?;
    let rows = microdata.rows();
    if is_in_order(microdata, listed) {
        return Ok((dataset, listed.buckets.clone(), Matched::in_order(rows)));
    }
    let released = listed.buckets.group_of.len();
    let mut matched = Matched { original: rows, released, ..Matched::default() };
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
        && Buckets::from_groups(microdata, listed.buckets.group_of.clone()) == listed.buckets
}

/// The distinct quasi-identifiers of the original.
struct Kinds {
    /// Per kind and sensitive value, the originals, ascending.
    originals: Vec<BTreeMap<u32, Vec<u32>>>,
    /// Row listed to its kind; None where no original has its quasi-identifiers.
    of_listed: Vec<Option<u32>>,
}

impl Kinds {
    fn new(microdata: &Microdata, listed: &ListedBuckets) -> Self {
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut originals: Vec<BTreeMap<u32, Vec<u32>>> = Vec::new();
        let columns: Vec<&[u32]> = (0..microdata.quasi_identifiers.len()).map(|i| microdata.quasi_codes(i)).collect();
        let mut key = vec![0; columns.len()];
        for (row, &value) in (0..).zip(microdata.sensitive_codes()) {
            key.iter_mut().zip(&columns).for_each(|(part, codes)| *part = codes[row as usize]);
            let kind = match known.get(&key) {
                Some(&kind) => kind,
                None => {
                    let next = originals.len() as u32;
                    known.insert(key.clone(), next);
                    originals.push(BTreeMap::new());
                    next
                }
            };
            originals[kind as usize].entry(value).or_default().push(row);
        }
        let of_listed = (0..listed.buckets.group_of.len()).map(|row| {
            key.iter_mut().zip(&listed.quasi).for_each(|(part, codes)| *part = codes[row]);
            known.get(&key).copied()
        });
        let of_listed = of_listed.collect();
        Self { originals, of_listed }
    }

    fn size(&self, kind: u32) -> usize {
        self.originals[kind as usize].values().map(Vec::len).sum()
    }

    /// Rows listed that no original is left for, and why the first of them is one.
    fn too_many(&self, listed: &ListedBuckets) -> Option<(String, Vec<usize>)> {
        let mut left: Vec<usize> = (0..self.originals.len() as u32).map(|kind| self.size(kind)).collect();
        let is_over = |kind: &Option<u32>| match kind {
            None => true,
            Some(kind) => match left[*kind as usize].checked_sub(1) {
                Some(fewer) => {
                    left[*kind as usize] = fewer;
                    false
                }
                None => true,
            },
        };
        let over = self.of_listed.iter().map(is_over).collect::<Vec<bool>>();
        let over: Vec<usize> = (0..over.len()).filter(|&row| over[row]).collect();
        let &first = over.first()?;
        let released = || self.of_listed.iter().filter(|kind| **kind == self.of_listed[first]).count();
        let says = match self.of_listed[first] {
            None => {
                let group = listed.buckets.group_of[first];
                format!("row {} of the release (group {group}) has the quasi-identifiers of no original", first + 1)
            }
            Some(kind) => format!(
                "the quasi-identifiers of row {} of the release are those of {} and of {}",
                first + 1,
                counted(released(), "released row"),
                counted(self.size(kind), "original")
            ),
        };
        Some((says, over))
    }

    /// The groups and, where originals were left out, these as one more.
    fn problem(&self, microdata: &Microdata, listed: &ListedBuckets) -> ThreeWay {
        let mut rows: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); listed.buckets.groups()];
        let mut left_of_kind: Vec<u32> = (0..self.originals.len() as u32).map(|kind| self.size(kind) as u32).collect();
        for (&group, kind) in listed.buckets.group_of.iter().zip(self.of_listed.iter().copied().flatten()) {
            *rows[group as usize].entry(kind).or_default() += 1;
            left_of_kind[kind as usize] -= 1;
        }
        let mut left_of_value: Vec<u32> =
            microdata.table.columns[microdata.sensitive].histogram().into_iter().map(|count| count as u32).collect();
        for &(value, count) in listed.buckets.sensitive.iter().flatten() {
            left_of_value[value as usize] -= count;
        }
        let mut groups: Vec<Group> = (rows.into_iter().zip(&listed.buckets.sensitive))
            .map(|(rows, values)| Group { rows: rows.into_iter().collect(), values: values.clone() })
            .collect();
        let some = |counts: Vec<u32>| -> Vec<(u32, u32)> { (0..).zip(counts).filter(|&(_, n)| n > 0).collect() };
        let left_out = Group { rows: some(left_of_kind), values: some(left_of_value) };
        if !left_out.rows.is_empty() {
            groups.push(left_out);
        }
        let of_kind =
            |values: &BTreeMap<u32, Vec<u32>>| values.iter().map(|(&value, rows)| (value, rows.len() as u32)).collect();
        ThreeWay { groups, kinds: self.originals.iter().map(of_kind).collect() }
    }

    /// Original to its group. Where one of several alike was left out, it is the last.
    fn assigned(&self, groups: usize, mut shares: Vec<Share>, rows: usize) -> Vec<Option<u32>> {
        let mut left: FxHashMap<(u32, u32), std::slice::Iter<'_, u32>> = FxHashMap::default();
        for (kind, values) in (0..).zip(&self.originals) {
            left.extend(values.iter().map(|(&value, rows)| ((kind, value), rows.iter())));
        }
        let mut group_of = vec![None; rows];
        shares.sort_unstable();
        for share in shares.into_iter().filter(|share| (share.group as usize) < groups) {
            for _ in 0..share.rows {
                if let Some(&row) = left.get_mut(&(share.kind, share.value)).and_then(Iterator::next) {
                    group_of[row as usize] = Some(share.group);
                }
            }
        }
        group_of
    }
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
            let says = format!("group {group} has {} and {}", counted(rows, "row"), counted(all, "value"));
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

/// Contradictions as sentences. They name rows and groups, and no value of an original.
struct InWords<'a> {
    microdata: &'a Microdata,
    listed: &'a ListedBuckets,
    kinds: &'a Kinds,
}

impl InWords<'_> {
    fn contradiction(&self, why: &Contradiction) -> String {
        match why {
            Contradiction::Group { group, kinds, rows, values } => {
                let values: u32 = values.iter().map(|&(_, count)| count).sum();
                match self.is_left_out(*group) {
                    true => format!(
                        "{} left out by the release ({}) can have {values} of the values that its groups leave over",
                        counted(rows, "original"),
                        self.rows(*group, kinds)
                    ),
                    false => format!(
                        "{} of group {group} ({}) can have {values} of its values: no original with these \
                         quasi-identifiers has another",
                        counted(rows, "row"),
                        self.rows(*group, kinds)
                    ),
                }
            }
            Contradiction::Line { line, wanted, possible, forced } => {
                let first = match forced {
                    0 => String::new(),
                    _ => format!("once {} whose values are certain have them, ", counted(forced, "row")),
                };
                first + &self.line(*line, *wanted, *possible)
            }
            Contradiction::Exhausted { groups, steps } => {
                let numbers: Vec<String> = groups.iter().take(10).map(|&group| self.group(group)).collect();
                let more = if groups.len() > numbers.len() { ", …" } else { "" };
                format!(
                    "no way to give the rows of {}{more} their values agrees with the original: all were tried, in {}",
                    numbers.join(", "),
                    counted(steps, "step")
                )
            }
        }
    }

    fn line(&self, line: Line, wanted: u32, possible: u32) -> String {
        match line {
            Line::KindInGroup { kind, group } => format!(
                "{} of {} ({}) can have {possible} of its values",
                counted(wanted, "row"),
                self.group(group),
                self.rows(group, &[kind])
            ),
            Line::ValueInGroup { group, value } => {
                let value = &self.microdata.table.columns[self.microdata.sensitive].values[value as usize];
                let of = self.group(group);
                format!("{of} has `{value}` {}, and {possible} of its rows can have it", counted(wanted, "time"))
            }
            Line::ValueOfKind { kind, .. } => {
                let alike = self.kinds.of_listed.iter().position(|of| *of == Some(kind)).map(|row| row + 1);
                let row = alike.map_or("the originals left out".to_string(), |row| format!("row {row} of the release"));
                format!(
                    "{} with the quasi-identifiers of {row} have the same sensitive value, and groups with such rows have room \
                     for {possible}",
                    counted(wanted, "original")
                )
            }
        }
    }

    fn is_left_out(&self, group: u32) -> bool {
        group as usize >= self.listed.buckets.groups()
    }

    fn group(&self, group: u32) -> String {
        match self.is_left_out(group) {
            true => "the originals left out".to_string(),
            false => format!("group {group}"),
        }
    }

    /// The first rows of these kinds in a group, as they are numbered in the release or, of those left out, in the original.
    fn rows(&self, group: u32, kinds: &[u32]) -> String {
        const NAMED: usize = 5;
        let is_left_out = self.is_left_out(group);
        let mut rows: Vec<usize> = match is_left_out {
            true => kinds
                .iter()
                .flat_map(|&kind| self.kinds.originals[kind as usize].values().flatten())
                .map(|&row| row as usize)
                .collect(),
            false => {
                let listed = self.kinds.of_listed.iter().zip(&self.listed.buckets.group_of).enumerate();
                let of_kinds =
                    listed.filter(|(_, (kind, of))| **of == group && kind.is_some_and(|kind| kinds.contains(&kind)));
                of_kinds.map(|(row, _)| row).collect()
            }
        };
        rows.sort_unstable();
        let shown: Vec<String> = rows.iter().take(NAMED).map(|row| (row + 1).to_string()).collect();
        let more = if rows.len() > NAMED { ", …" } else { "" };
        let what = if is_left_out { "among row" } else { "row" };
        format!("{what} {}{more}{}", shown.join(", "), if is_left_out { " of the original" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use proptest::prelude::*;

    fn people(rows: &[(&str, &str)]) -> Dataset {
        let rows: Vec<[&str; 2]> = rows.iter().map(|&(age, ill)| [age, ill]).collect();
        let rows: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
        Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap()
    }

    fn arranged(dataset: &Dataset, qit: &str, st: &str) -> (Dataset, Buckets, Matched) {
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
        assert_eq!(Buckets::from_groups(microdata, buckets.group_of.clone()), buckets);
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
            prop_assert_eq!(again, buckets);
        }
    }
}
