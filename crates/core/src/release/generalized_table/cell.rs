use crate::data::NodeId;

/// What stands in a cell of a quasi-identifier.
#[derive(Debug, Clone, PartialEq)]
pub enum GeneralizedCell {
    /// The code of a value.
    Value(u32),
    /// A node of the attribute's hierarchy, printed as its label.
    Node(NodeId),
    /// `[20,30)`: of a numeric attribute.
    Interval(Interval),
    /// `{a;b}`: codes, ascending.
    Set(Vec<u32>),
    /// `*`: every value.
    Any,
}

/// An interval of numbers; each end may belong to it or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether the lower end is in it.
    pub has_low: bool,
    /// Whether the upper end is in it.
    pub has_high: bool,
}

impl Interval {
    /// From `low` to `high`, both included.
    pub fn closed(low: f64, high: f64) -> Self {
        Self { low, high, has_low: true, has_high: true }
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: f64) -> bool {
        let above = if self.has_low { number >= self.low } else { number > self.low };
        let below = if self.has_high { number <= self.high } else { number < self.high };
        above && below
    }

    /// `[20,30)` and its kin; the outward bracket of ARX (`[20, 30[`) is an open end, too. None for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let has_low = match text.chars().next()? {
            '[' => true,
            '(' | ']' => false,
            _ => return None,
        };
        let has_high = match text.chars().next_back()? {
            ']' => true,
            ')' | '[' => false,
            _ => return None,
        };
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        let (low, high) = inner.split_once(',')?;
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        Some(Self { low: number(low)?, high: number(high)?, has_low, has_high })
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { low, high, has_low, has_high } = self;
        write!(f, "{}{low},{high}{}", if *has_low { '[' } else { '(' }, if *has_high { ']' } else { ')' })
    }
}

/// `{a;b}`; a backslash stands before a semicolon or a backslash that belongs to a value.
pub(super) fn write_set<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let escaped: Vec<String> = values.map(|value| value.replace('\\', "\\\\").replace(';', "\\;")).collect();
    format!("{{{}}}", escaped.join(";"))
}

/// The values of `{a;b}`; None where the text is no set.
pub(super) fn parse_set(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut values = vec![String::new()];
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match (character, values.last_mut()) {
            (';', _) => values.push(String::new()),
            ('\\', Some(value)) => value.push(characters.next()?),
            (other, Some(value)) => value.push(other),
            (_, None) => return None,
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn intervals_have_open_and_closed_ends() {
        let parse = |text| Interval::parse(text).unwrap();
        assert!(parse("[20,30)").contains(20.0) && !parse("[20,30)").contains(30.0));
        assert!(!parse("(20, 30]").contains(20.0) && parse("(20, 30]").contains(30.0));
        assert_eq!(parse("[20, 30["), parse("[20,30)"));
        assert_eq!(parse("[-1.5,2]").to_string(), "[-1.5,2]");
        for text in ["", "[", "[]", "[1]", "[a,b]", "1,2", "[1,inf]", "[1,2,3]", "ä,b]"] {
            assert_eq!(Interval::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn sets_are_read_as_written(values in prop::collection::vec("[a;{}\\\\é]{0,4}", 1..5)) {
            let text = write_set(values.iter().map(String::as_str));
            prop_assert_eq!(parse_set(&text), Some(values));
        }

        #[test]
        fn any_text_is_an_interval_or_none(text in "[\\[\\](),0-9.é-]{0,8}") {
            let _ = Interval::parse(&text);
            let _ = parse_set(&text);
        }
    }
}
