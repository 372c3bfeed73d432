use super::{NegativeRule, NegativeRules};
use crate::data::write_csv;

impl NegativeRules<'_> {
    /// "sex = M ⇒ ¬ disease = ovarian cancer".
    pub fn describe(&self, rule: &NegativeRule) -> String {
        let sensitive = &self.microdata.table.columns[self.microdata.sensitive];
        let value = &sensitive.values[rule.value as usize];
        format!("{} ⇒ ¬ {} = {value}", self.describe_antecedent(rule), sensitive.name)
    }

    /// Why `row`, whose group has `values`, can only have those that are `left`: a rule for each value that one strikes out;
    /// the others are somebody else's.
    pub fn why_left(&self, row: usize, values: &[u32], left: &[u32]) -> Vec<String> {
        let gone: Vec<u32> = values.iter().copied().filter(|value| !left.contains(value)).collect();
        let struck: Vec<(u32, &NegativeRule)> = self.striking_out(row, &gone).collect();
        let mut why: Vec<String> = struck.iter().map(|(_, rule)| self.describe(rule)).collect();
        let others = gone.iter().filter(|&&value| struck.iter().all(|&(by_rule, _)| by_rule != value));
        why.extend(others.map(|&value| format!("{} is another's: values belong to rows one to one", self.name(value))));
        why
    }

    /// Sensitive values by name.
    pub fn names(&self, values: &[u32]) -> Vec<String> {
        values.iter().map(|&value| self.name(value).to_string()).collect()
    }

    fn name(&self, value: u32) -> &str {
        &self.microdata.table.columns[self.microdata.sensitive].values[value as usize]
    }

    fn describe_antecedent(&self, rule: &NegativeRule) -> String {
        let conditions: Vec<String> = rule
            .antecedent
            .iter()
            .map(|condition| {
                let attribute = &self.attributes[condition.attribute as usize];
                format!("{} = {}", attribute.name(), attribute.label(condition.value))
            })
            .collect();
        conditions.join(" ∧ ")
    }

    /// One line a rule: antecedent, forbidden value, rows of the antecedent, exceptions, expectation, confidence, redundant.
    pub fn to_csv(&self) -> Vec<u8> {
        let sensitive = &self.microdata.table.columns[self.microdata.sensitive];
        let header = ["antecedent", "forbidden_value", "count", "exceptions", "expectation", "confidence", "redundant"];
        let rows = self.rules.iter().map(|rule| {
            [
                self.describe_antecedent(rule),
                sensitive.values[rule.value as usize].clone(),
                rule.count.to_string(),
                rule.exceptions.to_string(),
                rule.expectation.to_string(),
                rule.confidence().to_string(),
                rule.redundant.to_string(),
            ]
        });
        write_csv(std::iter::once(header.map(String::from)).chain(rows))
    }
}

/// One rule a line; redundant ones say so.
impl std::fmt::Display for NegativeRules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rule in &self.rules {
            let mark = if rule.redundant { " (redundant)" } else { "" };
            writeln!(f, "{}{mark}", self.describe(rule))?;
        }
        Ok(())
    }
}
