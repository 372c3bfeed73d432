//! What a program says on standard output: JSON lines, one message each.

use indexmap::IndexMap;
use serde::Deserialize;
use std::time::Duration;

/// More phases or counters than this are no summary of a computation.
const MOST: usize = 100;
const LONGEST_NAME: usize = 60;
/// No cell runs longer than a year.
const LONGEST_PHASE: Duration = Duration::from_secs(365 * 24 * 3600);

/// One line.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Message {
    Phase(PhaseMessage),
    Counter(CounterMessage),
    Refusal(RefusalMessage),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseMessage {
    phase: String,
    seconds: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CounterMessage {
    counter: String,
    value: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusalMessage {
    refuse: String,
}

/// Everything a program said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    /// A phase told again adds to its time.
    pub phases: IndexMap<String, Duration>,
    /// A counter told again replaces the earlier value.
    pub counters: IndexMap<String, f64>,
    /// Why there is no release, if the program says so itself.
    pub refusal: Option<String>,
}

impl Said {
    /// Reads the whole output, or says which line is no message.
    pub fn read(output: &[u8]) -> Result<Self, String> {
        let mut said = Self::default();
        for (i, line) in output.split(|&byte| byte == b'\n').enumerate() {
            if !line.trim_ascii().is_empty() {
                said.line(line).map_err(|problem| {
                    format!("line {} of its standard output {problem}: `{}`", i + 1, excerpt(line))
                })?;
            }
        }
        Ok(said)
    }

    fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let message: Message = serde_json::from_slice(line).map_err(|_| {
            "is none of {\"phase\": …, \"seconds\": …}, {\"counter\": …, \"value\": …} and {\"refuse\": …}".to_string()
        })?;
        match message {
            Message::Phase(PhaseMessage { phase, seconds }) => {
                let plain = |c: char| c.is_ascii_alphanumeric() || " _-.".contains(c);
                check_name(&phase, "a phase's name has letters, digits, blanks, `_`, `-` and `.`", plain)?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|_| "has no time".to_string())?;
                let so_far = self.phases.entry(phase).or_default();
                *so_far = so_far.saturating_add(time);
                if *so_far > LONGEST_PHASE {
                    return Err("has a phase of more than a year".to_string());
                }
            }
            Message::Counter(CounterMessage { counter, value }) => {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                check_name(&counter, "a counter's name has small letters, digits and `_`", plain)?;
                self.counters.insert(counter, value);
            }
            Message::Refusal(RefusalMessage { refuse }) => {
                self.refusal.get_or_insert_with(|| excerpt(refuse.as_bytes()));
            }
        }
        if self.phases.len() > MOST || self.counters.len() > MOST {
            return Err(format!("is one too many: there may be {MOST} phases and {MOST} counters"));
        }
        Ok(())
    }
}

fn check_name(name: &str, rule: &str, plain: impl Fn(char) -> bool) -> Result<(), String> {
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(plain) {
        return Err(format!("has a bad name ({rule}, at most {LONGEST_NAME})"));
    }
    Ok(())
}

/// The start of a text, on one line.
pub fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 300;
    let text: String = String::from_utf8_lossy(bytes).trim().chars().take(LONGEST + 1).collect();
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn phases_add_up_and_counters_are_replaced() {
        let said = Said::read(
            b"{\"phase\": \"split\", \"seconds\": 0.5}\n\n{\"phase\": \"split\", \"seconds\": 1}\r\n{\"counter\": \"groups\", \"value\": 3}\n{\"counter\": \"groups\", \"value\": 4}",
        )
        .unwrap();
        assert_eq!(said.phases["split"], Duration::from_millis(1500));
        assert_eq!((said.counters["groups"], said.refusal), (4.0, None));
        assert_eq!(Said::read(b"{\"refuse\": \"not 5-eligible\"}").unwrap().refusal.unwrap(), "not 5-eligible");
    }

    proptest! {
        /// Whatever it says is understood or refused, in few words.
        #[test]
        fn any_output_is_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            words in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "\"phase\"", "\"seconds\"", "\"counter\"", "\"value\"", "\"refuse\"", ":", ",", "1e308", "-0.0", "1", "\n", "[", "null",
                "\"\\u0000\"",
            ]), 0..40),
        ) {
            for output in [bytes, words.concat().into_bytes()] {
                if let Err(said) = Said::read(&output) {
                    prop_assert!(said.len() < 2000 && said.starts_with("line "), "{}", said);
                }
            }
        }
    }

    #[test]
    fn garbage_is_told_by_its_line() {
        let error = |output: &[u8]| Said::read(output).unwrap_err();
        assert!(
            error(b"{\"counter\": \"a\", \"value\": 1}\nhello").starts_with("line 2 of its standard output is none")
        );
        assert!(error(b"hello").ends_with(": `hello`"));
        assert!(error(b"\xff\xfe\0").starts_with("line 1"));
        assert!(error(b"[]").starts_with("line 1"));
        assert!(error(b"{\"phase\": \"a\", \"seconds\": -1}").contains("has no time"));
        let long = br#"{"phase": "a", "seconds": 1e19}"#;
        assert!(
            error(&[&long[..], b"\n", long].concat()).starts_with("line 1 of its standard output has a phase of more")
        );
        assert!(error(b"{\"phase\": \"<b>\", \"seconds\": 1}").contains("bad name"));
        assert!(error(b"{\"counter\": \"N\", \"value\": 1}").contains("bad name"));
        assert!(error(b"{\"counter\": \"n\", \"value\": 1e999}").starts_with("line 1"));
        let many: String = (0..200).map(|i| format!("{{\"counter\": \"c{i}\", \"value\": 1}}\n")).collect();
        assert!(error(many.as_bytes()).starts_with("line 101 "));
        assert!(error(&[b'x'; 1_000_000]).len() < 1000);
    }
}
