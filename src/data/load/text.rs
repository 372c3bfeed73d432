//! Bytes as text: gunzipped where they are gzipped, without a byte order mark, in lines with their numbers.

use crate::data::DataError;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// A file's text, and the name its errors go by.
#[derive(Debug)]
pub struct SourceText {
    pub name: String,
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

    pub fn error(&self, line: usize, message: impl Into<String>) -> DataError {
        DataError::Row { file: self.name.clone(), line, message: message.into() }
    }
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
    fn gzip_is_known_by_its_first_bytes() {
        let members = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(decompress(&members, 100).unwrap(), &b"one two"[..]);
        assert_eq!(decompress(b"plain", 100).unwrap(), &b"plain"[..]);
        assert!(decompress(&members[..members.len() - 3], 100).unwrap_err().starts_with("not sound gzip"));
        assert_eq!(decompress(&gzip(&[0; 1000]), 100).unwrap_err(), "more than 100 bytes");
    }
}
