//! Holds published rules to what they state: each is true of the original and reaches the thresholds, and none that
//! should be there is missing. Counts rows by itself; shares nothing with the miner.

use super::{PublishedRule, RuleSet, RulesStated, Thresholds, rule_in_words};
use crate::data::Microdata;
use crate::lab::{Witness, counted};
use crate::release::kind::NAMED_FAULTS;
use rustc_hash::FxHashMap;

/// Antecedent and consequent.
type Conclusion<'a> = (&'a [(u32, u32)], u32);

pub(super) fn rules_faults(microdata: &Microdata, release: &RuleSet, stated: &RulesStated) -> Vec<Witness> {
    let mut faults = header_faults(microdata, release, stated);
    if !faults.is_empty() {
        return faults;
    }
    // The confidence of every published pattern, by which a pattern that is missing is known.
    let mut published: FxHashMap<Conclusion<'_>, f64> = FxHashMap::default();
    for rule in &release.rules {
        match rule_fault(microdata, rule, stated) {
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

/// The confidence of a rule that is as stated, or what is wrong with it.
fn rule_fault(microdata: &Microdata, rule: &PublishedRule, stated: &RulesStated) -> Result<f64, Box<Witness>> {
    let columns = &microdata.table.columns;
    let ascending = rule.antecedent.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let known = rule.antecedent.iter().all(|&(position, code)| {
        let column = microdata.quasi_identifiers.get(position as usize);
        column.is_some_and(|&column| (code as usize) < columns[column].cardinality())
    });
    if !ascending || !known || rule.consequent as usize >= columns[microdata.sensitive].cardinality() {
        let pattern = format!("{:?} ⇒ {}", rule.antecedent, rule.consequent);
        return Err(Box::new(of_rule(pattern, "is no pattern of this table")));
    }
    let conditions: Vec<(&[u32], u32)> =
        rule.antecedent.iter().map(|&(position, code)| (microdata.quasi_codes(position as usize), code)).collect();
    let (mut antecedent, mut both) = (0u64, 0u64);
    for (row, &value) in microdata.sensitive_codes().iter().enumerate() {
        if conditions.iter().all(|&(codes, code)| codes[row] == code) {
            antecedent += 1;
            both += u64::from(value == rule.consequent);
        }
    }
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
    let rows: Vec<u32> = (0..microdata.rows() as u32).collect();
    let count = Count { microdata, thresholds, values: microdata.table.columns[microdata.sensitive].cardinality() };
    if thresholds.empty_antecedent {
        count.judge(&[], &rows, visit);
    }
    count.extend(&mut Vec::new(), 0, &rows, visit);
}

struct Count<'a> {
    microdata: &'a Microdata,
    thresholds: &'a Thresholds,
    values: usize,
}

impl Count<'_> {
    fn extend(
        &self,
        antecedent: &mut Vec<(u32, u32)>,
        first: usize,
        rows: &[u32],
        visit: &mut impl FnMut(&[(u32, u32)], u32, f64),
    ) {
        for position in first..self.microdata.quasi_identifiers.len() {
            let codes = self.microdata.quasi_codes(position);
            let mut rows_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for &row in rows {
                rows_of.entry(codes[row as usize]).or_default().push(row);
            }
            let mut parts: Vec<(u32, Vec<u32>)> = rows_of.into_iter().collect();
            parts.sort_unstable_by_key(|&(code, _)| code);
            for (code, rows) in parts {
                antecedent.push((position as u32, code));
                if self.judge(antecedent, &rows, visit) {
                    self.extend(antecedent, position + 1, &rows, visit);
                }
                antecedent.pop();
            }
        }
    }

    /// Visits the rules of one antecedent; returns whether a longer one can have any.
    fn judge(&self, antecedent: &[(u32, u32)], rows: &[u32], visit: &mut impl FnMut(&[(u32, u32)], u32, f64)) -> bool {
        let mut counts = vec![0u64; self.values];
        for &row in rows {
            counts[self.microdata.sensitive_codes()[row as usize] as usize] += 1;
        }
        let (all, of_antecedent) = (self.microdata.rows() as u64, rows.len() as u64);
        for (consequent, &both) in (0..).zip(&counts) {
            if qualifies(self.thresholds, of_antecedent, both, all) {
                visit(antecedent, consequent, both as f64 / of_antecedent as f64);
            }
        }
        // With confidence out of the way, what is left is support, and that only falls.
        let support_alone = Thresholds { confidence: 0.0, ..*self.thresholds };
        counts.iter().any(|&both| qualifies(&support_alone, of_antecedent, both, all))
    }
}
