//! Why there is no hierarchy.

use crate::data::is_missing;

/// Why there is no hierarchy, and the value of the data that is the reason, if one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sources) struct TreeFault {
    pub message: String,
    pub value: Option<String>,
}

impl From<String> for TreeFault {
    fn from(message: String) -> Self {
        Self { message, value: None }
    }
}

impl From<&str> for TreeFault {
    fn from(message: &str) -> Self {
        Self::from(message.to_string())
    }
}

impl std::fmt::Display for TreeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

pub(super) fn not_in_hierarchy(absent: &[&String]) -> TreeFault {
    let named: Vec<String> = absent.iter().take(5).map(|label| format!("`{label}`")).collect();
    let more = if absent.len() > 5 { format!(" and {} more", absent.len() - 5) } else { String::new() };
    let hint = if absent.iter().any(|label| is_missing(label)) {
        "; `drop_missing` drops rows with missing values"
    } else {
        ""
    };
    let message = format!("the hierarchy lacks {}{more}, which the data has{hint}", named.join(", "));
    TreeFault { message, value: absent.first().map(|label| label.to_string()) }
}
