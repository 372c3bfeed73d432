//! Text for LaTeX. Whatever comes from data or a spec goes through [`text`], and through [`comment`] behind a `%`.

use crate::report::plot::svg::harmless;
use crate::report::typeset::{lowered, typeset};

/// Text that LaTeX takes for text, in any engine and font encoding, in tables, options and arguments of commands. What specs
/// put between backticks is set as code, and `k^m` with its superscript. A character that LaTeX may not have is told by
/// its number.
pub fn text(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let paired = parts.len() % 2 == 1;
    let part = |(index, part): (usize, &&str)| match index % 2 {
        1 if paired => format!("\\texttt{{{}}}", plain(part)),
        _ => plain(&typeset(part)),
    };
    let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
    parts.join(if paired { "" } else { "\\textasciigrave{}" })
}

/// One line behind a `%`.
pub fn comment(text: &str) -> String {
    text.chars().map(|character| if character.is_whitespace() { ' ' } else { harmless(character) }).collect()
}

fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(first) = lowered(character) {
            let mut power = String::from(first);
            while let Some(next) = characters.peek().copied().and_then(lowered) {
                power.push(next);
                characters.next();
            }
            escaped += &format!("\\ensuremath{{^{{{power}}}}}");
            continue;
        }
        // `--` and `,,` would become other characters.
        if matches!(character, '-' | ',') && characters.peek() == Some(&character) {
            escaped.push(character);
            escaped.push_str("{}");
            continue;
        }
        push(&mut escaped, character);
    }
    escaped
}

fn push(escaped: &mut String, character: char) {
    match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
        '\\' => escaped.push_str("\\textbackslash{}"),
        '~' => escaped.push_str("\\textasciitilde{}"),
        '^' => escaped.push_str("\\textasciicircum{}"),
        '<' => escaped.push_str("\\textless{}"),
        '>' => escaped.push_str("\\textgreater{}"),
        '|' => escaped.push_str("\\textbar{}"),
        // Packages for languages give it a meaning.
        '"' => escaped.push_str("{\\char34}"),
        // The first of a row would be an option of the `\\` before it.
        '[' | ']' | '*' => escaped.extend(['{', character, '}']),
        '\u{a0}' => escaped.push('~'),
        '\u{2009}' | '\u{202f}' => escaped.push_str("\\,"),
        ' '..='~' => escaped.push(character),
        other if other.is_whitespace() || other.is_control() => escaped.push(' '),
        other => match symbol(other) {
            Some(symbol) => escaped.push_str(symbol),
            None if is_latin(other) => escaped.push(other),
            None => escaped.push_str(&format!("\\texttt{{U+{:04X}}}", other as u32)),
        },
    }
}

/// Letters that the UTF-8 of LaTeX makes of accents in every font encoding; but for those that only some encodings have.
fn is_latin(character: char) -> bool {
    let elsewhere = "ÐðÞþĐđĦħĸŁłŊŋŦŧŉſÆæŒœØø";
    matches!(character, '\u{c0}'..='\u{17f}') && !elsewhere.contains(character) && !matches!(character, '×' | '÷')
        || "ŁłÆæŒœØø".contains(character)
}

