//! The publishers' own test of a class, on dense counts and as fast as they need it. The verifier has another, which shares
//! nothing with this one; a property test holds both to the same answers.

use super::privacy::{Privacy, bad_threshold};
use crate::data::{Hierarchy, Microdata, NodeId, SensitiveAttribute};
use crate::lab::math::{exp, ln};
use crate::lab::{Decimal, LabError, counted};
use crate::release::generalized_table::{Distance, Requirement};

/// What a class must meet.
pub(super) struct Rule<'a> {
    /// The largest k asked for.
    pub k: usize,
    /// One for each sensitive attribute.
    parts: Vec<RulePart<'a>>,
    /// Codes of the sensitive column.
    values: usize,
    /// Of the whole table.
    rows: u64,
}

/// What a class must meet in one sensitive attribute.
struct RulePart<'a> {
    attribute: SensitiveAttribute<'a>,
    checks: Vec<Check<'a>>,
    /// The whole table: rows of each value, and all rows.
    totals: Vec<u64>,
    rows: u64,
}

enum Check<'a> {
    Distinct(usize),
    Frequency(u64),
    Entropy(f64),
    Recursive { digits: u128, scale: u128, l: usize },
    Alpha(Decimal),
    Equal(Decimal),
    Ordered(Decimal),
    Hierarchical(Decimal, Tree<'a>),
    Gain { beta: Decimal, enhanced: bool },
    Delta(f64),
}

struct Tree<'a> {
    hierarchy: &'a Hierarchy,
    heights: Vec<u64>,
}

/// Room between what floating point says and what is taken for granted; ties that whole numbers decide do not need it.
const MARGIN: f64 = 1e-8;

impl<'a> Rule<'a> {
    pub fn new(microdata: &'a Microdata, privacy: &Privacy) -> Result<Self, LabError> {
        let histogram = microdata.table.columns[microdata.sensitive].histogram();
        let rows = microdata.rows() as u64;
        let k = |requirement: &Requirement| match requirement {
            Requirement::KAnonymity { k } => Some(*k),
            _ => None,
        };
        let part = |attribute: SensitiveAttribute<'a>| {
            let totals = attribute.counts(&histogram).into_iter().map(|count| count as u64).collect();
            Ok(RulePart { checks: Check::all(&attribute, privacy)?, attribute, totals, rows })
        };
        Ok(Self {
            k: privacy.requirements().iter().filter_map(k).fold(1, usize::max),
            parts: microdata.sensitive_attributes().into_iter().map(part).collect::<Result<_, LabError>>()?,
            values: histogram.len(),
            rows,
        })
    }

    /// An error when the whole table in one class would not do: then no division into classes does. Where up to `limit` rows may
    /// be suppressed, the others may do nevertheless, and only a search can tell.
    pub fn check_reachable(&self, limit: u64) -> Result<(), LabError> {
        if self.rows == 0 {
            return Err(LabError::input("the table has no rows"));
        }
        if limit > 0 {
            return Ok(());
        }
        if (self.rows as usize) < self.k {
            return Err(LabError::unreachable(format!(
                "`k` is {}, and the table has only {}: no class can have as many",
                self.k,
                counted(self.rows, "row")
            )));
        }
        match self.parts.iter().find_map(|part| part.unmet_by_whole()) {
            None => Ok(()),
            Some(unmet) => Err(LabError::unreachable(format!(
                "{unmet}; however the rows are divided into classes, one of these does no better"
            ))),
        }
    }

    /// What a search says that found nothing, though `limit` rows may be suppressed.
    pub fn not_found(&self, limit: u64, searched: &str) -> LabError {
        let why = self.check_reachable(0).err().map(|error| format!(": {error}")).unwrap_or_default();
        LabError::unreachable(format!("{searched} with at most {} suppressed{why}", counted(limit, "row")))
    }

    /// Whether anything about sensitive values is asked for.
    pub fn needs_counts(&self) -> bool {
        self.parts.iter().any(|part| !part.checks.is_empty())
    }

    /// How many codes the sensitive column has.
    pub fn values(&self) -> usize {
        self.values
    }

    /// Whether a class that meets the rule still does with any other rows added: true of k and distinct values alone.
    pub fn survives_any_rows(&self) -> bool {
        self.parts.iter().flat_map(|part| &part.checks).all(|check| matches!(check, Check::Distinct(_)))
    }

    /// Whether a class with these counts of the sensitive column (dense, by code) meets everything; `counts` is looked at only
    /// where `needs_counts`.
    pub fn allows(&self, rows: usize, counts: &[u32]) -> bool {
        rows >= self.k && self.parts.iter().all(|part| part.allows(rows as u64, counts))
    }
}

