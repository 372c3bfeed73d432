use super::{Itemized, mine};
use crate::data::Item;
use rustc_hash::FxHashMap;

/// X ⇒ Y: rows that hold `antecedent` tend to hold `consequent`.
#[derive(Debug, Clone, PartialEq)]
pub struct AssociationRule {
    /// X, ascending.
    pub antecedent: Vec<Item>,
    /// Y, ascending; disjoint from X.
    pub consequent: Vec<Item>,
    /// Rows that hold both.
    pub support: u32,
    /// Rows that hold X.
    pub antecedent_support: u32,
    /// Rows that hold Y.
    pub consequent_support: u32,
    /// All rows.
    pub rows: u32,
}

impl AssociationRule {
    /// P(Y | X).
    pub fn confidence(&self) -> f64 {
        f64::from(self.support) / f64::from(self.antecedent_support)
    }

    /// P(X)·P(¬Y) / P(X ∧ ¬Y): how much oftener the rule would fail if X and Y were independent. Infinite when it
    /// never fails.
    pub fn conviction(&self) -> f64 {
        let failing = self.antecedent_support - self.support;
        if failing == 0 {
            return f64::INFINITY;
        }
        let expected = f64::from(self.antecedent_support) * f64::from(self.rows - self.consequent_support);
        expected / (f64::from(failing) * f64::from(self.rows))
    }
}

/// What a rule must reach to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleThresholds {
    /// Rows that hold antecedent and consequent.
    pub min_support: u32,
    pub min_confidence: f64,
    pub min_conviction: f64,
    /// Items of the antecedent, at least 1.
    pub max_antecedent: Option<usize>,
    /// Items of the consequent, at least 1.
    pub max_consequent: usize,
}

/// The rules between disjoint, non-empty parts of the frequent itemsets that reach the thresholds, ordered by
/// antecedent, then consequent.
pub fn association_rules(data: &impl Itemized, thresholds: &RuleThresholds) -> Vec<AssociationRule> {
    let rows = data.transactions().len() as u32;
    let max_antecedent = thresholds.max_antecedent.unwrap_or(usize::MAX);
    let max_len = max_antecedent.saturating_add(thresholds.max_consequent);
    let mut supports: FxHashMap<Vec<Item>, u32> = FxHashMap::default();
    mine(data, thresholds.min_support, Some(max_len), &mut |itemset, support| {
        supports.insert(itemset.to_vec(), support);
    });
    let mut rules = Vec::new();
    for (itemset, &support) in &supports {
        for consequent in parts(itemset, thresholds.max_consequent) {
            let antecedent: Vec<Item> = itemset.iter().copied().filter(|i| !consequent.contains(i)).collect();
            if antecedent.is_empty() || antecedent.len() > max_antecedent {
                continue;
            }
            let rule = AssociationRule {
                support,
                antecedent_support: supports[&antecedent],
                consequent_support: supports[&consequent],
                rows,
                antecedent,
                consequent,
            };
            if rule.confidence() >= thresholds.min_confidence && rule.conviction() >= thresholds.min_conviction {
                rules.push(rule);
            }
        }
    }
    rules.sort_unstable_by(|a, b| (&a.antecedent, &a.consequent).cmp(&(&b.antecedent, &b.consequent)));
    rules
}

/// The non-empty parts of `itemset` of at most `max_len` items.
fn parts(itemset: &[Item], max_len: usize) -> Vec<Vec<Item>> {
    let mut found: Vec<Vec<Item>> = vec![Vec::new()];
    for &item in itemset {
        for i in 0..found.len() {
            if found[i].len() < max_len {
                let mut longer = found[i].clone();
                longer.push(item);
                found.push(longer);
            }
        }
    }
    found.swap_remove(0);
    found
}
