//! Mondrian: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006.
//!
//! The table is split in two at the median of one attribute, both halves again, and so on, as long as both sides meet the
//! guarantee. Strict: rows with one value stay together, so regions do not overlap. Relaxed: the rows at the median are dealt
//! out to both sides.
//!
//! Readings. The attribute to split is the one whose values in the region are widest, as a part of its whole range; of equally
//! wide ones the first. The median v splits ≤ v | > v; where that is not allowed, < v | ≥ v is tried before the next attribute
//! (without it, Adult at k = 5 loses eight times as much, with sets twelve times). Relaxed, the rows equal to v fill the left side in row
//! order until it has half of the rows. Categories stand in the order of their hierarchy's leaves (by text without one) and are
//! published as their lowest common node (as a set); numbers as the interval from the smallest to the largest of the class.
//!
//! Cost. Each level of splits looks at every row once an attribute: O(rows · attributes · log(rows / k)); memory is one
//! record a row, which the splits keep sorted into regions.

use super::attribute::Attribute;
use super::privacy::{Privacy, suppressing};
use super::rule::Rule;
use crate::data::{Dataset, InputKind, Microdata};
use crate::lab::{LabError, Metric, Workbench, with_defaults};
use crate::publish::{About, Publisher};
use crate::release::generalized_table::{CellColumn, GeneralizedTable};
use crate::release::{Guarantee, Release, ReleaseKind};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Mondrian;

/// What becomes of rows at the median.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Partitioning {
    /// They stay together.
    #[default]
    Strict,
    /// They are dealt out to both sides.
    Relaxed,
}

with_defaults! {
    pub struct MondrianParameters {
        /// What becomes of rows at the median.
        pub partitioning: Partitioning,
        #[serde(flatten)]
        pub privacy: Privacy,
    }
}

const REGIONS: Metric = Metric::higher("regions", "regions", "regions the table was split into");
const SPLITS_TRIED: Metric = Metric::fact("splits_tried", "splits", "splits tried, allowed by the guarantee or not");

impl Publisher for Mondrian {
    type Parameters = MondrianParameters;
    const NAME: &'static str = "mondrian";
    const ABOUT: About = About {
        summary: "Splits the table at medians as long as every region keeps the guarantee",
        paper: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006",
        input: InputKind::Table,
        release: ReleaseKind::GeneralizedTable,
        counters: &[REGIONS, SPLITS_TRIED],
        phases: &["splitting", "recoding"],
        randomized: false,
    };

    fn guarantee(parameters: &MondrianParameters) -> Guarantee {
        parameters.privacy.guarantee(suppressing(0.0))
    }

    fn publish(dataset: &Dataset, parameters: &MondrianParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let rule = Rule::new(microdata, &parameters.privacy)?;
        rule.check_reachable(0)?;
        let mut splitter = Splitter::new(microdata, &rule, parameters.partitioning);
        let regions = bench.phase("splitting", |_| splitter.split_all());
        bench.count(REGIONS.name, regions.len() as f64);
        bench.count(SPLITS_TRIED.name, splitter.tried as f64);
        let table = bench.phase("recoding", |_| splitter.recode(microdata, &regions));
        Ok(Release::GeneralizedTable(table))
    }
}

/// The rows sorted into regions: one record each, attributes' places first, then sensitive code and row.
struct Splitter<'a> {
    attributes: Vec<Attribute<'a>>,
    rule: &'a Rule<'a>,
    partitioning: Partitioning,
    records: Vec<u32>,
    width: usize,
    /// Scratch: the right side of a split, counts of places, counts of sensitive values left, right and together.
    aside: Vec<u32>,
    places: Vec<u32>,
    counts: [Vec<u32>; 3],
    tried: u64,
}

/// Where a region is cut.
struct Split {
    attribute: usize,
    /// Rows below this place go left, those above it right.
    place: u32,
    /// How many of the rows at `place` go left, in row order.
    left_at_place: usize,
}

