//! Which names a file of a capsule may have: those that mean the same file below one directory on every system.

/// Longer names no file system takes.
const LONGEST_PART: usize = 255;
const LONGEST: usize = 1024;

/// Why a name is refused, if so.
pub fn fault(name: &str) -> Option<&'static str> {
    let parts = || name.split('/');
    let turns_direction = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    Some(match () {
        () if name.is_empty() => "it has no name",
        () if name.len() > LONGEST || parts().any(|part| part.len() > LONGEST_PART) => "its name is too long",
        () if name.chars().any(|c| c.is_control() || turns_direction(c)) => "its name has control characters",
        () if name.starts_with('/') => "its path is absolute",
        () if name.contains('\\') => "its path has backslashes",
        () if name.as_bytes().get(1) == Some(&b':') => "its path names a drive",
        () if parts().any(|part| part == "..") => "its path leads out of the capsule",
        () if parts().any(|part| part.is_empty() || part == ".") => "its path has empty parts",
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn only_plain_relative_paths_pass() {
        for sound in
            ["README.md", "store/ab/abcd", "results/x/readings/f.part=both+ties=b.html", "specs/größe 2.csv", "a..b/c"]
        {
            assert_eq!(fault(sound), None, "{sound}");
        }
        for (wrong, why) in [
            ("", "no name"),
            ("/etc/passwd", "absolute"),
            ("../x", "out of"),
            ("a/../../x", "out of"),
            ("a\\..\\x", "backslashes"),
            ("C:x", "drive"),
            ("c:/x", "drive"),
            ("a//b", "empty parts"),
            ("./a", "empty parts"),
            ("a/", "empty parts"),
            ("a\0b", "control"),
            ("a\nb", "control"),
            ("a\u{202e}b", "control"),
        ] {
            assert!(fault(wrong).is_some_and(|found| found.contains(why)), "{wrong:?}: {:?}", fault(wrong));
        }
        assert!(fault(&"a".repeat(300)).is_some());
        assert!(fault(&"a/".repeat(600)).is_some());
    }
}
