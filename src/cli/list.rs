pub use crate::lab::counted;

/// Rows as aligned columns; the last one is not padded.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(i, cell)| format!("{cell}{}", " ".repeat(widths[i] - cell.chars().count())))
            .collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_string(), "ℓ".to_string()], vec!["long".to_string(), "x".to_string()]];
        assert_eq!(super::aligned(&rows), "a     ℓ\nlong  x\n");
    }
}
