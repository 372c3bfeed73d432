//! A largest assignment between two sides whose members stand for many alike: distinct rows with the number of times they occur.
//!
//! Units on the left go to places on the right along edges, which take any number. It is a maximum flow (Dinic): shortest
//! augmenting paths, all those of one length in one phase.
//!
//! Cost. O(edges) a phase, and few phases: as long as the longest shortest path that is needed. Multiplicities cost nothing.

use std::collections::VecDeque;

/// What [`Flow::maximum`] assigned.
#[derive(Debug, Clone)]
pub struct Flow {
    /// First edge of each left node, and one past the last.
    start: Vec<usize>,
    /// Edge to its right node.
    to: Vec<u32>,
    /// Edge to the units that go along it.
    units: Vec<u64>,
    /// Units of each left node that found no place.
    pub left_over: Vec<u64>,
    /// Places of each right node that nothing was assigned to.
    pub open: Vec<u64>,
}

const UNREACHED: u32 = u32::MAX;

impl Flow {
    /// As many units as possible: `left` and `right` are how many units and places each node has, `edges` the right nodes that
    /// each left node's units may go to. The same input always gives the same answer.
    pub fn maximum(left: &[u64], right: &[u64], edges: &[Vec<u32>]) -> Self {
        let mut start = vec![0];
        let mut to = Vec::with_capacity(edges.iter().map(Vec::len).sum());
        for of_node in edges {
            to.extend_from_slice(of_node);
            start.push(to.len());
        }
        let units = vec![0; to.len()];
        let mut flow = Self { start, to, units, left_over: left.to_vec(), open: right.to_vec() };
        flow.greedily();
        let back = Back::new(&flow, right.len());
        while flow.phase(&back) {}
        flow
    }

    /// The right nodes that units of `node` go to, with how many.
    pub fn assigned(&self, node: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        (self.start[node]..self.start[node + 1])
            .map(|edge| (self.to[edge], self.units[edge]))
            .filter(|&(_, units)| units > 0)
    }

    fn greedily(&mut self) {
        for node in 0..self.left_over.len() {
            for edge in self.start[node]..self.start[node + 1] {
                let right = self.to[edge] as usize;
                let units = self.left_over[node].min(self.open[right]);
                self.units[edge] += units;
                self.left_over[node] -= units;
                self.open[right] -= units;
            }
        }
    }

    /// Augments along all shortest paths; false when there is none.
    fn phase(&mut self, back: &Back) -> bool {
        let Some(levels) = self.levels(back) else { return false };
        let mut next_of_left = self.start.clone();
        let mut next_of_right = back.start.clone();
        for source in 0..self.left_over.len() {
            while self.left_over[source] > 0 {
                if !self.augment(source, back, &levels, &mut next_of_left, &mut next_of_right) {
                    break;
                }
            }
        }
        true
    }

    /// How many steps each node is from a left node with units over; None when no open place can be reached.
    fn levels(&self, back: &Back) -> Option<Levels> {
        let mut levels =
            Levels { left: vec![UNREACHED; self.left_over.len()], right: vec![UNREACHED; self.open.len()] };
        let mut queue = VecDeque::new();
        for (node, _) in self.left_over.iter().enumerate().filter(|&(_, &over)| over > 0) {
            levels.left[node] = 0;
            queue.push_back(node);
        }
        let mut last = UNREACHED;
        while let Some(node) = queue.pop_front() {
            let level = levels.left[node];
            if level >= last {
                continue;
            }
            for edge in self.start[node]..self.start[node + 1] {
                let right = self.to[edge] as usize;
                if levels.right[right] != UNREACHED {
                    continue;
                }
                levels.right[right] = level + 1;
                if self.open[right] > 0 {
                    last = last.min(level + 1);
                    continue;
                }
                for &(edge, other) in back.edges(right) {
                    if self.units[edge] > 0 && levels.left[other as usize] == UNREACHED {
                        levels.left[other as usize] = level + 2;
                        queue.push_back(other as usize);
                    }
                }
            }
        }
        (last != UNREACHED).then_some(levels)
    }

