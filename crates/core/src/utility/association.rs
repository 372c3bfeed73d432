//! Positive association rules X ⇒ s between quasi-identifier values and a sensitive value, in the original and as an
//! analyst reconstructs them from a release: T. Li, N. Li, "Injector", ICDE 2008, Section VI-C.
//!
//! A rule has sufficient support and conviction, P(X)·P(¬Y) / P(X ∧ ¬Y) [Brin et al. 1997]. (The paper prints P(X ∪ Y)
//! below the line; with that, a rule that never fails would be the least interesting.)
//!
//! Readings. X has up to three values of the table, Y is one sensitive value; support (of X and Y together) at least 1 %
//! and conviction at least 1 unless asked otherwise: the paper names no thresholds. Buckets publish X exactly, so only the
//! counts of X with Y differ between original and release: a tuple of group g has value s with the share of s in g. In
//! generalized tables X is a matter of estimate, too (`tables::associations`).
//!
//! Cost. One pass for both tables: a row counts for its true value and, in further classes, for the values of its group. An antecedent
//! that has too little support with each of the values, in both tables, has no rule, and none that narrows it has one: it is not followed.

use super::tables::ReleasedCounts;
use crate::data::{Dataset, Microdata};
use crate::lab::{LabError, with_defaults};
use crate::measure::Subject;
use crate::mining::{Antecedent, AttributeValues, Condition, OneClass, RowClasses, visit_antecedents};
use crate::release::{GeneralizedTable, GroupValues, Groups, Release, rule_in_words};
use rustc_hash::FxHashSet;

with_defaults! {
    /// Which association rules count as found.
    pub struct AssociationParameters {
        /// The largest number of quasi-identifier values in a rule.
        #[schemars(range(min = 1))]
        pub rule_length: usize = 3,
        /// The least share of the rows that have antecedent and consequent.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub min_support: f64 = 0.01,
        /// The least conviction: how many times oftener the rule would fail if its sides were independent.
        #[schemars(range(min = 0.0))]
        pub min_conviction: f64 = 1.0,
    }
}

/// A candidate rule X ⇒ s with what both tables say of it.
pub(super) struct Association<'a> {
    conditions: Conditions<'a>,
    /// s.
    value: usize,
    pub(super) original: Side,
    pub(super) release: Side,
}

/// X: attributes and codes, as whoever found the rule has them.
#[derive(Clone, Copy)]
enum Conditions<'a> {
    Mined(&'a [Condition]),
    Counted(&'a [(usize, u32)]),
}

impl Association<'_> {
    /// `age = 30 ∧ sex = F ⇒ illness = flu`.
    pub(super) fn in_words(&self, microdata: &Microdata) -> String {
        let antecedent: Vec<(u32, u32)> = match self.conditions {
            Conditions::Mined(conditions) => conditions.iter().map(|one| (one.attribute, one.value)).collect(),
            Conditions::Counted(conditions) => conditions.iter().map(|&(i, code)| (i as u32, code)).collect(),
        };
        rule_in_words(microdata, &antecedent, self.value as u32)
    }

    /// Its confidence in the original. That of what only the release counts is counted here, by a pass over the rows.
    pub(super) fn true_confidence(&self, microdata: &Microdata) -> f64 {
        let Conditions::Counted(conditions) = self.conditions else { return self.original.confidence };
        let holds = |row: &usize| conditions.iter().all(|&(i, code)| microdata.quasi_codes(i)[*row] == code);
        let (mut all, mut both) = (0u32, 0u32);
        for row in (0..microdata.rows()).filter(holds) {
            all += 1;
            both += u32::from(microdata.sensitive_codes()[row] as usize == self.value);
        }
        f64::from(both) / f64::from(all.max(1))
    }
}

/// A rule in one table.
pub(super) struct Side {
    /// C_X[s] / C_X; 0 in the original where only the release counts the rule.
    pub(super) confidence: f64,
    pub(super) is_rule: bool,
}

