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
