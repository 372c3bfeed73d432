//! A claim's standing as pages show it: a word, a sentence, and a strip of marks, one a reading.

use crate::report::claims::{Conclusion, Tally, Verdict};
use crate::report::claims_table::SeedVerdicts;
use crate::report::prepared::Prepared;
use crate::report::typeset::with_percent;
use crate::spec::DEFAULT_READING;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct StandingView {
    /// A class: robust, depends_on_reading, depends_on_chance, open.
    pub name: &'static str,
    pub words: &'static str,
    /// One sentence.
    pub told: String,
    /// The default first; only one where there is no other reading and nothing is drawn, which is not worth a strip.
    pub marks: Vec<ReadingMark>,
    pub has_strip: bool,
}

/// One reading: the verdicts of its seeds as a bar.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingMark {
    pub reading: String,
    /// What most seeds say: a class.
    pub verdict: &'static str,
    pub symbol: &'static str,
    /// For a tooltip and for screen readers: "order=frequency: holds in 9 of 10 seeds".
    pub told: String,
    /// Shares of the seeds, in percent, for the bar: holds, fails, inconclusive.
    pub holds: f64,
    pub fails: f64,
    pub inconclusive: f64,
    /// Whether the bar says more than the mark.
    pub mixed: bool,
    /// The page of the figure under this reading; empty for the default.
    pub link: String,
}

pub fn view(prepared: &Prepared, found: &Conclusion) -> StandingView {
    let marks: Vec<ReadingMark> = found.tallies.iter().map(|tally| mark(prepared, tally)).collect();
    StandingView {
        name: found.standing.name(),
        words: found.standing.words(),
        told: with_percent(&prepared.names.told(&found.told)),
        has_strip: marks.len() > 1,
        marks,
    }
}

fn mark(prepared: &Prepared, tally: &Tally) -> ReadingMark {
    let Tally { holds, fails, inconclusive, .. } = *tally;
    let (verdict, ..) = SeedVerdicts { holds, fails, inconclusive }.most();
    let percent = |count: usize| (count as f64 / tally.seeds().max(1) as f64 * 1000.0).round() / 10.0;
    let is_default = tally.reading == DEFAULT_READING;
    ReadingMark {
        reading: tally.reading.clone(),
        verdict: verdict.name(),
        symbol: symbol(verdict),
        told: format!("{}: {}", prepared.names.name(&tally.reading), tally.told()),
        holds: percent(tally.holds),
        fails: percent(tally.fails),
        inconclusive: percent(tally.inconclusive),
        mixed: [tally.holds, tally.fails, tally.inconclusive].iter().filter(|count| **count > 0).count() > 1,
        link: if is_default { String::new() } else { prepared.page_of(&tally.reading) },
    }
}

pub fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Fails => "✗",
        Verdict::Inconclusive => "?",
    }
}
