//! What came of checking: of one cell, and of everything else.

use super::matching::Difference;
use crate::lab::named;
use crate::run::{Answer, Entry, Status};

named! {
    pub enum Agreement {
        Agrees = "agrees",
        Differs = "differs",
        /// It could not be checked here.
        Open = "not checked",
    }
}

/// Something other than a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapsuleCheck {
    pub what: String,
    pub agreement: Agreement,
    /// What was found, or why.
    pub detail: String,
}

impl CapsuleCheck {
    pub fn new(what: impl Into<String>, agreement: Agreement, detail: impl Into<String>) -> Self {
        Self { what: what.into(), agreement, detail: detail.into() }
    }
}

/// A cell that was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCheck {
    pub experiment: String,
    pub figure: String,
    pub title: String,
    pub agreement: Agreement,
    /// What differs and why; or why it was not checked; or what is other although the answer is the same.
    pub detail: String,
    /// Seconds here for one second there; none where either was not measured.
    pub slower: Option<f64>,
}

/// Holds an answer computed here to the stored one.
pub fn compare(stored: &Entry, again: &Entry, difference: &Difference) -> (Agreement, String) {
    let (there, here) = (&stored.answer, &again.answer);
    let why = difference.in_words();
    let limited = |answer: &Answer| matches!(answer.status, Status::Timeout | Status::OutOfMemory);
    if there.status != here.status {
        let (there_words, here_words) = (there.status.in_words(), here.status.in_words());
        let reason = if here.reason.is_empty() { &there.reason } else { &here.reason };
        let mut detail = format!("{there_words} there, {here_words} here ({reason})");
        if limited(there) != limited(here) {
            detail += "; a limit that one machine meets and the other does not";
        }
        return (Agreement::Differs, with(detail, &why));
    }
    // Why and where a limit was met is the machine's; that it was met is the answer.
    if limited(there) {
        return (Agreement::Agrees, why);
    }
    let mut differs = Vec::new();
    if there.observations.len() != here.observations.len()
        || there.further_workloads.len() != here.further_workloads.len()
    {
        differs.push("another number of measurements".to_string());
    }
    let all = |answer: &Answer| -> Vec<_> {
        answer.observations.iter().chain(answer.further_workloads.iter().flatten()).cloned().collect()
    };
    for (there, here) in all(there).iter().zip(&all(here)) {
        if (&there.metric, &there.at, there.value.to_bits()) != (&here.metric, &here.at, here.value.to_bits()) {
            let at = there.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            differs.push(format!("{}{at}: {} there, {} here", there.metric, there.value, here.value));
        }
    }
    if there.release_digest != here.release_digest {
        differs.push("another release".to_string());
    }
    if there.verified != here.verified {
        differs.push("another guarantee".to_string());
    }
    match differs.len() {
        0 => (Agreement::Agrees, why),
        1..=3 => (Agreement::Differs, with(differs.join("; "), &why)),
        many => (Agreement::Differs, with(format!("{}; and {} more", differs[..3].join("; "), many - 3), &why)),
    }
}

fn with(detail: String, why: &str) -> String {
    match why {
        "" => format!("{detail}: with the same code, data and seed"),
        why => format!("{detail}: {why}"),
    }
}

/// Seconds of one answer for a second of the other.
pub fn slower(stored: &Entry, again: &Entry) -> Option<f64> {
    let seconds = |entry: &Entry| {
        entry.costs().find(|(_, name, value)| *name == "seconds" && *value > 0.0).map(|(_, _, value)| value)
    };
    Some(seconds(again)? / seconds(stored)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Observation;
    use crate::run::Limits;
    use indexmap::IndexMap;

    fn entry(status: Status, value: f64) -> Entry {
        let mut answer = Answer::without_result(status, "");
        answer.observations = vec![Observation { metric: "loss".into(), at: None, value }];
        answer.release_digest = Some("d".into());
        Entry {
            key_fields: IndexMap::new(),
            answer,
            limits: Limits::default(),
            alone: false,
            machine: "m".into(),
            samples: vec![],
        }
    }

    #[test]
    fn the_last_bit_counts() {
        let value = 0.1f64;
        let same = Difference::default();
        assert_eq!(
            compare(&entry(Status::Ok, value), &entry(Status::Ok, value), &same),
            (Agreement::Agrees, String::new())
        );
        let (agreement, detail) = compare(&entry(Status::Ok, value), &entry(Status::Ok, value.next_up()), &same);
        assert_eq!(agreement, Agreement::Differs);
        assert_eq!(detail, "loss: 0.1 there, 0.10000000000000002 here: with the same code, data and seed");
        let nan = compare(&entry(Status::Ok, f64::NAN), &entry(Status::Ok, f64::NAN), &same);
        assert_eq!(nan.0, Agreement::Agrees);
        assert_eq!(compare(&entry(Status::Ok, 0.0), &entry(Status::Ok, -0.0), &same).0, Agreement::Differs);
    }

    #[test]
    fn limits_and_other_code_are_told() {
        let other = Difference { code: true, ..Difference::default() };
        let (agreement, detail) = compare(&entry(Status::Timeout, 0.0), &entry(Status::Ok, 0.0), &other);
        assert_eq!(agreement, Agreement::Differs);
        assert!(detail.contains("a limit that one machine meets") && detail.ends_with("other code"), "{detail}");
        assert_eq!(compare(&entry(Status::Timeout, 0.0), &entry(Status::Timeout, 1.0), &other).0, Agreement::Agrees);
        let mut released = entry(Status::Ok, 0.0);
        released.answer.release_digest = Some("e".into());
        assert!(compare(&entry(Status::Ok, 0.0), &released, &other).1.contains("another release"));
    }
}
