use super::Classes;

/// Which classes of a table cover a combination of values: for each value of each attribute the classes that cover it, as bits.
///
/// Cost. A bit for each class and value; a lookup takes one pass over the classes, 64 at a time.
pub struct CoverIndex {
    /// Attribute by attribute and code by code.
    bits: Vec<Vec<Vec<u64>>>,
    words: usize,
}

impl CoverIndex {
    /// An index over what the classes cover.
    pub fn new(classes: &Classes) -> Self {
        let words = classes.len().div_ceil(64);
        let mut bits: Vec<Vec<Vec<u64>>> = classes.values.iter().map(|&values| vec![vec![0; words]; values]).collect();
        for class in 0..classes.len() {
            for (i, of_code) in bits.iter_mut().enumerate() {
                for code in classes.cover(class, i).codes() {
                    of_code[code as usize][class / 64] |= 1 << (class % 64);
                }
            }
        }
        Self { bits, words }
    }

    /// Calls `visit` for each class that covers the values, one code an attribute.
    pub fn covering(&self, codes: impl Iterator<Item = u32> + Clone, mut visit: impl FnMut(usize)) {
        for word in 0..self.words {
            let with = codes.clone().zip(&self.bits).map(|(code, of_code)| of_code[code as usize][word]);
            let mut left = with.fold(u64::MAX, |all, bits| all & bits);
            // Without attributes every class covers, but there are no more than these.
            while left != 0 {
                visit(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}
