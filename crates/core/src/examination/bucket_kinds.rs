//! The distinct quasi-identifiers of an original, and the rows of buckets by them.

use super::three_way::{CountedGroup, ThreeWay, ValueShare};
use crate::data::Microdata;
use crate::lab::counted;
use crate::release::ListedBuckets;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub(super) struct Kinds {
    /// Per kind and sensitive value, the originals, ascending.
    pub originals: Vec<BTreeMap<u32, Vec<u32>>>,
    /// Row listed to its kind; None where no original has its quasi-identifiers.
    pub of_listed: Vec<Option<u32>>,
}

impl Kinds {
    pub fn new(microdata: &Microdata, listed: &ListedBuckets) -> Self {
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
    pub fn too_many(&self, listed: &ListedBuckets) -> Option<(String, Vec<usize>)> {
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
                let group = listed.buckets.ids.name(listed.buckets.group_of[first] as usize);
                format!("row {} of the release ({group}) has the quasi-identifiers of no original", first + 1)
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
    pub fn problem(&self, microdata: &Microdata, listed: &ListedBuckets) -> ThreeWay {
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
        let mut groups: Vec<CountedGroup> = (rows.into_iter().zip(&listed.buckets.sensitive))
            .map(|(rows, values)| CountedGroup { rows: rows.into_iter().collect(), values: values.clone() })
            .collect();
        let some = |counts: Vec<u32>| -> Vec<(u32, u32)> { (0..).zip(counts).filter(|&(_, n)| n > 0).collect() };
        let left_out = CountedGroup { rows: some(left_of_kind), values: some(left_of_value) };
        if !left_out.rows.is_empty() {
            groups.push(left_out);
        }
        let of_kind =
            |values: &BTreeMap<u32, Vec<u32>>| values.iter().map(|(&value, rows)| (value, rows.len() as u32)).collect();
        ThreeWay { groups, kinds: self.originals.iter().map(of_kind).collect() }
    }

    /// Original to its group. Where one of several alike was left out, it is the last.
    pub fn assigned(&self, groups: usize, mut shares: Vec<ValueShare>, rows: usize) -> Vec<Option<u32>> {
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
