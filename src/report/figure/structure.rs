//! Values of a column that are structures: `{height: 4}` of an axis that sets a hierarchy. People read them in words.

use crate::report::value::Value;
use serde_json::Value as Json;

/// "height 4", "1, 2, 3"; None where the text is no structure.
pub fn in_words(text: &str) -> Option<String> {
    match parsed(text)? {
        Json::Object(fields) => {
            let field = |(name, value): (&String, &Json)| format!("{name} {}", plain(value));
            Some(fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        other => Some(plain(&other)),
    }
}

/// Where every value is a structure of the same single key: the key, and what it is in each.
pub fn common_key(values: &[Value]) -> Option<(String, Vec<String>)> {
    let mut common: Option<String> = None;
    let mut inner = Vec::new();
    for value in values {
        let Value::Text(text) = value else { return None };
        let Json::Object(fields) = parsed(text)? else { return None };
        let mut fields = fields.into_iter();
        let (Some((key, value)), None) = (fields.next(), fields.next()) else { return None };
        if common.get_or_insert_with(|| key.clone()) != &key {
            return None;
        }
        inner.push(plain(&value));
    }
    common.map(|key| (key, inner))
}

fn parsed(text: &str) -> Option<Json> {
    text.starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
}

fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        Json::Object(_) => in_words(&value.to_string()).unwrap_or_default(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_told_in_words() {
        assert_eq!(in_words(r#"{"height":4,"order":"id"}"#).as_deref(), Some("height 4, order id"));
        assert_eq!(in_words(r#"{"least":{"share":0.5}}"#).as_deref(), Some("least share 0.5"));
        assert_eq!(in_words("[1,2]").as_deref(), Some("1, 2"));
        assert_eq!((in_words("{not json"), in_words("height")), (None, None));
    }
}
