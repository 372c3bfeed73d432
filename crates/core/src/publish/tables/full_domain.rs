//! Full-domain generalization, optimal: every attribute is generalized to one level of its hierarchy throughout, and rows in
//! classes that still break the guarantee are suppressed, up to a limit. Of all combinations of levels, the lattice of
//! P. Samarati (TKDE 2001) and K. LeFevre et al. ("Incognito", SIGMOD 2005), the one with the least loss is published.
//!
//! The lattice is walked attribute by attribute; the classes of a node come from those of the node one level below, as in Flash
//! (F. Kohlmayer et al., PASSAT 2012). Nothing is left out but what cannot be better:
//! - nodes where the loss without any suppression is no less than the best so far, there and however far they are generalized
//!   further: suppressing only adds to it;
//! - ancestors of a node that suppresses nothing, where losses grow upwards (penalties may not, where missing values join numbers: a
//!   cell of both is counted by its values, not by its width);
//! - all nodes that share their first levels when these attributes alone already break the guarantee: the others can at best
//!   be generalized away. This holds where a class that meets the guarantee keeps it with any rows added, or where nothing
//!   may be suppressed (predictive tagging).
//!
//! Readings. Suppressed rows lose everything: a penalty of 1 a cell, n each in discernibility. Of equally good nodes the first
//! found counts.
//!
//! Cost. For each node looked at, the classes of the one below. Memory: the classes of one node an attribute.

use super::grouping::{Grouping, Packing};
use super::levels::Levels;
use super::privacy::Privacy;
use super::rule::Rule;
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{Decimal, LabError, Metric, Workbench, with_defaults};
use crate::publish::{About, Publisher};
use crate::release::generalized_table::{CellColumn, Conventions, GeneralizedTable, Star, Suppressed, SuppressedIf};
use crate::release::{Guarantee, Release, ReleaseKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct FullDomain;

/// What the optimum is the optimum of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The mean normalized certainty penalty of the cells (GCP).
    #[default]
    Penalty,
    /// The sum of the squares of class sizes, and n for each suppressed row.
    Discernibility,
    /// The sum of the levels.
    Height,
}

with_defaults! {
    pub struct FullDomainParameters {
        /// What the optimum is the optimum of.
        pub loss: Loss,
        #[serde(flatten)]
        pub privacy: Privacy,
        #[serde(flatten)]
        pub conventions: Conventions,
    }
}

const NODES: Metric = Metric::fact("lattice_nodes", "nodes", "combinations of levels there are");
const CHECKED: Metric = Metric::lower("nodes_checked", "nodes", "combinations of levels whose classes were formed");
pub(super) const SUPPRESSED: Metric = Metric::lower("suppressed_rows", "rows", "rows suppressed");
pub(super) const HEIGHT: Metric =
    Metric::lower("generalization_height", "levels", "the sum of the levels the attributes are at");

impl Publisher for FullDomain {
    type Parameters = FullDomainParameters;
    const NAME: &'static str = "full-domain";
    const ABOUT: About = About {
        summary: "The best of all combinations of generalization levels, proven",
        paper: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005",
        input: InputKind::Table,
        release: ReleaseKind::GeneralizedTable,
        counters: &[NODES, CHECKED, SUPPRESSED, HEIGHT],
        phases: &["search", "recoding"],
        randomized: false,
    };

    fn guarantee(parameters: &FullDomainParameters) -> Guarantee {
        parameters.privacy.guarantee(parameters.conventions)
    }

    fn publish(
        dataset: &Dataset,
        parameters: &FullDomainParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let rule = Rule::new(microdata, &parameters.privacy)?;
        let limit = suppression_limit(parameters.conventions.suppression, microdata)?;
        rule.check_reachable(limit)?;
        let attributes: Vec<Levels> =
            (0..microdata.quasi_identifiers.len()).map(|i| Levels::new(microdata, i)).collect();
        let packing = Packing::new(&attributes)?;
        let (best, checked) = bench.phase("search", |_| {
            let mut search = LatticeSearch::new(microdata, &attributes, &packing, &rule, limit, parameters);
            let base = Grouping::new(microdata, &packing, &rule);
            search.climb(&base);
            search.walk(0, base);
            (search.best, search.checked)
        });
        let best = best.ok_or_else(|| {
            rule.not_found(limit, "no combination of levels meets the guarantee under these conventions")
        })?;
        bench.count(NODES.name, attributes.iter().map(|levels| levels.levels.len() as f64).product());
        bench.count(CHECKED.name, checked as f64);
        bench.count(HEIGHT.name, best.levels.iter().sum::<usize>() as f64);
        let table =
            bench.phase("recoding", |_| recode(microdata, &attributes, &best.levels, &best.classes, &packing, &rule));
        bench.count(SUPPRESSED.name, table.sensitive.iter().filter(|value| value.is_none()).count() as f64);
        Ok(Release::GeneralizedTable(table))
    }
}

