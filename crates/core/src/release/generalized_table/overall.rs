use crate::data::{Hierarchy, Microdata, SensitiveAttribute};

/// The distribution of a sensitive attribute that classes are compared with: the original's, or the release's own where
/// there is no original.
#[derive(Debug, Clone)]
pub struct Overall<'a> {
    /// Rows of each sensitive code.
    pub counts: Vec<u64>,
    /// Rows of the original.
    pub rows: u64,
    /// Of the sensitive attribute, for distances that need one.
    pub hierarchy: Option<&'a Hierarchy>,
}

impl<'a> Overall<'a> {
    /// The distribution of a sensitive attribute in the original.
    pub fn of_original(microdata: &Microdata, attribute: &SensitiveAttribute<'a>) -> Self {
        let histogram = microdata.table.columns[microdata.sensitive].histogram();
        let counts = attribute.counts(&histogram).into_iter().map(|count| count as u64).collect();
        Self { counts, rows: microdata.rows() as u64, hierarchy: attribute.hierarchy }
    }
}
