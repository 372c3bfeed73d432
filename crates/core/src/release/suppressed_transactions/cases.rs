//! Small and nasty inputs for programs that publish suppressed transactions.

use crate::lab::LabError;
use crate::release::conformance::{Case, Expected, many_transactions, parameters, transactions};
use serde_json::json;

pub(super) fn cases() -> Result<Vec<Case>, LabError> {
    use Expected::{Either, Refusal, Release};
    let case = |name, about, lines: &[&str], private: &[&str], (h, k, p): (f64, usize, usize), expected| {
        let dataset = transactions(lines, private)?;
        Ok(Case { name, about, dataset, parameters: parameters(json!({"h": h, "k": k, "p": p})), expected })
    };
    let thousand = many_transactions(1_000);
    let thousand: Vec<&str> = thousand.iter().map(String::as_str).collect();
    let plain = ["a b X", "a b", "a c Y", "b c", "a b c", "c X"];
    [
        case("plain", "two private items", &plain, &["X", "Y"], (0.5, 2, 2), Release),
        case("one row", "k = 2 cannot be kept", &["a X"], &["X"], (0.8, 2, 1), Refusal),
        case("one item", "every transaction is it", &["a"; 5], &[], (0.8, 3, 2), Release),
        case("all equal", "five times the same", &["a b c"; 5], &[], (0.8, 5, 3), Release),
        case("ties", "every item equally frequent", &["a b", "b c", "c d", "d a"], &[], (0.8, 2, 2), Release),
        case("k impossible", "more than there are transactions", &plain, &["X"], (0.5, 7, 1), Refusal),
        case(
            "h impossible",
            "a private item is too frequent",
            &["a X", "b X", "c X", "d"],
            &["X"],
            (0.5, 2, 1),
            Refusal,
        ),
        case("p beyond the longest", "p = 9", &plain, &["X", "Y"], (0.5, 2, 9), Release),
        case(
            "everything private",
            "nothing to suppress",
            &["X Y", "Y", "X", "Z"],
            &["X", "Y", "Z"],
            (0.5, 2, 2),
            Release,
        ),
        case("unicode", "items of any letters", &["Ä ß", "東京 ß", "Ä 東京", "'; -- ß"], &["ß"], (0.8, 2, 2), Release),
        case("empty transactions", "two of five", &["a b", "|", "a", "|", "b"], &[], (0.8, 2, 2), Either),
        case("1,000 transactions", "twenty items, some rare", &thousand, &["0", "7"], (0.8, 5, 2), Release),
    ]
    .into_iter()
    .collect()
}
