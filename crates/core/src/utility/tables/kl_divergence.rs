//! How far the distribution an analyst reconstructs from a generalized table is from the original's: the Kullback–Leibler
//! divergence (D. Kifer, J. Gehrke, "Injecting Utility into Anonymized Datasets", SIGMOD 2006).
//!
//! Readings. Records are spread evenly over the values their cells cover, suppressed rows over everything, with the sensitive
//! values of the rest, each counted once more: one that only suppressed rows have is not impossible. The sum is over the combinations that occur in the original, with natural logarithms: over
//! quasi-identifiers and the sensitive value, and beside it over quasi-identifiers alone.
//!
//! Cost. For each combination of quasi-identifiers that occurs, one lookup of the classes that cover it (`CoverIndex`).

use crate::data::InputKind;
use crate::lab::math::ln;
use crate::lab::{Foremost, Metric, NoParameters, Observation, Witness, Workbench, concise, counted};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::mining::{ClassCounts, Profiles};
use crate::release::ReleaseKind;
use crate::release::generalized_table::{Classes, CoverIndex, SuppressedIf};

/// The divergence of what a reader concludes from the original's distribution.
pub struct KlDivergence;

const WITH_SENSITIVE: Metric = Metric::lower(
    "kl_divergence",
    "nats",
    "Σ p·ln(p / p̂) over quasi-identifiers and the sensitive value, p̂ being what the release lets one expect",
);
const QUASI: Metric = Metric::lower("kl_divergence_quasi", "nats", "the same over quasi-identifiers alone");

impl Measure for KlDivergence {
    type Parameters = NoParameters;
    const NAME: &'static str = "kl-divergence";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Divergence of the distribution a generalized table lets one expect from the original's",
        paper: "D. Kifer, J. Gehrke: Injecting Utility into Anonymized Datasets, SIGMOD 2006",
        input: InputKind::Table,
        releases: &[ReleaseKind::GeneralizedTable],
        metrics: &[WITH_SENSITIVE, QUASI],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, bench: &mut Workbench) -> Observed {
        let (microdata, table) = subject.table()?;
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let classes = Classes::new(microdata, table, SuppressedIf::Everything);
        let histograms = classes.histograms(&table.sensitive);
        let index = CoverIndex::new(&classes);
        let volume =
            |class: usize| (0..classes.values.len()).map(|i| classes.cover(class, i).len() as f64).product::<f64>();
        let volumes: Vec<f64> = (0..classes.len()).map(volume).collect();
        let suppressed = SuppressedRows::new(&classes, &histograms, values);

        let profiles = Profiles::new(microdata);
        let counts = ClassCounts::new(&profiles, microdata.sensitive_codes());
        let rows = microdata.rows() as f64;
        let (mut with_sensitive, mut quasi) = (0.0, 0.0);
        let mut expected = vec![0.0; values];
        let (mut codes, mut covering) = (vec![0; profiles.attributes()], Vec::new());
        // The combinations that add most: (profile, value, count, expected).
        let mut worst: Foremost<f64, (usize, usize, u32, f64)> = Foremost::new(Witness::MOST);
        for profile in 0..profiles.len() {
            expected.copy_from_slice(&suppressed.expected);
            codes.iter_mut().enumerate().for_each(|(i, code)| *code = profiles.code(i, profile));
            index.covering(&codes, &mut covering);
            for class in covering.iter().map(|&class| class as usize) {
                for &(value, count) in &histograms[class] {
                    expected[value as usize] += f64::from(count) / volumes[class];
                }
            }
            let size = f64::from(profiles.sizes()[profile]);
            quasi += size * ln(size / expected.iter().sum::<f64>());
            for &(value, count) in counts.of(profile) {
                let expected = expected[value as usize];
                let part = f64::from(count) * ln(f64::from(count) / expected);
                with_sensitive += part;
                worst.offer(-part, || (profile, value as usize, count, expected));
            }
        }
        bench.witness(|| {
            let sensitive = &microdata.table.columns[microdata.sensitive];
            let witness = |(_, (profile, value, count, expected)): (f64, (usize, usize, u32, f64))| {
                let row = profiles.of_row().iter().position(|&of| of as usize == profile).unwrap_or_default();
                let value = format!("{} = {}", sensitive.name, sensitive.values[value]);
                let says = format!(
                    "{} with the quasi-identifiers of row {} and {value}; the release lets one expect {}",
                    counted(count, "row"),
                    row + 1,
                    concise(expected)
                );
                Witness::of_metric(&WITH_SENSITIVE, says)
                    .row(row)
                    .by([value])
                    .number(expected)
                    .against(f64::from(count))
            };
            worst.into_cases().map(witness).collect::<Vec<_>>()
        });
        // What is 0 but for rounding is 0.
        let divergence = |sum: f64| if rows > 0.0 { (sum / rows).max(0.0) } else { 0.0 };
        Ok(vec![
            Observation::new(&WITH_SENSITIVE, divergence(with_sensitive)),
            Observation::new(&QUASI, divergence(quasi)),
        ])
    }
}

/// What the suppressed rows add to every combination of quasi-identifiers.
struct SuppressedRows {
    /// By sensitive code.
    expected: Vec<f64>,
}

impl SuppressedRows {
    fn new(classes: &Classes, histograms: &[Vec<(u32, u32)>], values: usize) -> Self {
        let mut totals = vec![0.0; values];
        for &(value, count) in histograms.iter().flatten() {
            totals[value as usize] += f64::from(count);
        }
        let kept: f64 = totals.iter().sum();
        let combinations: f64 = classes.values.iter().map(|&values| values as f64).product();
        let of_each = classes.suppressed.len() as f64 / combinations;
        // With every row suppressed, all values are alike.
        let share = |total: f64| if kept > 0.0 { (total + 1.0) / (kept + values as f64) } else { 1.0 / values as f64 };
        Self { expected: totals.into_iter().map(|total| of_each * share(total)).collect() }
    }
}
