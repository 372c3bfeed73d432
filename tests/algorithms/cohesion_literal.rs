//! (h,k,p)-cohesion as the paper writes it, for a handful of items: itemsets are bits of a number.
//!
//! [`Literal`] follows Definitions 1 and 2, Observation 2 and Figure 2 by enumeration. [`PaperBorder`] follows Sections 5
//! and 6: edges, W, Theorems 2 and 3, and the recursive Computeδ with its three cases.

pub type Set = u32;

pub fn subsets(set: Set) -> impl Iterator<Item = Set> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let current = next?;
        next = if current == 0 { None } else { Some((current - 1) & set) };
        Some(current)
    })
}

fn items(set: Set) -> impl Iterator<Item = u32> {
    (0..Set::BITS).filter(move |item| set >> item & 1 == 1)
}

#[derive(Debug, Clone)]
pub struct Literal {
    pub rows: Vec<Set>,
    pub public: Set,
    pub private: Set,
    /// h as numerator and denominator.
    pub h: (usize, usize),
    pub k: usize,
    pub p: usize,
    pub k_prime: usize,
    pub p_prime: usize,
}

impl Literal {
    pub fn support(&self, set: Set) -> usize {
        self.rows.iter().filter(|&&row| row & set == set).count()
    }

    /// BPr(α) > h: over all parts of α, the empty one included, and all private items.
    fn breaks_h(&self, set: Set) -> bool {
        subsets(set).any(|part| {
            let support = self.support(part);
            items(self.private).any(|item| self.support(part | 1 << item) * self.h.1 > self.h.0 * support)
        })
    }

    /// Definition 1 for an itemset that occurs; the empty one is an itemset, too.
    pub fn is_mole(&self, set: Set) -> bool {
        let support = self.support(set);
        support >= 1 && set.count_ones() as usize <= self.p && (support < self.k || self.breaks_h(set))
    }

    /// M(D) over the public items in `left`.
    pub fn moles(&self, left: Set) -> Vec<Set> {
        subsets(left & self.public).filter(|&set| set != 0 && self.is_mole(set)).collect()
    }

    /// N(D) over the public items in `left` and all private items.
    pub fn nuggets(&self, left: Set) -> Vec<Set> {
        subsets(left | self.private)
            .filter(|&set| set != 0 && set.count_ones() as usize <= self.p_prime && self.support(set) >= self.k_prime)
            .collect()
    }

    /// A cohesion exists if and only if the empty itemset is no mole.
    pub fn has_cohesion(&self) -> bool {
        self.rows.len() >= self.k && !self.breaks_h(0)
    }

    /// The public items that Observation 2 leaves.
    pub fn left_at_first(&self) -> Set {
        let least = self.k.max(self.k_prime);
        items(self.public).filter(|&item| self.support(1 << item) >= least).map(|item| 1 << item).sum()
    }

    /// Figure 2: the suppressed items, those of Observation 2 included.
    pub fn suppressed(&self) -> Set {
        let mut left = self.left_at_first();
        loop {
            let (moles, nuggets) = (self.moles(left), self.nuggets(left));
            let with = |sets: &[Set], item: u32| sets.iter().filter(|&&set| set >> item & 1 == 1).count();
            let scores = items(left).map(|item| (item, with(&moles, item), with(&nuggets, item)));
            match best_score(scores.filter(|&(_, moles, _)| moles > 0)) {
                Some(item) => left &= !(1 << item),
                None => return self.public & !left,
            }
        }
    }

    /// The largest number of nuggets any cohesion keeps (Definition 3).
    pub fn most_nuggets(&self) -> usize {
        let coherent = subsets(self.public).filter(|&left| self.moles(left).is_empty());
        coherent.map(|left| self.nuggets(left).len()).max().unwrap_or(0)
    }
}

/// The largest |M| / |N|, then the smaller |N|, then the smaller item.
fn best_score(scores: impl Iterator<Item = (u32, usize, usize)>) -> Option<u32> {
    scores.max_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2)).then(b.2.cmp(&a.2)).then(b.0.cmp(&a.0))).map(|(item, ..)| item)
}

/// ⟨α, β⟩.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge(pub Set, pub Set);

impl Edge {
    /// Theorem 2, (1) and (2).
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (lower, upper) = (self.0 | other.0, self.1 & other.1);
        (lower & !upper == 0).then_some(Self(lower, upper))
    }

    /// Theorem 3, for edges that overlap. The edges of the difference may overlap each other.
    pub fn difference(self, other: Self) -> Vec<Self> {
        let (x, y) = (self.0 | other.0, self.1 & other.1);
        let without = items(x & !self.0).map(|item| Self(self.0, self.1 & !(1 << item)));
        without.chain(items(self.1 & !y).map(|item| Self(self.0 | 1 << item, self.1))).collect()
    }

    /// W for one edge.
    pub fn count(self, x: Set, longest: usize) -> usize {
        let lower = self.0 | x;
        if lower & !self.1 != 0 || lower.count_ones() as usize > longest {
            return 0;
        }
        let n = (self.1 & !lower).count_ones() as usize;
        let m = n.min(longest - lower.count_ones() as usize);
        (0..=m).map(|i| binomial(n, i)).sum()
    }

    pub fn covers(self, set: Set) -> bool {
        self.0 & !set == 0 && set & !self.1 == 0
    }
}

