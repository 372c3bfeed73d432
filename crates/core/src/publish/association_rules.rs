//! Association rules over quasi-identifier patterns: Z. Zhu, G. Wang, W. Du, "Deriving Private Information from
//! Association Rule Mining Results", ICDE 2009, Section V-A.
//!
//! A pattern Q ⇒ X fixes some quasi-identifiers and one sensitive value. It is a rule when at least a share s of all
//! records have Q and X, and at least a share c of the records with Q have X.
//!
//! Readings. s and c are the decimals they are written as: 8 of 10 reach c = 0.8 (the paper's Example 1 wants more than
//! c, `strict_confidence`). The paper counts 1,337 rules on Adult at s = 0.02, c = 0.6: 1,332 reach 0.02 · 30,162
//! records, four more reach that number rounded down (`round_down`), and ∅ ⇒ X is the last (`empty_antecedent`). The
//! first T rules are those of the highest confidence; of equal confidence, those of the higher support, the shorter
//! antecedent, the smaller codes. Rules are written in the order of their antecedents, not of their confidence, which
//! would tell what is withheld.
//!
//! Cost. One walk over the patterns that s · N records have, each at the number of its distinct quasi-identifier values.

use super::{About, Publisher};
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Workbench, with_defaults};
use crate::mining::{Profiles, SensitiveRule, Wanted, sensitive_rules};
use crate::release::{Guarantee, PublishedRule, Release, ReleaseKind, RuleSet, RulesStated, Thresholds};
use std::cmp::Ordering;

pub struct AssociationRules;

with_defaults! {
    pub struct AssociationRulesParameters {
        /// s: the least share of all records that have antecedent and consequent.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub support: f64 = 0.1,
        /// c: the least share of the records with the antecedent that have the consequent.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub confidence: f64 = 0.6,
        /// Publish how many records have antecedent and consequent; else the rules alone.
        pub exact: bool = false,
        /// Publish how many records have each sensitive value.
        pub sensitive_distribution: bool = false,
        /// Publish only so many rules, those of the highest confidence.
        #[schemars(range(min = 1))]
        pub first: Option<usize> = None,
        /// A rule must have more than the confidence c, not only reach it.
        pub strict_confidence: bool = false,
        /// Round s times the number of records down to a whole number of records.
        pub round_down: bool = false,
        /// Count ∅ ⇒ X as a pattern like others.
        pub empty_antecedent: bool = false,
    }
}

impl AssociationRulesParameters {
    fn thresholds(&self) -> Thresholds {
        Thresholds {
            support: self.support,
            confidence: self.confidence,
            strict_confidence: self.strict_confidence,
            round_down: self.round_down,
            empty_antecedent: self.empty_antecedent,
        }
    }
}

const RULES: Metric = Metric::fact("rules", "rules", "association rules published");

impl Publisher for AssociationRules {
    type Parameters = AssociationRulesParameters;
    const NAME: &'static str = "association-rules";
    const ABOUT: About = About {
        summary: "The association rules from quasi-identifiers to the sensitive value, and nothing else",
        paper: "Z. Zhu, G. Wang, W. Du: Deriving Private Information from Association Rule Mining Results, ICDE 2009",
        input: InputKind::Table,
        release: ReleaseKind::Rules,
        counters: &[RULES],
        phases: &["mining"],
        randomized: false,
    };

    fn guarantee(parameters: &AssociationRulesParameters) -> Guarantee {
        Guarantee::RulesAsStated(RulesStated {
            thresholds: parameters.thresholds(),
            exact: parameters.exact,
            sensitive_distribution: parameters.sensitive_distribution,
            first: parameters.first,
        })
    }

