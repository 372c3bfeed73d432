//! Holds published rules to what they state: each is true of the original and reaches the thresholds, and none that
//! should be there is missing. Counts rows by itself; shares nothing with the miner.
//!
//! Cost. Each published rule takes one look at every row, all rules at a block of rows while it is in the processor's cache. The search for
//! missing ones sorts the rows of each antecedent that may have a rule by the values that enough of them have of one attribute more; rows
//! take their sensitive value along, so that nothing is fetched from all over the table to count it.

use super::{PublishedRule, RuleSet, RulesStated, Thresholds, rule_in_words};
use crate::data::Microdata;
use crate::lab::{Witness, counted};
use crate::release::kind::NAMED_FAULTS;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Antecedent and consequent.
type Conclusion<'a> = (&'a [(u32, u32)], u32);

pub(super) fn rules_faults(microdata: &Microdata, release: &RuleSet, stated: &RulesStated) -> Vec<Witness> {
    let mut faults = header_faults(microdata, release, stated);
    if !faults.is_empty() {
        return faults;
    }
    // The confidence of every published pattern, by which a pattern that is missing is known.
    let mut published: FxHashMap<Conclusion<'_>, f64> = FxHashMap::default();
    let with_counts = |rules| std::iter::zip(rules, rows_of_rules(microdata, rules));
    for (rule, counts) in release.rules.chunks(RULES).flat_map(with_counts) {
        match rule_fault(microdata, rule, counts, stated) {
            Ok(confidence) => {
                if published.insert((&rule.antecedent, rule.consequent), confidence).is_some() {
                    faults.push(of_rule(in_words(microdata, rule), "is published twice"));
                }
            }
            Err(fault) => faults.push(*fault),
        }
        if faults.len() >= NAMED_FAULTS {
            break;
        }
    }
    // A rule that is wrong would be called missing too.
    if !faults.is_empty() {
        return faults;
    }
    let least_confident = published.values().copied().fold(f64::INFINITY, f64::min);
    let mut qualified = 0;
    for_each_rule(microdata, &stated.thresholds, &mut |antecedent, consequent, confidence| {
        qualified += 1;
        let missing = match stated.first {
            None => true,
            Some(_) => confidence > least_confident,
        };
        if missing && faults.len() < NAMED_FAULTS && !published.contains_key(&(antecedent, consequent)) {
            faults.push(of_rule(rule_in_words(microdata, antecedent, consequent), "is missing").against(confidence));
        }
    });
    let expected = stated.first.map_or(qualified, |first| first.min(qualified));
    if faults.is_empty() && release.rules.len() != expected {
        let published = release.rules.len();
        let says = format!("{} published where {expected} should be", counted(published, "rule"));
        faults.push(Witness::of(OF, says).number(published as f64).against(expected as f64));
    }
    faults
}

/// What rules are held to.
const OF: &str = "rules as stated";

fn of_rule(rule: String, says: &str) -> Witness {
    Witness::of(OF, format!("{rule} {says}")).by([rule])
}

fn in_words(microdata: &Microdata, rule: &PublishedRule) -> String {
    rule_in_words(microdata, &rule.antecedent, rule.consequent)
}

fn header_faults(microdata: &Microdata, release: &RuleSet, stated: &RulesStated) -> Vec<Witness> {
    let mut faults = Vec::new();
    let rows = microdata.rows() as u64;
    if release.records != rows {
        let says = format!("the release speaks of {}, the original has {rows}", counted(release.records, "record"));
        faults.push(Witness::of(OF, says).number(release.records as f64).against(rows as f64));
    }
    if release.thresholds != stated.thresholds {
        let says = format!("the thresholds are {:?}, not {:?}", release.thresholds, stated.thresholds);
        faults.push(Witness::of(OF, says));
    }
    let full = stated.first.is_some_and(|first| release.rules.len() >= first);
    if release.complete == full {
        let (is, should) = if full { ("complete", "cut off") } else { ("cut off", "complete") };
        faults.push(Witness::of(OF, format!("the rules are called {is} where they are {should}")));
    }
    match (&release.sensitive_counts, stated.sensitive_distribution) {
        (None, false) => {}
        (Some(_), false) => {
            faults.push(Witness::of(OF, "the sensitive distribution is published, and should be withheld"));
        }
        (None, true) => faults.push(Witness::of(OF, "the sensitive distribution is not published")),
        (Some(counts), true) => {
            let sensitive = &microdata.table.columns[microdata.sensitive];
            let truth: Vec<u64> = sensitive.histogram().into_iter().map(|count| count as u64).collect();
            if truth != *counts {
                let witness = Witness::of(OF, "the sensitive distribution is not the original's");
                let mut values = sensitive.values.iter().zip(truth.iter().zip(counts));
                faults.push(match values.find(|(_, (truth, told))| truth != told) {
                    None => witness,
                    Some((value, (&truth, &told))) => witness
                        .by([format!("`{value}` is said to be in {}, and is in {truth}", counted(told, "record"))])
                        .number(told as f64)
                        .against(truth as f64),
                });
            }
        }
    }
    faults
}

