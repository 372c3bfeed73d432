//! Bytes as text: gunzipped where they are gzipped, without a byte order mark, in lines with their numbers.

use crate::sources::DataError;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// A file's text, and the name its errors go by.
#[derive(Debug)]
pub struct SourceText {
    /// What messages call it.
    pub name: String,
    /// The whole of it, without a byte-order mark.
    pub text: String,
}

impl SourceText {
    /// `bytes` must be uncompressed.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, DataError> {
        let name = name.into();
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
            DataError::Row { file: name.clone(), line, message: "not UTF-8 text".to_string() }
        })?;
        Ok(Self { name, text })
    }

    /// The text without a byte order mark.
    pub fn body(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    /// The lines with their numbers, without line ends; empty lines at the end of the file are no lines.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let body = self.body().trim_end_matches(['\n', '\r']);
        let lines = (!body.is_empty()).then(|| body.split('\n')).into_iter().flatten();
        lines.enumerate().map(|(i, line)| (i + 1, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// An error at a line of it.
    pub fn error(&self, line: usize, message: impl Into<String>) -> DataError {
        DataError::Row { file: self.name.clone(), line, message: message.into() }
    }
}

/// The words of a line, apart by blanks. By bytes: searching for several characters is slow on text.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    let bytes = line.as_bytes();
    let is_blank = |at: usize| matches!(bytes[at], b' ' | b'\t');
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && is_blank(at) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && !is_blank(at) {
            at += 1;
        }
        (start < at).then(|| &line[start..at])
    })
}

/// The fields of a line, apart by a one-byte delimiter, without blanks around them.
pub fn fields(line: &str, delimiter: u8) -> impl Iterator<Item = &str> {
    let bytes = line.as_bytes();
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let mut start = next?;
        let mut end = start;
        while end < bytes.len() && bytes[end] != delimiter {
            end += 1;
        }
        next = (end < bytes.len()).then_some(end + 1);
        while start < end && matches!(bytes[start], b' ' | b'\t') {
            start += 1;
        }
        while start < end && matches!(bytes[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        Some(&line[start..end])
    })
}

/// `bytes`, gunzipped if they begin as gzip does. More than `limit` bytes are refused, so that a small file cannot fill
/// the memory.
pub fn decompress(bytes: &[u8], limit: u64) -> Result<Cow<'_, [u8]>, String> {
    let too_long = || format!("more than {limit} bytes");
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return if bytes.len() as u64 > limit { Err(too_long()) } else { Ok(Cow::Borrowed(bytes)) };
    }
    // The last four bytes tell the length modulo 2^32: a good guess for honest files, a harmless one for others.
    let told = bytes.last_chunk().map_or(0, |&last| u32::from_le_bytes(last) as usize);
    let mut plain = Vec::with_capacity(told.min(bytes.len().saturating_mul(16)));
    let mut decoder = MultiGzDecoder::new(bytes).take(limit + 1);
    decoder.read_to_end(&mut plain).map_err(|error| format!("not sound gzip: {error}"))?;
    if plain.len() as u64 > limit { Err(too_long()) } else { Ok(Cow::Owned(plain)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn lines_have_numbers_and_no_line_ends() {
        let text = SourceText::new("x", "\u{feff}a\r\n\nb\n\n\r\n".into()).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), [(1, "a"), (2, ""), (3, "b")]);
        assert_eq!(SourceText::new("x", b"\n".to_vec()).unwrap().lines().count(), 0);
    }

    #[test]
    fn text_that_is_none_is_refused_by_line() {
        let error = SourceText::new("x.csv", b"a\nb\xff\n".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "x.csv, line 2: not UTF-8 text");
    }

    #[test]
    fn words_and_fields_stand_between_blanks_and_commas() {
        assert_eq!(words(" 1 \tüx  3 ").collect::<Vec<_>>(), ["1", "üx", "3"]);
        assert_eq!(words(" \t").count(), 0);
        assert_eq!(fields("a, ü b ,, ", b',').collect::<Vec<_>>(), ["a", "ü b", "", ""]);
        assert_eq!(fields("", b',').collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn gzip_is_known_by_its_first_bytes() {
        let members = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(decompress(&members, 100).unwrap(), &b"one two"[..]);
        assert_eq!(decompress(b"plain", 100).unwrap(), &b"plain"[..]);
        assert!(decompress(&members[..members.len() - 3], 100).unwrap_err().starts_with("not sound gzip"));
        assert_eq!(decompress(&gzip(&[0; 1000]), 100).unwrap_err(), "more than 100 bytes");
    }
}
