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
