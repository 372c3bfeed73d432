use crate::data::SensitiveAttribute;
use std::borrow::Cow;

/// Rows that count as one class, with the sensitive values they show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassGroup {
    /// Rows in it.
    pub rows: u32,
    /// Sensitive codes with their counts, ascending by code; nothing where the values were suppressed, too.
    pub values: Vec<(u32, u32)>,
    /// The first of its rows.
    pub first_row: u32,
}

impl ClassGroup {
    /// The groups with the values of one attribute instead of those of the sensitive column.
    pub fn of_attribute<'a>(groups: &'a [Self], attribute: &SensitiveAttribute<'_>) -> Cow<'a, [Self]> {
        if !attribute.is_one_of_several() {
            return Cow::Borrowed(groups);
        }
        let own = |group: &Self| Self { values: attribute.sparse_counts(&group.values), ..group.clone() };
        Cow::Owned(groups.iter().map(own).collect())
    }
}
