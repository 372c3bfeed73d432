//! A table too wide for a page, in parts below each other.

use super::FigureTable;

/// Columns beside each other; what is wider breaks into parts.
const ABREAST: usize = 9;

impl FigureTable {
    /// The columns of each part: those that name rows, and as many of the others as have room. A printed value stays beside
    /// ours, and a metric's series stay together where they have room.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let all = self.heads.len();
        let naming = self.rows.first().map_or(0, |row| row.iter().take_while(|cell| cell.heads_row).count());
        if all <= ABREAST {
            return vec![(0..all).collect()];
        }
        let room = ABREAST.saturating_sub(naming).max(1);
        let is_printed =
            |column: usize| self.heads[column].note.ends_with("printed") || self.heads[column].text == "printed";
        let metric = |column: usize| self.heads[column].note.trim_end_matches("printed").trim_end_matches(", ");
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut from = naming;
        while from < all {
            let left = parts.last().map_or(0, |part| room.saturating_sub(part.len()));
            let pair = from + 1 + (from + 1..all).take_while(|&column| is_printed(column)).count();
            let same = (pair..all).find(|&column| !is_printed(column) && metric(column) != metric(from)).unwrap_or(all);
            let begins = from == naming || metric(from) != metric(from - 1);
            let fits = pair - from <= left && (!begins || same - from <= left || same - from > room);
            match parts.last_mut() {
                Some(part) if fits => part.extend(from..pair),
                _ => parts.push((from..pair).collect()),
            }
            from = pair;
        }
        parts.into_iter().map(|part| (0..naming).chain(part).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TableCell, TableHead};
    use super::*;

    fn made(names: usize, heads: &[(&str, &str)]) -> FigureTable {
        let head = |text: &str, note: &str| TableHead { text: text.into(), note: note.into(), numeric: true };
        let cell = |index: usize| TableCell { heads_row: index < names, ..TableCell::default() };
        let named = (0..names).map(|_| head("x", ""));
        let heads: Vec<TableHead> = named.chain(heads.iter().map(|(text, note)| head(text, note))).collect();
        FigureTable { rows: vec![(0..heads.len()).map(cell).collect()], heads }
    }

    #[test]
    fn wide_tables_break_between_metrics_and_never_before_a_printed_value() {
        let narrow = made(1, &[("a", "time"), ("b", "time")]);
        assert_eq!(narrow.parts(), [[0, 1, 2]]);

        let metrics: Vec<(&str, &str)> = ["time", "error", "risk"]
            .iter()
            .flat_map(|metric| ["a", "b", "c", "d"].map(|name| (name, *metric)))
            .collect();
        let broken = made(1, &metrics).parts();
        assert_eq!(broken, [vec![0, 1, 2, 3, 4, 5, 6, 7, 8], vec![0, 9, 10, 11, 12]]);

        let beside: Vec<(&str, &str)> =
            (0..6).flat_map(|_| [("a", ""), ("a", "printed")]).chain([("printed", "")]).collect();
        for part in made(2, &beside).parts() {
            assert_eq!(part[..2], [0, 1]);
            assert_eq!(part[2] % 2, 0, "{part:?} begins with a value of ours");
            assert!(part.len() <= ABREAST + 1, "{part:?}");
        }
        let many: Vec<(&str, &str)> = (0..40).map(|_| ("a", "time")).collect();
        let broken = made(1, &many).parts();
        let mut seen: Vec<usize> = broken.iter().flat_map(|part| part[1..].to_vec()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (1..=40).collect::<Vec<_>>(), "every column once");
        assert!(broken.iter().all(|part| part.len() <= ABREAST));
    }
}
