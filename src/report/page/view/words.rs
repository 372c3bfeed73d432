//! A comparison in the words of its spec: what `labels:` and the algorithms' own `label` call things.

use crate::report::contest::{Contest, Front};
use crate::report::metrics::title;
use crate::report::typeset::typeset;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// Names and what people call them.
#[derive(Debug, Clone, Default)]
pub struct Labels(BTreeMap<String, String>);

impl Labels {
    /// What all figures of an experiment call alike, and so the spec itself; the labels of one figure are its own.
    pub fn of_all<'a>(figures: impl Iterator<Item = &'a IndexMap<String, String>>) -> Self {
        let mut figures = figures.peekable();
        let mut common: BTreeMap<String, String> = match figures.peek() {
            Some(first) => first.iter().map(|(name, label)| (name.clone(), typeset(label))).collect(),
            None => BTreeMap::new(),
        };
        for labels in figures {
            common.retain(|name, label| labels.get(name).is_some_and(|own| typeset(own) == *label));
        }
        Self(common)
    }

    pub fn metric(&self, metric: &str) -> String {
        self.0.get(metric).cloned().unwrap_or_else(|| title(metric))
    }

    /// Of a contender, a data set or a parameter.
    pub fn name(&self, name: &str) -> String {
        // "tuned (depth=3)" is a variant of `tuned`.
        let (algorithm, variant) = name.find(" (").map_or((name, ""), |at| name.split_at(at));
        let called = || self.0.get(algorithm).map_or(algorithm, String::as_str);
        match (self.0.get(name), variant.strip_prefix(" (").and_then(|inner| inner.strip_suffix(')'))) {
            (Some(label), _) => label.clone(),
            (None, Some(inner)) => {
                let inner: Vec<String> = inner.split(", ").map(|part| self.setting(part)).collect();
                format!("{} ({})", called(), inner.join(", "))
            }
            (None, None) => format!("{}{variant}", called()),
        }
    }

    /// "depth=3", as the spec calls that value or else its column.
    fn setting(&self, setting: &str) -> String {
        let of_column = || {
            let (column, value) = setting.split_once('=')?;
            Some(format!("{} = {value}", self.0.get(column).map_or(column, String::as_str)))
        };
        self.0.get(setting).cloned().or_else(of_column).unwrap_or_else(|| setting.to_string())
    }

    /// What these names are called. Where two share a label it is of the one whose name says the same, and the others keep
    /// their names beside it: Anatomy, Anatomy (anatomy-3).
    pub fn apart<'a>(&self, names: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
        let names: BTreeSet<&String> = names.collect();
        let shared = |label: &String| names.iter().filter(|name| self.name(name) == *label).count() > 1;
        let called = |name: &&String| match self.name(name) {
            label if !says_the_same(&label, name) && shared(&label) => format!("{label} ({name})"),
            label => label,
        };
        names.iter().map(|name| (name.to_string(), called(name))).collect()
    }
}

/// "even pace" and `even-pace`.
fn says_the_same(label: &str, name: &str) -> bool {
    label.to_lowercase().replace(' ', "-") == name.to_lowercase()
}