impl<'a> Splitter<'a> {
    fn new(microdata: &'a Microdata, rule: &'a Rule<'a>, partitioning: Partitioning) -> Self {
        let attributes: Vec<Attribute<'_>> =
            (0..microdata.quasi_identifiers.len()).map(|i| Attribute::new(microdata, i)).collect();
        let width = attributes.len() + 2;
        let mut records = vec![0; microdata.rows() * width];
        for (i, attribute) in attributes.iter().enumerate() {
            for (record, &code) in records.chunks_exact_mut(width).zip(microdata.quasi_codes(i)) {
                record[i] = attribute.place_of[code as usize];
            }
        }
        for (row, (record, &value)) in records.chunks_exact_mut(width).zip(microdata.sensitive_codes()).enumerate() {
            record[width - 2] = value;
            record[width - 1] = row as u32;
        }
        let counts = std::array::from_fn(|_| vec![0; rule.values()]);
        Self { attributes, rule, partitioning, records, width, aside: Vec::new(), places: Vec::new(), counts, tried: 0 }
    }

    /// The regions as ranges of records.
    fn split_all(&mut self) -> Vec<std::ops::Range<usize>> {
        let mut regions = Vec::new();
        let mut open = Vec::new();
        open.push(0..self.records.len() / self.width);
        while let Some(region) = open.pop() {
            match self.choose(region.clone()) {
                None => regions.push(region),
                Some(split) => {
                    let middle = self.cut(region.clone(), &split);
                    open.push(middle..region.end);
                    open.push(region.start..middle);
                }
            }
        }
        regions
    }