    fn publish(
        dataset: &Dataset,
        parameters: &AssociationRulesParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows"));
        }
        let thresholds = parameters.thresholds();
        let mut rules = bench.phase("mining", |_| mine(microdata, &thresholds));
        if let Some(first) = parameters.first {
            rules.sort_unstable_by(by_confidence);
            rules.truncate(first);
        }
        rules.sort_unstable_by(by_antecedent);
        bench.count(RULES.name, rules.len() as f64);
        // Fewer rules than asked for: then these are all.
        let complete = parameters.first.is_none_or(|first| rules.len() < first);
        let distribution =
            || microdata.table.columns[microdata.sensitive].histogram().iter().map(|&n| n as u64).collect();
        Ok(Release::Rules(RuleSet {
            rules: rules.into_iter().map(|rule| published(rule, parameters.exact)).collect(),
            records: microdata.rows() as u64,
            thresholds,
            complete,
            sensitive_counts: parameters.sensitive_distribution.then(distribution),
        }))
    }
}

fn published(rule: SensitiveRule, exact: bool) -> PublishedRule {
    let counts = exact.then_some((rule.covered, rule.count));
    PublishedRule { antecedent: rule.antecedent, consequent: rule.consequent, counts }
}

fn by_antecedent(a: &SensitiveRule, b: &SensitiveRule) -> Ordering {
    let key = |rule: &SensitiveRule| rule.antecedent.len();
    key(a).cmp(&key(b)).then_with(|| (&a.antecedent, a.consequent).cmp(&(&b.antecedent, b.consequent)))
}

fn by_confidence(a: &SensitiveRule, b: &SensitiveRule) -> Ordering {
    // a.count / a.covered against b.count / b.covered, without rounding.
    let (left, right) = (u128::from(a.count) * u128::from(b.covered), u128::from(b.count) * u128::from(a.covered));
    right.cmp(&left).then_with(|| b.count.cmp(&a.count)).then_with(|| by_antecedent(a, b))
}

