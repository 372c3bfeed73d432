//! A search for the cheapest solution of a covering problem that proves its answer, in whole numbers throughout.
//!
//! Bound: dual ascent. Every node has slack, at first its weight; whoever closes a node pays the slack left in its whole
//! subtree. Each unmet demand in turn takes as much as all of its nodes can pay, from the node itself first and from below it
//! after (slack below serves more demands). What was taken is a lower bound of the cost of meeting them all: it is a feasible
//! dual solution of the linear relaxation. When no demand can take more, the nodes without slack meet all demands: an upper
//! bound, once what is superfluous is opened again.
//!
//! A node whose remaining slack would lift the bound to the best known cost stays open in every better solution.
//!
//! Cost. A bound takes time linear in the demands left. On the papers' data most nodes are forced before the search begins,
//! and a few dozen are left to it.

use super::covering::{Closed, Covering};
use crate::data::NodeId;
use std::time::Instant;

/// The best solution found, and what is proven of it.
pub(super) struct ProvenCut {
    /// With the forced nodes.
    pub closed: Closed,
    /// With the forced nodes.
    pub cost: u64,
    /// No solution costs less.
    pub lower_bound: u64,
    /// Nodes of the search tree.
    pub steps: u64,
}

impl ProvenCut {
    pub fn is_proven(&self) -> bool {
        self.cost == self.lower_bound
    }
}

