//! The verifier of matching ℓ-diversity (T. Li, N. Li, "Injector", ICDE 2008, Definition 1): in every group, every tuple has
//! at least ℓ valid values under the negative rules of the original.
//!
//! It starts from the truth: the tuples' own values are an assignment. A tuple of kind a (by the values it cannot take)
//! could have value s instead when a chain of tuples can pass their values on: it takes s from one that has it, that one
//! takes another's, and so on, until somebody takes the value the first one gave up. A search along such chains for each
//! kind and own value, not a matching; no code is shared with the publisher's.
//!
//! Cost. Per group with k kinds and v values, O(k·v) for each of the at most k·v pairs of kind and own value.

use super::Buckets;
use super::diversity::consistency_faults;
use crate::data::Microdata;
use crate::lab::{LabError, Witness, counted};
use crate::mining::{Incompatibilities, NegativeRuleParameters, NegativeRules};
use crate::release::kind::NAMED_FAULTS;

/// The ways in which `buckets` are no release of `microdata`, or not matching ℓ-diverse.
pub(super) fn matching_faults(
    microdata: &Microdata,
    buckets: &Buckets,
    l: usize,
    rules: &NegativeRuleParameters,
) -> Result<Vec<Witness>, LabError> {
    let mut faults = consistency_faults(microdata, buckets);
    if !faults.is_empty() {
        return Ok(faults);
    }
    let mined = NegativeRules::mine(microdata, rules)?;
    let incompatible = mined.incompatibilities();
    for (group, rows) in buckets.members().iter().enumerate() {
        let members = Group::new(microdata, &incompatible, rows);
        if let Some((row, left)) = members.exposed(l) {
            let says = format!(
                "in {}, the rules leave row {} only {} of {l}",
                buckets.ids.name(group),
                row + 1,
                counted(left.len(), "possible value")
            );
            faults.push(
                Witness::of(format!("matching {l}-diversity"), says)
                    .row(row)
                    .group(buckets.ids.name(group))
                    .by(mined.why_left(row, &members.codes, &left))
                    .left(mined.names(&left))
                    .among(rows.iter().copied())
                    .number(left.len() as f64)
                    .against(l as f64),
            );
            if faults.len() >= NAMED_FAULTS {
                break;
            }
        }
    }
    Ok(faults)
}

/// A group as kinds of tuples and values, and who has what.
struct Group<'a> {
    rows: &'a [usize],
    /// The kind of each row.
    kind_of: Vec<usize>,
    /// The different values.
    codes: Vec<u32>,
    /// Their number.
    values: usize,
    /// Kind by value: whether it can be taken, and whether some tuple of the kind has it.
    can_take: Vec<Vec<bool>>,
    has: Vec<Vec<bool>>,
}

impl<'a> Group<'a> {
    fn new(microdata: &Microdata, incompatible: &Incompatibilities, rows: &'a [usize]) -> Self {
        let codes = microdata.sensitive_codes();
        let distinct = |mut all: Vec<u32>| {
            all.sort_unstable();
            all.dedup();
            all
        };
        let values = distinct(rows.iter().map(|&row| codes[row]).collect());
        let sets = distinct(rows.iter().map(|&row| incompatible.set_of(row)).collect());
        let position = |all: &[u32], one: u32| all.partition_point(|&other| other < one);
        let kind_of: Vec<usize> = rows.iter().map(|&row| position(&sets, incompatible.set_of(row))).collect();
        let cannot = |set: u32, value: u32| incompatible.sets()[set as usize].contains(value);
        let can_take = sets.iter().map(|&set| values.iter().map(|&value| !cannot(set, value)).collect()).collect();
        let mut has = vec![vec![false; values.len()]; sets.len()];
        for (&kind, &row) in kind_of.iter().zip(rows) {
            has[kind][position(&values, codes[row])] = true;
        }
        Self { rows, kind_of, values: values.len(), codes: values, can_take, has }
    }

    /// A row with fewer than ℓ valid values, and these: one that the rules alone leave so few, if there is one, since it needs no
    /// other row to be seen.
    fn exposed(&self, l: usize) -> Option<(usize, Vec<u32>)> {
        let possible: Vec<Vec<u32>> = (0..self.can_take.len()).map(|kind| self.valid_values(kind)).collect();
        let is_exposed = |kind: usize| possible[kind].len() < l;
        let by_rules = |kind: usize| self.can_take[kind].iter().filter(|&&can| can).count() < l;
        let mut kinds = self.kind_of.iter();
        let i = kinds.position(|&kind| is_exposed(kind) && by_rules(kind));
        let i = i.or_else(|| self.kind_of.iter().position(|&kind| is_exposed(kind)))?;
        Some((self.rows[i], possible[self.kind_of[i]].clone()))
    }

    /// The values that are valid for tuples of `kind`: the same for all of them, so a chain back to the value of any will do.
    fn valid_values(&self, kind: usize) -> Vec<u32> {
        let mut valid = vec![false; self.values];
        for own in (0..self.values).filter(|&own| self.has[kind][own]) {
            let leads = self.leading_to(own);
            for value in (0..self.values).filter(|&value| self.can_take[kind][value]) {
                valid[value] |= leads[value];
            }
        }
        self.codes.iter().zip(valid).filter(|(_, valid)| *valid).map(|(&code, _)| code).collect()
    }

    /// The values from which a chain leads to `last`: somebody who has the value can take `last`, or the next of the chain.
    fn leading_to(&self, last: usize) -> Vec<bool> {
        let mut leads = vec![false; self.values];
        leads[last] = true;
        let mut open = vec![last];
        while let Some(next) = open.pop() {
            for kind in (0..self.has.len()).filter(|&kind| self.can_take[kind][next]) {
                for (value, leads) in leads.iter_mut().enumerate() {
                    if self.has[kind][value] && !*leads {
                        *leads = true;
                        open.push(value);
                    }
                }
            }
        }
        leads
    }
}
