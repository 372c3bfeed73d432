//! What is asked, and what the answer can be.

/// Something with the number of times it occurs; lists of them ascend.
pub type Counted = (u32, u32);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedGroup {
    /// The kinds of its rows.
    pub rows: Vec<Counted>,
    /// Its values, as many as rows.
    pub values: Vec<Counted>,
}

/// The sums agree: each kind has as many rows in all groups as values, and each value is as often in all groups as with all kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreeWay {
    pub groups: Vec<CountedGroup>,
    /// The values of each kind.
    pub kinds: Vec<Vec<Counted>>,
}

/// So many rows of a kind in a group have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueShare {
    pub group: u32,
    pub kind: u32,
    pub value: u32,
    pub rows: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// One way to do it. A group, kind and value may have several shares.
    Possible(Vec<ValueShare>),
    Impossible(CountContradiction),
    /// So many groups are in the parts for which neither was found.
    Open {
        groups: usize,
    },
}

/// Why there is no way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountContradiction {
    /// In one group: rows of these kinds can only have these of its values, which are fewer.
    Group { group: u32, kinds: Vec<u32>, rows: u64, values: Vec<Counted> },
    /// What one bound leaves, once everything forced is taken away (`forced`: how many rows that are).
    Line { line: Margin, wanted: u32, possible: u32, forced: u64 },
    /// Every way for these groups was tried.
    Exhausted { groups: Vec<u32>, steps: u64 },
}

/// A sum of counts: what it is over is what its name leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Margin {
    /// The rows of a kind in a group, over values.
    KindInGroup { kind: u32, group: u32 },
    /// A value of a group, over its rows.
    ValueInGroup { group: u32, value: u32 },
    /// A value of a kind, over the groups.
    ValueOfKind { kind: u32, value: u32 },
}

/// How often `what` occurs.
pub fn count_of(list: &[Counted], what: u32) -> u32 {
    list.binary_search_by_key(&what, |&(known, _)| known).map_or(0, |place| list[place].1)
}
