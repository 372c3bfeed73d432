//! Standings: what the verdicts of a claim under all readings and seeds come to.
//!
//! Under one reading a claim is *settled* when at least 95 % of the seeds give the same verdict. It is **robust** when it
//! is settled the same way under every reading; it **depends on the reading** when readings settle it differently, **on
//! chance** when seeds disagree under some reading, and is **open** otherwise: verdicts are inconclusive, or too few
//! seeds were tried to tell (the interval of their share does not exclude a half, which takes four that agree).

use super::{Judgement, Verdict};
use crate::report::number::all;
use crate::spec::claim::Claim;
use crate::spec::expectation::{Expectation, Expected, Standing};
use crate::spec::{DEFAULT_READING, Reading, Variant};
use crate::statistics::{Interval, share_interval};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The share of seeds that settles a claim.
const SETTLED: f64 = 0.95;

/// The verdicts under one reading, one a seed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// `default`, or the options that differ from it.
    pub reading: String,
    pub holds: usize,
    pub fails: usize,
    pub inconclusive: usize,
    /// Whether the claim's cells draw anything; if not, one verdict is all there is to know.
    pub draws: bool,
}

/// What the seeds say under one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settled {
    As(Verdict),
    /// Some hold, some fail.
    Chance,
    /// Neither is known.
    Unknown,
}

impl Tally {
    pub fn new(reading: &str, draws: bool, verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut tally = Self { reading: reading.to_string(), draws, ..Self::default() };
        for verdict in verdicts {
            match verdict {
                Verdict::Holds => tally.holds += 1,
                Verdict::Fails => tally.fails += 1,
                Verdict::Inconclusive => tally.inconclusive += 1,
            }
        }
        tally
    }

    pub fn seeds(&self) -> usize {
        self.holds + self.fails + self.inconclusive
    }

    /// The conclusive verdict that most seeds give, and how many do.
    pub fn most(&self) -> Option<(Verdict, usize)> {
        match self.holds.max(self.fails) {
            0 => None,
            most if self.holds >= self.fails => Some((Verdict::Holds, most)),
            most => Some((Verdict::Fails, most)),
        }
    }

    fn settled(&self) -> Settled {
        match self.most() {
            None => Settled::Unknown,
            // The slack takes 19 of 20 for 95 %.
            Some((verdict, most)) if most as f64 >= SETTLED * self.seeds() as f64 - 1e-9 => Settled::As(verdict),
            Some(_) if self.holds > 0 && self.fails > 0 => Settled::Chance,
            Some(_) => Settled::Unknown,
        }
    }

    /// The share of the seeds with the verdict that most give.
    pub fn share(&self) -> Option<SeedShare> {
        let (_, part) = self.most().filter(|_| self.draws)?;
        Some(SeedShare { part, of: self.seeds(), interval: share_interval(part, self.seeds()) })
    }

    /// "holds", "holds in 9 of 10 seeds", "holds in 3 of 10 seeds, fails in 1 and gives no verdict in 6", "holds (one seed)", "inconclusive".
    pub fn told(&self) -> String {
        match self.most() {
            None => Verdict::Inconclusive.to_string(),
            Some((verdict, _)) if self.draws && self.seeds() == 1 => format!("{verdict} (one seed)"),
            Some((verdict, most)) if self.draws => {
                let other = match verdict {
                    Verdict::Holds => (self.fails, "fails"),
                    _ => (self.holds, "holds"),
                };
                let others = [other, (self.inconclusive, "gives no verdict")];
                let others = others.iter().filter(|(count, _)| *count > 0);
                let others: Vec<String> = others.map(|(count, what)| format!("{what} in {count}")).collect();
                let others = match others.as_slice() {
                    [] => String::new(),
                    [one] => format!(" and {one}"),
                    [first, second, ..] => format!(", {first} and {second}"),
                };
                format!("{verdict} in {most} of {} seeds{others}", self.seeds())
            }
            Some((verdict, _)) => verdict.to_string(),
        }
    }
}

/// A share of the seeds, and what is known of that of all seeds (Wilson, 95 %).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeedShare {
    pub part: usize,
    pub of: usize,
    pub interval: Interval,
}