fn binomial(n: usize, i: usize) -> usize {
    (0..i).fold(1, |product, j| product * (n - j) / (j + 1))
}

/// A border as its edges, and how long the counted itemsets may be.
#[derive(Debug, Clone)]
pub struct PaperBorder {
    pub edges: Vec<Edge>,
    longest: usize,
}

impl PaperBorder {
    fn new(mut upper: Vec<Set>, mut lower: Vec<Set>, longest: usize) -> Self {
        upper.sort_unstable();
        lower.sort_unstable();
        let edges = upper.iter().flat_map(|&u| lower.iter().filter(move |&&l| u & !l == 0).map(move |&l| Edge(u, l)));
        Self { edges: edges.collect(), longest }
    }

    pub fn from_edges(edges: Vec<Edge>, longest: usize) -> Self {
        Self { edges, longest }
    }

    /// B_M: the minimal moles and the maximal itemsets of a support of at least 1.
    pub fn of_moles(data: &Literal, left: Set) -> Self {
        let moles = data.moles(left);
        let minimal =
            moles.iter().copied().filter(|&mole| !moles.iter().any(|&part| part != mole && part & !mole == 0));
        let occurring = subsets(left).filter(|&set| data.support(set) >= 1).collect();
        Self::new(minimal.collect(), maximal(occurring), data.p)
    }

    /// B_N: the items that are nuggets and the maximal itemsets of a support of at least k'.
    pub fn of_nuggets(data: &Literal, left: Set) -> Self {
        let frequent: Vec<Set> =
            subsets(left | data.private).filter(|&set| set != 0 && data.support(set) >= data.k_prime).collect();
        let singletons = frequent.iter().copied().filter(|set| set.count_ones() == 1).collect();
        Self::new(singletons, maximal(frequent), data.p_prime)
    }

    /// W over the border: how many itemsets it covers contain `x` and are not too long.
    pub fn count(&self, x: Set) -> usize {
        compute_delta(&self.edges, &[], x, self.longest)
    }

    /// Drops the edges with the item in α and takes it from every β.
    fn suppress(&mut self, item: u32) {
        self.edges.retain(|edge| edge.0 >> item & 1 == 0);
        self.edges.iter_mut().for_each(|edge| edge.1 &= !(1 << item));
    }
}

fn maximal(sets: Vec<Set>) -> Vec<Set> {
    sets.iter().copied().filter(|&set| !sets.iter().any(|&other| other != set && set & !other == 0)).collect()
}

/// Computeδ for X = vv': how many itemsets with `x` the unexamined edges cover that no examined edge covers.
fn compute_delta(unexamined: &[Edge], examined: &[Edge], x: Set, longest: usize) -> usize {
    let mut examined = examined.to_vec();
    let mut delta = 0;
    for &edge in unexamined {
        let overlapping: Vec<Edge> = examined.iter().copied().filter(|&e| edge.intersection(e).is_some()).collect();
        delta += match overlapping[..] {
            [] => edge.count(x, longest),
            [one] => edge.count(x, longest) - edge.intersection(one).map_or(0, |both| both.count(x, longest)),
            [one, ref others @ ..] => compute_delta(&edge.difference(one), others, x, longest),
        };
        examined.push(edge);
    }
    delta
}

/// Figure 2 with scores counted from the borders and updated by Computeδ.
pub fn suppressed_by_borders(data: &Literal) -> Set {
    let mut left = data.left_at_first();
    let mut borders = [PaperBorder::of_moles(data, left), PaperBorder::of_nuggets(data, left)];
    let mut counts: Vec<[usize; 2]> = (0..Set::BITS)
        .map(|item| [0, 1].map(|i| if left >> item & 1 == 1 { borders[i].count(1 << item) } else { 0 }))
        .collect();
    loop {
        let scores = items(left).map(|item| (item, counts[item as usize][0], counts[item as usize][1]));
        let Some(item) = best_score(scores.filter(|&(_, moles, _)| moles > 0)) else {
            return data.public & !left;
        };
        left &= !(1 << item);
        for other in items(left) {
            for (count, border) in counts[other as usize].iter_mut().zip(&borders) {
                *count -= border.count(1 << item | 1 << other);
            }
        }
        borders.iter_mut().for_each(|border| border.suppress(item));
    }
}
