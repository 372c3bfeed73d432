//! Documents with blocks that are made from results: what stands between two marks is replaced, everything else stays.
//!
//! ```text
//! <!-- anonlab: findings -->
//! (a table, made anew each time)
//! <!-- /anonlab -->
//! ```

const BEGIN: &str = "<!-- anonlab:";
const END: &str = "<!-- /anonlab -->";

/// The document with every block made anew. `make` is given the words behind the block's mark. An error names its line.
pub fn spliced(
    document: &str,
    mut make: impl FnMut(&[&str]) -> Result<String, String>,
) -> Result<(String, usize), String> {
    let mut text = String::with_capacity(document.len());
    let mut blocks = 0;
    let mut lines = document.split_inclusive('\n').enumerate();
    let mut fenced = false;
    while let Some((index, line)) = lines.next() {
        text += line;
        // An example of a mark is none.
        fenced ^= line.trim_start().starts_with("```");
        let Some(mark) = line.trim().strip_prefix(BEGIN).filter(|_| !fenced) else { continue };
        let at = |message: &str| format!("line {}: {message}", index + 1);
        let words = mark.strip_suffix("-->").ok_or_else(|| at("the mark has no `-->` at the end of its line"))?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let made = make(&words).map_err(|error| at(&error))?;
        text += &format!("\n{}\n\n", made.trim_matches('\n'));
        let unclosed = || at(&format!("the block `{}` is not closed: `{END}` is missing", words.join(" ")));
        loop {
            let (_, line) = lines.next().ok_or_else(unclosed)?;
            if line.trim().starts_with(BEGIN) {
                return Err(unclosed());
            }
            if line.trim() == END {
                text += line;
                break;
            }
        }
        blocks += 1;
    }
    Ok((text, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(words: &[&str]) -> Result<String, String> {
        match words {
            ["no"] => Err("there is no `no`".to_string()),
            words => Ok(format!("made of {}\n", words.join("+"))),
        }
    }

    #[test]
    fn blocks_are_replaced_and_nothing_else() {
        let before = "a\n<!-- anonlab: x y -->\nold\n<!-- /anonlab -->\nb\n```\n<!-- anonlab: no -->\n```\n";
        let (after, blocks) = spliced(before, make).unwrap();
        let wanted =
            "a\n<!-- anonlab: x y -->\n\nmade of x+y\n\n<!-- /anonlab -->\nb\n```\n<!-- anonlab: no -->\n```\n";
        assert_eq!((after.as_str(), blocks), (wanted, 1));
        assert_eq!(spliced(&after, make).unwrap().0, after, "twice is once");
        assert_eq!(spliced("no end of line", make).unwrap(), ("no end of line".to_string(), 0));
    }

    #[test]
    fn errors_name_their_line() {
        let error = |document: &str| spliced(document, make).unwrap_err();
        assert_eq!(error("\n<!-- anonlab: no -->\n"), "line 2: there is no `no`");
        assert!(error("<!-- anonlab: x -->\n").contains("is not closed"));
        assert!(error("<!-- anonlab: x -->\n<!-- anonlab: y -->\n<!-- /anonlab -->\n").contains("`x` is not closed"));
        assert!(error("<!-- anonlab: x\n").contains("line 1: the mark has no `-->`"));
    }
}
