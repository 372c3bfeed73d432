//! Transactions from rows of labels, whatever wrote them.
//!
//! Items are numbers or words. A file whose first item is a number has numbers only, so that a slip (`12x`) is noticed.
//! A transaction is a set: an item that is repeated within it counts once.

use super::text::SourceText;
use crate::data::{Item, Transactions};
use crate::sources::DataError;
use rustc_hash::FxHashMap;

/// Transactions under construction, in which items have the codes of their first appearance.
#[derive(Debug)]
pub struct BasketsBuilder<'a> {
    items: Items<'a>,
    offsets: Vec<usize>,
    codes: Vec<Item>,
}

#[derive(Debug)]
enum Items<'a> {
    /// Before the first item.
    Unknown,
    Numbers(Numbers),
    Words(FxHashMap<&'a str, Item>),
}

/// Numbers and their codes. Small numbers, which most ids are, go through a table.
#[derive(Debug, Default)]
struct Numbers {
    small: Vec<Item>,
    large: FxHashMap<u64, Item>,
    numbers: Vec<u64>,
}

const SMALL: u64 = 1 << 20;
const NONE: Item = Item::MAX;

impl Numbers {
    fn code(&mut self, number: u64) -> Item {
        let next = self.numbers.len() as Item;
        let code = if number < SMALL {
            let at = number as usize;
            if at >= self.small.len() {
                self.small.resize((at + 1).next_power_of_two(), NONE);
            }
            &mut self.small[at]
        } else {
            self.large.entry(number).or_insert(NONE)
        };
        if *code == NONE {
            *code = next;
            self.numbers.push(number);
        }
        *code
    }
}

impl<'a> BasketsBuilder<'a> {
    pub fn new() -> Self {
        Self { items: Items::Unknown, offsets: vec![0], codes: Vec::new() }
    }

    /// The code of an item, which is its own until `finish`.
    pub fn code(&mut self, source: &SourceText, line: usize, label: &'a str) -> Result<Item, DataError> {
        if let Items::Unknown = self.items {
            self.items = match number(label) {
                Some(_) => Items::Numbers(Numbers::default()),
                None => Items::Words(FxHashMap::default()),
            };
        }
        match &mut self.items {
            Items::Numbers(numbers) => match number(label) {
                Some(number) => Ok(numbers.code(number)),
                None => Err(source.error(line, format!("`{label}` is no item number"))),
            },
            Items::Words(words) => {
                if label.chars().any(char::is_control) {
                    return Err(source.error(line, format!("{label:?} is no item: it has control characters")));
                }
                let next = words.len() as Item;
                Ok(*words.entry(label).or_insert(next))
            }
            Items::Unknown => Err(source.error(line, "no item")),
        }
    }

    /// Puts an item into the open row.
    pub fn push(&mut self, source: &SourceText, line: usize, label: &'a str) -> Result<(), DataError> {
        let code = self.code(source, line, label)?;
        self.codes.push(code);
        Ok(())
    }

    /// A whole row of items that have their codes already.
    pub fn push_row(&mut self, codes: Vec<Item>) {
        self.codes.extend(codes);
        self.end_row();
    }

    /// How many items the open row has.
    pub fn open_items(&self) -> usize {
        self.codes.len() - self.offsets.last().copied().unwrap_or(0)
    }

    /// Closes the row.
    pub fn end_row(&mut self) {
        self.offsets.push(self.codes.len());
    }

    /// Numbers items in the order of their labels: of the numbers, else of the text.
    pub fn finish(self) -> Transactions {
        let Self { items, offsets, mut codes } = self;
        let mut labels: Vec<(String, Item)> = match items {
            Items::Unknown => Vec::new(),
            Items::Numbers(Numbers { numbers, .. }) => {
                let mut order: Vec<(u64, Item)> = numbers.into_iter().zip(0..).collect();
                order.sort_unstable();
                order.into_iter().map(|(number, code)| (number.to_string(), code)).collect()
            }
            Items::Words(words) => {
                let mut order: Vec<(&str, Item)> = words.into_iter().collect();
                order.sort_unstable();
                order.into_iter().map(|(word, code)| (word.to_string(), code)).collect()
            }
        };
        let mut new_code = vec![0; labels.len()];
        for (item, (_, code)) in labels.iter().enumerate() {
            new_code[*code as usize] = item as Item;
        }
        for code in &mut codes {
            *code = new_code[*code as usize];
        }
        let labels = labels.drain(..).map(|(label, _)| label).collect();
        Transactions::from_parts(offsets, codes, labels)
    }
}

/// Digits alone: a sign or a fraction makes no item number.
fn number(label: &str) -> Option<u64> {
    if label.is_empty() || label.len() > 19 {
        return None;
    }
    label.bytes().try_fold(0, |number: u64, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))
}
