//! The items' ids, written compactly: most of them follow one another in equal steps.

/// Differences of successive ids, the first from 0, each with how often it follows itself; none where a label is no number.
pub(super) fn steps(labels: &[String]) -> Vec<(u64, u32)> {
    // Other ways to write the same number are other labels.
    let number = |label: &String| label.parse::<u64>().ok().filter(|number| number.to_string() == *label);
    let Some(ids) = labels.iter().map(number).collect::<Option<Vec<u64>>>() else { return Vec::new() };
    let mut steps: Vec<(u64, u32)> = Vec::new();
    let mut last = 0;
    for id in ids {
        let Some(step) = id.checked_sub(last) else { return Vec::new() };
        match steps.last_mut() {
            Some((same, times)) if *same == step => *times += 1,
            _ => steps.push((step, 1)),
        }
        last = id;
    }
    steps
}

/// The labels that the steps are of; 1, 2, … where there are none.
pub(super) fn labels(steps: &[(u64, u32)], items: usize) -> Vec<String> {
    if steps.is_empty() {
        return (1..=items).map(|id| id.to_string()).collect();
    }
    let mut last = 0;
    let next = |step: u64| {
        last += step;
        last.to_string()
    };
    steps.iter().flat_map(|&(step, times)| std::iter::repeat_n(step, times as usize)).map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_again() {
        let given = ["0", "1", "2", "10", "14", "18"].map(String::from);
        let found = steps(&given);
        assert_eq!(found, [(0, 1), (1, 2), (8, 1), (4, 2)]);
        assert_eq!(labels(&found, 6), given);
        assert_eq!(steps(&["1", "milk"].map(String::from)), []);
        assert_eq!(steps(&["01", "2"].map(String::from)), []);
        assert_eq!(labels(&[], 3), ["1", "2", "3"]);
    }
}
