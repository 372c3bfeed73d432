use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name that recurs in thousands of answers, that of a metric: equal names that one thread makes share their text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

/// More different names than any lab has; those of a stranger's file shall not fill the memory.
const MOST_SHARED: usize = 10_000;

thread_local! {
    static KNOWN: RefCell<HashSet<Arc<str>>> = RefCell::default();
}

impl Name {
    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        KNOWN.with_borrow_mut(|known| {
            if let Some(shared) = known.get(text) {
                return Self(Arc::clone(shared));
            }
            let new: Arc<str> = Arc::from(text);
            if known.len() < MOST_SHARED {
                known.insert(Arc::clone(&new));
            }
            Self(new)
        })
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl de::Visitor<'_> for Text {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Name, E> {
                Ok(Name::from(text))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_share_their_text_and_read_as_they_are_written() {
        let (one, two): (Name, Name) = ("seconds".into(), String::from("seconds").into());
        assert!(Arc::ptr_eq(&one.0, &two.0) && one == "seconds");
        let json = serde_json::to_string(&[&one]).unwrap();
        assert_eq!(json, r#"["seconds"]"#);
        let read: Vec<Name> = serde_json::from_str(&json).unwrap();
        assert!(Arc::ptr_eq(&read[0].0, &one.0));
        assert!(serde_json::from_str::<Name>("3").is_err());
    }
}