/// Rows that are looked at for one rule after the other while they stay in the processor's cache.
const BLOCK: usize = 4096;
/// Rules that are counted together. Of a release that is wrong throughout, the others are not counted.
const RULES: usize = 256;

/// How many rows have the antecedent of each rule, and how many of them its consequent; None of what is no pattern of the table.
fn rows_of_rules(microdata: &Microdata, rules: &[PublishedRule]) -> Vec<Option<(u64, u64)>> {
    let mut counts: Vec<Option<(u64, u64)>> =
        rules.iter().map(|rule| is_pattern(microdata, rule).then_some((0, 0))).collect();
    let mut holds = Vec::with_capacity(BLOCK);
    for start in (0..microdata.rows()).step_by(BLOCK) {
        let rows = start..microdata.rows().min(start + BLOCK);
        for (rule, counts) in rules.iter().zip(&mut counts) {
            let Some((antecedent, both)) = counts else { continue };
            holds.clear();
            holds.resize(rows.len(), 1u8);
            for &(position, code) in &rule.antecedent {
                let codes = &microdata.quasi_codes(position as usize)[rows.clone()];
                holds.iter_mut().zip(codes).for_each(|(holds, &own)| *holds &= u8::from(own == code));
            }
            let values = &microdata.sensitive_codes()[rows.clone()];
            let has_both = |(&holds, &value): (&u8, &u32)| u32::from(holds & u8::from(value == rule.consequent));
            *antecedent += u64::from(holds.iter().map(|&holds| u32::from(holds)).sum::<u32>());
            *both += u64::from(holds.iter().zip(values).map(has_both).sum::<u32>());
        }
    }
    counts
}

/// Whether a rule is about attributes and values of the table, in their order.
fn is_pattern(microdata: &Microdata, rule: &PublishedRule) -> bool {
    let columns = &microdata.table.columns;
    let ascending = rule.antecedent.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let known = rule.antecedent.iter().all(|&(position, code)| {
        let column = microdata.quasi_identifiers.get(position as usize);
        column.is_some_and(|&column| (code as usize) < columns[column].cardinality())
    });
    ascending && known && (rule.consequent as usize) < columns[microdata.sensitive].cardinality()
}

/// The confidence of a rule that is as stated, or what is wrong with it. `counts` are its own of [`rows_of_rules`].
fn rule_fault(
    microdata: &Microdata,
    rule: &PublishedRule,
    counts: Option<(u64, u64)>,
    stated: &RulesStated,
) -> Result<f64, Box<Witness>> {
    let Some((antecedent, both)) = counts else {
        let pattern = format!("{:?} ⇒ {}", rule.antecedent, rule.consequent);
        return Err(Box::new(of_rule(pattern, "is no pattern of this table")));
    };
    if let Some(counts) = rule.counts
        && counts != (antecedent, both)
    {
        let (said_antecedent, said_both) = counts;
        let says = format!(
            "is said to hold for {said_both} of {}, and holds for {both} of {antecedent}",
            counted(said_antecedent, "record")
        );
        let witness = of_rule(in_words(microdata, rule), &says);
        return Err(Box::new(witness.number(said_both as f64).against(both as f64)));
    }
    if rule.counts.is_some() != stated.exact {
        let should = if stated.exact { "lacks its counts" } else { "has counts that should be withheld" };
        return Err(Box::new(of_rule(in_words(microdata, rule), should)));
    }
    if !qualifies(&stated.thresholds, antecedent, both, microdata.rows() as u64) {
        let says = format!("holds for {both} of {}, below the thresholds", counted(antecedent, "record"));
        let share = if antecedent > 0 { both as f64 / antecedent as f64 } else { 0.0 };
        return Err(Box::new(
            of_rule(in_words(microdata, rule), &says).number(share).against(stated.thresholds.confidence),
        ));
    }
    if rule.antecedent.is_empty() && !stated.thresholds.empty_antecedent {
        return Err(Box::new(of_rule(in_words(microdata, rule), "has an empty antecedent")));
    }
    Ok(both as f64 / antecedent as f64)
}

