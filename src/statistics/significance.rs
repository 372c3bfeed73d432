//! Tests of paired differences and of ranks, with their corrections.
//!
//! F. Wilcoxon, "Individual Comparisons by Ranking Methods", 1945; S. Holm, "A Simple Sequentially Rejective Multiple Test
//! Procedure", 1979; J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 2006.

/// Up to so many differences the distribution is counted out; beyond, the normal one is as good.
const COUNTED_OUT: usize = 200;

/// The two-sided signed-rank test: how likely differences as lopsided as these are when neither side is better. Zeros
/// are left out, equal sizes share their ranks.
pub fn signed_rank_test(differences: &[f64]) -> f64 {
    let mut signed: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    signed.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = signed.len();
    if n == 0 {
        return 1.0;
    }
    // Twice the rank, so that shared ranks are whole.
    let mut ranks = vec![0usize; n];
    let mut ties = 0.0;
    let mut start = 0;
    while start < n {
        let end = start + signed[start..].partition_point(|value| value.abs() <= signed[start].abs());
        ranks[start..end].fill(start + end + 1);
        let size = (end - start) as f64;
        ties += size * size * size - size;
        start = end;
    }
    let positive: usize = ranks.iter().zip(&signed).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
    let total: usize = ranks.iter().sum();
    let extreme = positive.max(total - positive);
    if n <= COUNTED_OUT {
        let chances = sums_of_ranks(&ranks, total);
        return (2.0 * chances[extreme..].iter().sum::<f64>()).min(1.0);
    }
    let n = n as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let distance = (extreme as f64 / 2.0 - n * (n + 1.0) / 4.0 - 0.5).max(0.0);
    erfc(distance / (2.0 * variance).sqrt()).min(1.0)
}

/// The chance of each sum when every rank is positive or not with the same chance.
fn sums_of_ranks(ranks: &[usize], total: usize) -> Vec<f64> {
    let mut chances = vec![0.0; total + 1];
    chances[0] = 1.0;
    let mut largest = 0;
    for &rank in ranks {
        largest += rank;
        for sum in (0..=largest).rev() {
            let with = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = (chances[sum] + with) / 2.0;
        }
    }
    chances
}

/// The most rank sum that `n` differences stay at or below with at most this chance; None where even none has more.
pub fn signed_rank_tail(n: usize, chance: f64) -> Option<usize> {
    if n > COUNTED_OUT {
        let n = n as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        return Some((n * (n + 1.0) / 4.0 - normal_quantile(chance) * deviation - 0.5).max(0.0) as usize);
    }
    let ranks: Vec<usize> = (1..=n).collect();
    let mut tail = 0.0;
    let chances = sums_of_ranks(&ranks, n * (n + 1) / 2);
    let beyond = chances.iter().position(|sum| {
        tail += sum;
        tail > chance
    });
    beyond.unwrap_or(chances.len()).checked_sub(1)
}

