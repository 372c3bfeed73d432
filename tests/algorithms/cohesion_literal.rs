//! (h,k,p)-cohesion as the paper writes it, for a handful of items: itemsets are bits of a number.
//!
//! [`Literal`] follows Definitions 1 and 2, Observation 2 and Figure 2 by enumeration.

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
