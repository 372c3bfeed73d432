use serde_yaml::granit_parser::{Event, Parser};
use std::collections::BTreeMap;

/// Where in a YAML text each key and list entry stands, so that an error found long after parsing can say so.
#[derive(Debug, Default)]
pub struct Positions(BTreeMap<Vec<String>, (usize, usize)>);

/// A collection that is open while the events go by.
enum OpenCollection {
    /// The key whose value comes next, or None when a key comes next.
    Mapping(Option<String>),
    Sequence(usize),
}

impl Positions {
    pub fn of(text: &str) -> Self {
        let mut positions = Self::default();
        let mut open: Vec<OpenCollection> = Vec::new();
        // Only called on texts that parsed, so what comes after an error does not matter.
        for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
            let here = (span.start.line(), span.start.col() + 1);
            match event {
                Event::Scalar(text, ..) => {
                    if let Some(OpenCollection::Mapping(key @ None)) = open.last_mut() {
                        *key = Some(text.into_owned());
                        positions.0.insert(path(&open), here);
                        continue;
                    }
                    positions.note(&open, here);
                    close_value(&mut open);
                }
                Event::Alias(..) => {
                    positions.note(&open, here);
                    close_value(&mut open);
                }
                Event::MappingStart(..) => {
                    positions.note(&open, here);
                    open.push(OpenCollection::Mapping(None));
                }
                Event::SequenceStart(..) => {
                    positions.note(&open, here);
                    open.push(OpenCollection::Sequence(0));
                }
                Event::MappingEnd | Event::SequenceEnd => {
                    open.pop();
                    close_value(&mut open);
                }
                _ => {}
            }
        }
        positions
    }

    /// The position of `path`, or of the nearest thing around it that has one.
    pub fn find(&self, path: &[String]) -> Option<(usize, usize)> {
        (0..=path.len()).rev().find_map(|end| self.0.get(&path[..end]).copied())
    }

    /// What stands at a position.
    pub fn at(&self, position: (usize, usize)) -> Option<&[String]> {
        self.0.iter().find(|(_, here)| **here == position).map(|(path, _)| path.as_slice())
    }

    /// List entries are noted at their value; mapping entries already are, at their key.
    fn note(&mut self, open: &[OpenCollection], here: (usize, usize)) {
        self.0.entry(path(open)).or_insert(here);
    }
}

fn path(open: &[OpenCollection]) -> Vec<String> {
    open.iter()
        .filter_map(|open| match open {
            OpenCollection::Mapping(key) => key.clone(),
            OpenCollection::Sequence(index) => Some(index.to_string()),
        })
        .collect()
}

fn close_value(open: &mut [OpenCollection]) {
    match open.last_mut() {
        Some(OpenCollection::Mapping(key)) => *key = None,
        Some(OpenCollection::Sequence(index)) => *index += 1,
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_entries_are_found_and_what_is_absent_falls_back() {
        let positions = Positions::of("a:\n  b: [x, {c: 1}]\nd: 2\n");
        let find = |path: &[&str]| positions.find(&path.iter().map(|p| p.to_string()).collect::<Vec<_>>());
        assert_eq!(find(&["a", "b"]), Some((2, 3)));
        assert_eq!(find(&["a", "b", "1", "c"]), Some((2, 11)));
        assert_eq!(find(&["d"]), Some((3, 1)));
        assert_eq!(find(&["a", "nothing"]), Some((1, 1)));
        assert_eq!(positions.at((2, 10)).map(|path| path.join(".")), Some("a.b.1".to_string()));
        assert_eq!(positions.at((2, 9)), None);
    }
}
