/// Maximal itemsets that are known already, as sets of codes, and which of them hold each code.
#[derive(Default)]
pub(super) struct KnownSets {
    codes: Vec<u32>,
    ends: Vec<usize>,
    holding: Vec<Vec<u32>>,
}

impl KnownSets {
    /// Empties it, for codes below `codes`.
    pub(super) fn clear(&mut self, codes: usize) {
        self.codes.clear();
        self.ends.clear();
        self.holding.iter_mut().for_each(Vec::clear);
        if self.holding.len() < codes {
            self.holding.resize_with(codes, Vec::new);
        }
    }

    /// Adds a set, unless it is empty.
    pub(super) fn push(&mut self, codes: impl Iterator<Item = u32>) {
        let start = self.codes.len();
        self.codes.extend(codes);
        if self.codes.len() > start {
            let id = self.ends.len() as u32;
            self.ends.push(self.codes.len());
            for &code in &self.codes[start..] {
                self.holding[code as usize].push(id);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The codes of the `id`-th set.
    pub(super) fn set(&self, id: usize) -> &[u32] {
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.codes[start..self.ends[id]]
    }

    /// The sets that hold `code`.
    pub(super) fn holding(&self, code: usize) -> impl Iterator<Item = &[u32]> {
        self.holding[code].iter().map(|&id| self.set(id as usize))
    }
}
