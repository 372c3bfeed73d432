use super::Itemized;
use crate::data::{Item, Microdata, NodeId, Transactions};
use crate::lab::LabError;

/// Which values of the quasi-identifiers become items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// The values as they stand in the table.
    Leaves,
    /// Those, and every value above them in the attribute's hierarchy but the root (which every row has).
    Generalized,
}

/// Where an item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemSource {
    /// An index into the quasi-identifiers.
    pub attribute: usize,
    /// A node of the attribute's hierarchy; below the attribute's cardinality, it is the code of a value.
    pub node: NodeId,
}

/// The quasi-identifiers of a table as items. Itemsets have at most one item of an attribute.
#[derive(Debug, Clone)]
pub struct TableItems {
    transactions: Transactions,
    sources: Vec<ItemSource>,
    attributes: Vec<u32>,
    first_items: Vec<Item>,
}

impl TableItems {
    /// Rows become transactions in their order; items are numbered attribute by attribute, within it by node.
    pub fn new(microdata: &Microdata, values: Values) -> Result<Self, LabError> {
        let mut sources = Vec::new();
        let mut labels = Vec::new();
        let mut first_items = Vec::new();
        for (attribute, &column) in microdata.quasi_identifiers.iter().enumerate() {
            let column = &microdata.table.columns[column];
            first_items.push(sources.len() as Item);
            let mut add = |node: usize, label: &str| {
                sources.push(ItemSource { attribute, node: node as NodeId });
                labels.push(format!("{}={label}", column.name));
            };
            match (values, &microdata.hierarchies[attribute]) {
                (Values::Leaves, _) => column.values.iter().enumerate().for_each(|(code, text)| add(code, text)),
                (Values::Generalized, Some(tree)) => {
                    (0..tree.nodes() - 1).for_each(|node| add(node, tree.label(node as NodeId)));
                }
                (Values::Generalized, None) => {
                    return Err(LabError::input(format!(
                        "`{}` has no hierarchy; generalized values need one for every quasi-identifier",
                        column.name
                    )));
                }
            }
        }
        let mut transactions = Transactions::with_labels(labels);
        for row in 0..microdata.rows() {
            let mut items = Vec::new();
            for (attribute, &first) in first_items.iter().enumerate() {
                let code = microdata.quasi_codes(attribute)[row];
                match (values, &microdata.hierarchies[attribute]) {
                    (Values::Generalized, Some(tree)) => {
                        items.extend(tree.path_to_root(code).filter(|&node| node != tree.root()).map(|n| first + n));
                    }
                    _ => items.push(first + code),
                }
            }
            transactions.push(items);
        }
        let attributes = sources.iter().map(|source| source.attribute as u32).collect();
        Ok(Self { transactions, sources, attributes, first_items })
    }

    /// The attribute and value an item stands for.
    pub fn source(&self, item: Item) -> ItemSource {
        self.sources[item as usize]
    }

    /// The item of a value.
    pub fn item(&self, source: ItemSource) -> Item {
        self.first_items[source.attribute] + source.node
    }
}

impl Itemized for TableItems {
    fn transactions(&self) -> &Transactions {
        &self.transactions
    }

    fn groups(&self) -> Option<&[u32]> {
        Some(&self.attributes)
    }
}
