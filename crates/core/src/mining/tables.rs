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

/// The quasi-identifiers of a table as items; row i of the table is row i of the transactions. Itemsets have at most
/// one item of an attribute: two of its values either exclude each other, or the one is the other, generalized.
#[derive(Debug, Clone)]
pub struct TableItems {
    transactions: Transactions,
    sources: Vec<ItemSource>,
    /// Item to attribute, where rows hold several items of one.
    attributes: Option<Vec<u32>>,
    /// Attribute to its first item.
    first_items: Vec<Item>,
}

impl TableItems {
    /// Items are numbered attribute by attribute, within it by node.
    pub fn new(microdata: &Microdata, values: Values) -> Result<Self, LabError> {
        let mut sources = Vec::new();
        let mut labels = Vec::new();
        let mut first_items = Vec::new();
        // Attribute and code to the items of a row that has it.
        let mut items_of: Vec<Vec<Vec<Item>>> = Vec::new();
        for (attribute, &column) in microdata.quasi_identifiers.iter().enumerate() {
            let column = &microdata.table.columns[column];
            let first = sources.len() as Item;
            first_items.push(first);
            let codes = 0..column.cardinality() as u32;
            let (nodes, names): (NodeId, Vec<&str>) = match values {
                Values::Leaves => {
                    items_of.push(codes.map(|code| vec![first + code]).collect());
                    (column.cardinality() as NodeId, column.values.iter().map(String::as_str).collect())
                }
                Values::Generalized => {
                    let tree = microdata.hierarchies[attribute].as_ref().ok_or_else(|| {
                        let name = &column.name;
                        LabError::input(format!("`{name}` has no hierarchy; generalized values need one"))
                    })?;
                    if tree.leaves() != column.cardinality() {
                        return Err(LabError::input(format!(
                            "the hierarchy of `{}` has {} values, the table {}",
                            column.name,
                            tree.leaves(),
                            column.cardinality()
                        )));
                    }
                    let above = |code| tree.path_to_root(code).filter(|&node| node != tree.root());
                    items_of.push(codes.map(|code| above(code).map(|node| first + node).collect()).collect());
                    (tree.root(), (0..tree.root()).map(|node| tree.label(node)).collect())
                }
            };
            sources.extend((0..nodes).map(|node| ItemSource { attribute, node }));
            labels.extend(names.iter().map(|name| format!("{}={name}", column.name)));
        }
        let mut transactions = Transactions::with_labels(labels);
        for row in 0..microdata.rows() {
            let in_row = items_of.iter().enumerate().map(|(i, items)| &items[microdata.quasi_codes(i)[row] as usize]);
            transactions.push(in_row.flatten().copied());
        }
        let attributes =
            (values == Values::Generalized).then(|| sources.iter().map(|source| source.attribute as u32).collect());
        Ok(Self { transactions, sources, attributes, first_items })
    }

    /// The attribute and value an item stands for.
    pub fn source(&self, item: Item) -> ItemSource {
        self.sources[item as usize]
    }

    /// The item of a value that is not a root.
    pub fn item(&self, source: ItemSource) -> Item {
        self.first_items[source.attribute] + source.node
    }
}

impl Itemized for TableItems {
    fn transactions(&self) -> &Transactions {
        &self.transactions
    }

    fn groups(&self) -> Option<&[u32]> {
        self.attributes.as_deref()
    }
}