    /// One path from `source` to an open place, along ascending levels. What leads nowhere is not tried again in this phase.
    fn augment(
        &mut self,
        source: usize,
        back: &Back,
        levels: &Levels,
        next_of_left: &mut [usize],
        next_of_right: &mut [usize],
    ) -> bool {
        // Edges in turn: one taken forwards, the next one given back.
        let mut forwards: Vec<usize> = Vec::new();
        let mut backwards: Vec<usize> = Vec::new();
        let mut node = source;
        loop {
            // From the left node `node` onwards.
            let Some(edge) = self.next_forward(node, levels, next_of_left) else {
                // Nothing leads on from it: the edge that led here is used up.
                let (Some(_), Some(through)) = (backwards.pop(), forwards.pop()) else { return false };
                next_of_right[self.to[through] as usize] += 1;
                node = back.left_of[through] as usize;
                continue;
            };
            let right = self.to[edge] as usize;
            forwards.push(edge);
            if self.open[right] > 0 {
                self.shift(source, right, &forwards, &backwards);
                return true;
            }
            match self.next_backward(right, back, levels, next_of_right) {
                Some((edge, other)) => {
                    backwards.push(edge);
                    node = other as usize;
                }
                None => {
                    forwards.pop();
                    next_of_left[node] += 1;
                }
            }
        }
    }

    fn next_forward(&self, node: usize, levels: &Levels, next: &mut [usize]) -> Option<usize> {
        while next[node] < self.start[node + 1] {
            let edge = next[node];
            if levels.right[self.to[edge] as usize] == levels.left[node] + 1 {
                return Some(edge);
            }
            next[node] += 1;
        }
        None
    }

    fn next_backward(&self, right: usize, back: &Back, levels: &Levels, next: &mut [usize]) -> Option<(usize, u32)> {
        while next[right] < back.start[right + 1] {
            let (edge, other) = back.list[next[right]];
            if self.units[edge] > 0 && levels.left[other as usize] == levels.right[right] + 1 {
                return Some((edge, other));
            }
            next[right] += 1;
        }
        None
    }

    fn shift(&mut self, source: usize, last: usize, forwards: &[usize], backwards: &[usize]) {
        let given_back = backwards.iter().map(|&edge| self.units[edge]);
        let units = given_back.chain([self.left_over[source], self.open[last]]).min().unwrap_or(0);
        forwards.iter().for_each(|&edge| self.units[edge] += units);
        backwards.iter().for_each(|&edge| self.units[edge] -= units);
        self.left_over[source] -= units;
        self.open[last] -= units;
    }
}

struct Levels {
    left: Vec<u32>,
    right: Vec<u32>,
}

/// The edges from the right side's view.
struct Back {
    start: Vec<usize>,
    list: Vec<(usize, u32)>,
    left_of: Vec<u32>,
}

impl Back {
    fn new(flow: &Flow, right: usize) -> Self {
        let mut start = vec![0; right + 1];
        for &to in &flow.to {
            start[to as usize + 1] += 1;
        }
        for node in 0..right {
            start[node + 1] += start[node];
        }
        let edges_of = |node: usize| flow.start[node + 1] - flow.start[node];
        let nodes = (0..flow.left_over.len()).flat_map(|node| std::iter::repeat_n(node as u32, edges_of(node)));
        let left_of: Vec<u32> = nodes.collect();
        let (mut next, mut list) = (start.clone(), vec![(0, 0); flow.to.len()]);
        for (edge, (&right, &left)) in flow.to.iter().zip(&left_of).enumerate() {
            let place = &mut next[right as usize];
            list[*place] = (edge, left);
            *place += 1;
        }
        Self { start, list, left_of }
    }

    fn edges(&self, right: usize) -> &[(usize, u32)] {
        &self.list[self.start[right]..self.start[right + 1]]
    }
}

