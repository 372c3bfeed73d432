//! What `rules.csv` says by the order of its lines, where the counts of rules are withheld.

use super::files::{COUNTS, RULES, read_rules};
use super::{PublishedRule, rule_in_words};
use crate::data::Microdata;
use crate::release::form::{FormFault, LineOrder, by_number, unordered};
use std::cmp::Ordering;

/// A rule with its line as it is written.
struct RuleLine {
    rule: PublishedRule,
    fields: Vec<String>,
}

/// Rules without counts must stand in an order that has nothing to do with how often they hold.
pub(super) fn faults(microdata: &Microdata, rules: &[u8]) -> Vec<FormFault> {
    let Ok(read) = read_rules(microdata, rules) else { return Vec::new() };
    let lines: Vec<RuleLine> = read.into_iter().map(|(rule, fields)| RuleLine { rule, fields }).collect();
    if lines.iter().all(|line| line.rule.counts.is_some()) {
        return Vec::new();
    }
    let texts = |line: &RuleLine| line.fields[..line.fields.len() - COUNTS.len()].to_vec();
    let by_texts = |a: &RuleLine, b: &RuleLine, compare: fn(&str, &str) -> Ordering| {
        let pairs = texts(a).into_iter().zip(texts(b));
        pairs.map(|(a, b)| compare(&a, &b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    // (column, text) of each condition, then the text of the consequent.
    let pairs = |line: &RuleLine| {
        let texts = texts(line);
        let conditions: Vec<(u32, String)> =
            line.rule.antecedent.iter().map(|&(position, _)| (position, texts[position as usize].clone())).collect();
        (conditions, texts.last().cloned())
    };
    let size = |line: &RuleLine| line.rule.antecedent.len();
    let whole = |line: &RuleLine| (line.rule.antecedent.clone(), line.rule.consequent);
    let orders: [LineOrder<'_, RuleLine>; 8] = [
        &|a, b| size(a).cmp(&size(b)).then_with(|| whole(a).cmp(&whole(b))),
        &|a, b| whole(a).cmp(&whole(b)),
        &|a, b| {
            a.rule
                .consequent
                .cmp(&b.rule.consequent)
                .then_with(|| size(a).cmp(&size(b)))
                .then_with(|| whole(a).cmp(&whole(b)))
        },
        &|a, b| size(a).cmp(&size(b)).then_with(|| pairs(a).cmp(&pairs(b))),
        &|a, b| size(a).cmp(&size(b)).then_with(|| by_texts(a, b, str::cmp)),
        &|a, b| by_texts(a, b, str::cmp),
        &|a, b| by_texts(a, b, by_number),
        &|a, b| texts(a).join(",").cmp(&texts(b).join(",")),
    ];
    let lines = [lines];
    if unordered(&lines, &orders).is_none() {
        return Vec::new();
    }
    let [lines] = lines;
    let leaks = gives_away(microdata, &lines);
    let first = lines.first().map(|line| rule_in_words(microdata, &line.rule.antecedent, line.rule.consequent));
    let what = match leaks {
        Some(what) => {
            format!("in the order of their {what}, which is withheld, beginning with {}", first.unwrap_or_default())
        }
        None => "in no order that everybody knows, and the order may say how often they hold".to_string(),
    };
    vec![FormFault::new(
        leaks.is_some(),
        format!(
            "{RULES}: rules without counts are {what}; sort them by the number of their conditions, then by their values"
        ),
    )]
}

/// What the lines are in the order of, if it is something that the counts would say.
fn gives_away(microdata: &Microdata, lines: &[RuleLine]) -> Option<&'static str> {
    let counts: Vec<(u64, u64)> = lines.iter().map(|line| counts(microdata, &line.rule)).collect();
    // Products of counts, so that no quotient is rounded.
    let confidence =
        |a: &(u64, u64), b: &(u64, u64)| (u128::from(a.1) * u128::from(b.0)).cmp(&(u128::from(b.1) * u128::from(a.0)));
    let support = |a: &(u64, u64), b: &(u64, u64)| a.1.cmp(&b.1);
    let follows = |compare: LineOrder<'_, (u64, u64)>| {
        let steps: Vec<Ordering> = counts.windows(2).map(|pair| compare(&pair[0], &pair[1])).collect();
        steps.iter().any(|step| step.is_ne())
            && [Ordering::Less, Ordering::Greater].iter().any(|against| !steps.contains(against))
    };
    if follows(&confidence) {
        Some("confidence")
    } else if follows(&support) {
        Some("support")
    } else {
        None
    }
}

/// How many records have the antecedent, and how many the whole rule.
fn counts(microdata: &Microdata, rule: &PublishedRule) -> (u64, u64) {
    let conditions: Vec<(&[u32], u32)> =
        rule.antecedent.iter().map(|&(position, code)| (microdata.quasi_codes(position as usize), code)).collect();
    let rows = microdata.sensitive_codes().iter().enumerate();
    let of_antecedent = rows.filter(|(row, _)| conditions.iter().all(|&(codes, code)| codes[*row] == code));
    of_antecedent.fold((0, 0), |(all, both), (_, &value)| (all + 1, both + u64::from(value == rule.consequent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    #[test]
    fn rules_without_counts_do_not_stand_in_the_order_of_their_confidence() {
        let rows: [&[&str]; 8] =
            [&["a", "x"], &["a", "x"], &["a", "y"], &["b", "x"], &["b", "x"], &["b", "x"], &["c", "x"], &["c", "y"]];
        let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
        let microdata = dataset.microdata().unwrap();
        let found = |lines: [&str; 3]| {
            let text = format!("q,s,antecedent_records,rule_records\n{}\n", lines.join("\n"));
            faults(microdata, text.as_bytes())
        };
        assert_eq!(found(["a,x,,", "b,x,,", "c,x,,"]), []);
        // Confidences 1, 2/3 and 1/2.
        let told = found(["b,x,,", "a,x,,", "c,x,,"]);
        let [fault] = told.as_slice() else { panic!("{told:?}") };
        assert!(fault.leaks);
        assert_eq!(
            fault.says,
            "rules.csv: rules without counts are in the order of their confidence, which is withheld, beginning with q = b ⇒ s = x; \
             sort them by the number of their conditions, then by their values"
        );
        let odd = found(["a,x,,", "c,x,,", "b,x,,"]);
        let [fault] = odd.as_slice() else { panic!("{odd:?}") };
        assert!(!fault.leaks, "{}", fault.says);
        // Where the counts are published, the order says nothing more.
        assert_eq!(found(["b,x,3,3", "a,x,3,2", "c,x,2,1"]), []);
    }
}