/// Whether a pattern is a rule, by its shares; rounding a quotient never takes it across the decimal it is compared with.
fn qualifies(thresholds: &Thresholds, antecedent: u64, both: u64, rows: u64) -> bool {
    if antecedent == 0 || both == 0 {
        return false;
    }
    let supported = both as f64 / rows as f64 >= thresholds.support
        // Rounded down: fewer records than s asks for, but not a whole record fewer.
        || (thresholds.round_down && (both + 1) as f64 / rows as f64 > thresholds.support);
    let confidence = both as f64 / antecedent as f64;
    let confident =
        confidence > thresholds.confidence || (!thresholds.strict_confidence && confidence >= thresholds.confidence);
    supported && confident
}

/// Visits every rule of the table: (antecedent, consequent, confidence).
fn for_each_rule(microdata: &Microdata, thresholds: &Thresholds, visit: &mut impl FnMut(&[(u32, u32)], u32, f64)) {
    let rows: Vec<Row> = (0..).zip(microdata.sensitive_codes()).map(|(number, &value)| Row { number, value }).collect();
    let values = microdata.table.columns[microdata.sensitive].cardinality();
    let count = Count { microdata, thresholds, all: rows.len() as u64, values };
    if thresholds.empty_antecedent {
        count.judge(&[], &rows, visit);
    }
    count.extend(&mut Vec::new(), 0, &rows, visit);
}

/// A row of the table with its sensitive value.
#[derive(Clone, Copy)]
struct Row {
    number: u32,
    value: u32,
}

struct Count<'a> {
    microdata: &'a Microdata,
    thresholds: &'a Thresholds,
    /// Rows of the table.
    all: u64,
    /// Sensitive values.
    values: usize,
}

impl Count<'_> {
    fn extend(
        &self,
        antecedent: &mut Vec<(u32, u32)>,
        first: usize,
        rows: &[Row],
        visit: &mut impl FnMut(&[(u32, u32)], u32, f64),
    ) {
        for position in first..self.microdata.quasi_identifiers.len() {
            let (parts, sorted) = self.parts(position, rows);
            for (code, part) in parts {
                let rows = &sorted[part];
                antecedent.push((position as u32, code));
                if self.judge(antecedent, rows, visit) {
                    self.extend(antecedent, position + 1, rows, visit);
                }
                antecedent.pop();
            }
        }
    }

    /// The rows by their value of an attribute: each value that may be in a rule, ascending, with the places of its rows.
    fn parts(&self, position: usize, rows: &[Row]) -> (Vec<(u32, Range<usize>)>, Vec<Row>) {
        let codes = self.microdata.quasi_codes(position);
        let column = self.microdata.quasi_identifiers[position];
        let mut next = vec![0; self.microdata.table.columns[column].cardinality()];
        rows.iter().for_each(|row| next[codes[row.number as usize] as usize] += 1);
        let mut parts = Vec::new();
        let mut end = 0;
        for (code, next) in (0..).zip(&mut next) {
            let rows = std::mem::replace(next, NONE);
            // A rule holds for no more rows than have its antecedent.
            if self.is_supported(rows as u64, rows as u64) {
                *next = end;
                parts.push((code, end..end + rows));
                end += rows;
            }
        }
        let mut sorted = vec![Row { number: 0, value: 0 }; end];
        for &row in rows {
            let next = &mut next[codes[row.number as usize] as usize];
            if *next != NONE {
                sorted[*next] = row;
                *next += 1;
            }
        }
        (parts, sorted)
    }

    /// Visits the rules of one antecedent; returns whether a longer one can have any.
    fn judge(&self, antecedent: &[(u32, u32)], rows: &[Row], visit: &mut impl FnMut(&[(u32, u32)], u32, f64)) -> bool {
        let mut counts = vec![0u64; self.values];
        rows.iter().for_each(|row| counts[row.value as usize] += 1);
        let of_antecedent = rows.len() as u64;
        for (consequent, &both) in (0..).zip(&counts) {
            if qualifies(self.thresholds, of_antecedent, both, self.all) {
                visit(antecedent, consequent, both as f64 / of_antecedent as f64);
            }
        }
        counts.iter().any(|&both| self.is_supported(of_antecedent, both))
    }

    /// Whether a pattern is a rule with confidence out of the way: what is left is support, and that only falls.
    fn is_supported(&self, antecedent: u64, both: u64) -> bool {
        qualifies(&Thresholds { confidence: 0.0, ..*self.thresholds }, antecedent, both, self.all)
    }
}

