//! What is left to decide, and what is forced.

use super::problem::{CountContradiction, Counted, CountedGroup, Margin, ThreeWay, ValueShare, count_of};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A problem of which a part is decided.
#[derive(Debug, Clone)]
pub struct State {
    /// Without what is decided; counts may have become 0.
    left: ThreeWay,
    /// Kind to the groups with rows of it, ascending.
    groups_of: Vec<Vec<u32>>,
    /// The largest number of rows of one kind in a group, and of a kind in one group, at the start.
    most_in_group: Vec<u32>,
    most_of_kind: Vec<u32>,
    queue: VecDeque<Margin>,
    queued: FxHashSet<Margin>,
    /// What is decided.
    pub shares: Vec<ValueShare>,
    forced: u64,
}

/// Groups and kinds that share nothing with others, as a problem of its own.
pub struct ThreeWayPart {
    pub problem: ThreeWay,
    /// Its groups and kinds in the whole.
    pub groups: Vec<u32>,
    kinds: Vec<u32>,
}

impl State {
    pub fn new(problem: &ThreeWay) -> Self {
        let mut groups_of = vec![Vec::new(); problem.kinds.len()];
        let mut most_of_kind = vec![0; problem.kinds.len()];
        let mut state_lines = VecDeque::new();
        for (number, group) in (0..).zip(&problem.groups) {
            for &(kind, rows) in &group.rows {
                groups_of[kind as usize].push(number);
                let most = &mut most_of_kind[kind as usize];
                *most = rows.max(*most);
                state_lines.push_back(Margin::KindInGroup { kind, group: number });
            }
            let of_values = group.values.iter().map(|&(value, _)| Margin::ValueInGroup { group: number, value });
            state_lines.extend(of_values);
        }
        for (kind, values) in (0..).zip(&problem.kinds) {
            state_lines.extend(values.iter().map(|&(value, _)| Margin::ValueOfKind { kind, value }));
        }
        let most = |group: &CountedGroup| group.rows.iter().map(|&(_, rows)| rows).max().unwrap_or(0);
        Self {
            left: problem.clone(),
            groups_of,
            most_in_group: problem.groups.iter().map(most).collect(),
            most_of_kind,
            queued: state_lines.iter().copied().collect(),
            queue: state_lines,
            shares: Vec::new(),
            forced: 0,
        }
    }

    /// Decides what is forced, until nothing is.
    pub fn settle(&mut self) -> Result<(), CountContradiction> {
        while let Some(line) = self.queue.pop_front() {
            self.queued.remove(&line);
            let (wanted, cells) = self.cells(line);
            let possible: u64 = cells.iter().map(|&(_, most)| u64::from(most)).sum();
            if possible < u64::from(wanted) {
                let possible = possible as u32;
                return Err(CountContradiction::Line { line, wanted, possible, forced: self.forced });
            }
            for (share, most) in cells {
                // What all others together cannot take.
                let others = possible - u64::from(most);
                if let Some(rows) = u64::from(wanted).checked_sub(others).filter(|&rows| rows > 0) {
                    self.take(ValueShare { rows: rows as u32, ..share });
                    self.forced += rows;
                }
            }
        }
        Ok(())
    }

    /// What a line must come to, and the largest each of its counts can be.
    fn cells(&self, line: Margin) -> (u32, Vec<(ValueShare, u32)>) {
        let most = |share: ValueShare| {
            let group = &self.left.groups[share.group as usize];
            let (rows, values) = (count_of(&group.rows, share.kind), count_of(&group.values, share.value));
            rows.min(values).min(count_of(&self.left.kinds[share.kind as usize], share.value))
        };
        let with_most = |share: ValueShare| (share, most(share));
        let share = |group, kind, value| ValueShare { group, kind, value, rows: 0 };
        let (wanted, mut cells): (u32, Vec<(ValueShare, u32)>) = match line {
            Margin::KindInGroup { kind, group } => {
                let of_group = &self.left.groups[group as usize];
                // The shorter list is gone through.
                let (values, of_kind) = (&of_group.values, &self.left.kinds[kind as usize]);
                let list = if values.len() < of_kind.len() { values } else { of_kind };
                let cells = list.iter().map(|&(value, _)| with_most(share(group, kind, value)));
                (count_of(&of_group.rows, kind), cells.collect())
            }
            Margin::ValueInGroup { group, value } => {
                let of_group = &self.left.groups[group as usize];
                let cells = of_group.rows.iter().map(|&(kind, _)| with_most(share(group, kind, value)));
                (count_of(&of_group.values, value), cells.collect())
            }
            Margin::ValueOfKind { kind, value } => {
                let groups = self.groups_of[kind as usize].iter();
                let cells = groups.map(|&group| with_most(share(group, kind, value)));
                (count_of(&self.left.kinds[kind as usize], value), cells.collect())
            }
        };
        cells.retain(|&(_, most)| most > 0);
        (wanted, cells)
    }

