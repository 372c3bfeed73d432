//! k-anonymity (L. Sweeney, 2002), ℓ-diversity (A. Machanavajjhala et al., ICDE 2006) and the α of (α, k)-anonymity
//! (R. C.-W. Wong et al., KDD 2006).

use super::super::{Fraction, Group};
use super::{known_rows, telling};
use crate::lab::Decimal;
use std::cmp::Ordering;

/// The largest k: the rows of the smallest class.
pub fn smallest_class(groups: &[Group]) -> Option<u32> {
    groups.iter().map(|group| group.rows).min()
}

/// The largest ℓ of distinct ℓ-diversity: the different values of the class that has the fewest.
pub fn distinct_values(groups: &[Group]) -> Option<usize> {
    telling(groups).map(|group| group.values.len()).min()
}

/// The largest ℓ for which no value is in more than 1 of ℓ rows of a class.
pub fn frequency_diversity(groups: &[Group]) -> Option<u64> {
    telling(groups).map(|group| known_rows(group) / u64::from(largest(group)).max(1)).min()
}

/// The smallest α: the largest share of a value in a class.
pub fn alpha(groups: &[Group]) -> Option<Fraction> {
    telling(groups).map(alpha_of).max()
}

pub fn alpha_of(group: &Group) -> Fraction {
    Fraction::new(largest(group).into(), known_rows(group).into())
}

fn largest(group: &Group) -> u32 {
    group.values.iter().map(|&(_, count)| count).max().unwrap_or(0)
}

/// The smallest c such that recursive (c′, ℓ)-diversity holds for every c′ above it (the condition is strict). None inside
/// when no c will do, since a class has fewer than ℓ values.
pub fn recursive_c(groups: &[Group], l: usize) -> Option<Option<Fraction>> {
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
pub fn recursive_c_of(group: &Group, l: usize) -> Option<Fraction> {
    let mut counts: Vec<u32> = group.values.iter().map(|&(_, count)| count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let tail: u64 = counts.iter().skip(l.saturating_sub(1)).map(|&count| u64::from(count)).sum();
    (tail > 0).then(|| Fraction::new(counts[0].into(), tail.into()))
}

/// The largest ℓ of recursive (c, ℓ)-diversity; 0 where not even ℓ = 1 holds.
pub fn recursive_diversity(groups: &[Group], c: Decimal) -> Option<usize> {
    let of_group = |group: &Group| {
        // The sum below the line shrinks as ℓ grows.
        let holds = |l: usize| recursive_c_of(group, l).is_some_and(|least| least.compare(c) == Ordering::Less);
        (1..=group.values.len()).take_while(|&l| holds(l)).count()
    };
    telling(groups).map(of_group).min()
}
