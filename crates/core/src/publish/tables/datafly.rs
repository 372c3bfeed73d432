//! Datafly: L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression", IJUFKS 10(5), 2002,
//! Section 4. The attribute with the most different values is generalized by one level until the rows in refused classes are
//! few enough to be suppressed. Fast, old, and far from the best: a baseline.
//!
//! Readings. "Few enough" is the share `suppression`, not k rows; of attributes with equally many values the first is taken.
//! The classes may be refused for anything that is asked for, not for their size alone.
//!
//! Cost. One step for each level that is climbed, each over the classes of the step before.

use super::full_domain::{HEIGHT, SUPPRESSED, recode, suppression_limit};
use super::grouping::{Grouping, Packing};
use super::levels::Levels;
use super::privacy::{Privacy, suppressing};
use super::rule::Rule;
use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Workbench, with_defaults};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release, ReleaseKind};

pub struct Datafly;

with_defaults! {
    pub struct DataflyParameters {
        /// The largest share of the rows that may be suppressed.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub suppression: f64,
        #[serde(flatten)]
        pub privacy: Privacy,
    }
}

impl Publisher for Datafly {
    type Parameters = DataflyParameters;
    const NAME: &'static str = "datafly";
    const ABOUT: About = About {
        summary: "Generalizes the attribute with the most values until few enough rows must be suppressed",
        paper: "L. Sweeney: Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, IJUFKS 2002",
        input: InputKind::Table,
        release: ReleaseKind::GeneralizedTable,
        counters: &[SUPPRESSED, HEIGHT],
        phases: &["search", "recoding"],
        randomized: false,
    };

    fn guarantee(parameters: &DataflyParameters) -> Guarantee {
        parameters.privacy.guarantee(suppressing(parameters.suppression))
    }

    fn publish(dataset: &Dataset, parameters: &DataflyParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let rule = Rule::new(microdata, &parameters.privacy)?;
        let limit = suppression_limit(parameters.suppression, microdata)?;
        rule.check_reachable(limit)?;
        let attributes: Vec<Levels> =
            (0..microdata.quasi_identifiers.len()).map(|i| Levels::new(microdata, i)).collect();
        let packing = Packing::new(&attributes)?;
        let mut levels = vec![0; attributes.len()];
        let classes = bench.phase("search", |_| {
            let mut classes = Grouping::new(microdata, &packing, &rule);
            while classes.refused_rows(&rule) > limit {
                let values = |i: usize| attributes[i].levels[levels[i]].cells.len();
                let open = (0..attributes.len()).filter(|&i| levels[i] < attributes[i].top());
                // The last of the largest in reverse is the first.
                let Some(next) = open.rev().max_by_key(|&i| values(i)) else { break };
                levels[next] += 1;
                classes = classes.rolled_up(&packing, next, &attributes[next].levels[levels[next]].of_lower);
            }
            classes
        });
        if classes.refused_rows(&rule) > limit {
            return Err(rule.not_found(limit, "with every attribute at its top level, the guarantee is not met"));
        }
        bench.count(HEIGHT.name, levels.iter().sum::<usize>() as f64);
        let table = bench.phase("recoding", |_| recode(microdata, &attributes, &levels, &classes, &packing, &rule));
        bench.count(SUPPRESSED.name, table.sensitive.iter().filter(|value| value.is_none()).count() as f64);
        Ok(Release::GeneralizedTable(table))
    }
}