impl SeedShare {
    /// Whether it is known to be most of all seeds.
    fn tells(&self) -> bool {
        self.interval.low > 0.5
    }
}

/// "9 of 10 seeds (60–98 %)"
impl fmt::Display for SeedShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (share * 100.0).round();
        let Self { part, of, interval } = self;
        write!(f, "{part} of {of} seeds ({}–{} %)", percent(interval.low), percent(interval.high))
    }
}

/// A claim's standing and what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    pub standing: Standing,
    /// What the default reading says, where most seeds agree.
    pub verdict: Verdict,
    /// The readings that settle the claim otherwise than the default does.
    pub flips: Vec<String>,
    /// Of the reading in which the seeds agree least; none where nothing is drawn.
    pub share: Option<SeedShare>,
    /// One sentence.
    pub told: String,
    /// The default first.
    pub tallies: Vec<Tally>,
}

pub fn conclude(tallies: Vec<Tally>) -> Conclusion {
    let settled: Vec<Settled> = tallies.iter().map(Tally::settled).collect();
    let default = settled.first().copied().unwrap_or(Settled::Unknown);
    let (verdict, of_default) = match default {
        Settled::As(verdict) => (verdict, Some(verdict)),
        _ => (Verdict::Inconclusive, None),
    };
    let share = tallies.iter().filter_map(Tally::share).min_by(|a, b| {
        let portion = |share: &SeedShare| share.part as f64 / share.of.max(1) as f64;
        portion(a).total_cmp(&portion(b)).then(a.of.cmp(&b.of))
    });
    let is = |wanted: Settled| settled.contains(&wanted);
    let both = is(Settled::As(Verdict::Holds)) && is(Settled::As(Verdict::Fails));
    // Against the default; where that is settled neither way, against the first reading that is.
    let against = of_default.or_else(|| {
        settled.iter().find_map(|settled| match settled {
            Settled::As(verdict) => Some(*verdict),
            _ => None,
        })
    });
    let flips: Vec<String> = tallies
        .iter()
        .zip(&settled)
        .filter(|(_, settled)| matches!(settled, Settled::As(verdict) if Some(*verdict) != against))
        .map(|(tally, _)| tally.reading.clone())
        .collect();
    let told_of = |wanted: &dyn Fn(&Settled) -> bool| -> String {
        let parts = tallies.iter().zip(&settled).filter(|(_, settled)| wanted(settled));
        grouped(parts.map(|(tally, _)| tally))
    };
    let enough = tallies.iter().filter_map(Tally::share).all(|share| share.tells());
    let (standing, told) = match () {
        () if both => (Standing::DependsOnReading, told_of(&|_| true)),
        () if is(Settled::Chance) => (Standing::DependsOnChance, told_of(&|settled| *settled == Settled::Chance)),
        () if tallies.is_empty() || is(Settled::Unknown) => {
            (Standing::Open, told_of(&|settled| *settled == Settled::Unknown))
        }
        () => {
            let under = match tallies.len() {
                1 => String::new(),
                readings => format!(" under {} readings", all(readings)),
            };
            let seeds = share.map_or(String::new(), |share| format!(" in {share}"));
            match enough {
                true => (Standing::Robust, format!("{verdict}{under}{seeds}")),
                false if share.is_some_and(|share| share.of == 1) => {
                    (Standing::Open, format!("{verdict}{under} with one seed, which is too few to tell"))
                }
                false => (Standing::Open, format!("{verdict}{under}{seeds}, which are too few to tell")),
            }
        }
    };
    Conclusion { standing, verdict, flips, share, told, tallies }
}

