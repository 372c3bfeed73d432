//! Why buckets cannot come from an original, in sentences. They name rows and groups, and no value of an original.

use super::bucket_kinds::Kinds;
use super::three_way::{CountContradiction, Margin};
use crate::data::Microdata;
use crate::lab::counted;
use crate::release::ListedBuckets;

pub(super) struct InWords<'a> {
    pub microdata: &'a Microdata,
    pub listed: &'a ListedBuckets,
    pub kinds: &'a Kinds,
}

impl InWords<'_> {
    pub fn contradiction(&self, why: &CountContradiction) -> String {
        match why {
            CountContradiction::Group { group, kinds, rows, values } => {
                let values: u32 = values.iter().map(|&(_, count)| count).sum();
                match self.is_left_out(*group) {
                    true => format!(
                        "{} left out by the release ({}) can have {values} of the values that its groups leave over",
                        counted(rows, "original"),
                        self.rows(*group, kinds)
                    ),
                    false => format!(
                        "{} of {} ({}) can have {values} of its values: no original with these quasi-identifiers has \
                         another",
                        counted(rows, "row"),
                        self.group(*group),
                        self.rows(*group, kinds)
                    ),
                }
            }
            CountContradiction::Line { line, wanted, possible, forced } => {
                let first = match forced {
                    0 => String::new(),
                    _ => format!("once {} whose values are certain have them, ", counted(forced, "row")),
                };
                first + &self.line(*line, *wanted, *possible)
            }
            CountContradiction::Exhausted { groups, steps } => {
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

    fn line(&self, line: Margin, wanted: u32, possible: u32) -> String {
        match line {
            Margin::KindInGroup { kind, group } => format!(
                "{} of {} ({}) can have {possible} of its values",
                counted(wanted, "row"),
                self.group(group),
                self.rows(group, &[kind])
            ),
            Margin::ValueInGroup { group, value } => {
                let value = &self.microdata.table.columns[self.microdata.sensitive].values[value as usize];
                let of = self.group(group);
                format!("{of} has `{value}` {}, and {possible} of its rows can have it", counted(wanted, "time"))
            }
            Margin::ValueOfKind { kind, .. } => {
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
            false => self.listed.buckets.ids.name(group as usize),
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
