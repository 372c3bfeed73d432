use std::collections::BTreeMap;

/// Both sides of each repetition. A side that was measured once (it does not depend on the repetition) stands beside every
/// repetition of the other.
pub fn paired(ours: &BTreeMap<i64, f64>, theirs: &BTreeMap<i64, f64>) -> Vec<(i64, f64, f64)> {
    let alone = |values: &BTreeMap<i64, f64>| if values.len() == 1 { values.values().next().copied() } else { None };
    match (alone(ours), alone(theirs)) {
        (_, Some(theirs)) => ours.iter().map(|(&repetition, &ours)| (repetition, ours, theirs)).collect(),
        (Some(ours), _) => theirs.iter().map(|(&repetition, &theirs)| (repetition, ours, theirs)).collect(),
        _ => {
            ours.iter().filter_map(|(&repetition, &ours)| Some((repetition, ours, *theirs.get(&repetition)?))).collect()
        }
    }
}
