use crate::data::Item;

/// Itemsets that grow item by item, their items ascending at every step: a stack of frames, each the one below it with
/// one item more.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The frames one behind the other: of 1 item, 2 items, and so on.
    items: Vec<Item>,
    /// The number of items of the top frame.
    len: usize,
}

impl Frames {
    /// The itemset as it is now.
    #[inline]
    pub(super) fn top(&self) -> &[Item] {
        &self.items[self.items.len() - self.len..]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, item: Item) {
        let start = self.items.len();
        self.items.extend_from_within(start - self.len..);
        self.items.push(item);
        let frame = &mut self.items[start..];
        let mut place = self.len;
        while place > 0 && frame[place - 1] > item {
            frame[place] = frame[place - 1];
            place -= 1;
        }
        frame[place] = item;
        self.len += 1;
    }

    /// Takes back the last push.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.items.truncate(self.items.len() - self.len);
        self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_ascend_whatever_the_order_of_pushes() {
        let mut frames = Frames::default();
        for item in [5, 9, 1] {
            frames.push(item);
        }
        assert_eq!(frames.top(), [1, 5, 9]);
        frames.pop();
        assert_eq!(frames.top(), [5, 9]);
        frames.push(7);
        assert_eq!((frames.top(), frames.len()), (&[5, 7, 9][..], 3));
    }
}