/// Why places of `right` stay open, after Hall: right nodes that, taken together, have more places than all the left nodes with
/// an edge to any of them have units. None when nothing is open there. Both lists ascend.
pub fn shortage(flow: &Flow, right: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    if flow.open[right] == 0 {
        return None;
    }
    let back = Back::new(flow, flow.open.len());
    let mut rights = vec![false; flow.open.len()];
    let mut lefts = vec![false; flow.left_over.len()];
    let mut queue = VecDeque::from([right]);
    rights[right] = true;
    while let Some(node) = queue.pop_front() {
        for &(_, left) in back.edges(node) {
            if !std::mem::replace(&mut lefts[left as usize], true) {
                for (other, _) in flow.assigned(left as usize) {
                    if !std::mem::replace(&mut rights[other as usize], true) {
                        queue.push_back(other as usize);
                    }
                }
            }
        }
    }
    let chosen = |flags: &[bool]| (0..).zip(flags).filter(|&(_, &is)| is).map(|(node, _)| node).collect();
    Some((chosen(&rights), chosen(&lefts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Kuhn's algorithm on single units.
    fn largest(left: &[u64], right: &[u64], edges: &[Vec<u32>]) -> u64 {
        let units: Vec<usize> = (0..left.len()).flat_map(|node| vec![node; left[node] as usize]).collect();
        let places: Vec<u32> = (0..).zip(right).flat_map(|(node, &n)| vec![node; n as usize]).collect();
        let mut taken: Vec<Option<usize>> = vec![None; places.len()];
        fn try_unit(
            unit: usize,
            units: &[usize],
            places: &[u32],
            edges: &[Vec<u32>],
            taken: &mut [Option<usize>],
            seen: &mut [bool],
        ) -> bool {
            for (place, node) in places.iter().enumerate() {
                if edges[units[unit]].contains(node) && !std::mem::replace(&mut seen[place], true) {
                    let free = match taken[place] {
                        None => true,
                        Some(other) => try_unit(other, units, places, edges, taken, seen),
                    };
                    if free {
                        taken[place] = Some(unit);
                        return true;
                    }
                }
            }
            false
        }
        let mut found = 0;
        for unit in 0..units.len() {
            found += u64::from(try_unit(unit, &units, &places, edges, &mut taken, &mut vec![false; places.len()]));
        }
        found
    }

    proptest! {
        #[test]
        fn it_is_the_largest_and_says_why_not_more(
            left in prop::collection::vec(0u64..4, 1..6),
            right in prop::collection::vec(0u64..4, 1..6),
            bits in prop::collection::vec(any::<u8>(), 6),
        ) {
            let edges: Vec<Vec<u32>> = (0..left.len())
                .map(|node| (0..right.len() as u32).filter(|&to| bits[node] >> to & 1 == 1).collect())
                .collect();
            let flow = Flow::maximum(&left, &right, &edges);
            let assigned: u64 = left.iter().sum::<u64>() - flow.left_over.iter().sum::<u64>();
            prop_assert_eq!(assigned, largest(&left, &right, &edges));
            for (node, &units) in left.iter().enumerate() {
                let sum: u64 = flow.assigned(node).map(|(_, units)| units).sum();
                prop_assert_eq!(sum + flow.left_over[node], units);
            }
            for node in 0..right.len() {
                match shortage(&flow, node) {
                    None => prop_assert_eq!(flow.open[node], 0),
                    Some((rights, lefts)) => {
                        let places: u64 = rights.iter().map(|&node| right[node as usize]).sum();
                        let units: u64 = lefts.iter().map(|&node| left[node as usize]).sum();
                        prop_assert!(places > units);
                        for (node, to) in edges.iter().enumerate() {
                            let meets = to.iter().any(|to| rights.contains(to));
                            prop_assert!(!meets || lefts.contains(&(node as u32)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_long_chain_is_undone_to_its_end() {
        // Greedily each node takes the place after its own, so that the last one finds none: all others must move.
        let n = 50_000u32;
        let edges: Vec<Vec<u32>> = (0..n).map(|node| vec![(node + 1).min(n - 1), node]).collect();
        let flow = Flow::maximum(&vec![1; n as usize], &vec![1; n as usize], &edges);
        assert_eq!(flow.left_over.iter().sum::<u64>(), 0);
    }
}
