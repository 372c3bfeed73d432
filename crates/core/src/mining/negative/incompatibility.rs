use super::{NegativeRule, NegativeRules};
use crate::data::Microdata;
use crate::mining::{Condition, ValueSet};
use rustc_hash::FxHashMap;

/// IVS of the paper: the sensitive values each row cannot take, because it satisfies the antecedent of a rule against
/// them. Rows share few different sets, so each set is kept once.
#[derive(Debug, Clone)]
pub struct Incompatibilities {
    /// The different sets, ascending.
    sets: Vec<ValueSet>,
    /// Row to its set.
    set_of: Vec<u32>,
}

impl Incompatibilities {
    /// Every row can take every value.
    pub fn none(microdata: &Microdata) -> Self {
        let domain = microdata.table.columns[microdata.sensitive].cardinality();
        Self { sets: vec![ValueSet::empty(domain)], set_of: vec![0; microdata.rows()] }
    }

    /// The different sets of values that rows cannot have.
    pub fn sets(&self) -> &[ValueSet] {
        &self.sets
    }

    /// The index of a row's set.
    pub fn set_of(&self, row: usize) -> u32 {
        self.set_of[row]
    }

    /// The values that `row` cannot have.
    pub fn of(&self, row: usize) -> &ValueSet {
        &self.sets[self.set_of[row] as usize]
    }
}

impl NegativeRules<'_> {
    /// The incompatibility set of each row. Never has the row's own value: to its exceptions a rule does not apply.
    ///
    /// Cost: a pass over the rows per attribute that tells apart only values some rule tells apart, then the rules once
    /// for each combination of such values that occurs.
    pub fn incompatibilities(&self) -> Incompatibilities {
        let rows = self.microdata.rows();
        // Redundant rules forbid nothing new.
        let rules: Vec<&NegativeRule> = self.rules.iter().filter(|rule| !rule.redundant).collect();
        let mut combination_of = vec![0u32; rows];
        let mut combinations = 1;
        let sensitive = self.microdata.sensitive_codes();
        // The sensitive value comes last: it decides only which exceptions are lifted.
        let has_exceptions = rules.iter().any(|rule| rule.exceptions > 0.0);
        let columns = (0..self.attributes.len()).map(|i| self.distinguished(i, &rules));
        let exceptions = has_exceptions.then(|| (sensitive, (0..).take(self.domain()).collect()));
        let columns = columns.enumerate().map(|(i, kinds)| (self.attributes[i].codes, kinds)).chain(exceptions);
        for (codes, kinds) in columns {
            combinations = refine(&mut combination_of, codes, &kinds);
        }
        let mut set_of_combination: Vec<Option<u32>> = vec![None; combinations];
        let mut by_first_condition: FxHashMap<Condition, Vec<&NegativeRule>> = FxHashMap::default();
        for rule in rules {
            by_first_condition.entry(rule.antecedent[0]).or_default().push(rule);
        }
        let mut index_of: FxHashMap<ValueSet, u32> = FxHashMap::default();
        let mut sets: Vec<ValueSet> = Vec::new();
        let mut set_of = Vec::with_capacity(rows);
        for row in 0..rows {
            let index = &mut set_of_combination[combination_of[row] as usize];
            set_of.push(*index.get_or_insert_with(|| {
                let set = self.forbidden(row, &by_first_condition);
                *index_of.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    sets.len() as u32 - 1
                })
            }));
        }
        sort_sets(sets, set_of)
    }

    fn domain(&self) -> usize {
        self.microdata.table.columns[self.microdata.sensitive].cardinality()
    }

    /// Code of an attribute to its kind: two codes are of one kind when the same conditions of `rules` hold for them.
    fn distinguished(&self, attribute: usize, rules: &[&NegativeRule]) -> Vec<u32> {
        let mut asked: Vec<u32> = rules
            .iter()
            .flat_map(|rule| &rule.antecedent)
            .filter(|condition| condition.attribute as usize == attribute)
            .map(|condition| condition.value)
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let values = &self.attributes[attribute];
        let mut kinds: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        (0..values.cardinality as u32)
            .map(|code| {
                let holding: Vec<u32> = asked.iter().copied().filter(|&value| values.has(code, value)).collect();
                let next = kinds.len() as u32;
                *kinds.entry(holding).or_insert(next)
            })
            .collect()
    }

    /// Whether a row has the antecedent of a rule.
    pub fn applies_to(&self, rule: &NegativeRule, row: usize) -> bool {
        rule.antecedent.iter().all(|condition| {
            let attribute = &self.attributes[condition.attribute as usize];
            attribute.has(attribute.codes[row], condition.value)
        })
    }

    /// For each of `values` that the rules forbid `row`: the value, and the first rule that does, which no more general one
    /// says already.
    pub fn striking_out<'s>(&'s self, row: usize, values: &'s [u32]) -> impl Iterator<Item = (u32, &'s NegativeRule)> {
        let own = self.microdata.sensitive_codes()[row];
        values.iter().filter(move |&&value| value != own).filter_map(move |&value| {
            let against = |rule: &&NegativeRule| rule.value == value && !rule.redundant && self.applies_to(rule, row);
            self.rules.iter().find(against).map(|rule| (value, rule))
        })
    }

    /// What the rules forbid `row`.
    fn forbidden(&self, row: usize, by_first_condition: &FxHashMap<Condition, Vec<&NegativeRule>>) -> ValueSet {
        let holds = |condition: &Condition| {
            let attribute = &self.attributes[condition.attribute as usize];
            attribute.has(attribute.codes[row], condition.value)
        };
        let mut set = ValueSet::empty(self.domain());
        for (first, rules) in by_first_condition {
            if holds(first) {
                for rule in rules.iter().filter(|rule| rule.antecedent[1..].iter().all(holds)) {
                    set.insert(rule.value);
                }
            }
        }
        set.remove(self.microdata.sensitive_codes()[row]);
        set
    }
}

/// Splits each combination by the kind of the row's code; returns how many there are now.
fn refine(combination_of: &mut [u32], codes: &[u32], kinds: &[u32]) -> usize {
    let mut refined: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (combination, &code) in combination_of.iter_mut().zip(codes) {
        let next = refined.len() as u32;
        *combination = *refined.entry((*combination, kinds[code as usize])).or_insert(next);
    }
    refined.len()
}

fn sort_sets(sets: Vec<ValueSet>, mut set_of: Vec<u32>) -> Incompatibilities {
    let mut order: Vec<usize> = (0..sets.len()).collect();
    order.sort_unstable_by(|&a, &b| sets[a].cmp(&sets[b]));
    let mut rank = vec![0; sets.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new as u32;
    }
    for index in &mut set_of {
        *index = rank[*index as usize];
    }
    Incompatibilities { sets: order.into_iter().map(|old| sets[old].clone()).collect(), set_of }
}
