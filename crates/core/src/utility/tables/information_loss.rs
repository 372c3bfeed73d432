//! Information loss of generalized tables: the normalized certainty penalty (J. Xu et al., KDD 2006) of each cell, its mean over an
//! attribute (NCP) and over all cells (GCP; G. Ghinita et al., VLDB 2007).
//!
//! Readings. A number loses the width of what its cell covers, by the range of the input; a category the share of the
//! attribute's values its cell covers; a single value nothing, a suppressed row everything. Counting the values of numbers,
//! too, as some tools do, is the alternative `gcp_by_leaves`.

use crate::data::InputKind;
use crate::lab::{Foremost, Metric, NoParameters, Observation, Witness, Workbench, concise};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;
use crate::release::generalized_table::{Domain, GeneralizedCell};

/// What generalization costs: discernibility, average class size, certainty penalties.
pub struct InformationLoss;

const GCP: Metric = Metric::lower("gcp", "", "the mean penalty of all cells: 0 nothing lost, 1 everything");
const BY_LEAVES: Metric =
    Metric::lower("gcp_by_leaves", "", "the same, with numbers penalized by how many values a cell covers");
const NCP: Metric = Metric::lower("attribute_ncp", "", "the mean penalty of an attribute's cells");
const KEPT: Metric = Metric::higher("cells_kept", "%", "the share of cells published as they are");

impl Measure for InformationLoss {
    type Parameters = NoParameters;
    const NAME: &'static str = "information-loss";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Information lost by generalizing cells (NCP, GCP)",
        paper: "J. Xu et al.: Utility-Based Anonymization Using Local Recoding, KDD 2006",
        input: InputKind::Table,
        releases: &[ReleaseKind::GeneralizedTable],
        metrics: &[GCP, BY_LEAVES, NCP, KEPT],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, bench: &mut Workbench) -> Observed {
        let (microdata, table) = subject.table()?;
        let rows = microdata.rows().max(1) as f64;
        let (mut gcp, mut by_leaves, mut kept) = (0.0, 0.0, 0u64);
        let mut observations = Vec::new();
        // The cells that lose most: (column, cell).
        let mut worst: Foremost<f64, (usize, usize)> = Foremost::new(Witness::MOST);
        for (i, (column, domain)) in table.columns.iter().zip(Domain::all(microdata)).enumerate() {
            let mut count = vec![0u64; column.cells.len()];
            for (row, &cell) in column.of_row.iter().enumerate() {
                // Cells of suppressed rows are counted apart: even an attribute of one value is lost with them.
                if table.sensitive[row].is_some() {
                    count[cell as usize] += 1;
                }
            }
            let suppressed = table.sensitive.iter().filter(|value| value.is_none()).count() as f64;
            let (mut penalty, mut leaves) = (suppressed, suppressed);
            for (place, (cell, &count)) in column.cells.iter().zip(&count).enumerate() {
                let (by_width, by_values) = penalties(&domain, cell);
                penalty += by_width * count as f64;
                if count > 0 && by_width > 0.0 {
                    worst.offer(-by_width, || (i, place));
                }
                leaves += by_values * count as f64;
                kept += if by_values == 0.0 { count } else { 0 };
            }
            observations.push(Observation::at(&NCP, &domain.column.name, penalty / rows));
            gcp += penalty / rows;
            by_leaves += leaves / rows;
        }
        bench.witness(|| {
            let domains = Domain::all(microdata);
            let witness = |(rank, (i, place)): (f64, (usize, usize))| {
                let mut cells = table.columns[i].of_row.iter().zip(&table.sensitive);
                let row = cells.position(|(&cell, value)| cell as usize == place && value.is_some());
                let (name, text) = (&domains[i].column.name, domains[i].text(&table.columns[i].cells[place]));
                let row = row.unwrap_or_default();
                let says = format!("row {}: `{name}` is `{text}`, which loses {} of 1", row + 1, concise(-rank));
                Witness::of_metric(&GCP, says).row(row).by([format!("{name} {text}")]).number(-rank)
            };
            worst.into_cases().map(witness).collect::<Vec<_>>()
        });
        let attributes = table.columns.len().max(1) as f64;
        observations.extend([
            Observation::new(&GCP, gcp / attributes),
            Observation::new(&BY_LEAVES, by_leaves / attributes),
            Observation::new(&KEPT, kept as f64 / rows / attributes * 100.0),
        ]);
        Ok(observations)
    }
}

/// What a cell loses, by the width of numbers and by the values it covers.
fn penalties(domain: &Domain<'_>, cell: &GeneralizedCell) -> (f64, f64) {
    let cover = domain.cover(cell);
    if cover.len() <= 1 {
        return (0.0, 0.0);
    }
    let by_values = cover.len() as f64 / domain.values() as f64;
    let ends = (cover.codes().next(), cover.codes().next_back());
    let number = |code: Option<u32>| domain.number(code?);
    match (domain.range(), number(ends.0), number(ends.1)) {
        (Some((low, high)), Some(from), Some(to)) if high > low => ((to - from) / (high - low), by_values),
        _ => (by_values, by_values),
    }
}
