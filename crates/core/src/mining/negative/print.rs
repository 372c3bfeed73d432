use super::{NegativeRule, NegativeRules};
use crate::data::write_csv;

impl NegativeRules<'_> {
    /// "sex = M ⇒ ¬ disease = ovarian cancer".
    pub fn describe(&self, rule: &NegativeRule) -> String {
        let sensitive = &self.microdata.table.columns[self.microdata.sensitive];
        let value = &sensitive.values[rule.value as usize];
        format!("{} ⇒ ¬ {} = {value}", self.describe_antecedent(rule), sensitive.name)
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
