//! Prose of a spec as it is printed: `k^m` with its superscript.

/// A letter or digit behind `^` becomes a superscript where there is one: `k^m` → "kᵐ", `10^-7` → "10⁻⁷".
pub fn typeset(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let before = result.chars().last().is_some_and(|last| last.is_alphanumeric() || last == ')');
        let raised = characters.peek().copied().and_then(superscript);
        match (character, raised) {
            ('^', Some(_)) if before => {
                while let Some(raised) = characters.peek().copied().and_then(superscript) {
                    result.push(raised);
                    let is_letter = characters.next().is_some_and(char::is_alphabetic);
                    // Of words only the first letter: `k^m-anonymity`.
                    if is_letter {
                        break;
                    }
                }
            }
            (character, _) => result.push(character),
        }
    }
    result
}

/// Plain text whose lines do not break before a per cent sign: "support 2 %".
pub fn with_percent(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

const PLAIN: &str = "0123456789-+nmkip";
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵐᵏⁱᵖ";

fn superscript(character: char) -> Option<char> {
    PLAIN.chars().zip(RAISED.chars()).find(|(known, _)| *known == character).map(|(_, raised)| raised)
}

/// What a superscript raises: "ᵐ" → m.
pub fn lowered(character: char) -> Option<char> {
    RAISED.chars().zip(PLAIN.chars()).find(|(known, _)| *known == character).map(|(_, plain)| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_raised_and_nothing_else_is() {
        assert_eq!(typeset("k^m-anonymity"), "kᵐ-anonymity");
        assert_eq!(typeset("2^n patterns, 10^-7"), "2ⁿ patterns, 10⁻⁷");
        assert_eq!(typeset("(1 + k)^m − 1"), "(1 + k)ᵐ − 1");
        assert_eq!(typeset("a ^ b, ^x, c^"), "a ^ b, ^x, c^");
        assert_eq!(with_percent("support 2 %, more"), "support 2\u{a0}%, more");
    }
}
