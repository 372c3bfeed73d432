//! How likely a sample is to miss what was forged.

/// The probability that `checked` cells, drawn without replacement from `cells`, have none of the `forged` ones among them:
/// hypergeometric, C(cells − forged, checked) / C(cells, checked).
pub fn missed(cells: usize, forged: usize, checked: usize) -> f64 {
    let (forged, checked) = (forged.min(cells), checked.min(cells));
    if forged + checked > cells {
        return 0.0;
    }
    // The k-th forged cell is outside the sample, given that those before it are.
    (0..forged).map(|k| (cells - checked - k) as f64 / (cells - k) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capsule::draw;

    #[test]
    fn small_cases_by_hand() {
        assert_eq!(missed(10, 0, 5), 1.0);
        assert_eq!(missed(10, 1, 5), 0.5);
        // C(8,5)/C(10,5) = 56/252
        assert!((missed(10, 2, 5) - 56.0 / 252.0).abs() < 1e-15);
        // C(3,2)/C(5,2) = 3/10
        assert!((missed(5, 2, 2) - 0.3).abs() < 1e-15);
        assert_eq!(missed(10, 6, 5), 0.0);
        assert_eq!(missed(10, 1, 10), 0.0);
        assert_eq!(missed(10, 3, 0), 1.0);
        assert_eq!(missed(3, 99, 1), 0.0);
        // C(990,50)/C(1000,50), from exact arithmetic.
        assert!((missed(1000, 10, 50) - 0.597_311_292_906_654_4).abs() < 1e-12, "{}", missed(1000, 10, 50));
    }

    /// A forged 1 % of 1,000 cells, looked for in 1,000 samples of 50.
    #[test]
    fn samples_find_forgeries_as_often_as_is_said() {
        let (cells, forged, checked, samples) = (1000, 10, 50, 1000);
        let found = (0..samples).filter(|&seed| draw(cells, checked, seed).iter().any(|&cell| cell < forged)).count();
        let expected = 1.0 - missed(cells, forged, checked);
        let spread = (expected * (1.0 - expected) / samples as f64).sqrt();
        let share = found as f64 / samples as f64;
        assert!((share - expected).abs() < 4.0 * spread, "{share} found, {expected} stated");
    }
}
