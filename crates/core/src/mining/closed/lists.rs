use super::search::{Search, has_common};
use crate::data::{Item, Transactions};
use crate::mining::coding::Coding;
use crate::mining::database::Database;

/// Takes each item's rows from lists.
pub(super) fn mine<V: FnMut(&[Item], u32)>(transactions: &Transactions, coding: &Coding, search: Search<'_, '_, V>) {
    let codes = coding.items.len();
    let mut rows: Database<0> = Database::default();
    rows.fill(
        coding.items.iter().copied(),
        coding.supports.iter().copied(),
        transactions.rows().map(|row| ([], coding.encode(row))),
    );
    (0..codes).for_each(|code| rows.write(code));
    // By code; zero between turns. Places are those of candidates, plus one.
    let (mut counts, mut places) = (vec![0u32; codes], vec![0u32; codes]);
    let (mut search, mut common) = (search, Vec::new());
    for code in (0..codes).rev() {
        let support = rows.row_count(code);
        search.rarer.clear();
        for (_, row) in rows.rows_of(code) {
            let place = row.partition_point(|&other| (other as usize) < code);
            row[..place].iter().for_each(|&other| counts[other as usize] += 1);
            search.rarer.push(&row[place + 1..]);
        }
        if !has_common(search.rarer.iter().copied(), &mut common) {
            let beside = (0..code).rev().filter(|&other| counts[other] >= search.min_support);
            let (in_all, candidates): (Vec<usize>, Vec<usize>) = beside.partition(|&other| counts[other] == support);
            search.clear_bitmaps(candidates.len(), support);
            (1..).zip(&candidates).for_each(|(place, &other)| places[other] = place);
            for (i, (_, row)) in rows.rows_of(code).enumerate() {
                for place in row.iter().filter_map(|&other| places[other as usize].checked_sub(1)) {
                    search.bitmap_mut(place as usize)[i / 64] |= 1 << (i % 64);
                }
            }
            candidates.iter().for_each(|&other| places[other] = 0);
            search.items.clear();
            search.items.extend(candidates.iter().map(|&other| coding.items[other]));
            search.base.clear();
            search.base.extend(in_all.iter().chain([&code]).map(|&other| coding.items[other]));
            search.run(support, candidates.iter().map(|&other| counts[other]));
        }
        counts[..code].fill(0);
    }
}