/// Visits every X ⇒ s that is a rule in the original or in the release, and returns how many rules the original has.
pub(super) fn visit_associations(
    subject: Subject<'_>,
    parameters: &AssociationParameters,
    visit: &mut impl FnMut(Association<'_>),
) -> Result<usize, LabError> {
    let original = subject.original;
    let microdata = original.microdata()?;
    let groups = match subject.release()? {
        Release::GeneralizedTable(table) => return visit_in_cells(original, table, parameters, visit),
        release @ Release::Buckets(_) => release.groups(original)?,
        other @ (Release::GeneralizedTransactions(_) | Release::SuppressedTransactions(_) | Release::Rules(_)) => {
            let kind = other.kind();
            return Err(LabError::input(format!(
                "{kind} do not publish quasi-identifiers as they are, by which rules are counted"
            )));
        }
    };
    let thresholds = RuleBounds::new(microdata, parameters)?;
    let attributes: Vec<AttributeValues<'_>> =
        (0..microdata.quasi_identifiers.len()).map(|i| AttributeValues::leaves(microdata, i)).collect();
    let domain = thresholds.consequents.len();
    let classes = TrueAndReconstructed::new(microdata.sensitive_codes(), groups, domain);
    let mut rules = 0;
    let max_len = parameters.rule_length;
    visit_antecedents(&attributes, &classes, max_len, thresholds.count, &mut |x: Antecedent<'_>| {
        let (truth, reconstructed) = x.classes.split_at(domain);
        for (value, (&true_count, &count)) in truth.iter().zip(reconstructed).enumerate() {
            let side = |count: f64| thresholds.side(x.count, value, count);
            let conditions = Conditions::Mined(x.conditions);
            let association = Association { conditions, value, original: side(true_count), release: side(count) };
            rules += usize::from(association.original.is_rule);
            if association.original.is_rule || association.release.is_rule {
                visit(association);
            }
        }
        x.classes.iter().any(|&count| count >= thresholds.count)
    });
    some_rules(rules, parameters)
}

fn some_rules(rules: usize, parameters: &AssociationParameters) -> Result<usize, LabError> {
    if rules == 0 {
        return Err(LabError::no_answer(format!(
            "the original has no association rule with support {} and conviction {}; lower `min_support` or `min_conviction`",
            parameters.min_support, parameters.min_conviction
        )));
    }
    Ok(rules)
}

/// The same in a generalized table: the rules of the original are looked up in the release, then those of the release that
/// the original does not have are visited.
fn visit_in_cells(
    original: &Dataset,
    table: &GeneralizedTable,
    parameters: &AssociationParameters,
    visit: &mut impl FnMut(Association<'_>),
) -> Result<usize, LabError> {
    let microdata = original.microdata()?;
    table.check_shape(microdata)?;
    let thresholds = RuleBounds::new(microdata, parameters)?;
    let attributes: Vec<AttributeValues<'_>> =
        (0..microdata.quasi_identifiers.len()).map(|i| AttributeValues::leaves(microdata, i)).collect();
    let classes = OneClass { class_of: microdata.sensitive_codes(), classes: thresholds.consequents.len() };
    let released = ReleasedCounts::new(microdata, table);
    let mut known: FxHashSet<(Vec<(usize, u32)>, usize)> = FxHashSet::default();
    let max_len = parameters.rule_length;
    visit_antecedents(&attributes, &classes, max_len, thresholds.count, &mut |x: Antecedent<'_>| {
        let conditions: Vec<(usize, u32)> =
            x.conditions.iter().map(|one| (one.attribute as usize, one.value)).collect();
        let mut estimated = None;
        for (value, &count) in x.classes.iter().enumerate() {
            let truth = thresholds.side(x.count, value, count);
            if truth.is_rule {
                let (all, of_value) = estimated.get_or_insert_with(|| released.of(&conditions));
                let release = thresholds.side(*all, value, of_value[value]);
                visit(Association { conditions: Conditions::Mined(x.conditions), value, original: truth, release });
                known.insert((conditions.clone(), value));
            }
        }
        x.classes.iter().any(|&count| count >= thresholds.count)
    });
    let rules = some_rules(known.len(), parameters)?;
    released.visit(max_len, thresholds.count, &mut |conditions, all, of_value| {
        for (value, &count) in of_value.iter().enumerate() {
            let release = thresholds.side(all, value, count);
            if release.is_rule && !known.contains(&(conditions.to_vec(), value)) {
                let original = Side { confidence: 0.0, is_rule: false };
                visit(Association { conditions: Conditions::Counted(conditions), value, original, release });
            }
        }
        of_value.iter().any(|&count| count >= thresholds.count)
    });
    Ok(rules)
}

