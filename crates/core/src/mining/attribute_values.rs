use crate::data::{Column, Hierarchy, Microdata, NodeId};
use crate::lab::{LabError, counted};

/// A value an antecedent can ask for: a value of the table, or one above it in the hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneralizedValue {
    /// A node of the attribute's hierarchy; below the attribute's cardinality, it is the code of a value.
    pub node: NodeId,
    /// The codes that belong to it with their membership, ascending; those under the node belong wholly (1).
    pub members: Vec<(u32, f64)>,
}

/// A quasi-identifier and all values an antecedent can ask of it.
#[derive(Debug, Clone)]
pub struct AttributeValues<'a> {
    /// Row by row, the codes.
    pub codes: &'a [u32],
    /// How many codes there are.
    pub cardinality: usize,
    /// The values of the table by code, then those above them by node.
    pub values: Vec<GeneralizedValue>,
    hierarchy: Option<&'a Hierarchy>,
    column: &'a Column,
}

impl<'a> AttributeValues<'a> {
    /// The values of the table alone; none when there is only one, which every row has.
    pub fn leaves(microdata: &'a Microdata, i: usize) -> Self {
        let column = &microdata.table.columns[microdata.quasi_identifiers[i]];
        let cardinality = column.cardinality();
        let distinct = if cardinality > 1 { cardinality as u32 } else { 0 };
        let values = (0..distinct).map(|code| GeneralizedValue { node: code, members: vec![(code, 1.0)] }).collect();
        Self { codes: &column.codes, cardinality, values, hierarchy: None, column }
    }

    /// The values of the table and the inner nodes of the hierarchy but those that say nothing new: nodes above all values
    /// (which every row has) and nodes with a single child (which are that child again).
    pub fn generalized(microdata: &'a Microdata, i: usize) -> Result<Self, LabError> {
        let mut attribute = Self::leaves(microdata, i);
        let name = &attribute.column.name;
        let Some(hierarchy) = &microdata.hierarchies[i] else {
            return Err(LabError::input(format!(
                "`{name}` has no hierarchy: give it one, or set `generalized` to false for rules about plain values"
            )));
        };
        if hierarchy.leaves() != attribute.cardinality {
            return Err(LabError::input(format!(
                "the hierarchy of `{name}` has {}, the table {}",
                counted(hierarchy.leaves(), "value"),
                attribute.cardinality
            )));
        }
        let says_something =
            |&node: &NodeId| hierarchy.children(node).len() > 1 && hierarchy.leaves_under(node) < hierarchy.leaves();
        attribute.values.extend((hierarchy.leaves() as NodeId..hierarchy.root()).filter(says_something).map(|node| {
            let members = hierarchy.leaves_of(node).into_iter().map(|code| (code, 1.0)).collect();
            GeneralizedValue { node, members }
        }));
        attribute.hierarchy = Some(hierarchy);
        Ok(attribute)
    }

    /// The same values as fuzzy sets, where the attribute is numeric: a code outside belongs to a value by
    /// 1 − d/`reach`, d being its distance to the nearest code inside, both as parts of the attribute's range; not at all
    /// from `reach` on.
    pub fn fuzzy(mut self, reach: f64) -> Self {
        let numbers: Option<Vec<f64>> = (0..self.cardinality as u32).map(|code| self.column.number(code)).collect();
        let Some(numbers) = numbers else { return self };
        let range = match (numbers.first(), numbers.last()) {
            (Some(low), Some(high)) if high > low => high - low,
            _ => return self,
        };
        for value in &mut self.values {
            // Codes follow the numbers, so the nearest code inside is a neighbour in their order.
            let inside: Vec<usize> = value.members.iter().map(|&(code, _)| code as usize).collect();
            value.members = (0..self.cardinality)
                .filter_map(|code| {
                    let next = inside.partition_point(|&near| near < code);
                    let neighbours = inside[next.saturating_sub(1)..inside.len().min(next + 1)].iter();
                    let distance = neighbours.map(|&near| (numbers[near] - numbers[code]).abs() / range);
                    let membership = 1.0 - distance.fold(f64::INFINITY, f64::min) / reach;
                    (membership > 0.0).then_some((code as u32, membership))
                })
                .collect();
        }
        self
    }

    /// Whether a row with `code` has the value, which is to say wholly.
    pub fn has(&self, code: u32, value: u32) -> bool {
        let members = &self.values[value as usize].members;
        members.binary_search_by_key(&code, |&(member, _)| member).is_ok_and(|i| members[i].1 >= 1.0)
    }

    /// The values above `value`, nearest first.
    pub fn above(&self, value: u32) -> Vec<u32> {
        let Some(hierarchy) = self.hierarchy else { return Vec::new() };
        hierarchy
            .path_to_root(self.values[value as usize].node)
            .skip(1)
            .filter_map(|node| self.values.binary_search_by_key(&node, |value| value.node).ok())
            .map(|above| above as u32)
            .collect()
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// The text of a value.
    pub fn label(&self, value: u32) -> &str {
        let node = self.values[value as usize].node;
        match self.hierarchy {
            Some(hierarchy) if !hierarchy.is_leaf(node) => hierarchy.label(node),
            _ => &self.column.values[node as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Content, Dataset, HierarchyBuilder, Table};

    /// Ages 20, 25, 30, 40, of which the first two are `young` and the others under a chain of two nodes.
    fn ages() -> Dataset {
        let rows: [&[&str]; 4] = [&["20", "x"], &["25", "y"], &["30", "x"], &["40", "y"]];
        let mut dataset = Dataset::of_table(Table::from_rows(&["age", "s"], &rows), &["age"], "s").unwrap();
        let Content::Table(microdata) = &mut dataset.content else { unreachable!() };
        let mut tree = HierarchyBuilder::new(microdata.table.columns[0].values.clone());
        let young = tree.group("young", &[0, 1]);
        let old = tree.group("old", &[2, 3]);
        let older = tree.group("older", &[old]);
        tree.group("any", &[young, older]);
        microdata.hierarchies[0] = Some(tree.finish().unwrap());
        dataset
    }

    #[test]
    fn every_different_value_is_asked_for_once() {
        let dataset = ages();
        let age = AttributeValues::generalized(dataset.microdata().unwrap(), 0).unwrap();
        let labels: Vec<&str> = (0..age.values.len() as u32).map(|value| age.label(value)).collect();
        assert_eq!(labels, ["20", "25", "30", "40", "young", "old"]);
        assert_eq!((age.above(1), age.above(4)), (vec![4], vec![]));
        assert!(age.has(1, 4) && !age.has(2, 4));
    }

    #[test]
    fn membership_falls_with_the_distance() {
        let dataset = ages();
        let age = AttributeValues::generalized(dataset.microdata().unwrap(), 0).unwrap().fuzzy(0.5);
        // The range is 20 years, so that membership falls to 0 over 10.
        assert_eq!(age.values[1].members, [(0, 0.5), (1, 1.0), (2, 0.5)]);
        assert_eq!(age.values[4].members, [(0, 1.0), (1, 1.0), (2, 0.5)]);
        assert!(!age.has(2, 4), "who belongs in part does not satisfy a rule");
    }
}
