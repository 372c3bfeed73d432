use super::*;
use crate::data::{THRESHOLDS, together};
use crate::sources::BasketStatistics;
use proptest::prelude::*;

/// Transactions from rows of item numbers, items that do not occur left out.
fn transactions(rows: &[Vec<u32>]) -> Transactions {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u32::to_string).collect()).collect();
    Transactions::from_labels(&rows)
}

fn made(of: &Aggregates, transactions: usize, seed: u64) -> Transactions {
    lifelike(of, LifelikeParameters { transactions, seed }).unwrap()
}

#[test]
fn every_file_is_met() {
    assert!(all_aggregates().count() > 0);
    for (name, of) in all_aggregates() {
        let t = made(of, of.transactions, 0);
        assert_eq!(BasketStatistics::of(&t), of.sizes(), "{name}");
        // The larger ones take too long to measure in a test.
        if !matches!(name, "bms-webview-1" | "bms-webview-2" | "mushroom") {
            continue;
        }
        let found = Aggregates::of(&t);
        assert_eq!((&found.lengths, &found.length_sums), (&of.lengths, &of.length_sums), "{name}");
        assert_eq!((&found.ids, &found.supports), (&of.ids, &of.supports), "{name}");
    }
}

/// Of more items than are told one by one, the popular ones are met exactly and the others in number.
#[test]
fn supports_that_are_not_told_are_near_those_measured() {
    let of = aggregates("retail", None).unwrap();
    let t = made(of, of.transactions, 0);
    let supports = t.supports();
    let popular: Vec<u32> = of.popular.iter().map(|&item| supports[item]).collect();
    assert_eq!(popular, of.supports);
    let largest = of.supports.iter().copied().max().unwrap();
    for (step, &wanted) in super::aggregates::support_steps(largest as usize).into_iter().zip(&of.items_of_support) {
        let found = supports.iter().filter(|&&support| support as usize >= step).count();
        assert!(found.abs_diff(wanted) * 50 <= wanted + 50, "{found} items in {step}, where {wanted} were measured");
    }
}

/// Where the data numbers its items as they appear, so does the stand-in, but for the few that are exchanged at the end.
#[test]
fn items_appear_in_the_order_of_their_ids() {
    for name in ["bms-pos", "retail"] {
        let part = (name == "bms-pos").then_some("a");
        let of = aggregates(name, part).unwrap();
        let t = made(of, of.transactions, 0);
        let mut seen = vec![false; of.items];
        let (mut appeared, mut displaced) = (0usize, 0);
        for &item in t.rows().flatten() {
            if !std::mem::replace(&mut seen[item as usize], true) {
                displaced += appeared.abs_diff(item as usize);
                appeared += 1;
            }
        }
        let mean = displaced / appeared;
        assert!(mean * 100 <= of.items, "{name}: {mean} places away from their ids, on average of {appeared} items");
    }
}

#[test]
fn pairs_are_near_those_measured() {
    for (name, of) in all_aggregates().filter(|(name, _)| matches!(*name, "bms-webview-1" | "bms-webview-2")) {
        let found = together(&made(of, of.transactions, 0), Some(of.triple_pairs));
        for (at, (&found, &wanted)) in found.pairs.iter().zip(&of.pairs).enumerate().filter(|(_, (_, w))| **w > 50) {
            let quotient = found as f64 / wanted as f64;
            assert!((0.6..1.7).contains(&quotient), "{name}: {found} pairs in {}, not {wanted}", THRESHOLDS[at]);
        }
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let of = aggregates("bms-webview-1", None).unwrap();
    assert_eq!(made(of, 5_000, 1), made(of, 5_000, 1));
    assert_ne!(made(of, 5_000, 1), made(of, 5_000, 2));
}

/// The transactions of every machine. Others are those of another generator, which needs another name.
#[test]
fn bytes_are_fixed() {
    let of =
        Aggregates::of(&transactions(&[vec![1, 2, 3], vec![2, 3], vec![3], vec![1, 3, 4], vec![5], vec![2, 3, 5]]));
    let rows: Vec<Vec<u32>> = made(&of, 6, 0).rows().map(<[u32]>::to_vec).collect();
    assert_eq!(rows, [vec![0, 1, 2], vec![1, 2], vec![2], vec![0, 1, 2], vec![4], vec![2, 3, 4]]);
}

#[test]
fn the_text_of_statistics_is_read_again() {
    let of = Aggregates::of(&transactions(&[vec![1, 2], vec![2, 3], vec![1, 2, 3], vec![4]]));
    let text = of.to_text();
    assert_eq!(serde_json::from_str::<Aggregates>(&text).unwrap(), of);
    assert!(text.lines().count() > 10, "{text}");
    assert!(of.measured_alike(&Aggregates { fit: Fit { near: 1, ..of.fit }, ..of.clone() }));
    assert!(!of.measured_alike(&Aggregates { items: 5, ..of.clone() }));
}

#[test]
fn what_cannot_be_generated_is_refused() {
    let of = Aggregates::of(&transactions(&[vec![1, 2], vec![3, 4], vec![5, 6]]));
    assert!(lifelike(&of, LifelikeParameters { transactions: 0, seed: 0 }).is_err());
    let error = lifelike(&of, LifelikeParameters { transactions: 1, seed: 0 }).unwrap_err();
    assert!(error.contains("not as many as 6 items need"), "{error}");
}

proptest! {
    /// Lengths are met one by one, and occurrences in sum; at other sizes the longest stays.
    #[test]
    fn sizes_are_met(
        rows in proptest::collection::vec(proptest::collection::btree_set(0u32..30, 1..12), 1..60),
        seed in 0u64..4, more in 1usize..4,
    ) {
        let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let t = transactions(&rows);
        let of = Aggregates::of(&t);
        let made = lifelike(&of, LifelikeParameters { transactions: t.len(), seed }).unwrap();
        prop_assert_eq!(made.len(), t.len());
        prop_assert_eq!(made.longest(), t.longest());
        prop_assert_eq!(made.items(), t.items());
        let lengths = |t: &Transactions| {
            let mut lengths: Vec<usize> = t.rows().map(<[u32]>::len).collect();
            lengths.sort_unstable();
            lengths
        };
        prop_assert_eq!(lengths(&made), lengths(&t));
        let larger = lifelike(&of, LifelikeParameters { transactions: t.len() * more, seed }).unwrap();
        prop_assert_eq!(larger.len(), t.len() * more);
        prop_assert!(larger.supports().iter().all(|&support| support > 0));
    }
    /// Whatever the settings, transactions are sets, every item occurs, each exactly as often as measured.
    #[test]
    fn supports_are_met_under_any_fit(
        rows in proptest::collection::vec(proptest::collection::btree_set(0u32..20, 1..8), 1..50),
        shares in proptest::collection::vec(0u32..=1000, 5), skew in 0u32..3000, ahead in 0u32..9000, family in 2u32..20,
        seed in 0u64..4,
    ) {
        let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let mut of = Aggregates::of(&transactions(&rows));
        let [copy_short, copy_long, stay, companion, near] = shares[..] else { unreachable!("five were asked for") };
        of.fit = Fit { copy_short, copy_long, stay, companion, near, skew, ahead, family };
        let made = made(&of, of.transactions, seed);
        prop_assert!(made.rows().all(|row| row.windows(2).all(|pair| pair[0] < pair[1])), "an item stands twice");
        prop_assert_eq!(made.supports(), of.supports);
        prop_assert_eq!(made.labels, ids::labels(&of.ids, of.items));
    }
}