/// No place.
const NONE: usize = usize::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};
    use proptest::prelude::*;

    /// Rows of two attributes and a sensitive value: more of them than are looked at together.
    fn dataset(rows: &[[u8; 3]]) -> Dataset {
        let text: Vec<[String; 3]> = rows.iter().map(|row| row.map(|value| value.to_string())).collect();
        let cells: Vec<[&str; 3]> = text.iter().map(|row| row.each_ref().map(String::as_str)).collect();
        let cells: Vec<&[&str]> = cells.iter().map(|row| row.as_slice()).collect();
        Dataset::of_table(Table::from_rows(&["a", "b", "s"], &cells), &["a", "b"], "s").unwrap()
    }

    /// How many rows have the antecedent and the consequent, row by row.
    fn scanned(microdata: &Microdata, antecedent: &[(u32, u32)], consequent: u32) -> (u64, u64) {
        let holds = |row: &usize| antecedent.iter().all(|&(i, code)| microdata.quasi_codes(i as usize)[*row] == code);
        let rows: Vec<usize> = (0..microdata.rows()).filter(holds).collect();
        let both = rows.iter().filter(|&&row| microdata.sensitive_codes()[row] == consequent).count();
        (rows.len() as u64, both as u64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn rules_and_their_counts_are_those_of_scanning_the_table(
            few in prop::collection::vec([0u8..4, 0u8..3, 0u8..3], 1..60),
            copies in prop::sample::select(vec![1usize, 3, 150]),
            support in 0.0f64..0.4, confidence in 0.0f64..0.9,
            round_down: bool, strict_confidence: bool, empty_antecedent: bool,
        ) {
            let rows: Vec<[u8; 3]> = few.iter().cycle().take(few.len() * copies).copied().collect();
            let dataset = dataset(&rows);
            let microdata = dataset.microdata().unwrap();
            let thresholds = Thresholds { support, confidence, round_down, strict_confidence, empty_antecedent };
            let values = |column: usize| 0..microdata.table.columns[column].cardinality() as u32;
            let mut antecedents: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
            antecedents.extend(values(0).map(|a| vec![(0, a)]));
            antecedents.extend(values(1).map(|b| vec![(1, b)]));
            antecedents.extend(values(0).flat_map(|a| values(1).map(move |b| vec![(0, a), (1, b)])));
            let mut patterns: Vec<PublishedRule> = antecedents
                .iter()
                .flat_map(|antecedent| values(2).map(|consequent| (antecedent.clone(), consequent)))
                .map(|(antecedent, consequent)| PublishedRule { antecedent, consequent, counts: None })
                .collect();
            let counts: Vec<(u64, u64)> =
                patterns.iter().map(|rule| scanned(microdata, &rule.antecedent, rule.consequent)).collect();
            let is_rule = |rule: &PublishedRule, (of, both)| {
                (empty_antecedent || !rule.antecedent.is_empty()) && qualifies(&thresholds, of, both, rows.len() as u64)
            };
            let mut expected: Vec<_> = patterns
                .iter()
                .zip(&counts)
                .filter(|(rule, counts)| is_rule(rule, **counts))
                .map(|(rule, &(of, both))| (rule.antecedent.clone(), rule.consequent, both as f64 / of as f64))
                .collect();
            expected.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            let mut found = Vec::new();
            for_each_rule(microdata, &thresholds, &mut |antecedent, consequent, confidence| {
                found.push((antecedent.to_vec(), consequent, confidence));
            });
            prop_assert_eq!(found, expected);
            patterns.push(PublishedRule { antecedent: vec![(2, 0)], consequent: 0, counts: None });
            let mut told: Vec<_> = counts.into_iter().map(Some).collect();
            told.push(None);
            prop_assert_eq!(rows_of_rules(microdata, &patterns), told, "and none of what is no pattern");
        }
    }
}