    /// Decides that rows have a value, and looks again at every line that this may narrow.
    pub fn take(&mut self, share: ValueShare) {
        let ValueShare { group, kind, value, rows } = share;
        let subtract = |list: &mut Vec<Counted>, what: u32| {
            let place = list.binary_search_by_key(&what, |&(known, _)| known);
            place.map_or(0, |place| {
                list[place].1 -= rows;
                list[place].1
            })
        };
        let of_group = &mut self.left.groups[group as usize];
        subtract(&mut of_group.rows, kind);
        let values_left = subtract(&mut of_group.values, value);
        let of_kind_left = subtract(&mut self.left.kinds[kind as usize], value);
        self.shares.push(share);

        let mut narrowed = vec![
            Margin::KindInGroup { kind, group },
            Margin::ValueInGroup { group, value },
            Margin::ValueOfKind { kind, value },
        ];
        let of_group = &self.left.groups[group as usize];
        for &(other, _) in &self.left.kinds[kind as usize] {
            if count_of(&of_group.values, other) > 0 {
                narrowed.push(Margin::ValueInGroup { group, value: other });
                narrowed.push(Margin::ValueOfKind { kind, value: other });
            }
        }
        // Where more are left than any count can be, they bound none.
        if values_left < self.most_in_group[group as usize] {
            for &(other, left) in &of_group.rows {
                if left > 0 {
                    narrowed.push(Margin::KindInGroup { kind: other, group });
                    narrowed.push(Margin::ValueOfKind { kind: other, value });
                }
            }
        }
        if of_kind_left < self.most_of_kind[kind as usize] {
            for &other in &self.groups_of[kind as usize] {
                narrowed.push(Margin::KindInGroup { kind, group: other });
                narrowed.push(Margin::ValueInGroup { group: other, value });
            }
        }
        for line in narrowed {
            if self.queued.insert(line) {
                self.queue.push_back(line);
            }
        }
    }

    /// A row that is not decided yet, with the values it can have; the row with the fewest. None when all are.
    pub fn narrowest(&self) -> Option<Vec<ValueShare>> {
        let mut best: Option<Vec<ValueShare>> = None;
        for (number, group) in (0..).zip(&self.left.groups) {
            for &(kind, _) in group.rows.iter().filter(|&&(_, rows)| rows > 0) {
                let (_, cells) = self.cells(Margin::KindInGroup { kind, group: number });
                if best.as_ref().is_none_or(|best| cells.len() < best.len()) {
                    best = Some(cells.into_iter().map(|(share, _)| ValueShare { rows: 1, ..share }).collect());
                }
            }
        }
        best
    }

    /// What is left, fallen apart, in the order of the first groups.
    pub fn parts(&self) -> Vec<ThreeWayPart> {
        let groups = self.left.groups.len();
        // Groups first, then kinds.
        let mut leader: Vec<usize> = (0..groups + self.left.kinds.len()).collect();
        fn root(leader: &mut [usize], mut node: usize) -> usize {
            while leader[node] != node {
                leader[node] = leader[leader[node]];
                node = leader[node];
            }
            node
        }
        let open = |list: &[Counted]| list.iter().copied().filter(|&(_, count)| count > 0).collect::<Vec<_>>();
        for (number, group) in self.left.groups.iter().enumerate() {
            for (kind, _) in open(&group.rows) {
                let (a, b) = (root(&mut leader, number), root(&mut leader, groups + kind as usize));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut place_of: Vec<Option<usize>> = vec![None; groups];
        let mut parts: Vec<ThreeWayPart> = Vec::new();
        let mut number_in_part = vec![0u32; self.left.kinds.len()];
        for (kind, values) in self.left.kinds.iter().enumerate() {
            let values = open(values);
            if values.is_empty() {
                continue;
            }
            // A kind with rows left shares a group with them, and groups come first.
            let first = root(&mut leader, groups + kind);
            let place = *place_of[first].get_or_insert_with(|| {
                parts.push(ThreeWayPart { problem: ThreeWay::default(), groups: Vec::new(), kinds: Vec::new() });
                parts.len() - 1
            });
            number_in_part[kind] = parts[place].kinds.len() as u32;
            parts[place].kinds.push(kind as u32);
            parts[place].problem.kinds.push(values);
        }
        for (number, group) in self.left.groups.iter().enumerate() {
            let mut rows = open(&group.rows);
            if rows.is_empty() {
                continue;
            }
            let first = root(&mut leader, number);
            if let Some(place) = place_of[first] {
                rows.iter_mut().for_each(|(kind, _)| *kind = number_in_part[*kind as usize]);
                parts[place].groups.push(number as u32);
                parts[place].problem.groups.push(CountedGroup { rows, values: open(&group.values) });
            }
        }
        parts
    }

    /// Decides what was found for a part.
    pub fn take_over(&mut self, part: &ThreeWayPart, found: &[ValueShare]) {
        self.shares.extend(found.iter().map(|share| ValueShare {
            group: part.groups[share.group as usize],
            kind: part.kinds[share.kind as usize],
            ..*share
        }));
    }
}
