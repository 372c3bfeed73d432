//! Parameters that a measure shares with the guarantee of the release it looks at.
//!
//! An audit that counts the tuples with fewer than ℓ values means the ℓ that the release promises. So a measure takes such
//! a parameter from the guarantee where the spec does not set it; where the spec sets another value, the rows say so.

use super::axis::NamedMeasure;
use super::sweep::same;
use serde_json::{Map, Value};

/// The complete parameters of a measure for one release.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureParameters {
    pub parameters: Map<String, Value>,
    /// The names of those that come from the guarantee.
    pub taken: Vec<String>,
    /// Where the measure looks for something else than the release promises.
    pub note: Option<String>,
}

/// `given` is what the spec sets, `guaranteed` the parameters of the guarantee.
pub fn with_guarantee(
    named: &NamedMeasure,
    given: &Map<String, Value>,
    guaranteed: &Map<String, Value>,
) -> Result<MeasureParameters, String> {
    let NamedMeasure { name, measure, .. } = named;
    let mut all = given.clone();
    let (mut taken, mut others) = (Vec::new(), Vec::new());
    for &parameter in measure.of_guarantee() {
        match (given.get(parameter), guaranteed.get(parameter)) {
            (None, Some(promised)) => {
                all.insert(parameter.to_string(), promised.clone());
                taken.push(parameter.to_string());
            }
            (Some(set), Some(promised)) if !same(set, promised) => others.push((parameter, set, promised)),
            _ => {}
        }
    }
    let parameters = measure.complete(&all).map_err(|error| match taken.is_empty() {
        true => format!("{name}: {error}"),
        false => {
            format!("{name}: {error} (`{}` as the release guarantees; set it for {name} instead)", taken.join("`, `"))
        }
    })?;
    let list = |of: fn(&(&str, &Value, &Value)) -> String| others.iter().map(of).collect::<Vec<_>>().join(", ");
    let note = (!others.is_empty()).then(|| {
        let set = list(|(parameter, set, _)| format!("{parameter} = {set}"));
        let promised = list(|(parameter, _, promised)| format!("{parameter} = {promised}"));
        format!("{name} takes {set}, but the release guarantees {promised}")
    });
    Ok(MeasureParameters { parameters, taken, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::measure;
    use serde_json::json;

    fn shared(measured: &str, given: Value, guaranteed: Value) -> Result<MeasureParameters, String> {
        let named = NamedMeasure { name: measured.to_string(), measure: measure(measured).unwrap(), given: Map::new() };
        with_guarantee(&named, given.as_object().unwrap(), guaranteed.as_object().unwrap())
    }

    #[test]
    fn a_measure_takes_what_it_shares_from_the_guarantee() {
        let taken = shared("background-knowledge", json!({}), json!({"l": 4, "min_exp": 0.75})).unwrap();
        assert_eq!((&taken.parameters["l"], &taken.parameters["min_exp"]), (&json!(4), &json!(0.75)));
        assert_eq!((taken.taken, taken.note), (vec!["l".to_string(), "min_exp".to_string()], None));
        let utility = shared("confidence-error", json!({}), json!({"rule_length": 1})).unwrap();
        assert_eq!(utility.parameters["rule_length"], 3, "the analyst's rules are not the adversary's");
    }

    #[test]
    fn another_value_is_told() {
        let other = shared("background-knowledge", json!({"l": 6}), json!({"l": 4})).unwrap();
        assert_eq!(other.parameters["l"], 6);
        assert_eq!(other.note.as_deref(), Some("background-knowledge takes l = 6, but the release guarantees l = 4"));
        assert_eq!(shared("background-knowledge", json!({"l": 4}), json!({"l": 4})).unwrap().note, None);
        let wrong = shared("background-knowledge", json!({}), json!({"l": 1})).unwrap_err();
        assert_eq!(
            wrong,
            "background-knowledge: `l` must be at least 2, not 1 (`l` as the release guarantees; set it for background-knowledge instead)"
        );
    }
}