struct RuleBounds {
    rows: f64,
    count: f64,
    conviction: f64,
    /// Rows of each sensitive value, the same in both tables.
    consequents: Vec<f64>,
}

/// Sums of shares that should be whole numbers are so up to a hair; the hair decides nothing.
const HAIR: f64 = 1e-9;

impl RuleBounds {
    fn new(microdata: &Microdata, parameters: &AssociationParameters) -> Result<Self, LabError> {
        let &AssociationParameters { rule_length, min_support, min_conviction } = parameters;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows to mine rules from"));
        }
        if rule_length == 0 {
            return Err(LabError::input("`rule_length` must be at least 1, not 0"));
        }
        if !(min_support > 0.0 && min_support <= 1.0) {
            return Err(LabError::input(format!("`min_support` must be above 0 and at most 1, not {min_support}")));
        }
        if min_conviction.is_nan() || min_conviction < 0.0 {
            return Err(LabError::input(format!("`min_conviction` must be at least 0, not {min_conviction}")));
        }
        let rows = microdata.rows() as f64;
        let histogram = microdata.table.columns[microdata.sensitive].histogram();
        Ok(Self {
            rows,
            count: min_support * rows * (1.0 - HAIR),
            conviction: min_conviction,
            consequents: histogram.into_iter().map(|count| count as f64).collect(),
        })
    }

    fn side(&self, antecedent: f64, value: usize, both: f64) -> Side {
        let confidence = if antecedent > 0.0 { both / antecedent } else { 0.0 };
        Side { confidence, is_rule: self.is_rule(antecedent, value, both) }
    }

    fn is_rule(&self, antecedent: f64, value: usize, both: f64) -> bool {
        // C_X · (n − C_Y) ≥ conviction · n · (C_X − C_XY), without the division by what may be 0.
        let independent = antecedent * (self.rows - self.consequents[value]);
        let failing = self.rows * (antecedent - both);
        both >= self.count && independent + HAIR * antecedent * self.rows >= self.conviction * failing
    }
}

/// A row is in the class of its true value and, behind those, in the classes of its group's values with their shares.
struct TrueAndReconstructed<'a> {
    values: &'a [u32],
    groups: Groups<'a>,
    domain: usize,
    shares: GroupValues,
}

impl<'a> TrueAndReconstructed<'a> {
    fn new(values: &'a [u32], groups: Groups<'a>, domain: usize) -> Self {
        let shares = GroupValues::new(&groups);
        Self { values, groups, domain, shares }
    }
}

/// The classes of some rows, one row after the other, with the row's part in each.
#[derive(Default)]
struct PartsOfRows {
    parts: Vec<(u32, f64)>,
    /// Where the parts of each row end.
    ends: Vec<usize>,
}

