/// Rows as CSV text (RFC 4180 quoting, lines ending in a plain newline).
pub fn write_csv<R, F>(rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item = F>,
    F: AsRef<[u8]>,
{
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("memory takes every row");
    }
    writer.into_inner().expect("memory takes every row")
}

/// The line of `bytes` that a record read from them starts on. The reader is at the second half of the line's end before it, where
/// lines end in two characters.
pub fn line_of(record: &csv::StringRecord, bytes: &[u8]) -> u64 {
    record.position().map_or(0, |at| at.line() + u64::from(bytes.get(at.byte() as usize) == Some(&b'\n')))
}

/// A field as it stands in a record of several: quoted where RFC 4180 asks for it.
pub fn csv_field(text: &str) -> Vec<u8> {
    let mut field = write_csv([[text, ""]]);
    // The comma, the empty field and the line's end.
    field.truncate(field.len() - 2);
    field
}

/// Appends a whole number in decimal.
pub fn push_decimal(bytes: &mut Vec<u8>, mut number: u32) {
    let mut digits = [0; 10];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    bytes.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A record put together from fields and numbers is the one that is written whole.
        #[test]
        fn fields_are_those_of_a_record(texts in prop::collection::vec("[a\",' \n\r0#]{0,3}", 1..4), number in any::<u32>()) {
            let mut record = Vec::new();
            for text in &texts {
                record.extend(csv_field(text));
                record.push(b',');
            }
            push_decimal(&mut record, number);
            record.push(b'\n');
            let whole = texts.iter().cloned().chain([number.to_string()]);
            prop_assert_eq!(record, write_csv([whole]));
        }
    }
}
