//! What people and scripts read: standard output, where every failure to write is an error, and standard error, where none
//! is. Names from specs and data reach neither as anything but text.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// Writes to standard output.
pub fn print(text: fmt::Arguments) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(printable(&text.to_string()).as_bytes())?;
    out.flush()
}

/// Writes a line to standard error. Whoever closed it does not want to know.
pub fn tell_line(text: fmt::Arguments) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// `text` with everything escaped by which it could move a terminal's cursor, change its colours or title, or turn the
/// direction of what follows. Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(commands_a_terminal) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // Files that are printed as they are (CSV) may end their lines so.
            '\r' if rest.peek() == Some(&'\n') => plain.push(c),
            c if commands_a_terminal(c) => plain.extend(c.escape_unicode()),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

fn commands_a_terminal(c: char) -> bool {
    let turns_direction = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n' && c != '\t') || turns_direction
}

/// `eprintln!` that survives a closed standard error.
macro_rules! tell {
    ($($argument:tt)*) => { $crate::run::tell_line(format_args!($($argument)*)) };
}
pub(crate) use tell;

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_commands_a_terminal_is_escaped_and_the_rest_stays() {
        assert_eq!(printable("a\tü ✓\r\nb\n"), "a\tü ✓\r\nb\n");
        assert_eq!(printable("\u{1b}]0;owned\u{7}"), "\\u{1b}]0;owned\\u{7}");
        assert_eq!(printable("good\rbad"), "good\\u{d}bad");
        assert_eq!(printable("\u{9b}2J\u{7f}\u{202e}x"), "\\u{9b}2J\\u{7f}\\u{202e}x");
    }
}