    fn region(&self, region: std::ops::Range<usize>) -> std::slice::ChunksExact<'_, u32> {
        self.records[region.start * self.width..region.end * self.width].chunks_exact(self.width)
    }

    /// The first and last place of each attribute in a region.
    fn ends(&self, region: std::ops::Range<usize>) -> Vec<(u32, u32)> {
        let mut ends = vec![(u32::MAX, 0); self.attributes.len()];
        for record in self.region(region) {
            for ((low, high), &place) in ends.iter_mut().zip(record) {
                *low = (*low).min(place);
                *high = (*high).max(place);
            }
        }
        ends
    }

    fn choose(&mut self, region: std::ops::Range<usize>) -> Option<Split> {
        if region.len() < 2 * self.rule.k {
            return None;
        }
        let ends = self.ends(region.clone());
        let width = |i: usize| self.attributes[i].width(ends[i].0, ends[i].1);
        let mut order: Vec<(f64, usize)> =
            (0..ends.len()).filter(|&i| ends[i].0 < ends[i].1).map(|i| (width(i), i)).collect();
        // Widest first; the sort is stable, so equally wide ones stay in column order.
        order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        if self.rule.needs_counts() {
            self.counts[2].fill(0);
            let (records, all) = (&self.records, &mut self.counts[2]);
            let records = &records[region.start * self.width..region.end * self.width];
            for record in records.chunks_exact(self.width) {
                all[record[self.width - 2] as usize] += 1;
            }
        }
        order.into_iter().find_map(|(_, attribute)| self.split_on(region.clone(), attribute, ends[attribute]))
    }

    fn split_on(&mut self, region: std::ops::Range<usize>, attribute: usize, ends: (u32, u32)) -> Option<Split> {
        let size = region.len();
        let (median, below, at) = self.median(region.clone(), attribute, ends);
        // How many of the rows at the median go left, and how many rows are then left.
        let candidates = match self.partitioning {
            Partitioning::Strict => vec![(at, below + at), (0, below)],
            Partitioning::Relaxed => vec![(size.div_ceil(2) - below, size.div_ceil(2))],
        };
        candidates.into_iter().find_map(|(left_at_place, left)| {
            if left == 0 || left == size {
                return None;
            }
            self.tried += 1;
            let split = Split { attribute, place: median, left_at_place };
            let fits = left >= self.rule.k && size - left >= self.rule.k;
            (fits && self.keeps_guarantee(region.clone(), &split, left)).then_some(split)
        })
    }

    /// The lower median place of an attribute, how many rows are below it, and how many at it.
    fn median(
        &mut self,
        region: std::ops::Range<usize>,
        attribute: usize,
        (low, high): (u32, u32),
    ) -> (u32, usize, usize) {
        let middle = (region.len() - 1) / 2;
        let span = (high - low) as usize + 1;
        let width = self.width;
        let records = self.records[region.start * width..region.end * width].chunks_exact(width);
        self.places.clear();
        if span <= 4 * region.len() {
            self.places.resize(span, 0);
            records.for_each(|record| self.places[(record[attribute] - low) as usize] += 1);
            let mut below = 0;
            for (place, &count) in (low..).zip(&self.places) {
                if below + count as usize > middle {
                    return (place, below, count as usize);
                }
                below += count as usize;
            }
            (high, below, 0)
        } else {
            self.places.extend(records.map(|record| record[attribute]));
            let (_, &mut median, _) = self.places.select_nth_unstable(middle);
            let below = self.places.iter().filter(|&&place| place < median).count();
            let at = self.places.iter().filter(|&&place| place == median).count();
            (median, below, at)
        }
    }

    /// Whether both sides meet what is asked of sensitive values.
    fn keeps_guarantee(&mut self, region: std::ops::Range<usize>, split: &Split, left: usize) -> bool {
        if !self.rule.needs_counts() {
            return true;
        }
        let size = region.len();
        let width = self.width;
        let [left_counts, right_counts, all] = &mut self.counts;
        left_counts.fill(0);
        let mut at_place = split.left_at_place;
        for record in self.records[region.start * width..region.end * width].chunks_exact(width) {
            if split.goes_left(record, &mut at_place) {
                left_counts[record[width - 2] as usize] += 1;
            }
        }
        for ((right, &left), &all) in right_counts.iter_mut().zip(left_counts.iter()).zip(all.iter()) {
            *right = all - left;
        }
        self.rule.allows(left, left_counts) && self.rule.allows(size - left, right_counts)
    }

    /// Sorts a region into its two sides, each in row order; gives where the right one starts.
    fn cut(&mut self, region: std::ops::Range<usize>, split: &Split) -> usize {
        let width = self.width;
        let (from, to) = (region.start * width, region.end * width);
        self.aside.clear();
        let mut at_place = split.left_at_place;
        let mut end_of_left = from;
        for start in (from..to).step_by(width) {
            if split.goes_left(&self.records[start..start + width], &mut at_place) {
                self.records.copy_within(start..start + width, end_of_left);
                end_of_left += width;
            } else {
                self.aside.extend_from_slice(&self.records[start..start + width]);
            }
        }
        self.records[end_of_left..to].copy_from_slice(&self.aside);
        end_of_left / width
    }

    fn recode(&self, microdata: &Microdata, regions: &[std::ops::Range<usize>]) -> GeneralizedTable {
        let rows = microdata.rows();
        let mut columns: Vec<CellColumn> =
            self.attributes.iter().map(|_| CellColumn { cells: Vec::new(), of_row: vec![0; rows] }).collect();
        // Cells by the places they were made of: those of many regions are the same.
        let mut known: Vec<FxHashMap<Vec<u32>, u32>> = vec![FxHashMap::default(); self.attributes.len()];
        for region in regions {
            let ends = self.ends(region.clone());
            for (i, attribute) in self.attributes.iter().enumerate() {
                let (low, high) = ends[i];
                let mut places = vec![low, high];
                if !attribute.is_told_by_ends(high) {
                    places = self.region(region.clone()).map(|record| record[i]).collect();
                    places.sort_unstable();
                }
                places.dedup();
                let column = &mut columns[i];
                let cell = *known[i].entry(places).or_insert_with_key(|places| {
                    column.cells.push(attribute.cell(places));
                    column.cells.len() as u32 - 1
                });
                for record in self.region(region.clone()) {
                    column.of_row[record[self.width - 1] as usize] = cell;
                }
            }
        }
        GeneralizedTable { columns, sensitive: microdata.sensitive_codes().iter().copied().map(Some).collect() }
    }
}

impl Split {
    /// `at_place` counts down the rows at the split's own place that may still go left.
    fn goes_left(&self, record: &[u32], at_place: &mut usize) -> bool {
        let place = record[self.attribute];
        if place != self.place {
            return place < self.place;
        }
        let goes = *at_place > 0;
        *at_place -= usize::from(goes);
        goes
    }
}
