use super::{Hierarchy, Item, SensitiveAttribute, SensitivePart, Table, Transactions};
use crate::lab::{LabError, named};
use serde::{Deserialize, Serialize};

named! {
    /// Whether the bytes behind a dataset are what its name says; from the most to the least trusted.
    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Origin {
        /// The published file itself.
        Real = "real",
        /// A part of the real data (two of the three parts of BMS-POS).
        Partial = "partial",
        /// Generated to the published statistics. Called so wherever it is shown.
        StandIn = "stand-in",
        /// Generated because a spec asks for it, as where data must grow: nothing is absent, and it stands in for nothing.
        Generated = "generated",
        /// Rows that a spec has in itself, to try something out with.
        Example = "example",
    }
}

named! {
    /// What an algorithm takes.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum InputKind {
        /// Rows with quasi-identifiers and a sensitive attribute.
        Table = "table",
        /// Sets of items, some of which may be private.
        Transactions = "transactions",
    }
}

/// Original data in its roles: what a publisher is given, and what verifiers and measures compare a release with.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Its name in the spec.
    pub name: String,
    /// Where the data comes from.
    pub origin: Origin,
    /// The data itself.
    pub content: Content,
}

/// Microdata or transactions.
#[derive(Debug, Clone)]
pub enum Content {
    /// Microdata.
    Table(Microdata),
    /// Transactions.
    Transactions(Baskets),
}

/// One row a person: quasi-identifiers an adversary may know, one sensitive column (several attributes are combined into one).
#[derive(Debug, Clone)]
pub struct Microdata {
    /// All columns, whatever their roles.
    pub table: Table,
    /// Columns of `table`, in the order the spec names them.
    pub quasi_identifiers: Vec<usize>,
    /// The position of the sensitive column.
    pub sensitive: usize,
    /// One per quasi-identifier, over the codes of its column; None where the spec gives none.
    pub hierarchies: Vec<Option<Hierarchy>>,
    /// Over the sensitive codes, where the spec gives one.
    pub sensitive_hierarchy: Option<Hierarchy>,
    /// The attributes behind the sensitive column where there are several and each is protected alone; otherwise none.
    pub sensitive_parts: Vec<SensitivePart>,
}

/// One set of items a person.
#[derive(Debug, Clone)]
pub struct Baskets {
    /// Which items each person has.
    pub transactions: Transactions,
    /// Over the items, where the spec asks for one.
    pub hierarchy: Option<Hierarchy>,
    /// Item to whether it is private (an adversary does not know it, and wants to); none are unless the spec says so.
    pub private: Vec<bool>,
}

impl Dataset {
    /// Which of the two it is.
    pub fn kind(&self) -> InputKind {
        match self.content {
            Content::Table(_) => InputKind::Table,
            Content::Transactions(_) => InputKind::Transactions,
        }
    }

    /// The table in its roles, or an error that says what the dataset is instead.
    pub fn microdata(&self) -> Result<&Microdata, LabError> {
        match &self.content {
            Content::Table(microdata) => Ok(microdata),
            Content::Transactions(_) => {
                Err(LabError::input(format!("`{}` has transactions; a table is needed", self.name)))
            }
        }
    }

    /// The transactions, or an error that says what the dataset is instead.
    pub fn baskets(&self) -> Result<&Baskets, LabError> {
        match &self.content {
            Content::Transactions(baskets) => Ok(baskets),
            Content::Table(_) => Err(LabError::input(format!("`{}` is a table; transactions are needed", self.name))),
        }
    }

    /// A table as a dataset of its own, for tests and examples.
    pub fn of_table(table: Table, quasi_identifiers: &[&str], sensitive: &str) -> Result<Self, LabError> {
        let column =
            |name: &str| table.column(name).ok_or_else(|| LabError::input(format!("the table has no column `{name}`")));
        let quasi_identifiers = quasi_identifiers.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
        let hierarchies = vec![None; quasi_identifiers.len()];
        let sensitive = column(sensitive)?;
        let content = Content::Table(Microdata {
            table,
            quasi_identifiers,
            sensitive,
            hierarchies,
            sensitive_hierarchy: None,
            sensitive_parts: Vec::new(),
        });
        Ok(Self { name: "table".to_string(), origin: Origin::Real, content })
    }

    /// Transactions as a dataset of their own, for tests and examples.
    pub fn of_transactions(transactions: Transactions, hierarchy: Option<Hierarchy>, private: &[Item]) -> Self {
        let mut is_private = vec![false; transactions.items()];
        for &item in private {
            is_private[item as usize] = true;
        }
        let content = Content::Transactions(Baskets { transactions, hierarchy, private: is_private });
        Self { name: "transactions".to_string(), origin: Origin::Real, content }
    }
}

impl Microdata {
    /// Rows of the table.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// The sensitive code of each row.
    pub fn sensitive_codes(&self) -> &[u32] {
        &self.table.columns[self.sensitive].codes
    }

    /// The attributes that guarantees about sensitive values are about, each alone.
    pub fn sensitive_attributes(&self) -> Vec<SensitiveAttribute<'_>> {
        if self.sensitive_parts.is_empty() {
            let column = &self.table.columns[self.sensitive];
            let (values, hierarchy) = (&column.values, self.sensitive_hierarchy.as_ref());
            return vec![SensitiveAttribute { name: &column.name, values, of_code: None, hierarchy }];
        }
        self.sensitive_parts.iter().map(SensitivePart::attribute).collect()
    }

    /// The codes of the `i`-th quasi-identifier.
    pub fn quasi_codes(&self, i: usize) -> &[u32] {
        &self.table.columns[self.quasi_identifiers[i]].codes
    }

    /// Some of the rows, in that order. Values that no longer occur leave the dictionaries and the hierarchies.
    pub fn select(&self, rows: &[usize]) -> Result<Self, LabError> {
        let occurring = |column: usize| {
            let column = &self.table.columns[column];
            let mut occurs = vec![false; column.cardinality()];
            rows.iter().for_each(|&row| occurs[column.codes[row] as usize] = true);
            occurs
        };
        let restricted = |tree: &Option<Hierarchy>, column: usize| {
            tree.as_ref().map(|tree| tree.of_leaves(&occurring(column))).transpose()
        };
        let part = |part: &SensitivePart| part.restricted(&occurring(self.sensitive));
        let trees = self.hierarchies.iter().zip(&self.quasi_identifiers);
        Ok(Self {
            table: self.table.select(rows),
            quasi_identifiers: self.quasi_identifiers.clone(),
            sensitive: self.sensitive,
            hierarchies: trees.map(|(tree, &column)| restricted(tree, column)).collect::<Result<_, _>>()?,
            sensitive_hierarchy: restricted(&self.sensitive_hierarchy, self.sensitive)?,
            sensitive_parts: self.sensitive_parts.iter().map(part).collect::<Result<_, _>>()?,
        })
    }
}
