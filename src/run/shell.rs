//! Commands as people and scripts can paste them into a shell.

use std::path::Path;

/// A word of a shell command, quoted where it must be.
pub fn shell_word(word: &str) -> String {
    // The one thing that cannot be quoted is a zero byte, which no argument and no path can hold.
    shlex::try_quote(word).map_or_else(|_| shell_word(&word.replace('\0', "")), String::from)
}

/// A path as a word of a shell command.
pub fn shell_path(path: &Path) -> String {
    // Bytes that are no text are quoted by the shell's own means, so that even they can be pasted.
    match path.to_str() {
        Some(text) => shell_word(text),
        None => {
            let escaped = path.as_os_str().as_encoded_bytes().iter().map(|byte| match byte {
                b'\\' | b'\'' => format!("\\{}", *byte as char),
                b' '..=b'~' => (*byte as char).to_string(),
                byte => format!("\\x{byte:02x}"),
            });
            format!("$'{}'", escaped.collect::<String>())
        }
    }
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

    #[test]
    fn paths_are_words_also_where_they_are_no_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(shell_path(Path::new("a b; rm -rf x.yaml")), "'a b; rm -rf x.yaml'");
        assert_eq!(shell_path(Path::new(OsStr::from_bytes(b"caf\xe9's.yaml"))), r"$'caf\xe9\'s.yaml'");
    }

    proptest! {
        #[test]
        fn a_shell_gives_back_what_was_quoted(word in "[^\\x00]{0,30}") {
            prop_assert_eq!(shlex::split(&shell_line(["x", &word])), Some(vec!["x".to_string(), word]));
        }
    }
}