fn symbol(character: char) -> Option<&'static str> {
    Some(match character {
        '–' => "--",
        '—' => "---",
        '‘' => "`",
        '’' => "'",
        '“' => "``",
        '”' => "''",
        '…' => "\\ldots{}",
        '•' => "\\textbullet{}",
        '°' => "\\textdegree{}",
        '§' => "\\S{}",
        '©' => "\\textcopyright{}",
        '€' => "\\texteuro{}",
        '†' => "\\textdagger{}",
        '−' => "\\ensuremath{-}",
        '·' | '⋅' => "\\ensuremath{\\cdot}",
        '×' => "\\ensuremath{\\times}",
        '÷' => "\\ensuremath{\\div}",
        '±' => "\\ensuremath{\\pm}",
        '≤' => "\\ensuremath{\\leq}",
        '≥' => "\\ensuremath{\\geq}",
        '≠' => "\\ensuremath{\\neq}",
        '≈' => "\\ensuremath{\\approx}",
        '∞' => "\\ensuremath{\\infty}",
        '∈' => "\\ensuremath{\\in}",
        '∉' => "\\ensuremath{\\notin}",
        '⊂' => "\\ensuremath{\\subset}",
        '⊆' => "\\ensuremath{\\subseteq}",
        '∪' => "\\ensuremath{\\cup}",
        '∩' => "\\ensuremath{\\cap}",
        '∅' => "\\ensuremath{\\emptyset}",
        '√' => "\\ensuremath{\\surd}",
        '∑' => "\\ensuremath{\\sum}",
        '∏' => "\\ensuremath{\\prod}",
        '∀' => "\\ensuremath{\\forall}",
        '∃' => "\\ensuremath{\\exists}",
        '¬' => "\\ensuremath{\\neg}",
        '∧' => "\\ensuremath{\\wedge}",
        '∨' => "\\ensuremath{\\vee}",
        '→' => "\\ensuremath{\\rightarrow}",
        '←' => "\\ensuremath{\\leftarrow}",
        '↔' => "\\ensuremath{\\leftrightarrow}",
        '⇒' => "\\ensuremath{\\Rightarrow}",
        '↑' => "\\ensuremath{\\uparrow}",
        '↓' => "\\ensuremath{\\downarrow}",
        'ℓ' => "\\ensuremath{\\ell}",
        '✓' => "\\ensuremath{\\surd}",
        '✗' => "\\ensuremath{\\times}",
        '◐' => "\\ensuremath{\\circ}",
        '₀' => "\\ensuremath{_{0}}",
        '₁' => "\\ensuremath{_{1}}",
        '₂' => "\\ensuremath{_{2}}",
        '₃' => "\\ensuremath{_{3}}",
        '½' => "\\ensuremath{\\frac{1}{2}}",
        'α' => "\\ensuremath{\\alpha}",
        'β' => "\\ensuremath{\\beta}",
        'γ' => "\\ensuremath{\\gamma}",
        'δ' => "\\ensuremath{\\delta}",
        'ε' => "\\ensuremath{\\varepsilon}",
        'ζ' => "\\ensuremath{\\zeta}",
        'η' => "\\ensuremath{\\eta}",
        'θ' => "\\ensuremath{\\theta}",
        'ι' => "\\ensuremath{\\iota}",
        'κ' => "\\ensuremath{\\kappa}",
        'λ' => "\\ensuremath{\\lambda}",
        'μ' | 'µ' => "\\ensuremath{\\mu}",
        'ν' => "\\ensuremath{\\nu}",
        'ξ' => "\\ensuremath{\\xi}",
        'π' => "\\ensuremath{\\pi}",
        'ρ' => "\\ensuremath{\\rho}",
        'σ' => "\\ensuremath{\\sigma}",
        'τ' => "\\ensuremath{\\tau}",
        'φ' => "\\ensuremath{\\varphi}",
        'χ' => "\\ensuremath{\\chi}",
        'ψ' => "\\ensuremath{\\psi}",
        'ω' => "\\ensuremath{\\omega}",
        'Γ' => "\\ensuremath{\\Gamma}",
        'Δ' => "\\ensuremath{\\Delta}",
        'Θ' => "\\ensuremath{\\Theta}",
        'Λ' => "\\ensuremath{\\Lambda}",
        'Π' => "\\ensuremath{\\Pi}",
        'Σ' => "\\ensuremath{\\Sigma}",
        'Φ' => "\\ensuremath{\\Phi}",
        'Ψ' => "\\ensuremath{\\Psi}",
        'Ω' => "\\ensuremath{\\Omega}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn latex_takes_text_for_text() {
        for (plain, latex) in [
            ("50 % of A & \\x_1", "50 \\% of A \\& \\textbackslash{}x\\_1"),
            ("k^m, 10⁻⁷, 2ⁿ", "k\\ensuremath{^{m}}, 10\\ensuremath{^{-7}}, 2\\ensuremath{^{n}}"),
            ("a ^ b~", "a \\textasciicircum{} b\\textasciitilde{}"),
            ("ℓ ≤ −3\u{a0}µs", "\\ensuremath{\\ell} \\ensuremath{\\leq} \\ensuremath{-}3~\\ensuremath{\\mu}s"),
            ("--flag [x]*", "-{}-flag {[}x{]}{*}"),
            ("Übung, naïve, 中", "Übung, naïve, \\texttt{U+4E2D}"),
            ("`a_b` and `", "\\textasciigrave{}a\\_b\\textasciigrave{} and \\textasciigrave{}"),
            ("`a_b`, \"c\"\n|<>", "\\texttt{a\\_b}, {\\char34}c{\\char34} \\textbar{}\\textless{}\\textgreater{}"),
        ] {
            assert_eq!(text(plain), latex, "{plain}");
        }
        assert_eq!(comment("a\n\\input{x}\u{202e}"), "a \\input{x}\u{fffd}");
    }

    proptest! {
        /// Nothing but our own commands, and braces that close.
        #[test]
        fn no_text_is_a_command(given in "\\PC{0,40}|[\\\\{}%$#&~^_`<>\n\\[*|\"-]{0,12}") {
            let escaped = text(&given);
            let mut depth = 0i32;
            let mut characters = escaped.chars();
            while let Some(character) = characters.next() {
                match character {
                    '\\' => {
                        let next = characters.next();
                        prop_assert!(next.is_some_and(|c| c.is_ascii_alphabetic() || "&%$#_{},".contains(c)), "{escaped}");
                    }
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    bare => prop_assert!(!"%$#&~\n\"".contains(bare) || bare == '~', "{escaped}"),
                }
                prop_assert!(depth >= 0, "{escaped}");
            }
            prop_assert_eq!(depth, 0);
        }
    }
}
