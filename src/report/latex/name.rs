//! Names of commands in LaTeX: letters and nothing else.

use crate::report::value::Value;

const DIGITS: [&str; 10] = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/// A part of a name: each word begins with a capital letter, digits are spelled, and what is neither letter nor digit parts
/// words, but for signs. `fig8a` → "FigEighta", `injector-balanced` → "InjectorBalanced".
pub fn part(text: &str) -> String {
    let mut name = String::new();
    let mut begins = true;
    let mut characters = text.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        let beside =
            [before, characters.peek().copied()].map(|near: Option<char>| near.is_some_and(char::is_alphanumeric));
        before = Some(character);
        if let Some(sign) = sign(character, beside) {
            name += sign;
            begins = true;
            continue;
        }
        match character {
            letter if letter.is_ascii_alphabetic() => {
                name.push(if begins { letter.to_ascii_uppercase() } else { letter });
                begins = false;
            }
            digit if digit.is_ascii_digit() => {
                name += DIGITS[digit as usize - '0' as usize];
                begins = false;
            }
            other if other.is_alphabetic() => {
                name += &format!("U{}", part(&format!("{:x}", other as u32)));
                begins = true;
            }
            _ => begins = true,
        }
    }
    name
}

/// Signs that tell things apart: 50K+ and 50K-, <10 and >10, 0.5. Between words a `-` or `.` only parts them.
fn sign(character: char, [after, before]: [bool; 2]) -> Option<&'static str> {
    Some(match character {
        '+' => "Plus",
        '<' => "Below",
        '>' => "Above",
        '≤' => "AtMost",
        '≥' => "AtLeast",
        '=' => "Is",
        '*' => "Star",
        '%' => "Percent",
        '¬' | '!' => "Not",
        '−' => "Minus",
        '-' if !(after && before) => "Minus",
        _ => return None,
    })
}

/// A value in a name: 6 → "Six", -0.15 → "MinusZeroPointOneFive", 1e-7 → "ZeroPointZero…One".
pub fn value(value: &Value) -> String {
    match value {
        Value::None => String::new(),
        Value::Number(number) => {
            let digit = |character: char| match character {
                '-' => "Minus",
                '.' => "Point",
                digit => DIGITS[digit.to_digit(10).unwrap_or(0) as usize],
            };
            number.to_string().chars().map(digit).collect()
        }
        Value::Text(text) => part(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_letters() {
        assert_eq!(part("fig8a"), "FigEighta");
        assert_eq!(part("injector-balanced"), "InjectorBalanced");
        assert_eq!(part("seconds.mining_all"), "SecondsMiningAll");
        assert_eq!(part("ℓ 3"), "UTwoOneOneThreeThree");
        assert_eq!((part("50K+"), part("50K-")), ("FiveZeroKPlus".into(), "FiveZeroKMinus".into()));
        assert_eq!(part("<10 *"), "BelowOneZeroStar");
        assert_eq!(value(&Value::Number(6.0)), "Six");
        assert_eq!(value(&Value::Number(-0.15)), "MinusZeroPointOneFive");
        assert_eq!(value(&Value::Text("race to class".into())), "RaceToClass");
    }

    proptest! {
        #[test]
        fn whatever_it_is_made_from(text in "\\PC{0,20}", number in prop::num::f64::NORMAL) {
            let letters = |name: String| name.chars().all(|c| c.is_ascii_alphabetic());
            prop_assert!(letters(part(&text)));
            prop_assert!(letters(value(&Value::Number(number))));
        }
    }
}
