/// The bytes of the UCI repository from CSV with a header: no header, blanks after commas, an empty last line. (A slip
/// here cannot pass: the result is held to the checksum of the original.)
pub(super) fn original(csv: &[u8], first_line: &str, row_end: &str) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(csv).map_err(|error| error.to_string())?;
    let mut original = String::with_capacity(text.len() * 5 / 4);
    original += first_line;
    for row in text.lines().skip(1) {
        original += &row.replace(',', ", ");
        original += row_end;
        original.push('\n');
    }
    original.push('\n');
    Ok(original.into_bytes())
}
