//! The classes of a generalized table: how many, how large, and what their sizes cost.
//!
//! "Average class size" names two measures: n / classes, and that divided by k (K. LeFevre et al., ICDE 2006). Both are here,
//! under names of their own. Discernibility (R. J. Bayardo, R. Agrawal, ICDE 2005) charges a row the size of its class and a
//! suppressed row n.

use crate::data::InputKind;
use crate::lab::{Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;
use crate::release::generalized_table::{ClassWitnesses, Classes, Conventions, SuppressedIf};

/// Counts of classes and suppressed rows.
pub struct TableClasses;

with_defaults! {
    pub struct TableClassesParameters {
        /// The k that was asked for; the one reached where it is not given.
        #[schemars(range(min = 1))]
        pub k: Option<usize>,
        /// Which rows are suppressed.
        pub suppressed_if: SuppressedIf,
    }
}

const CLASSES: Metric = Metric::higher("classes", "classes", "groups of rows that look alike, suppressed rows aside");
const SMALLEST: Metric = Metric::higher("smallest_class", "rows", "rows of the smallest class: the k reached");
const LARGEST: Metric = Metric::lower("largest_class", "rows", "rows of the largest class");
const MEAN: Metric = Metric::lower("mean_class_size", "rows", "n / classes, n without suppressed rows");
const NORMALIZED: Metric =
    Metric::lower("normalized_class_size", "", "n / (classes · k): C_AVG, 1 where every class has exactly k rows");
const DISCERNIBILITY: Metric =
    Metric::lower("discernibility", "", "the sum of squared class sizes, and n for each suppressed row");
const SUPPRESSED_CLASS: Metric = Metric::lower(
    "discernibility_suppressed_class",
    "",
    "the sum of squared class sizes, suppressed rows being one class",
);
const SUPPRESSED: Metric = Metric::lower("suppressed", "%", "the share of rows that are suppressed");
const COMPATIBLE: Metric = Metric::higher(
    "smallest_compatible_set",
    "rows",
    "rows compatible with the record that has the fewest, where a star is a wildcard",
);

impl Measure for TableClasses {
    type Parameters = TableClassesParameters;
    const NAME: &'static str = "classes";
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Number and sizes of the classes of a generalized table",
        paper: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006, Section 5",
        input: InputKind::Table,
        releases: &[ReleaseKind::GeneralizedTable],
        metrics: &[
            CLASSES,
            SMALLEST,
            LARGEST,
            MEAN,
            NORMALIZED,
            DISCERNIBILITY,
            SUPPRESSED_CLASS,
            SUPPRESSED,
            COMPATIBLE,
        ],
    };

    const OF_RELEASE_ALONE: bool = true;
    const OF_GUARANTEE: &'static [&'static str] = &["k"];

    fn measure(subject: Subject<'_>, parameters: &TableClassesParameters, bench: &mut Workbench) -> Observed {
        let (microdata, table) = subject.table()?;
        let suppressed_if = parameters.suppressed_if;
        let classes = Classes::new(microdata, table, suppressed_if);
        let compatible = classes.smallest_compatible_set().unwrap_or(0);
        let smallest = classes.sizes.iter().min().copied().unwrap_or(0);
        let (all, suppressed) = (microdata.rows() as u64, classes.suppressed.len() as u64);
        let squares: u64 = classes.sizes.iter().map(|&size| u64::from(size) * u64::from(size)).sum();
        let mean = if classes.is_empty() { 0.0 } else { (all - suppressed) as f64 / classes.len() as f64 };
        bench.witness(|| {
            let conventions = Conventions { suppressed_if, suppression: 1.0, ..Conventions::default() };
            let cases = ClassWitnesses { microdata, table, classes: &classes, conventions };
            let groups = classes.groups(&table.sensitive, conventions);
            // The first of the largest.
            let largest = groups.iter().rev().max_by_key(|group| group.rows);
            largest.map(|group| {
                let says = format!("the class of row {} has {}", group.first_row + 1, counted(group.rows, "row"));
                cases.with(group, Witness::of_metric(&LARGEST, says).number(group.rows.into()))
            })
        });
        let k = parameters.k.map_or(f64::from(smallest), |k| k as f64).max(1.0);
        Ok(vec![
            Observation::new(&CLASSES, classes.len() as f64),
            Observation::new(&SMALLEST, f64::from(smallest)),
            Observation::new(&LARGEST, f64::from(classes.sizes.iter().max().copied().unwrap_or(0))),
            Observation::new(&MEAN, mean),
            Observation::new(&NORMALIZED, mean / k),
            Observation::new(&DISCERNIBILITY, (squares + suppressed * all) as f64),
            Observation::new(&SUPPRESSED_CLASS, (squares + suppressed * suppressed) as f64),
            Observation::new(&SUPPRESSED, suppressed as f64 / all.max(1) as f64 * 100.0),
            Observation::new(&COMPATIBLE, f64::from(compatible)),
        ])
    }
}