/// How many rows may be suppressed.
pub(super) fn suppression_limit(share: f64, microdata: &Microdata) -> Result<u64, LabError> {
    let share = Decimal::share(share)
        .ok_or_else(|| LabError::input(format!("`suppression` must be from 0 to 1, not {share}")))?;
    Ok(share.floor_of(microdata.rows() as u64))
}

struct Best {
    loss: f64,
    levels: Vec<usize>,
    classes: Grouping,
}

struct LatticeSearch<'a> {
    attributes: &'a [Levels],
    packing: &'a Packing,
    rule: &'a Rule<'a>,
    limit: u64,
    loss: Loss,
    conventions: Conventions,
    rows: f64,
    /// Attribute by attribute and level by level: the mean penalty of all rows.
    mean_penalties: Vec<Vec<f64>>,
    /// The least of these from each level on upwards.
    least_penalties: Vec<Vec<f64>>,
    /// Nothing is lost less by generalizing further.
    grows_upwards: bool,
    /// Attributes that alone break the guarantee break it with others beside them, too.
    is_monotone: bool,
    /// The levels of the node at hand.
    levels: Vec<usize>,
    best: Option<Best>,
    checked: u64,
}

impl<'a> LatticeSearch<'a> {
    fn new(
        microdata: &Microdata,
        attributes: &'a [Levels],
        packing: &'a Packing,
        rule: &'a Rule<'a>,
        limit: u64,
        parameters: &FullDomainParameters,
    ) -> Self {
        let rows = microdata.rows() as f64;
        let mean_penalties: Vec<Vec<f64>> = attributes
            .iter()
            .enumerate()
            .map(|(i, attribute)| {
                let mut of_code = vec![0u32; attribute.levels[0].cells.len()];
                microdata.quasi_codes(i).iter().for_each(|&code| of_code[code as usize] += 1);
                let mean = |level: &super::levels::Level| {
                    let codes = of_code.iter().zip(&level.of_code);
                    codes.map(|(&count, &place)| f64::from(count) * level.penalties[place as usize]).sum::<f64>() / rows
                };
                attribute.levels.iter().map(mean).collect()
            })
            .collect();
        let mut least_penalties = mean_penalties.clone();
        for means in &mut least_penalties {
            for level in (1..means.len()).rev() {
                means[level - 1] = means[level - 1].min(means[level]);
            }
        }
        let grows_upwards = parameters.loss != Loss::Penalty || least_penalties == mean_penalties;
        Self {
            attributes,
            packing,
            rule,
            limit,
            loss: parameters.loss,
            conventions: parameters.conventions,
            rows,
            mean_penalties,
            least_penalties,
            grows_upwards,
            is_monotone: limit == 0 || rule.survives_any_rows(),
            levels: vec![0; attributes.len()],
            best: None,
            checked: 0,
        }
    }

    /// A first good node: up from the bottom, each time by the step that loses least, until the guarantee holds.
    fn climb(&mut self, base: &Grouping) {
        let mut classes = base.clone();
        while !self.evaluate(&classes) {
            let step =
                |i: &usize| self.mean_penalties[*i][self.levels[*i] + 1] - self.mean_penalties[*i][self.levels[*i]];
            let open = (0..self.attributes.len()).filter(|&i| self.levels[i] < self.attributes[i].top());
            let Some(next) = open.min_by(|a, b| step(a).total_cmp(&step(b))) else { break };
            self.levels[next] += 1;
            classes = self.rolled_up(&classes, next);
        }
        self.levels.fill(0);
    }

    fn rolled_up(&self, classes: &Grouping, attribute: usize) -> Grouping {
        let level = &self.attributes[attribute].levels[self.levels[attribute]];
        classes.rolled_up(self.packing, attribute, &level.of_lower)
    }

    /// Visits all nodes that share the levels of the attributes before `attribute`. `classes` are those of the node with all
    /// others at level 0; true if that one suppresses nothing.
    fn walk(&mut self, attribute: usize, mut classes: Grouping) -> bool {
        if attribute == self.attributes.len() {
            return self.evaluate(&classes) && classes.refused_rows(self.rule) == 0;
        }
        let mut lowest_suppresses_nothing = false;
        for level in 0..=self.attributes[attribute].top() {
            self.levels[attribute] = level;
            if level > 0 {
                classes = self.rolled_up(&classes, attribute);
            }
            if self.best.as_ref().is_some_and(|best| self.least_loss() >= best.loss) {
                break;
            }
            if self.is_hopeless(attribute, &classes) {
                continue;
            }
            let suppresses_nothing = self.walk(attribute + 1, classes.clone());
            if level == 0 {
                lowest_suppresses_nothing = suppresses_nothing;
            }
            if suppresses_nothing && self.grows_upwards {
                break;
            }
        }
        self.levels[attribute] = 0;
        lowest_suppresses_nothing
    }

