//! Finds the generator's settings that come nearest to measured statistics: coordinate search with steps that get smaller.
//!
//! Cost. One generated data set a step, some forty of them.

use super::aggregates::{Aggregates, Fit};
use super::{LifelikeParameters, lifelike};

/// Tries at most so many settings; the best, and how far its pairs and triples are from the measured ones.
pub fn fit(of: &Aggregates, tries: usize, mut tell: impl FnMut(usize, f64)) -> Result<(Fit, f64), String> {
    let parameters = LifelikeParameters { transactions: of.transactions, seed: 0 };
    let judge = |fit: Fit| -> Result<f64, String> {
        let of = Aggregates { fit, ..of.clone() };
        Ok(lifelike::distance(&of, &lifelike::generate(&parameters, &of)?))
    };
    let mut best = (of.fit, judge(of.fit)?);
    let (mut tried, mut step) = (1, 4);
    while tried < tries && step > 0 {
        let mut better = false;
        for setting in 0..8 {
            for up in [true, false] {
                let candidate = moved(best.0, setting, up, step);
                if candidate == best.0 || tried >= tries {
                    continue;
                }
                tried += 1;
                let distance = judge(candidate)?;
                if distance < best.1 {
                    best = (candidate, distance);
                    better = true;
                    tell(tried, distance);
                    break;
                }
            }
        }
        if !better {
            step /= 2;
        }
    }
    Ok(best)
}

/// One setting moved by so many steps: shares towards their ends, the others by a share of themselves.
fn moved(mut fit: Fit, setting: usize, up: bool, step: u32) -> Fit {
    let share = |value: &mut u32| {
        let room = if up { 1000 - *value } else { *value };
        let change = room * step / 8;
        *value = if up { *value + change } else { *value - change }.clamp(5, 995);
    };
    let factor = |value: &mut u32, most: u32| {
        let change = *value * step / 8;
        *value = if up { *value + change } else { *value - change }.clamp(50, most);
    };
    match setting {
        0 => share(&mut fit.copy_short),
        1 => share(&mut fit.copy_long),
        2 => share(&mut fit.stay),
        3 => share(&mut fit.companion),
        4 => share(&mut fit.near),
        5 => factor(&mut fit.skew, 4000),
        6 => factor(&mut fit.ahead, 20_000),
        _ => fit.family = if up { fit.family + step } else { fit.family.saturating_sub(step).max(2) },
    }
    fit
}