/// How far from its middle a normal variable must be to be beyond with this chance, on one side.
fn normal_quantile(chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle: f64 = (low + high) / 2.0;
        match erfc(middle / std::f64::consts::SQRT_2) / 2.0 > chance {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Which of several signed-rank tests can come below `level` at all when they are corrected for their number, by the
/// differences each of them has (R. E. Tarone, "A Modified Bonferroni Method for Discrete Data", 1990). The others are
/// left out of the correction: what can never be found needs no share of the level.
pub fn testable(differences: &[usize], level: f64) -> Vec<bool> {
    // All on one side: 2 of 2^n.
    let least = |n: usize| 2f64.powi(1 - n.min(1_000) as i32);
    let among = |tests: usize| differences.iter().filter(|&&n| least(n) * tests as f64 <= level).count();
    let tests = (1..=differences.len()).find(|&tests| among(tests) <= tests).unwrap_or(1);
    differences.iter().map(|&n| least(n) * tests as f64 <= level).collect()
}

/// The fewest differences with which one of so many tests can come below `level`.
pub fn fewest(tests: usize, level: f64) -> usize {
    (1..).find(|&n| 2f64.powi(1 - n) * tests.max(1) as f64 <= level).unwrap_or(1) as usize
}

/// Holm's correction: each p as it must be read when all of them are looked at.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&a, &b| ps[a].total_cmp(&ps[b]));
    let mut adjusted = vec![1.0; ps.len()];
    let mut largest: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        largest = largest.max(ps[index] * (ps.len() - place) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// The Friedman test: how likely ranks as uneven as these are when no contender is better. One row a block, one rank a
/// contender; shared ranks are corrected for.
pub fn friedman_test(ranks: &[Vec<f64>]) -> f64 {
    let (blocks, contenders) = (ranks.len() as f64, ranks.first().map_or(0, Vec::len));
    if contenders < 2 {
        return 1.0;
    }
    let middle = (contenders as f64 + 1.0) / 2.0;
    let between: f64 = (0..contenders)
        .map(|contender| (ranks.iter().map(|row| row[contender]).sum::<f64>() / blocks - middle).powi(2))
        .sum();
    let within: f64 = ranks.iter().flatten().map(|rank| (rank - middle).powi(2)).sum();
    if within == 0.0 {
        return 1.0;
    }
    let statistic = blocks * blocks * between * (contenders as f64 - 1.0) / within;
    chi_squared_tail(statistic, contenders - 1)
}

/// The chance of at least `x` under χ² with so many degrees of freedom.
fn chi_squared_tail(x: f64, degrees: usize) -> f64 {
    // Q(a + 1, y) = Q(a, y) + y^a·e^−y / Γ(a + 1), from Q(1/2) or Q(1).
    let y = x / 2.0;
    let (mut a, mut tail, mut term) = match degrees % 2 {
        1 => (0.5, erfc(y.sqrt()), y.sqrt() * (-y).exp() / (std::f64::consts::PI.sqrt() / 2.0)),
        _ => (1.0, (-y).exp(), y * (-y).exp()),
    };
    while a + 0.5 < degrees as f64 / 2.0 {
        tail += term;
        a += 1.0;
        term *= y / a;
    }
    tail.clamp(0.0, 1.0)
}

/// How far mean ranks must be apart to differ at 5 % (Nemenyi). None beyond 20 contenders.
pub fn critical_difference(contenders: usize, blocks: usize) -> Option<f64> {
    /// The studentized range at 5 % over √2, for 2 to 20 contenders.
    const Q: [f64; 19] = [
        1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391, 3.426, 3.458,
        3.489, 3.517, 3.544,
    ];
    let q = Q.get(contenders.checked_sub(2)?)?;
    let k = contenders as f64;
    Some(q * (k * (k + 1.0) / (6.0 * blocks as f64)).sqrt())
}

/// The complementary error function, to seven digits (W. Press et al., Numerical Recipes, Section 6.2).
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + x.abs() / 2.0);
    let coefficients = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let polynomial = coefficients.iter().fold(0.0, |sum, coefficient| sum * t + coefficient);
    let tail = t * (-x * x + polynomial).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

/// Ranks from 1, the smallest value first; equal values share theirs, and what is missing comes last.
pub fn ranks(values: &[Option<f64>]) -> Vec<f64> {
    let key = |index: &usize| values[*index].unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let end = start + order[start..].partition_point(|index| key(index) <= key(&order[start]));
        for &index in &order[start..end] {
            ranks[index] = (start + end + 1) as f64 / 2.0;
        }
        start = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signed_ranks_are_those_of_the_tables() {
        assert!((signed_rank_test(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) - 2.0 / 64.0).abs() < 1e-12);
        // Sums of at most 8 of the ranks 1 to 10: 25 of 1,024.
        let ten = [-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -7.0, 8.0, 9.0, 10.0];
        assert!((signed_rank_test(&ten) - 2.0 * 25.0 / 1024.0).abs() < 1e-12);
        assert_eq!(signed_rank_test(&[0.0, 0.0]), 1.0);
        assert_eq!(signed_rank_test(&[1.0, -1.0]), 1.0);
        assert_eq!(signed_rank_test(&[]), 1.0);
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        // Critical values of the signed-rank test at 5 %, two-sided.
        let critical =
            [(5, None), (6, Some(0)), (7, Some(2)), (8, Some(3)), (10, Some(8)), (20, Some(52)), (30, Some(137))];
        for (n, sum) in critical {
            assert_eq!(signed_rank_tail(n, 0.025), sum, "{n}");
        }
        let (counted, normal) = (signed_rank_tail(200, 0.025).unwrap(), signed_rank_tail(201, 0.025).unwrap());
        assert!(normal > counted && normal - counted < 150, "{counted} {normal}");
        assert!((normal_quantile(0.025) - 1.959_96).abs() < 1e-4);
    }

    #[test]
    fn tests_that_can_never_decide_are_told() {
        assert_eq!(testable(&[5], 0.05), [false]);
        assert_eq!(testable(&[6], 0.05), [true]);
        // Two of six: 2·2/64 is above 5 %; beside one of five the six stand alone.
        assert_eq!(testable(&[6, 6], 0.05), [false, false]);
        assert_eq!(testable(&[6, 5], 0.05), [true, false]);
        assert_eq!(testable(&[7, 7, 5], 0.05), [true, true, false]);
        assert_eq!((fewest(1, 0.05), fewest(2, 0.05), fewest(10, 0.05)), (6, 7, 9));
        assert!(testable(&[], 0.05).is_empty());
    }

    #[test]
    fn counting_out_and_the_normal_distribution_agree() {
        let differences = |n: usize| (0..n).map(|i| ((i * 7919 % 1009) as f64 - 440.0) / 10.0).collect::<Vec<_>>();
        let (counted, normal) = (signed_rank_test(&differences(200)), signed_rank_test(&differences(201)));
        assert!((counted / normal - 1.0).abs() < 0.2, "{counted} {normal}");
    }

    #[test]
    fn holm_is_bonferroni_for_the_smallest_and_never_falls() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn friedman_and_the_critical_difference_are_those_of_demsar() {
        // Table 6 of the paper: mean ranks 3.143, 2.000, 2.893, 1.964 over 14 data sets; χ² = 9.28 and CD = 1.25.
        assert!((chi_squared_tail(9.28, 3) - 0.0258).abs() < 5e-4);
        assert!((critical_difference(4, 14).unwrap() - 1.25).abs() < 0.01);
        assert!((chi_squared_tail(5.991, 2) - 0.05).abs() < 1e-4);
        assert!((chi_squared_tail(11.070, 5) - 0.05).abs() < 1e-4);
        assert!((chi_squared_tail(3.841, 1) - 0.05).abs() < 1e-4);
        let clear = vec![vec![1.0, 2.0, 3.0]; 10];
        assert!(friedman_test(&clear) < 1e-4);
        assert_eq!(friedman_test(&vec![vec![2.0, 2.0, 2.0]; 10]), 1.0);
    }

    #[test]
    fn ranks_are_shared_and_what_is_missing_is_last() {
        assert_eq!(ranks(&[Some(3.0), None, Some(1.0), Some(3.0)]), [2.5, 4.0, 1.0, 2.5]);
        assert_eq!(ranks(&[None, None]), [1.5, 1.5]);
    }

    proptest! {
        #[test]
        fn chances_are_chances_and_signs_do_not_matter(values in prop::collection::vec(-9i8..9, 0..30)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let turned: Vec<f64> = values.iter().map(|value| -value).collect();
            let p = signed_rank_test(&values);
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert!((p - signed_rank_test(&turned)).abs() < 1e-12);
        }
    }
}