/// The same comparison with contenders, data sets and parameters called as the spec calls them.
pub fn labelled(contest: &Contest, labels: &Labels) -> Contest {
    let mut contest = contest.clone();
    let groups = || contest.metrics.iter().flat_map(|metric| &metric.groups);
    let points = || contest.fronts.iter().flat_map(|front| &front.points);
    let contenders = labels.apart(
        contest
            .metrics
            .iter()
            .flat_map(|metric| &metric.contenders)
            .chain(points().map(|point| &point.contender))
            .chain(contest.holes.iter().map(|hole| &hole.algorithm)),
    );
    let places = labels
        .apart(groups().flat_map(|group| group.keys.values()).chain(contest.fronts.iter().map(|front| &front.dataset)));
    let rename = |name: &mut String, names: &BTreeMap<String, String>| {
        if let Some(label) = names.get(name.as_str()) {
            name.clone_from(label);
        }
    };
    for metric in &mut contest.metrics {
        metric.beside.iter_mut().for_each(|fixed| rename(&mut fixed.contender, &contenders));
        metric.contenders.iter_mut().for_each(|name| rename(name, &contenders));
        for group in &mut metric.groups {
            group.keys.values_mut().for_each(|place| rename(place, &places));
            for standing in &mut group.standings {
                rename(&mut standing.contender, &contenders);
                if let Some(duel) = &mut standing.duel {
                    rename(&mut duel.opponent, &contenders);
                }
            }
        }
        if let Some(ranking) = &mut metric.ranking {
            ranking.ranks.iter_mut().for_each(|rank| rename(&mut rank.contender, &contenders));
            ranking.alike.iter_mut().flatten().for_each(|name| rename(name, &contenders));
        }
    }
    contest.holes.iter_mut().for_each(|hole| rename(&mut hole.algorithm, &contenders));
    for front in &mut contest.fronts {
        rename(&mut front.dataset, &places);
        front.guarantee = front.guarantee.iter().map(|(name, value)| (labels.name(name), value.clone())).collect();
        rename_points(front, &contenders, labels);
    }
    contest
}

/// Who beat a point is told by its whole name, parameters and all.
fn rename_points(front: &mut Front, contenders: &BTreeMap<String, String>, labels: &Labels) {
    let before: Vec<String> = front.points.iter().map(|point| point.name()).collect();
    for point in &mut front.points {
        if let Some(label) = contenders.get(&point.contender) {
            point.contender.clone_from(label);
        }
        point.at = point.at.iter().map(|(column, value)| (labels.name(column), value.clone())).collect();
    }
    let after: Vec<String> = front.points.iter().map(|point| point.name()).collect();
    for point in &mut front.points {
        let by = point.beaten_by.as_ref().and_then(|name| before.iter().position(|known| known == name));
        if let Some(by) = by {
            point.beaten_by = Some(after[by].clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(labels: &[(&str, &str)]) -> IndexMap<String, String> {
        labels.iter().map(|(name, label)| (name.to_string(), label.to_string())).collect()
    }

    #[test]
    fn the_specs_labels_are_those_of_every_figure() {
        let figures = [
            figure(&[("d_overall", "divergence"), ("km", "k^m"), ("seconds", "mining"), ("at", "rule")]),
            figure(&[("d_overall", "divergence"), ("km", "k^m"), ("seconds", "solving")]),
        ];
        let labels = Labels::of_all(figures.iter());
        assert_eq!(labels.metric("d_overall"), "divergence");
        assert_eq!(labels.metric("seconds"), "time", "two figures call it by names of their own");
        assert_eq!(labels.name("at"), "at");
        assert_eq!(labels.name("km"), "kᵐ");
        assert_eq!(labels.name("km (depth=3)"), "kᵐ (depth = 3)");
        let labels = Labels::of_all([figure(&[("km", "k^m"), ("l", "ℓ"), ("rows=both", "both parts")])].iter());
        assert_eq!(labels.name("km (l=3, rows=both, m=2)"), "kᵐ (ℓ = 3, both parts, m = 2)");
        assert_eq!(labels.name("adult (rows=both)"), "adult (both parts)");
    }

    #[test]
    fn names_that_share_a_label_are_told_apart() {
        let labels = Labels::of_all([figure(&[("anatomy", "Anatomy"), ("anatomy-3", "Anatomy"), ("aa", "AA")])].iter());
        let names = ["anatomy", "anatomy-3", "aa", "other"].map(String::from);
        let called = labels.apart(names.iter());
        assert_eq!(called["anatomy"], "Anatomy");
        assert_eq!(called["anatomy-3"], "Anatomy (anatomy-3)");
        assert_eq!((called["aa"].as_str(), called["other"].as_str()), ("AA", "other"));
    }
}