/// "fails by default and under order=id, pos=a; holds in 9 of 10 seeds under order=frequency"
fn grouped<'a>(tallies: impl Iterator<Item = &'a Tally>) -> String {
    let mut groups: IndexMap<String, Vec<&str>> = IndexMap::new();
    for tally in tallies {
        groups.entry(tally.told()).or_default().push(&tally.reading);
    }
    let told = |(verdict, readings): (&String, &Vec<&str>)| {
        let others: Vec<&str> = readings.iter().copied().filter(|reading| *reading != DEFAULT_READING).collect();
        let by_default = if others.len() < readings.len() { vec!["by default".to_string()] } else { Vec::new() };
        let under = if others.is_empty() { Vec::new() } else { vec![format!("under {}", others.join(", "))] };
        format!("{verdict} {}", [by_default, under].concat().join(" and "))
    };
    groups.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// The claims of a figure under one reading and one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub reading: Variant,
    /// None: nothing in its cells is drawn, so it is the same under every seed.
    pub seed: Option<u64>,
    /// One for each claim of the figure.
    pub judgements: Vec<Judgement>,
    /// Whether each claim's own cells draw anything.
    pub draws: Vec<bool>,
}

/// What came of the `index`-th claim in the trials of its figure, the default reading and the first seed first.
pub fn conclusion(index: usize, claim: &Claim, trials: &[Trial]) -> Conclusion {
    let matters = |trial: &&Trial| claim.readings.as_ref().is_none_or(|readings| trial.reading.is_within(readings));
    let mut verdicts: IndexMap<&Variant, (bool, Vec<Verdict>)> = IndexMap::new();
    for trial in trials.iter().filter(matters) {
        let (draws, verdicts) = verdicts.entry(&trial.reading).or_insert((trial.draws[index], Vec::new()));
        // What draws nothing says the same again under every seed.
        if *draws || verdicts.is_empty() {
            verdicts.push(trial.judgements[index].verdict);
        }
    }
    conclude(
        verdicts
            .into_iter()
            .map(|(reading, (draws, verdicts))| Tally::new(&reading.to_string(), draws, verdicts))
            .collect(),
    )
}

/// Seeds that agree by chance are no change of a claim that is known to depend on chance, unless they are many.
const MANY_SEEDS: usize = 10;