impl RowClasses for TrueAndReconstructed<'_> {
    type Block = PartsOfRows;

    fn classes(&self) -> usize {
        2 * self.domain
    }

    /// Rows of one group are far apart, and groups of neighbouring rows are, too: what a row's group says is fetched from memory here, for
    /// many rows at the same time, and only here.
    fn look_up(&self, rows: &[u32], block: &mut PartsOfRows) {
        let PartsOfRows { parts, ends } = block;
        parts.clear();
        ends.clear();
        for &row in rows {
            parts.push((self.values[row as usize], 1.0));
            let shares = self.shares.shares(self.groups.of_rows()[row as usize] as usize);
            parts.extend(shares.map(|(value, share)| (self.domain as u32 + value, share)));
            ends.push(parts.len());
        }
    }

    fn add(block: &PartsOfRows, place: usize, weight: f64, counts: &mut [f64]) {
        let start = if place == 0 { 0 } else { block.ends[place - 1] };
        for &(class, part) in &block.parts[start..block.ends[place]] {
            counts[class as usize] += weight * part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::{Seed, Workbench};
    use crate::measures::measure;
    use crate::release::Buckets;
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    fn dataset(rows: &[[u8; 4]]) -> Dataset {
        let text: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u8::to_string).collect()).collect();
        let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        Dataset::of_table(Table::from_rows(&["a", "b", "c", "s"], &cells), &["a", "b", "c"], "s").unwrap()
    }

    fn observe(name: &str, dataset: &Dataset, buckets: &Buckets, given: &Value) -> Result<Vec<f64>, LabError> {
        let given: Map<String, Value> = given.as_object().cloned().unwrap_or_default();
        let mut bench = Workbench::new(Seed(1), "test");
        let release = Release::Buckets(buckets.clone());
        let observed = measure(name).unwrap().measure(dataset, Some(&release), &given, &mut bench)?;
        Ok(observed.into_iter().map(|observation| observation.value).collect())
    }

    /// (C_X, C_X[s] in the original, C_X[s] reconstructed, C_s) of every X ⇒ s that occurs, by scanning.
    fn all_associations(rows: &[[u8; 4]], buckets: &Buckets) -> Vec<(f64, f64, f64, f64)> {
        let wildcard = u8::MAX;
        let mut antecedents: Vec<[u8; 3]> = rows
            .iter()
            .flat_map(|row| {
                (1u8..8).map(|mask| std::array::from_fn(|i| if mask >> i & 1 == 1 { row[i] } else { wildcard }))
            })
            .collect();
        antecedents.sort_unstable();
        antecedents.dedup();
        // An attribute of one value is in no antecedent.
        antecedents.retain(|x| (0..3).all(|i| x[i] == wildcard || rows.iter().any(|row| row[i] != rows[0][i])));
        let mut values: Vec<u8> = rows.iter().map(|row| row[3]).collect();
        values.sort_unstable();
        values.dedup();
        let mut found = Vec::new();
        for x in antecedents {
            let holds = |row: &[u8; 4]| (0..3).all(|i| x[i] == wildcard || x[i] == row[i]);
            let members: Vec<usize> = (0..rows.len()).filter(|&row| holds(&rows[row])).collect();
            for (code, &value) in values.iter().enumerate() {
                let share = |row: usize| {
                    let group = &buckets.sensitive[buckets.group_of[row] as usize];
                    let size: u32 = group.iter().map(|&(_, count)| count).sum();
                    let count = group.iter().find(|&&(s, _)| s as usize == code).map_or(0, |&(_, count)| count);
                    f64::from(count) / f64::from(size)
                };
                let truth = members.iter().filter(|&&row| rows[row][3] == value).count() as f64;
                let reconstructed = members.iter().map(|&row| share(row)).sum();
                let of_value = rows.iter().filter(|row| row[3] == value).count() as f64;
                found.push((members.len() as f64, truth, reconstructed, of_value));
            }
        }
        found
    }

    #[test]
    fn groups_of_one_value_lose_nothing() {
        let rows: Vec<[u8; 4]> = (0..60).map(|i| [i % 2, i % 3, i % 5, (i % 6) / 2]).collect();
        let dataset = dataset(&rows);
        let by_value = rows.iter().map(|row| u32::from(row[3])).collect();
        let buckets = Buckets::from_groups(dataset.microdata().unwrap(), by_value);
        let confidence = observe("confidence-error", &dataset, &buckets, &json!({})).unwrap();
        assert_eq!(confidence[0], 0.0);
        let identification = observe("identification-error", &dataset, &buckets, &json!({})).unwrap();
        assert_eq!(identification[..2], [0.0, 0.0]);
        assert_eq!((identification[2], identification[3]), (confidence[1], confidence[1]));
    }

    #[test]
    fn thresholds_nothing_reaches_and_bad_ones_are_refused() {
        let dataset = dataset(&[[0, 0, 0, 0], [1, 1, 1, 1]]);
        let buckets = Buckets::from_groups(dataset.microdata().unwrap(), vec![0, 0]);
        let refused = |given: Value| observe("confidence-error", &dataset, &buckets, &given).unwrap_err().to_string();
        assert_eq!(refused(json!({"min_support": 0})), "`min_support` must be above 0 and at most 1, not 0");
        assert!(
            refused(json!({"min_support": 0.9})).starts_with("the original has no association rule with support 0.9")
        );
    }

    proptest! {
        /// Sums of shares depend on their order in the last digit: it is that of the rows, however they are looked up.
        #[test]
        fn shares_are_summed_in_the_order_of_the_rows(
            rows in prop::collection::vec(([0u8..3, 0u8..2, 0u8..4, 0u8..6], 0u32..90), 1..700),
        ) {
            let (rows, wanted): (Vec<[u8; 4]>, Vec<u32>) = rows.into_iter().unzip();
            let dataset = dataset(&rows);
            let microdata = dataset.microdata().unwrap();
            let mut numbers = wanted.clone();
            numbers.sort_unstable();
            numbers.dedup();
            let group_of = wanted.iter().map(|group| numbers.binary_search(group).unwrap() as u32).collect();
            let release = Release::Buckets(Buckets::from_groups(microdata, group_of));
            let groups = release.groups(&dataset).unwrap();
            let attributes: Vec<_> = (0..3).map(|i| AttributeValues::leaves(microdata, i)).collect();
            let domain = microdata.table.columns[microdata.sensitive].cardinality();
            let classes = TrueAndReconstructed::new(microdata.sensitive_codes(), groups.clone(), domain);
            let mut differ = None;
            visit_antecedents(&attributes, &classes, 3, 1.0, &mut |x: Antecedent<'_>| {
                let mut sums = vec![0.0; 2 * domain];
                for row in 0..rows.len() {
                    if x.conditions.iter().all(|one| microdata.quasi_codes(one.attribute as usize)[row] == one.value) {
                        sums[microdata.sensitive_codes()[row] as usize] += 1.0;
                        let group = groups.of_rows()[row] as usize;
                        for &(value, count) in groups.values(group) {
                            sums[domain + value as usize] += f64::from(count) / f64::from(groups.size(group));
                        }
                    }
                }
                if sums != x.classes {
                    differ.get_or_insert((x.conditions.to_vec(), sums, x.classes.to_vec()));
                }
                true
            });
            prop_assert_eq!(differ, None);
        }

        /// Rules, confidences and errors are those of scanning the table for every antecedent.
        #[test]
        fn errors_are_those_of_brute_force(
            rows in prop::collection::vec([0u8..3, 0u8..2, 0u8..4, 0u8..3], 2..40),
            groups in 1u32..8,
            min_support in 0.02f64..0.3,
            min_conviction in prop_oneof![Just(1.0), 0.8f64..1.5],
        ) {
            let dataset = dataset(&rows);
            let group_of = (0..rows.len() as u32).map(|row| row % groups.min(rows.len() as u32)).collect();
            let buckets = Buckets::from_groups(dataset.microdata().unwrap(), group_of);
            let all = rows.len() as f64;
            let is_rule = |x: f64, both: f64, s: f64| {
                let failing = (x - both) / all;
                let conviction = if failing < 1e-12 { f64::INFINITY } else { x / all * (1.0 - s / all) / failing };
                both / all >= min_support - 1e-12 && conviction >= min_conviction - 1e-9
            };
            let (mut rules, mut error, mut invented, mut hidden) = (0.0, 0.0, 0.0, 0.0);
            for (x, truth, reconstructed, s) in all_associations(&rows, &buckets) {
                let (was, is) = (is_rule(x, truth, s), is_rule(x, reconstructed, s));
                if was {
                    rules += 1.0;
                    error += (reconstructed / x - truth / x).abs() / (truth / x);
                }
                invented += f64::from(u8::from(is && !was));
                hidden += f64::from(u8::from(was && !is));
            }
            let given = json!({"min_support": min_support, "min_conviction": min_conviction});
            let confidence = observe("confidence-error", &dataset, &buckets, &given);
            prop_assert_eq!(confidence.is_ok(), rules > 0.0);
            if let Ok(confidence) = confidence {
                prop_assert_eq!(confidence[1], rules);
                prop_assert!((confidence[0] - error / rules * 100.0).abs() < 1e-6);
                let identification = observe("identification-error", &dataset, &buckets, &given).unwrap();
                prop_assert!((identification[0] - invented / rules * 100.0).abs() < 1e-9);
                prop_assert!((identification[1] - hidden / rules * 100.0).abs() < 1e-9);
            }
        }
    }
}
