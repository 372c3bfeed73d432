use crate::data::{Microdata, NodeId};
use crate::release::generalized_table::{Domain, GeneralizedCell, Interval};

/// A quasi-identifier as Mondrian sees it: values in a row, by number, by the hierarchy's leaves from left to right, or by text.
pub(super) struct Attribute<'a> {
    pub domain: Domain<'a>,
    /// Code to its place in the order.
    pub place_of: Vec<u32>,
    /// Place to its code.
    pub code_at: Vec<u32>,
    /// Place to what widths are measured by, from 0 to `range`.
    scale: Vec<f64>,
    range: f64,
    /// Whether cells are intervals.
    is_numeric: bool,
}

impl<'a> Attribute<'a> {
    pub fn new(microdata: &'a Microdata, i: usize) -> Self {
        let domain = Domain::new(microdata, i);
        let is_numeric = domain.range().is_some();
        let code_at: Vec<u32> = match domain.hierarchy {
            Some(tree) if !is_numeric => leaves_in_order(tree, tree.root()),
            _ => (0..domain.values() as u32).collect(),
        };
        let mut place_of = vec![0; code_at.len()];
        for (place, &code) in code_at.iter().enumerate() {
            place_of[code as usize] = place as u32;
        }
        let steps = code_at.len().saturating_sub(1).max(1) as f64;
        let (scale, range) = match domain.range() {
            Some((low, high)) => {
                let range = if high > low { high - low } else { 1.0 };
                // Missing values are as far away as can be.
                let distance = |&code: &u32| domain.number(code).map_or(range, |number| number - low);
                (code_at.iter().map(distance).collect(), range)
            }
            None => ((0..code_at.len()).map(|place| place as f64).collect(), steps),
        };
        Self { domain, place_of, code_at, scale, range, is_numeric }
    }

    /// How wide the values from one place to another are, as a part of all. Divided last: attributes that are equally wide have
    /// the same number.
    pub fn width(&self, low: u32, high: u32) -> f64 {
        (self.scale[high as usize] - self.scale[low as usize]) / self.range
    }

    /// Whether the cell of a class follows from its first and last place alone.
    pub fn is_told_by_ends(&self, high: u32) -> bool {
        let has_numbers = self.is_numeric && self.domain.number(self.code_at[high as usize]).is_some();
        has_numbers || (!self.is_numeric && self.domain.hierarchy.is_some())
    }

    /// The cell of a class with these places, ascending and different; where the ends tell all, they are enough.
    pub fn cell(&self, places: &[u32]) -> GeneralizedCell {
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else { return GeneralizedCell::Any };
        let code = |place: u32| self.code_at[place as usize];
        if low == high {
            return GeneralizedCell::Value(code(low));
        }
        if let (Some(from), Some(to)) = (self.domain.number(code(low)), self.domain.number(code(high))) {
            return GeneralizedCell::Interval(Interval::closed(from, to));
        }
        if let Some(tree) = self.domain.hierarchy.filter(|_| !self.is_numeric) {
            // Leaves stand in a row, so what is above the first and the last is above all between.
            let above: Vec<NodeId> = tree.path_to_root(code(low)).collect();
            let common = tree.path_to_root(code(high)).find(|node| above.contains(node));
            return GeneralizedCell::Node(common.unwrap_or_else(|| tree.root()));
        }
        if places.len() == self.domain.values() {
            return GeneralizedCell::Any;
        }
        let mut codes: Vec<u32> = places.iter().map(|&place| code(place)).collect();
        codes.sort_unstable();
        GeneralizedCell::Set(codes)
    }
}

fn leaves_in_order(tree: &crate::data::Hierarchy, root: NodeId) -> Vec<u32> {
    let mut found = Vec::with_capacity(tree.leaves());
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match tree.children(node) {
            [] => found.push(node),
            children => open.extend(children.iter().rev()),
        }
    }
    found
}