impl Conclusion {
    /// What is not as it is known to be. An open standing and an inconclusive verdict contradict nothing, and what was not
    /// tried cannot be judged: a single reading says nothing of a claim that is known to depend on the reading.
    pub fn surprise(&self, expected: &Expectation, readings: &IndexMap<String, Reading>) -> Option<String> {
        let contradicts = |expected: Expected, verdict: Verdict| {
            matches!((expected, verdict), (Expected::Holds, Verdict::Fails) | (Expected::Fails, Verdict::Holds))
        };
        if expected.verdict.is_some_and(|expected| contradicts(expected, self.verdict)) {
            return Some(format!("{} as the spec stands", self.verdict));
        }
        for (reading, options) in &expected.options {
            for (option, &expected) in options {
                let is_default = readings.get(reading).is_some_and(|reading| reading.default_option() == option);
                let name = if is_default { DEFAULT_READING.to_string() } else { format!("{reading}={option}") };
                let tally = self.tallies.iter().find(|tally| tally.reading == name);
                if let Some(Settled::As(verdict)) = tally.map(Tally::settled)
                    && contradicts(expected, verdict)
                {
                    return Some(format!("{verdict} under {reading}={option}"));
                }
            }
        }
        let known = expected.standing.filter(|known| *known != self.standing)?;
        let tried = match (known, self.standing) {
            (_, Standing::Open) => false,
            (Standing::DependsOnReading, _) => self.tallies.len() > 1,
            (Standing::DependsOnChance, _) => self.share.is_some_and(|share| share.of >= MANY_SEEDS),
            (Standing::Robust | Standing::Open, _) => true,
        };
        tried.then(|| format!("{}; it was known as: {}", self.standing.words(), known.words()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fails, Holds, Inconclusive};

    fn standing(tallies: &[(&str, &[(Verdict, usize)])]) -> Conclusion {
        let tally = |(reading, counts): &(&str, &[(Verdict, usize)])| {
            let verdicts: Vec<Verdict> = counts.iter().flat_map(|&(v, n)| std::iter::repeat_n(v, n)).collect();
            Tally::new(reading, verdicts.len() > 1, verdicts)
        };
        conclude(tallies.iter().map(tally).collect())
    }

    #[test]
    fn the_same_verdict_everywhere_is_robust_either_way() {
        let found = standing(&[("default", &[(Fails, 1)]), ("order=frequency", &[(Fails, 1)])]);
        assert_eq!((found.standing, found.verdict), (Standing::Robust, Fails));
        assert_eq!(found.told, "fails under both readings");
        let found = standing(&[("default", &[(Holds, 19), (Fails, 1)])]);
        assert_eq!((found.standing, found.verdict), (Standing::Robust, Holds));
        assert_eq!(found.told, "holds in 19 of 20 seeds (76–99 %)");
    }

    #[test]
    fn an_option_that_flips_the_verdict_is_named() {
        let found = standing(&[("default", &[(Fails, 1)]), ("o=a", &[(Holds, 1)]), ("o=b", &[(Fails, 1)])]);
        assert_eq!((found.standing, found.flips), (Standing::DependsOnReading, vec!["o=a".to_string()]));
        assert_eq!(found.told, "fails by default and under o=b; holds under o=a");
    }

    #[test]
    fn seeds_that_disagree_are_chance() {
        let found = standing(&[("default", &[(Holds, 10)]), ("o=a", &[(Holds, 6), (Fails, 4)])]);
        assert_eq!((found.standing, found.verdict), (Standing::DependsOnChance, Holds));
        assert_eq!(found.told, "holds in 6 of 10 seeds and fails in 4 under o=a");
        assert_eq!(found.share.unwrap().to_string(), "6 of 10 seeds (31–83 %)");
    }

    #[test]
    fn what_is_not_known_is_open() {
        assert_eq!(standing(&[("default", &[(Inconclusive, 1)])]).standing, Standing::Open);
        assert_eq!(standing(&[("default", &[(Holds, 1)]), ("o=a", &[(Inconclusive, 1)])]).standing, Standing::Open);
        let found = standing(&[("default", &[(Holds, 3), (Inconclusive, 7)])]);
        assert_eq!(found.standing, Standing::Open);
        assert_eq!(found.told, "holds in 3 of 10 seeds and gives no verdict in 7 by default");
        assert_eq!(conclude(vec![]).standing, Standing::Open);
    }

    #[test]
    fn only_a_change_is_a_surprise() {
        let expected = |text: &str| serde_yaml::from_str::<Expectation>(text).unwrap();
        let reading: Reading = serde_yaml::from_str("{asks: x, options: {a: {}, b: {p: 1}}}").unwrap();
        let readings = IndexMap::from([("o".to_string(), reading)]);
        let flipped = standing(&[("default", &[(Fails, 1)]), ("o=b", &[(Holds, 1)])]);
        let told = |found: &Conclusion, text: &str| found.surprise(&expected(text), &readings);
        assert_eq!(told(&flipped, "fails"), None);
        assert_eq!(told(&flipped, "holds").unwrap(), "fails as the spec stands");
        assert_eq!(told(&flipped, "depends_on_reading"), None);
        assert_eq!(told(&flipped, "{options: {o: {a: fails, b: holds}}}"), None);
        assert_eq!(told(&flipped, "{options: {o: {b: fails}}}").unwrap(), "holds under o=b");
        assert_eq!(told(&flipped, "{options: {o: {a: holds}}}").unwrap(), "fails under o=a");
        assert_eq!(told(&flipped, "{standing: robust}").unwrap(), "depends on the reading; it was known as: robust");
        let alone = standing(&[("default", &[(Fails, 1)])]);
        assert_eq!(told(&alone, "depends_on_reading"), None, "one reading cannot tell");
        let few = standing(&[("default", &[(Holds, 5)])]);
        assert_eq!(told(&few, "depends_on_chance"), None, "five seeds may agree by chance");
        let many = standing(&[("default", &[(Holds, 20)])]);
        assert!(told(&many, "depends_on_chance").is_some());
    }

    #[test]
    fn one_seed_of_something_random_is_an_anecdote() {
        let tally = |seeds| Tally::new("default", true, std::iter::repeat_n(Holds, seeds));
        let one = conclude(vec![tally(1)]);
        assert_eq!((one.standing, one.verdict), (Standing::Open, Holds));
        assert_eq!(one.told, "holds with one seed, which is too few to tell");
        assert_eq!(conclude(vec![tally(3)]).standing, Standing::Open);
        assert_eq!(conclude(vec![tally(4)]).standing, Standing::Robust);
    }
}
