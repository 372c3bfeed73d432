//! Many short lists without an allocation each.

use std::ops::Range;

/// A table of lists in one array.
#[derive(Debug, Clone)]
pub struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// `pairs` are (list, item), in the order items shall have within their list.
    pub fn new(lists: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; lists + 1];
        for (list, _) in pairs.clone() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut items = vec![0; starts[lists] as usize];
        let mut next = starts.clone();
        for (list, item) in pairs {
            items[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Self { starts, items }
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items of a list.
    pub fn get(&self, list: usize) -> &[u32] {
        &self.items[self.places(list)]
    }

    /// Where the items of a list are among those of all lists.
    pub fn places(&self, list: usize) -> Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// The items of all lists, one list after another.
    pub fn into_items(self) -> Vec<u32> {
        self.items
    }
}

impl<I: Iterator<Item = u32>> FromIterator<I> for Lists {
    fn from_iter<T: IntoIterator<Item = I>>(lists: T) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }
}
