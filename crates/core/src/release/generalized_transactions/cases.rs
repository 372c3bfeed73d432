//! Small and nasty inputs for programs that publish generalized transactions.

use crate::lab::LabError;
use crate::release::conformance::{Case, Expected, many_transactions, parameters, transactions};
use serde_json::json;

pub(super) fn cases() -> Result<Vec<Case>, LabError> {
    use Expected::{Either, Refusal, Release};
    let case = |name, about, lines: &[&str], (k, m): (usize, usize), expected| {
        let dataset = transactions(lines, &[])?;
        Ok(Case { name, about, dataset, parameters: parameters(json!({"k": k, "m": m})), expected })
    };
    let thousand = many_transactions(1_000);
    let thousand: Vec<&str> = thousand.iter().map(String::as_str).collect();
    let plain = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"];
    [
        case("plain", "the example of the paper: k = 2, m = 2", &plain, (2, 2), Release),
        case("one row", "k = 2 cannot be kept", &["a b"], (2, 1), Refusal),
        case("one item", "every transaction is it", &["a"; 5], (3, 2), Release),
        case("all equal", "five times the same", &["a b c"; 5], (5, 3), Release),
        case("ties", "every item equally frequent", &["a b", "b c", "c d", "d a"], (2, 2), Release),
        case("k impossible", "more than there are transactions", &plain, (5, 1), Refusal),
        case("m beyond the longest", "m = 9", &plain, (2, 9), Release),
        case("nothing to do", "k = 1", &plain, (1, 2), Release),
        case("one long transaction", "it has every item", &["a b c d e f g h", "a", "b", "c d"], (2, 3), Release),
        case("unicode", "items of any letters", &["Ä ß", "東京 ß", "Ä 東京", "'; -- ß"], (2, 2), Release),
        case("numbers", "10 comes after 9", &["10 9", "9 100", "10 100", "9 10 100 1"], (2, 2), Release),
        case("empty transactions", "two of five", &["a b", "|", "a", "|", "b"], (2, 2), Either),
        case("1,000 transactions", "twenty items, some rare", &thousand, (5, 2), Release),
    ]
    .into_iter()
    .collect()
}
