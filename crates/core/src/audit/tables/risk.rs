//! The risk that a record of a generalized table is picked out: one in the rows of its class.
//!
//! Definitions in use differ. Here the average is per record (classes / n); the mean over classes, which some tools report under
//! the same name, stands beside it, and so do the highest risks under the other readings of stars and suppressed rows.

use crate::data::InputKind;
use crate::lab::{Metric, Observation, Witness, Workbench, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;
use crate::release::generalized_table::{ClassWitnesses, Classes, Conventions, SuppressedIf};

/// How likely the prosecutor, the journalist and the marketer find somebody.
pub struct Risk;

with_defaults! {
    pub struct RiskParameters {
        /// Records with a higher risk than this are counted.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub bound: f64 = 0.2,
        /// Which rows are suppressed.
        pub suppressed_if: SuppressedIf = SuppressedIf::Everything,
    }
}

const HIGHEST: Metric =
    Metric::lower("highest_risk", "", "1 / size of the smallest class: the chance to pick out its records");
const AVERAGE: Metric =
    Metric::lower("average_risk", "", "mean over the records of 1 / size of their class: classes / n");
const OVER_CLASSES: Metric = Metric::lower("average_risk_over_classes", "", "mean over the classes of 1 / size");
const AT_RISK: Metric = Metric::lower("records_at_risk", "", "the share of the records whose risk is above the bound");
const WITH_SUPPRESSED: Metric = Metric::lower(
    "highest_risk_suppressed_class",
    "",
    "the highest risk where suppressed rows are a class of their own",
);
const WILDCARD: Metric = Metric::lower(
    "highest_risk_wildcard",
    "",
    "1 / the fewest rows compatible with a record, where a star is a wildcard",
);

impl Measure for Risk {
    type Parameters = RiskParameters;
    const NAME: &'static str = "risk";
    const ABOUT: About = About {
        kind: MeasureKind::Audit,
        summary: "How likely a record of a generalized table is picked out",
        paper: "L. Sweeney: k-Anonymity: a Model for Protecting Privacy, IJUFKS 2002",
        input: InputKind::Table,
        releases: &[ReleaseKind::GeneralizedTable],
        metrics: &[HIGHEST, AVERAGE, OVER_CLASSES, AT_RISK, WITH_SUPPRESSED, WILDCARD],
    };
    const OF_RELEASE_ALONE: bool = true;

    fn measure(subject: Subject<'_>, parameters: &RiskParameters, bench: &mut Workbench) -> Observed {
        let (microdata, table) = subject.table()?;
        let suppressed_if = parameters.suppressed_if;
        let classes = Classes::new(microdata, table, suppressed_if);
        let sizes = || classes.sizes.iter().map(|&size| f64::from(size));
        let rows: f64 = sizes().sum();
        let at_risk: f64 = sizes().filter(|&rows| 1.0 / rows > parameters.bound).sum();
        let over_classes = sizes().map(|rows| 1.0 / rows).sum::<f64>();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let number = classes.len() as f64;
        // Where every row is suppressed, none can be picked out.
        let highest = |fewest: Option<u32>| fewest.map_or(0.0, |rows| 1.0 / f64::from(rows));
        let smallest = classes.sizes.iter().min().copied();
        let suppressed = Some(classes.suppressed.len() as u32).filter(|&rows| rows > 0);
        bench.witness(|| {
            let conventions = Conventions { suppressed_if, suppression: 1.0, ..Conventions::default() };
            let cases = ClassWitnesses { microdata, table, classes: &classes, conventions };
            let groups = classes.groups(&table.sensitive, conventions);
            // The first of the smallest.
            groups.iter().min_by_key(|group| group.rows).map(|group| {
                let says = match group.rows {
                    1 => format!("no row looks like row {}", group.first_row + 1),
                    rows => format!("row {} is one of {rows} rows that look alike", group.first_row + 1),
                };
                cases.with(group, Witness::of_metric(&HIGHEST, says).number(1.0 / f64::from(group.rows)))
            })
        });
        Ok(vec![
            Observation::new(&HIGHEST, highest(smallest)),
            Observation::new(&AVERAGE, share(number, rows)),
            Observation::new(&OVER_CLASSES, share(over_classes, number)),
            Observation::new(&AT_RISK, share(at_risk, rows)),
            Observation::new(&WITH_SUPPRESSED, highest(smallest.into_iter().chain(suppressed).min())),
            Observation::new(&WILDCARD, highest(classes.smallest_compatible_set())),
        ])
    }
}