    /// Whether the attributes up to `last` break the guarantee at their levels, whatever the others' levels are.
    fn is_hopeless(&self, last: usize, classes: &Grouping) -> bool {
        self.is_monotone
            && last + 1 < self.attributes.len()
            && classes.without(self.packing, last + 1).refused_rows(self.rule) > self.limit
    }

    /// What the node at hand and all above it lose at least.
    fn least_loss(&self) -> f64 {
        match self.loss {
            Loss::Penalty => self.mean_at(&self.least_penalties),
            Loss::Height => self.levels.iter().sum::<usize>() as f64,
            Loss::Discernibility => 0.0,
        }
    }

    /// The mean over the attributes of what each has at its level.
    fn mean_at(&self, penalties: &[Vec<f64>]) -> f64 {
        let at_level = penalties.iter().zip(&self.levels).map(|(means, &level)| means[level]);
        at_level.sum::<f64>() / self.attributes.len() as f64
    }

    /// Takes the node at hand if it is allowed and better; true if it is allowed.
    fn evaluate(&mut self, classes: &Grouping) -> bool {
        self.checked += 1;
        let refused = classes.refused_rows(self.rule);
        if refused > self.limit || self.is_refused_by_convention(refused) {
            return false;
        }
        let loss = self.loss_of(classes, refused);
        if self.best.as_ref().is_none_or(|best| loss < best.loss) {
            self.best = Some(Best { loss, levels: self.levels.clone(), classes: classes.clone() });
        }
        true
    }

    /// Suppressed rows that are a class must be enough for one; and where stars alone make a row suppressed, a node suppresses
    /// everything at which no attribute tells two values apart.
    fn is_refused_by_convention(&self, refused: u64) -> bool {
        let Conventions { star, suppressed, suppressed_if, .. } = self.conventions;
        let is_small_class = suppressed == Suppressed::Class && star == Star::Value && (refused as usize) < self.rule.k;
        let is_star = |(&level, attribute): (&usize, &Levels)| attribute.levels[level].cells.len() == 1;
        let suppresses_all =
            suppressed_if == SuppressedIf::QuasiIdentifiers && self.levels.iter().zip(self.attributes).all(is_star);
        (refused > 0 && is_small_class) || (suppresses_all && (self.limit as f64) < self.rows)
    }

    fn loss_of(&self, classes: &Grouping, refused: u64) -> f64 {
        let kept = || (0..classes.len()).filter(|&class| classes.is_allowed(self.rule, class));
        let size = |class: usize| f64::from(classes.sizes[class]);
        match self.loss {
            Loss::Height => self.least_loss(),
            Loss::Discernibility => {
                kept().map(|class| size(class) * size(class)).sum::<f64>() + refused as f64 * self.rows
            }
            Loss::Penalty if refused == 0 => self.mean_at(&self.mean_penalties),
            Loss::Penalty => {
                let penalty = |class: usize| {
                    let key = classes.keys[class];
                    let of = |i: usize| self.attributes[i].levels[self.levels[i]].penalties[self.packing.place(key, i)];
                    (0..self.attributes.len()).map(of).sum::<f64>()
                };
                let cells = self.rows * self.attributes.len() as f64;
                kept().map(|class| size(class) * penalty(class)).sum::<f64>() / cells + refused as f64 / self.rows
            }
        }
    }
}

/// The table at these levels, with the rows of refused classes suppressed.
pub(super) fn recode(
    microdata: &Microdata,
    attributes: &[Levels],
    levels: &[usize],
    classes: &Grouping,
    packing: &Packing,
    rule: &Rule<'_>,
) -> GeneralizedTable {
    let columns: Vec<CellColumn> = attributes
        .iter()
        .zip(levels)
        .enumerate()
        .map(|(i, (attribute, &level))| {
            let level = &attribute.levels[level];
            let of_row = microdata.quasi_codes(i).iter().map(|&code| level.of_code[code as usize]).collect();
            CellColumn { cells: level.cells.clone(), of_row }
        })
        .collect();
    let sensitive = microdata.sensitive_codes().iter().copied().map(Some).collect();
    let mut table = GeneralizedTable { columns, sensitive };
    let refused: rustc_hash::FxHashSet<u128> =
        (0..classes.len()).filter(|&class| !classes.is_allowed(rule, class)).map(|class| classes.keys[class]).collect();
    if !refused.is_empty() {
        let keys: Vec<bool> = (0..microdata.rows())
            .map(|row| refused.contains(&packing.pack(table.columns.iter().map(|column| column.of_row[row]))))
            .collect();
        table.suppress(|row| keys[row]);
    }
    table
}
