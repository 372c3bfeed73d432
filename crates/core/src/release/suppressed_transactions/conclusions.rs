//! What a reader makes of suppressed transactions: items that are published are published wherever they are, so the supports
//! of their sets are exact. A set with a suppressed item occurs nowhere, and there is nothing to estimate it from: 0.

use super::SuppressedTransactions;
use crate::data::{Baskets, Holders, Item};
use crate::lab::{LabError, counted};
use crate::release::conclusions::{Conclusions, Supports};

impl Conclusions for SuppressedTransactions {
    fn supports<'a>(&'a self, original: &'a Baskets) -> Option<Result<Box<dyn Supports + 'a>, LabError>> {
        let (found, wanted) = (self.transactions.items(), original.transactions.items());
        Some(if found == wanted {
            Ok(Box::new(PublishedSupports(Holders::new(&self.transactions))))
        } else {
            Err(LabError::input(format!("the release has {}, the original {wanted}", counted(found, "item"))))
        })
    }
}

struct PublishedSupports<'a>(Holders<'a>);

impl Supports for PublishedSupports<'_> {
    fn support(&self, set: &[Item]) -> f64 {
        self.0.support(set) as f64
    }
}
