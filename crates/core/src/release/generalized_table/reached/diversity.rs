//! k-anonymity (L. Sweeney, 2002), ℓ-diversity (A. Machanavajjhala et al., ICDE 2006) and the α of (α, k)-anonymity
//! (R. C.-W. Wong et al., KDD 2006).

use super::super::{ClassGroup, Fraction};
use super::{known_rows, telling};

/// The largest k: the rows of the smallest class.
pub fn smallest_class(groups: &[ClassGroup]) -> Option<u32> {
    groups.iter().map(|group| group.rows).min()
}

/// The largest ℓ of distinct ℓ-diversity: the different values of the class that has the fewest.
pub fn distinct_values(groups: &[ClassGroup]) -> Option<usize> {
    telling(groups).map(|group| group.values.len()).min()
}

/// The smallest α: the largest share of a value in a class.
pub fn alpha(groups: &[ClassGroup]) -> Option<Fraction> {
    telling(groups).map(alpha_of).max()
}

pub fn alpha_of(group: &ClassGroup) -> Fraction {
    Fraction::new(largest(group).into(), known_rows(group).into())
}

fn largest(group: &ClassGroup) -> u32 {
    group.values.iter().map(|&(_, count)| count).max().unwrap_or(0)
}

/// The smallest c such that recursive (c′, ℓ)-diversity holds for every c′ above it (the condition is strict). None inside
/// when no c will do, since a class has fewer than ℓ values.
pub fn recursive_c(groups: &[ClassGroup], l: usize) -> Option<Option<Fraction>> {
    let mut largest = None;
    for group in telling(groups) {
        match recursive_c_of(group, l) {
            None => return Some(None),
            Some(c) => largest = largest.max(Some(c)),
        }
    }
    largest.map(Some)
}

/// r₁ / (r_ℓ + … + r_m); None when nothing is below the line.
pub fn recursive_c_of(group: &ClassGroup, l: usize) -> Option<Fraction> {
    let mut counts: Vec<u32> = group.values.iter().map(|&(_, count)| count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let tail: u64 = counts.iter().skip(l.saturating_sub(1)).map(|&count| u64::from(count)).sum();
    (tail > 0).then(|| Fraction::new(counts[0].into(), tail.into()))
}
