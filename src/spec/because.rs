//! Numbers in `because`: a reason may name settings of its figure and what its claims compare with, and no other number.
//! Whatever else came out of a run must be a claim itself, or nothing would notice when it changes.

use super::claim::Claim;
use super::model::{Figure, SpecFile};
use serde_json::Value;

/// The first number in a claim's reason that nothing in its figure checks, as it is written.
pub fn unchecked_number<'a>(claim: &'a Claim, figure: &Figure, file: &SpecFile) -> Option<&'a str> {
    let because = claim.because.as_deref()?;
    let checked = checked_numbers(figure, file);
    let is_checked = |number: f64| {
        let same = |known: &f64| (known - number).abs() <= 1e-9 * known.abs().max(1e-9);
        checked.iter().any(|known| same(known) || same(&(known * 100.0)))
    };
    numbers(because).into_iter().find(|(_, number)| !is_checked(*number)).map(|(written, _)| written)
}

/// Settings of the figure, what its claims compare with, and what the paper printed.
fn checked_numbers(figure: &Figure, file: &SpecFile) -> Vec<f64> {
    let mut numbers = Vec::new();
    let mut take = |value: Result<Value, serde_json::Error>| collect(&value.unwrap_or_default(), &mut numbers);
    take(serde_json::to_value(&figure.sweep));
    take(serde_json::to_value(&figure.reference));
    for Claim { only, minus, over, is, .. } in &figure.claims {
        take(serde_json::to_value((only, minus, over, is)));
    }
    for name in &figure.algorithms {
        take(serde_json::to_value(file.algorithms.get(name).map(|entry| &entry.parameters)));
    }
    for name in &figure.measures {
        take(serde_json::to_value(file.measures.get(name).map(|entry| &entry.parameters)));
    }
    numbers
}

fn collect(value: &Value, numbers: &mut Vec<f64>) {
    match value {
        Value::Number(number) => numbers.extend(number.as_f64()),
        // Rows are told apart by text: `where: {at: "5"}`.
        Value::String(text) => numbers.extend(text.parse::<f64>().ok().filter(|number| number.is_finite())),
        Value::Array(values) => values.iter().for_each(|value| collect(value, numbers)),
        Value::Object(values) => values.values().for_each(|value| collect(value, numbers)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The numbers in a text, less those that are part of a name: `BMS-POS-2`, "Figure 2", "KDD 2008", "line 13".
fn numbers(text: &str) -> Vec<(&str, f64)> {
    let mut numbers = Vec::new();
    let mut after_name = false;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
        let has_letter = bare.chars().any(char::is_alphabetic);
        if !has_letter
            && !after_name
            && let Ok(number) = bare.replace(',', "").parse::<f64>()
        {
            numbers.push((bare, number));
        }
        after_name = bare.starts_with(char::is_uppercase) || matches!(bare, "line" | "lines" | "level");
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unchecked(because: &str) -> Option<String> {
        let text = format!(
            "anonlab: 1\ntitle: t\ndatasets: {{d: {{source: adult}}}}\n\
             algorithms: {{ours: {{publisher: anatomy, parameters: {{l: 4}}}}}}\n\
             figures:\n  f:\n    title: f\n    datasets: [d]\n    algorithms: [ours]\n    measures: [query-error]\n    \
             sweep: {{product: {{dim: [2, 3]}}}}\n    draw: {{y: mean_relative_error}}\n    \
             reference: [{{metric: mean_relative_error, value: 12345}}]\n    claims:\n      - {{says: a, metric: \
             mean_relative_error, is: {{at_most: 0.064}}, expected: fails, because: \"{because}\"}}\n"
        );
        let file: SpecFile = serde_yaml::from_str(&text).unwrap();
        let figure = &file.figures["f"];
        unchecked_number(&figure.claims[0], figure, &file).map(String::from)
    }

    #[test]
    fn settings_what_claims_compare_with_and_names_are_no_loose_numbers() {
        for fine in [
            "no number at all",
            "at dim = 3, and ℓ = 4, it is more than 6.4 % (0.064)",
            "BMS-WebView-1 is as in KDD 2008 and Figure 2; line 13 says so",
            "the 12,345 that are printed are another table's",
        ] {
            assert_eq!(unchecked(fine), None, "{fine}");
        }
    }

    #[test]
    fn what_nothing_checks_is_found() {
        assert_eq!(unchecked("it is 0.169").as_deref(), Some("0.169"));
        assert_eq!(unchecked("at dim = 7 it is so").as_deref(), Some("7"));
        assert_eq!(unchecked("it takes some 10 ms").as_deref(), Some("10"));
        assert_eq!(unchecked("44 instead of the printed 12,345").as_deref(), Some("44"));
    }
}
