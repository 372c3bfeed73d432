//! Lines 18 to 23 of Figure 2: the tuples that are in no group join one, and groups are merged until they are safe there.

use super::classes::{TupleClass, TupleClasses};
use super::grouping::{Grouping, Member};
use crate::matching::{TupleKind, valid_values};
use crate::mining::ValueSet;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The groups with everybody in them, and how many of those formed were merged into others.
pub(super) struct Placement {
    pub(super) groups: Vec<Vec<Member>>,
    pub(super) merged: usize,
}

/// Places the residue class by class, each in the order of its rows. Ties: a smaller group, then one formed earlier.
///
/// When there is no group left to merge with (or none at all), the whole residue joins: the table is then one group,
/// which keeps the promise if anything does.
pub(super) fn place(classes: &TupleClasses<'_>, grouping: Grouping, l: usize) -> Placement {
    let Grouping { groups, residue } = grouping;
    let formed = groups.len();
    let mut groups = MergedGroups { classes, members: groups, by_values: None };
    let mut waiting = residue.iter().filter(|members| !members.is_empty());
    while let Some(members) = waiting.next() {
        if let Err(unplaced) = groups.place_class(members, l) {
            let rest: Vec<Member> = unplaced.iter().chain(waiting.flatten()).copied().collect();
            groups.members.retain(|members| !members.is_empty());
            match groups.members.first_mut() {
                Some(only) => only.extend(rest),
                None => groups.members.push(rest),
            }
            break;
        }
    }
    groups.members.retain(|members| !members.is_empty());
    Placement { merged: formed.saturating_sub(groups.members.len()), groups: groups.members }
}

/// L of the paper. A group that was merged into another one has no members.
struct MergedGroups<'a> {
    classes: &'a TupleClasses<'a>,
    members: Vec<Vec<Member>>,
    /// The groups by their set of sensitive values, then size: made when the first merge asks for it, current from then on.
    by_values: Option<BTreeMap<ValueSet, BTreeSet<(usize, u32)>>>,
}

impl MergedGroups<'_> {
    /// Places `tuples`, all of one class; returns those that are left when no further group can be merged.
    fn place_class<'t>(&mut self, tuples: &'t [Member], l: usize) -> Result<(), &'t [Member]> {
        let class = &self.classes.classes[tuples[0].class as usize];
        let live = (0..self.members.len()).filter(|&group| !self.members[group].is_empty());
        let mut nearest: BinaryHeap<Reverse<(usize, usize, u32)>> =
            live.map(|group| Reverse(self.distance(class, group as u32))).collect();
        for (i, &tuple) in tuples.iter().enumerate() {
            let group = loop {
                let Some(Reverse((_, size, group))) = nearest.pop() else { return Err(&tuples[i..]) };
                // Groups that were merged since are met again in their new size, or no more.
                if self.members[group as usize].len() == size {
                    break group;
                }
            };
            self.unlist(group);
            self.members[group as usize].push(tuple);
            while !self.is_safe(class, group, l) {
                let Some(other) = self.most_other_values(group) else { return Err(&tuples[i + 1..]) };
                self.unlist(other);
                let merged = std::mem::take(&mut self.members[other as usize]);
                self.members[group as usize].extend(merged);
            }
            self.list(group);
            nearest.push(Reverse(self.distance(class, group)));
        }
        Ok(())
    }

    fn class(&self, member: &Member) -> &TupleClass<'_> {
        &self.classes.classes[member.class as usize]
    }

    /// What line 19 minimizes: incompatible tuples, then size, then number.
    fn distance(&self, class: &TupleClass<'_>, group: u32) -> (usize, usize, u32) {
        let members = &self.members[group as usize];
        let incompatible = members.iter().filter(|member| !class.is_compatible(self.class(member))).count();
        (incompatible, members.len(), group)
    }

    /// Whether tuples of `class` have at least ℓ valid values in `group`, which one of them is in.
    fn is_safe(&self, class: &TupleClass<'_>, group: u32, l: usize) -> bool {
        let members = &self.members[group as usize];
        // A compatible tuple could swap values with this one: enough for most.
        let mut swaps = ValueSet::of(self.classes.domain, [class.value]);
        for member in members {
            let other = self.class(member);
            if class.is_compatible(other) {
                swaps.insert(other.value);
            }
        }
        swaps.len() >= l || self.valid_values(class, members).is_some_and(|valid| valid.len() >= l)
    }

    fn valid_values(&self, class: &TupleClass<'_>, members: &[Member]) -> Option<ValueSet> {
        let mut tuples: BTreeMap<u32, u32> = BTreeMap::new();
        let mut values: BTreeMap<u32, u32> = BTreeMap::new();
        for member in members.iter().map(|member| self.class(member)) {
            *tuples.entry(member.set).or_default() += 1;
            *values.entry(member.value).or_default() += 1;
        }
        let sets: Vec<u32> = tuples.keys().copied().collect();
        let kinds: Vec<TupleKind<'_>> = tuples
            .into_iter()
            .map(|(set, tuples)| TupleKind { cannot_take: &self.classes.sets[set as usize], tuples })
            .collect();
        let values: Vec<(u32, u32)> = values.into_iter().collect();
        let mut valid = valid_values(self.classes.domain, &kinds, &values)?;
        sets.binary_search(&class.set).ok().map(|kind| valid.swap_remove(kind))
    }

    /// SEN of the paper.
    fn values(&self, group: u32) -> ValueSet {
        let members = self.members[group as usize].iter();
        ValueSet::of(self.classes.domain, members.map(|member| self.class(member).value))
    }

    /// Line 22: the group with the most sensitive values that `group`, which is not listed, lacks.
    fn most_other_values(&mut self, group: u32) -> Option<u32> {
        if self.by_values.is_none() {
            self.by_values = Some(BTreeMap::new());
            let live = (0..self.members.len() as u32).filter(|&other| !self.members[other as usize].is_empty());
            live.filter(|&other| other != group).collect::<Vec<_>>().into_iter().for_each(|other| self.list(other));
        }
        let own = self.values(group);
        let by_values = self.by_values.as_ref()?;
        by_values
            .iter()
            .filter_map(|(values, groups)| groups.first().map(|&first| (Reverse(values.len_without(&own)), first)))
            .min()
            .map(|(_, (_, other))| other)
    }

    fn list(&mut self, group: u32) {
        if let Some(mut by_values) = self.by_values.take() {
            let size = self.members[group as usize].len();
            by_values.entry(self.values(group)).or_default().insert((size, group));
            self.by_values = Some(by_values);
        }
    }

    fn unlist(&mut self, group: u32) {
        if let Some(mut by_values) = self.by_values.take() {
            let (values, size) = (self.values(group), self.members[group as usize].len());
            if let Entry::Occupied(mut groups) = by_values.entry(values) {
                groups.get_mut().remove(&(size, group));
                if groups.get().is_empty() {
                    groups.remove();
                }
            }
            self.by_values = Some(by_values);
        }
    }
}
