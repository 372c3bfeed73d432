//! Commands as people and scripts can paste them into a shell.

/// A word of a shell command, quoted where it must be.
pub fn shell_word(word: &str) -> String {
    // The one thing that cannot be quoted is a zero byte, which no argument and no path can hold.
    shlex::try_quote(word).map_or_else(|_| shell_word(&word.replace('\0', "")), String::from)
}

/// Words as one line.
pub fn shell_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(shell_word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_words_stay_plain() {
        assert_eq!(
            shell_line(["anonlab", "run", "my specs/a.yaml", "--only", "it's"]),
            "anonlab run 'my specs/a.yaml' --only \"it's\""
        );
    }

    proptest! {
        #[test]
        fn a_shell_gives_back_what_was_quoted(word in "[^\\x00]{0,30}") {
            prop_assert_eq!(shlex::split(&shell_line(["x", &word])), Some(vec!["x".to_string(), word]));
        }
    }
}