fn mine(microdata: &Microdata, thresholds: &Thresholds) -> Vec<SensitiveRule> {
    let records = microdata.rows() as u64;
    let wanted = Wanted {
        support: thresholds.support_in_records(records),
        least_count: |covered| thresholds.least_count(covered, records),
        empty_antecedent: thresholds.empty_antecedent,
    };
    sensitive_rules(microdata, &Profiles::new(microdata), &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::Seed;
    use crate::release::{PrivacyVerdict, rule_in_words, verify};
    use proptest::prelude::*;

    fn publish(dataset: &Dataset, parameters: &AssociationRulesParameters) -> RuleSet {
        let mut bench = Workbench::new(Seed(1), "test");
        let Release::Rules(rules) = AssociationRules::publish(dataset, parameters, &mut bench).unwrap() else {
            unreachable!("the publisher of rules publishes rules")
        };
        rules
    }

    /// Figure 1 of the paper.
    fn example() -> Dataset {
        let rows: [&[&str]; 12] = [
            &["Doctorate", "Male", "50K-"],
            &["Masters", "Female", "50K-"],
            &["Doctorate", "Female", "50K+"],
            &["Bachelors", "Male", "50K-"],
            &["Masters", "Female", "50K+"],
            &["Doctorate", "Male", "50K+"],
            &["Masters", "Female", "50K+"],
            &["Doctorate", "Female", "50K+"],
            &["Masters", "Female", "50K+"],
            &["Doctorate", "Female", "50K+"],
            &["Masters", "Female", "50K+"],
            &["Doctorate", "Female", "50K+"],
        ];
        let table = Table::from_rows(&["education", "gender", "salary"], &rows);
        Dataset::of_table(table, &["education", "gender"], "salary").unwrap()
    }

    fn strict() -> AssociationRulesParameters {
        let defaults = AssociationRulesParameters::default();
        AssociationRulesParameters { support: 0.3, confidence: 0.8, exact: true, strict_confidence: true, ..defaults }
    }

    #[test]
    fn figure_1_has_three_rules_of_more_than_the_confidence_and_two_that_reach_it() {
        let dataset = example();
        let microdata = dataset.microdata().unwrap();
        let words = |parameters: &AssociationRulesParameters| -> Vec<String> {
            let rules = publish(&dataset, parameters).rules;
            rules
                .iter()
                .map(|rule| {
                    let (covered, count) = rule.counts.unwrap();
                    let words = rule_in_words(microdata, &rule.antecedent, rule.consequent);
                    format!("{words}: {count}/{covered}")
                })
                .collect()
        };
        let three = [
            "education = Doctorate ⇒ salary = 50K+: 5/6",
            "gender = Female ⇒ salary = 50K+: 8/9",
            "education = Doctorate ∧ gender = Female ⇒ salary = 50K+: 4/4",
        ];
        assert_eq!(words(&strict()), three);
        assert_eq!(words(&AssociationRulesParameters { strict_confidence: false, ..strict() }).len(), 5);
        let first = words(&AssociationRulesParameters { first: Some(2), ..strict() });
        assert_eq!(first, [three[1], three[2]], "the two of the highest confidence, in the order of antecedents");
    }

    #[test]
    fn the_verifier_finds_what_is_untrue_missing_or_should_be_withheld() {
        let dataset = example();
        let guarantee = AssociationRules::guarantee(&strict());
        let faults = |change: &dyn Fn(&mut RuleSet)| {
            let mut rules = publish(&dataset, &strict());
            change(&mut rules);
            verify(&dataset, &Release::Rules(rules), &guarantee).unwrap().reason()
        };
        assert_eq!(faults(&|_| ()), "");
        assert_eq!(
            faults(&|release| release.rules[0].counts = Some((6, 4))),
            "education = Doctorate ⇒ salary = 50K+ is said to hold for 4 of 6 records, and holds for 5 of 6"
        );
        assert_eq!(faults(&|release| drop(release.rules.remove(1))), "gender = Female ⇒ salary = 50K+ is missing");
        assert_eq!(
            faults(&|release| release.rules[0].counts = None),
            "education = Doctorate ⇒ salary = 50K+ lacks its counts"
        );
        assert_eq!(
            faults(&|release| release.rules[0].consequent = 1 - release.rules[0].consequent),
            "education = Doctorate ⇒ salary = 50K- is said to hold for 5 of 6 records, and holds for 1 of 6"
        );
        assert_eq!(
            faults(&|release| release.sensitive_counts = Some(vec![9, 3])),
            "the sensitive distribution is published, and should be withheld"
        );
        assert_eq!(faults(&|release| release.complete = false), "the rules are called cut off where they are complete");
        assert_eq!(
            faults(&|release| release.rules[0].antecedent = vec![(7, 0)]),
            "[(7, 0)] ⇒ 0 is no pattern of this table"
        );
    }

    proptest! {
        /// What is published passes the verifier, which counts by itself.
        #[test]
        fn published_rules_are_as_stated(
            rows in prop::collection::vec((0u8..3, 0u8..2, 0u8..4, 0u8..3), 1..60),
            support in prop::sample::select(vec![0.0, 0.02, 0.1, 0.25, 0.3]),
            confidence in prop::sample::select(vec![0.0, 0.3, 0.5, 0.8, 1.0]),
            first in prop::option::of(1usize..20),
            flags in any::<[bool; 5]>(),
        ) {
            let cells: Vec<[String; 4]> = rows
                .iter()
                .map(|&(a, b, c, s)| [format!("a{a}"), format!("b{b}"), format!("c{c}"), format!("s{s}")])
                .collect();
            let cells: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
            let table = Table::from_rows(&["a", "b", "c", "s"], &cells);
            let dataset = Dataset::of_table(table, &["a", "b", "c"], "s").unwrap();
            let [exact, sensitive_distribution, strict_confidence, round_down, empty_antecedent] = flags;
            let parameters = AssociationRulesParameters {
                support, confidence, exact, sensitive_distribution, first, strict_confidence, round_down, empty_antecedent,
            };
            let release = Release::Rules(publish(&dataset, &parameters));
            let verdict = verify(&dataset, &release, &AssociationRules::guarantee(&parameters)).unwrap();
            prop_assert_eq!(verdict, PrivacyVerdict::Private);
        }
    }
}