/// Searches until the answer is proven or the time is over.
pub(super) fn solve(covering: &Covering, deadline: Option<Instant>) -> ProvenCut {
    let mut search = BranchAndBound::new(covering, deadline);
    search.branch(vec![NodeState::Free; search.nodes.len()]);
    let forced = covering.cost(&covering.forced);
    let mut closed = covering.forced.clone();
    for (place, &node) in search.nodes.iter().enumerate() {
        if search.best[place] {
            closed.close(covering.hierarchy, node);
        }
    }
    let bound = if search.out_of_time { search.root_bound } else { search.best_cost };
    ProvenCut { closed, cost: forced + search.best_cost, lower_bound: forced + bound, steps: search.steps }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeState {
    Free,
    /// With all below it.
    Closed,
    /// With all above it.
    Open,
}

struct BranchAndBound {
    /// Nodes that are not forced, ascending, so children come before their parents; all else is by place in this list.
    nodes: Vec<NodeId>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    weights: Vec<u64>,
    demands: Vec<Vec<usize>>,
    best: Vec<bool>,
    best_cost: u64,
    root_bound: u64,
    steps: u64,
    deadline: Option<Instant>,
    out_of_time: bool,
}

impl BranchAndBound {
    fn new(covering: &Covering, deadline: Option<Instant>) -> Self {
        let hierarchy = covering.hierarchy;
        let nodes: Vec<NodeId> =
            (hierarchy.leaves() as NodeId..=hierarchy.root()).filter(|&node| !covering.forced.contains(node)).collect();
        let mut place = vec![usize::MAX; hierarchy.nodes()];
        for (i, &node) in nodes.iter().enumerate() {
            place[node as usize] = i;
        }
        let parents: Vec<Option<usize>> =
            nodes.iter().map(|&node| hierarchy.parent(node).map(|parent| place[parent as usize])).collect();
        let mut children = vec![Vec::new(); nodes.len()];
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(node);
            }
        }
        let mut demands: Vec<Vec<usize>> =
            covering.demands.iter().map(|demand| demand.iter().map(|&node| place[node as usize]).collect()).collect();
        demands.sort_by_key(Vec::len);
        let weights: Vec<u64> = nodes.iter().map(|&node| covering.weight(node)).collect();
        // Closing everything is the first solution.
        let best_cost = weights.iter().sum();
        let best = vec![true; nodes.len()];
        Self {
            nodes,
            parents,
            children,
            weights,
            demands,
            best,
            best_cost,
            root_bound: 0,
            steps: 0,
            deadline,
            out_of_time: false,
        }
    }

    /// Finds the best solution that agrees with `states`, if it is better than the best known.
    fn branch(&mut self, mut states: Vec<NodeState>) {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.out_of_time = true;
        }
        if self.out_of_time {
            return;
        }
        self.steps += 1;
        let unmet = loop {
            let Some(unmet) = self.propagate(&mut states) else { return };
            let ascent = self.ascend(&states, &unmet);
            if ascent.bound >= self.best_cost {
                return;
            }
            if self.steps == 1 {
                self.root_bound = self.root_bound.max(ascent.bound);
            }
            self.try_solution(&states, &unmet, &ascent);
            if unmet.is_empty() || ascent.bound >= self.best_cost {
                return;
            }
            if !self.fix_open(&mut states, &ascent) {
                break unmet;
            }
        };
        let node = self.choose(&states, &unmet);
        let (mut closed, mut left_open) = (states.clone(), states);
        self.close(&mut closed, node);
        self.open(&mut left_open, node);
        let (first, second) = if self.best[node] { (closed, left_open) } else { (left_open, closed) };
        self.branch(first);
        self.branch(second);
    }

    /// Closes nodes that are the last hope of a demand; the demands still unmet, or None if one cannot be met.
    fn propagate(&self, states: &mut [NodeState]) -> Option<Vec<usize>> {
        let mut unmet: Vec<usize> = (0..self.demands.len()).collect();
        loop {
            let mut closed_some = false;
            let mut hopeless = false;
            unmet.retain(|&demand| {
                let mut free = None;
                let mut several = false;
                for &node in &self.demands[demand] {
                    match states[node] {
                        NodeState::Closed => return false,
                        NodeState::Free => several |= free.replace(node).is_some(),
                        NodeState::Open => {}
                    }
                }
                match free {
                    None => hopeless = true,
                    Some(node) if !several => {
                        self.close(states, node);
                        closed_some = true;
                        return false;
                    }
                    Some(_) => {}
                }
                true
            });
            if hopeless {
                return None;
            }
            if !closed_some {
                return Some(unmet);
            }
        }
    }

    fn close(&self, states: &mut [NodeState], node: usize) {
        if states[node] != NodeState::Closed {
            states[node] = NodeState::Closed;
            for &child in &self.children[node] {
                self.close(states, child);
            }
        }
    }

    fn open(&self, states: &mut [NodeState], node: usize) {
        let mut next = Some(node);
        while let Some(node) = next.filter(|&node| states[node] != NodeState::Open) {
            states[node] = NodeState::Open;
            next = self.parents[node];
        }
    }

    fn ascend(&self, states: &[NodeState], unmet: &[usize]) -> Ascent {
        let mut bound = 0;
        let mut slack = vec![0; self.nodes.len()];
        for node in 0..slack.len() {
            match states[node] {
                NodeState::Closed => bound += self.weights[node],
                NodeState::Free | NodeState::Open => slack[node] = self.weights[node],
            }
        }
        let mut below = slack.clone();
        for node in 0..below.len() {
            if let Some(parent) = self.parents[node] {
                below[parent] += below[node];
            }
        }
        let mut ascent = Ascent { bound, slack, below };
        for &demand in unmet {
            let payers = self.demands[demand].iter().filter(|&&node| states[node] == NodeState::Free);
            let amount = payers.clone().map(|&node| ascent.below[node]).min().unwrap_or(0);
            if amount > 0 {
                for &node in payers {
                    let mut above = self.parents[node];
                    while let Some(node) = above {
                        ascent.below[node] -= amount;
                        above = self.parents[node];
                    }
                    ascent.pay(&self.children, node, amount);
                }
                ascent.bound += amount;
            }
        }
        ascent
    }

    /// Closes what has no slack left, opens again what is not needed, and keeps the result if it is better.
    fn try_solution(&mut self, states: &[NodeState], unmet: &[usize], ascent: &Ascent) {
        let mut solution: Vec<bool> = states.iter().map(|&state| state == NodeState::Closed).collect();
        let mut demands_of = vec![Vec::new(); self.nodes.len()];
        for &demand in unmet {
            for &node in &self.demands[demand] {
                demands_of[node].push(demand);
                if states[node] == NodeState::Free && ascent.below[node] == 0 {
                    self.mark(&mut solution, node);
                }
            }
        }
        let mut times_met = vec![0; self.demands.len()];
        for &demand in unmet {
            times_met[demand] = self.demands[demand].iter().filter(|&&node| solution[node]).count();
        }
        // From the top down: a node can be opened when nothing above it is closed.
        for node in (0..solution.len()).rev() {
            let is_top = solution[node] && self.parents[node].is_none_or(|parent| !solution[parent]);
            let is_superfluous = demands_of[node].iter().all(|&demand| times_met[demand] > 1);
            if is_top && is_superfluous && states[node] == NodeState::Free {
                solution[node] = false;
                demands_of[node].iter().for_each(|&demand| times_met[demand] -= 1);
            }
        }
        let cost = (0..solution.len()).filter(|&node| solution[node]).map(|node| self.weights[node]).sum();
        if cost < self.best_cost {
            self.best_cost = cost;
            self.best = solution;
        }
    }

    fn mark(&self, closed: &mut [bool], node: usize) {
        if !closed[node] {
            closed[node] = true;
            for &child in &self.children[node] {
                self.mark(closed, child);
            }
        }
    }

    /// Opens the nodes that no better solution closes; says whether there were any.
    fn fix_open(&self, states: &mut [NodeState], ascent: &Ascent) -> bool {
        let mut any = false;
        for node in 0..states.len() {
            if states[node] == NodeState::Free && ascent.bound + ascent.below[node] >= self.best_cost {
                self.open(states, node);
                any = true;
            }
        }
        any
    }

    /// The free node that most unmet demands name.
    fn choose(&self, states: &[NodeState], unmet: &[usize]) -> usize {
        let mut named = vec![0u32; self.nodes.len()];
        for &demand in unmet {
            for &node in &self.demands[demand] {
                if states[node] == NodeState::Free {
                    named[node] += 1;
                }
            }
        }
        (0..named.len()).max_by_key(|&node| (named[node], std::cmp::Reverse(node))).expect("a demand is unmet")
    }
}

struct Ascent {
    bound: u64,
    slack: Vec<u64>,
    /// The slack of each node and all below it: what closing it would cost beyond the bound.
    below: Vec<u64>,
}

impl Ascent {
    fn pay(&mut self, children: &[Vec<usize>], node: usize, amount: u64) {
        self.below[node] -= amount;
        let own = amount.min(self.slack[node]);
        self.slack[node] -= own;
        let mut rest = amount - own;
        for &child in &children[node] {
            let share = rest.min(self.below[child]);
            if share > 0 {
                self.pay(children, child, share);
                rest -= share;
            }
        }
    }
}
