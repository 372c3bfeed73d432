//! Mean ranks over data sets as a critical-difference diagram (Demšar, JMLR 2006): an axis of ranks, the contenders below it,
//! and bars that join those that are not told apart.

use super::svg::{escape, fitting, place, shorten, width};
use crate::report::contest::{MeanRank, Ranking};
use std::fmt::Write;

const WIDTH: f64 = 620.0;
/// The least and the most room for names on either side; the axis has what is left.
const SIDES: (f64, f64) = (120.0, 244.0);
/// Between a name and the axis.
const GAP: f64 = 16.0;
const AXIS: f64 = 34.0;
const LINE: f64 = 18.0;
const SIZE: f64 = 12.0;
const TICK_ROOM: f64 = 20.0;
/// Letters of a name that are looked at.
const MOST: usize = 400;

/// An `svg` element that says in words what it shows.
pub fn diagram(ranking: &Ranking) -> String {
    let count = ranking.ranks.len();
    let most = (count as f64).max(2.0);
    let mean = |rank: &MeanRank| format!(" ({:.2})", rank.mean_rank);
    let longest = ranking.ranks.iter().map(|rank| width(&rank.contender, SIZE) + width(&mean(rank), SIZE));
    let side = (longest.fold(0.0, f64::max).ceil() + 1.0 + GAP).clamp(SIDES.0, SIDES.1);
    let at = |rank: f64| side + (rank - 1.0) / (most - 1.0) * (WIDTH - 2.0 * side);
    let bars = ranking.alike.len() as f64;
    let first = AXIS + 10.0 + 6.0 * bars;
    let mut svg = String::new();
    let _ = write!(svg, r##"<path class="rule" stroke="#767676" fill="none" d="M{} {AXIS}H{}"/>"##, at(1.0), at(most));
    // Numbers stand no closer than they can be read.
    let each = (TICK_ROOM / (at(2.0) - at(1.0))).ceil() as usize;
    for rank in 1..=most as usize {
        let x = place(at(rank as f64));
        let _ = write!(svg, r##"<path class="rule" stroke="#767676" d="M{x} {AXIS}v-5"/>"##);
        if (rank - 1).is_multiple_of(each) {
            let _ = write!(
                svg,
                r##"<text class="ink" x="{x}" y="{}" text-anchor="middle" font-size="11" fill="#333333">{rank}</text>"##,
                AXIS - 9.0
            );
        }
    }
    if let Some(critical) = ranking.critical_difference.filter(|critical| *critical <= most - 1.0) {
        let (from, to) = (place(at(1.0)), place(at(1.0 + critical)));
        let _ = write!(
            svg,
            r##"<path class="rule" stroke="#767676" fill="none" d="M{from} 3v6M{from} 6H{to}M{to} 3v6"><title>critical difference: {critical:.2}</title></path>"##
        );
    }
    // The better half to the left, the others to the right, from the outside inwards.
    let half = count.div_ceil(2);
    for (index, rank) in ranking.ranks.iter().enumerate() {
        let is_left = index < half;
        let line = if is_left { index } else { count - 1 - index };
        let y = first + 14.0 + LINE * line as f64;
        let (end, anchor, label) =
            if is_left { (side - 8.0, "end", side - 12.0) } else { (WIDTH - side + 8.0, "start", WIDTH - side + 12.0) };
        let mean = mean(rank);
        let name = both_ends(&rank.contender, side - GAP - width(&mean, SIZE));
        let _ = write!(
            svg,
            r##"<path class="rule" stroke="#767676" fill="none" d="M{} {AXIS}V{}H{}"/><text class="ink" x="{}" y="{}" text-anchor="{anchor}" font-size="{SIZE}" fill="#333333">{}</text>"##,
            place(at(rank.mean_rank)),
            place(y),
            place(end),
            place(label),
            place(y + 4.0),
            escape(&(name + &mean))
        );
    }
    for (index, alike) in ranking.alike.iter().enumerate() {
        let ranks = ranking.ranks.iter().filter(|rank| alike.contains(&rank.contender)).map(|rank| rank.mean_rank);
        let (low, high) = ranks.fold((f64::INFINITY, 0.0_f64), |(low, high), rank| (low.min(rank), high.max(rank)));
        if low.is_finite() {
            let y = AXIS + 7.0 + 6.0 * index as f64;
            let title = escape(&format!("not told apart: {}", alike.join(", ")));
            let _ = write!(
                svg,
                r##"<path class="over" color="#1A1A1A" stroke="currentColor" stroke-width="4" fill="none" d="M{} {y}H{}"><title>{title}</title></path>"##,
                place(at(low) - 3.0),
                place(at(high) + 3.0)
            );
        }
    }
    let height = first + 24.0 + LINE * half as f64;
    let told: Vec<String> =
        ranking.ranks.iter().map(|rank| format!("{} {:.2}", rank.contender, rank.mean_rank)).collect();
    let alike: Vec<String> = ranking.alike.iter().map(|set| format!(" Not told apart: {}.", set.join(", "))).collect();
    let label = escape(&format!("Mean ranks, 1 is best: {}.{}", told.join(", "), alike.concat()));
    format!(
        r#"<svg class="plot ranks" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg">{svg}</svg>"#
    )
}

/// As much of a name as has room. Both its ends stay: variants and whose it is stand behind a name.
fn both_ends(name: &str, room: f64) -> String {
    // Without letters that would break the drawing.
    let name = shorten(name, MOST);
    if width(&name, SIZE) <= room {
        return name;
    }
    let begin = fitting(&name, SIZE, room / 2.0);
    let mut end = String::new();
    for letter in name.chars().rev() {
        let longer = format!("{letter}{end}");
        if width(&begin, SIZE) + width(&longer, SIZE) > room {
            break;
        }
        end = longer;
    }
    begin + &end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_drawn_and_told() {
        let rank = |contender: &str, mean_rank: f64| MeanRank { contender: contender.to_string(), mean_rank };
        let ranking = Ranking {
            datasets: 4,
            ranks: vec![rank("a<b", 1.25), rank("c", 1.75), rank("d", 3.0)],
            p: 0.04,
            critical_difference: Some(1.66),
            alike: vec![vec!["a<b".to_string(), "c".to_string()]],
        };
        let svg = diagram(&ranking);
        assert!(
            svg.contains(
                r#"aria-label="Mean ranks, 1 is best: a&lt;b 1.25, c 1.75, d 3.00. Not told apart: a&lt;b, c."#
            )
        );
        assert!(svg.contains("critical difference: 1.66"));
        assert_eq!(svg.matches("stroke-width=\"4\"").count(), 1, "one bar");
        // From 1.25 to 1.75 on an axis from 1 to 3 that is 380 wide and starts at 120.
        assert!(svg.contains("M164.5 41H265.5"), "{svg}");
    }

    #[test]
    fn many_contenders_keep_their_ranks_and_numbers_apart() {
        let rank =
            |n: usize| MeanRank { contender: format!("a-contender-with-a-very-long-name-{n}"), mean_rank: n as f64 };
        let ranks: Vec<MeanRank> = (1..=16).map(rank).collect();
        let svg = diagram(&Ranking { datasets: 2, ranks, p: 0.9, critical_difference: None, alike: Vec::new() });
        assert!(svg.contains("-name-16 (16.00)") && svg.contains("-name-15 (15.00)"), "names stay apart: {svg}");
        assert!(svg.contains(">a-contender") && svg.contains('…'), "and give way to their ranks: {svg}");
        let numbers = svg.matches(r#"font-size="11""#).count();
        assert_eq!(numbers, 6, "every third is said: {svg}");
    }

    #[test]
    fn names_as_long_as_ours_are_whole() {
        let rank = |contender: &str, mean_rank: f64| MeanRank { contender: contender.to_string(), mean_rank };
        let ranks = vec![rank("injector-balanced-3", 3.83), rank("everything-generalized", 11.75)];
        let svg = diagram(&Ranking { datasets: 2, ranks, p: 0.9, critical_difference: None, alike: Vec::new() });
        assert!(!svg.contains('…'), "two contenders must not come to look like one: {svg}");
    }
}