impl<'a> Check<'a> {
    /// What is asked for of one sensitive attribute.
    fn all(attribute: &SensitiveAttribute<'a>, privacy: &Privacy) -> Result<Vec<Self>, LabError> {
        let mut checks = Vec::new();
        for requirement in privacy.requirements() {
            let decimal = |number: f64| Decimal::of(number).ok_or_else(|| bad_threshold(&requirement));
            checks.push(match requirement {
                Requirement::KAnonymity { .. } => continue,
                Requirement::DistinctDiversity { l } => Check::Distinct(l),
                Requirement::FrequencyDiversity { l } => Check::Frequency(l as u64),
                Requirement::EntropyDiversity { l } => Check::Entropy(decimal(l)?.as_f64()),
                Requirement::RecursiveDiversity { c, l } => {
                    let (digits, places) = decimal(c)?.parts();
                    let scale = 10u128.checked_pow(places).ok_or_else(|| bad_threshold(&requirement))?;
                    Check::Recursive { digits: digits.into(), scale, l }
                }
                Requirement::Alpha { alpha } => Check::Alpha(decimal(alpha)?),
                Requirement::TCloseness { t, distance } => match distance {
                    Distance::Equal => Check::Equal(decimal(t)?),
                    Distance::Ordered => Check::Ordered(decimal(t)?),
                    Distance::Hierarchical => Check::Hierarchical(decimal(t)?, Tree::new(attribute)?),
                },
                Requirement::BetaLikeness { beta } => Check::Gain { beta: decimal(beta)?, enhanced: false },
                Requirement::EnhancedBetaLikeness { beta } => Check::Gain { beta: decimal(beta)?, enhanced: true },
                Requirement::DeltaDisclosure { delta } => Check::Delta(decimal(delta)?.as_f64()),
            });
        }
        Ok(checks)
    }
}

