//! What a release says by its form: by the order of its lines, by what stands in it twice, by the ways in which the same thing
//! is written. A guarantee is about what a release says; what is withheld must not be readable from how it is said.

use crate::data::Dataset;
use std::cmp::Ordering;

/// A way in which the files of a release may say more than their content does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFault {
    /// Whether it gives away something that the release withholds. If not, it only could: the order is none that
    /// everybody knows, and whoever made the release chose it.
    pub leaks: bool,
    /// Where it is, what it says, and what to do about it.
    pub says: String,
}

/// Whose rows and items the form of a release is compared with.
#[derive(Debug, Clone, Copy)]
pub enum Beside<'a> {
    /// The original.
    Original(&'a Dataset),
    /// What the release itself says, where there is no original: the order of its rows and items is of its own making, so that no
    /// other order can be shown to follow it.
    Itself(&'a Dataset),
}

impl<'a> Beside<'a> {
    pub(super) fn dataset(self) -> &'a Dataset {
        match self {
            Self::Original(dataset) | Self::Itself(dataset) => dataset,
        }
    }

    pub(super) fn is_original(self) -> bool {
        matches!(self, Self::Original(_))
    }
}

impl FormFault {
    pub(super) fn new(leaks: bool, says: impl Into<String>) -> Self {
        Self { leaks, says: says.into() }
    }
}

/// An order of lines or items that everybody knows.
pub(super) type LineOrder<'a, T> = &'a dyn Fn(&T, &T) -> Ordering;

/// The list that no single one of `orders` explains, by its number: None if one of them puts every list in order.
pub(super) fn unordered<T>(lists: &[Vec<T>], orders: &[LineOrder<'_, T>]) -> Option<usize> {
    let first_breach = |order: &LineOrder<'_, T>| {
        lists.iter().position(|list| list.windows(2).any(|pair| order(&pair[0], &pair[1]) == Ordering::Greater))
    };
    // The list where the best of the orders fails.
    let mut furthest = None;
    for order in orders {
        furthest = furthest.max(Some(first_breach(order)?));
    }
    furthest
}

/// Numbers by their value, everything else after them by its text.
pub(super) fn by_number(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_order_must_explain_every_list() {
        let ascending: LineOrder<'_, u32> = &|a, b| a.cmp(b);
        let descending: LineOrder<'_, u32> = &|a, b| b.cmp(a);
        let both = [ascending, descending];
        assert_eq!(unordered(&[vec![1, 2], vec![2, 3]], &both), None);
        assert_eq!(unordered(&[vec![2, 1], vec![3, 2], vec![]], &both), None);
        assert_eq!(unordered(&[vec![1, 2], vec![3, 2]], &both), Some(1));
        assert_eq!(unordered(&[vec![1, 3, 2]], &both), Some(0));
        assert_eq!(by_number("9", "10"), Ordering::Less);
        assert_eq!(by_number("9", "a"), Ordering::Less);
    }
}
