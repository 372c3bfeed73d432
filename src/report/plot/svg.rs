//! The little SVG that is written by hand. Whatever comes from data or a spec goes through [`escape`].

/// Text for an element or an attribute of XML or HTML: markup is escaped, characters that XML forbids and those that
/// turn the direction of the text around them are replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(harmless(other)),
        }
    }
    escaped
}

/// The character, or the replacement character for one that is no text: controls, non-characters, direction overrides.
pub fn harmless(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => '\u{fffd}',
        '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{fdd0}'..='\u{fdef}' => '\u{fffd}',
        other if other as u32 & 0xfffe == 0xfffe => '\u{fffd}',
        other => other,
    }
}

/// At most so many characters on one line, with an ellipsis for the rest.
pub fn shorten(text: &str, most: usize) -> String {
    let mut short: String =
        text.chars().take(most + 1).map(|c| if c.is_whitespace() { ' ' } else { harmless(c) }).collect();
    if short.chars().count() > most {
        short = short.chars().take(most.saturating_sub(1)).collect();
        short.push('…');
    }
    short
}

/// How wide a text will be, in units of the font size: what common sans-serif faces come to, rounded up.
pub fn width(text: &str, size: f64) -> f64 {
    let each = text.chars().map(|character| match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | ' ' | '(' | ')' | '[' | ']' => 0.36,
        'f' | 't' | 'r' | '-' | '·' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '<' | '>' | '=' | '+' | '…' => 0.98,
        'A'..='Z' => 0.72,
        // Wide scripts.
        other if other as u32 >= 0x1100 => 1.0,
        _ => 0.63,
    });
    each.sum::<f64>() * size
}

/// As much of the text as has room, on one line, with an ellipsis for the rest.
pub fn fitting(text: &str, size: f64, room: f64) -> String {
    let mut most = 120;
    loop {
        let short = shorten(text, most);
        let wide = width(&short, size);
        if wide <= room || most <= 4 {
            return short;
        }
        // One step would do for letters of one width.
        most = ((most.min(short.chars().count()) as f64 * room / wide) as usize).min(most - 1);
    }
}

/// Both ends of the text, as far as there is room, with an ellipsis between them: what tells panels apart may stand last.
pub fn fitting_around(text: &str, size: f64, room: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let around = |most: usize| {
        let tail = most / 2;
        let ends = [&letters[..most - tail], &letters[letters.len() - tail..]].map(String::from_iter);
        shorten(&ends.join("…"), most + 1)
    };
    let whole = shorten(text, letters.len());
    if width(&whole, size) <= room {
        return whole;
    }
    let fits = (4..letters.len().min(120)).rev().map(around).find(|short| width(short, size) <= room);
    fits.unwrap_or_else(|| fitting(text, size, room))
}

/// A coordinate, to a tenth.
pub fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_string(),
        Some(whole) => whole.to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_element() {
        assert_eq!(escape("<script>\"'&]]>"), "&lt;script&gt;&quot;&#39;&amp;]]&gt;");
        assert_eq!(escape("a\u{202e}b\u{0}\u{ffff}"), "a\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(shorten(&"x".repeat(10_000), 5), "xxxx…");
        assert_eq!(shorten("a\nb", 5), "a b");
        let fitted = fitting(&"W".repeat(500), 10.0, 100.0);
        assert!(fitted.ends_with('…') && width(&fitted, 10.0) <= 100.0 && fitted.chars().count() > 8, "{fitted}");
        assert_eq!(fitting("short", 10.0, 100.0), "short");
        assert_eq!(fitting_around("short", 10.0, 100.0), "short");
        assert_eq!(fitting_around("a long name of the data, k = 5", 10.0, 120.0), "a long nam…ta, k = 5");
        let fitted = fitting_around(&"W".repeat(10_000), 10.0, 100.0);
        assert!(fitted.contains('…') && width(&fitted, 10.0) <= 100.0, "{fitted}");
        assert_eq!(fitting_around("WWWWW", 10.0, 5.0), fitting("WWWWW", 10.0, 5.0));
        assert_eq!(place(-0.01), "0");
        assert_eq!(place(12.25), "12.2");
    }
}