impl RulePart<'_> {
    /// What the whole table in one class does not meet, in words.
    fn unmet_by_whole(&self) -> Option<String> {
        let counts: Vec<u32> = self.totals.iter().map(|&count| count as u32).collect();
        self.checks.iter().find(|check| !self.passes(check, self.rows, &counts)).map(|check| self.unmet(check))
    }

    /// Whether a class of `n` rows with these counts of the sensitive column meets what is asked for of this attribute.
    fn allows(&self, n: u64, counts: &[u32]) -> bool {
        if self.checks.is_empty() || !self.attribute.is_one_of_several() {
            return self.checks.iter().all(|check| self.passes(check, n, counts));
        }
        let own = self.attribute.counts(counts);
        self.checks.iter().all(|check| self.passes(check, n, &own))
    }

    fn unmet(&self, check: &Check<'_>) -> String {
        let (values, of) = (self.totals.len(), self.attribute.in_words());
        let most = self.totals.iter().max().copied().unwrap_or(0);
        let rows = self.rows;
        match check {
            Check::Distinct(l) => {
                let name = match self.attribute.is_one_of_several() {
                    true => format!("`{}`", self.attribute.name),
                    false => "the sensitive attribute".to_string(),
                };
                format!("`l` is {l}, and {name} has only {}", counted(values, "value"))
            }
            Check::Frequency(l) => {
                format!("`l` is {l}, and a sensitive value{of} is in {most} of {rows} rows, more than 1 in {l}")
            }
            Check::Entropy(l) => {
                let share = |&count: &u64| count as f64 / rows as f64;
                let entropy: f64 = self.totals.iter().map(share).filter(|&q| q > 0.0).map(|q| -q * ln(q)).sum();
                format!(
                    "`l` is {l}, and the whole table has the entropy of {:.4} equally frequent values{of}",
                    exp(entropy)
                )
            }
            Check::Recursive { digits, scale, l } => format!(
                "`c` is {}, and in the whole table the most frequent sensitive value{of}, in {most} of {rows} rows, is not below c \
                 times those from number {l} on",
                *digits as f64 / *scale as f64
            ),
            Check::Alpha(alpha) => format!(
                "`alpha` is {}, and a sensitive value{of} is in {most} of {rows} rows of the whole table",
                alpha.as_f64()
            ),
            Check::Delta(delta) => {
                format!("`delta` is {delta}, and |ln(q / p)| must be below it, so that it must be above 0")
            }
            // A class with the distribution of the whole table is at no distance from it and gains nothing.
            Check::Equal(_) | Check::Ordered(_) | Check::Hierarchical(..) | Check::Gain { .. } => {
                "the whole table in one class does not meet the guarantee".to_string()
            }
        }
    }

    /// `counts` are those of the attribute's own values.
    fn passes(&self, check: &Check<'_>, n: u64, counts: &[u32]) -> bool {
        let largest = || counts.iter().max().copied().unwrap_or(0);
        // n·N·(q − p) of a value.
        let excess = |value: usize| (u64::from(counts[value]) * self.rows) as i64 - (self.totals[value] * n) as i64;
        match check {
            Check::Distinct(l) => counts.iter().filter(|&&count| count > 0).count() >= *l,
            Check::Frequency(l) => u64::from(largest()) * l <= n,
            Check::Entropy(l) => {
                let present = counts.iter().copied().filter(|&count| count > 0);
                let (first, values) = (largest(), present.clone().count());
                if present.clone().all(|count| count == first) {
                    return values as f64 >= *l;
                }
                let share = |count: u32| f64::from(count) / n as f64;
                let entropy: f64 = present.map(|count| -share(count) * ln(share(count))).sum();
                entropy > ln(*l) + MARGIN
            }
            Check::Recursive { digits, scale, l } => {
                let mut sorted = counts.to_vec();
                sorted.sort_unstable();
                let tail: u128 = sorted.iter().rev().skip(l.saturating_sub(1)).map(|&count| u128::from(count)).sum();
                u128::from(largest()) * scale < digits * tail
            }
            Check::Alpha(alpha) => u64::from(largest()) <= alpha.floor_of(n),
            Check::Equal(t) => {
                let moved: u64 = (0..counts.len()).map(|value| excess(value).unsigned_abs()).sum();
                moved <= t.floor_of(2 * n * self.rows)
            }
            Check::Ordered(t) => {
                let (mut carried, mut moved) = (0i64, 0u64);
                for value in 0..counts.len() {
                    carried += excess(value);
                    moved += carried.unsigned_abs();
                }
                let steps = counts.len().saturating_sub(1).max(1) as u64;
                moved <= t.floor_of(steps * n * self.rows)
            }
            Check::Hierarchical(t, tree) => {
                let moved = tree.work(&mut (0..counts.len()).map(excess).collect());
                moved <= t.floor_of(tree.height().max(1) * n * self.rows)
            }
            Check::Gain { beta, enhanced } => (0..counts.len()).all(|value| {
                let gain = excess(value);
                let expected = self.totals[value] * n;
                let within = gain <= 0 || gain.unsigned_abs() <= beta.floor_of(expected);
                let share = self.totals[value] as f64 / self.rows as f64;
                let bounded = || gain <= 0 || gain as f64 / expected as f64 <= -ln(share) - MARGIN;
                within && (!enhanced || bounded())
            }),
            Check::Delta(delta) => (0..counts.len()).all(|value| {
                let ratio = (u64::from(counts[value]) * self.rows) as f64 / (self.totals[value] * n) as f64;
                self.totals[value] == 0
                    || (counts[value] > 0 && ln(ratio).abs() < delta - MARGIN)
                    || (excess(value) == 0 && *delta > 0.0)
            }),
        }
    }
}

impl<'a> Tree<'a> {
    fn new(attribute: &SensitiveAttribute<'a>) -> Result<Self, LabError> {
        let name = attribute.name;
        let hierarchy = attribute.hierarchy.ok_or_else(|| {
            LabError::input(format!(
                "`distance: hierarchical` needs a hierarchy of `{name}`: give one under `hierarchies` of the dataset"
            ))
        })?;
        let mut heights = vec![0; hierarchy.nodes()];
        for leaf in 0..hierarchy.leaves() as NodeId {
            for (height, node) in hierarchy.path_to_root(leaf).enumerate() {
                heights[node as usize] = heights[node as usize].max(height as u64);
            }
        }
        Ok(Self { hierarchy, heights })
    }

    fn height(&self) -> u64 {
        self.heights.last().copied().unwrap_or(0)
    }

    /// What is moved through each node, times the node's height: by pushing every leaf's excess up.
    fn work(&self, excess: &mut Vec<i64>) -> u64 {
        let nodes = self.hierarchy.nodes();
        let (mut surplus, mut shortage) = (vec![0u64; nodes], vec![0u64; nodes]);
        excess.resize(nodes, 0);
        let mut work = 0;
        for node in 0..nodes {
            let matched = surplus[node].min(shortage[node]);
            work += matched * self.heights[node];
            if !self.hierarchy.is_leaf(node as NodeId) {
                excess[node] = surplus[node] as i64 - shortage[node] as i64;
            }
            if let Some(parent) = self.hierarchy.parent(node as NodeId) {
                let side = if excess[node] > 0 { &mut surplus } else { &mut shortage };
                side[parent as usize] += excess[node].unsigned_abs();
            }
        }
        work
    }
}
