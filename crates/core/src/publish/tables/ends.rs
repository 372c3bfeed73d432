//! The two ends of every comparison: the table as it is, and the table without its quasi-identifiers.

use super::privacy::suppressing;
use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, NoParameters, Workbench};
use crate::publish::{About, Publisher};
use crate::release::generalized_table::{CellColumn, GeneralizedCell, GeneralizedTable, TableGuarantee};
use crate::release::{Guarantee, Release, ReleaseKind};

/// Publishes the table as it is: nothing is lost and nothing is protected.
pub struct Identity;

/// Publishes `*` for every quasi-identifier: as private as a table with its sensitive values can be.
pub struct EverythingGeneralized;

const END: About = About {
    summary: "",
    paper: "A baseline for comparisons, of no paper",
    input: InputKind::Table,
    release: ReleaseKind::GeneralizedTable,
    counters: &[],
    phases: &[],
    randomized: false,
};

/// That the table is true; nothing is promised beyond.
fn truth() -> Guarantee {
    Guarantee::Table(TableGuarantee { requirements: Vec::new(), conventions: suppressing(0.0) })
}

impl Publisher for Identity {
    type Parameters = NoParameters;
    const NAME: &'static str = "identity";
    const ABOUT: About =
        About { summary: "The table as it is: the end where nothing is lost and nothing is protected", ..END };

    fn guarantee(_: &NoParameters) -> Guarantee {
        truth()
    }

    fn publish(dataset: &Dataset, _: &NoParameters, _: &mut Workbench) -> Result<Release, LabError> {
        Ok(Release::GeneralizedTable(GeneralizedTable::identity(dataset.microdata()?)))
    }
}

impl Publisher for EverythingGeneralized {
    type Parameters = NoParameters;
    const NAME: &'static str = "everything-generalized";
    const ABOUT: About = About {
        summary: "Every quasi-identifier is `*`: the end where only the sensitive attribute is published",
        ..END
    };

    fn guarantee(_: &NoParameters) -> Guarantee {
        truth()
    }

    fn publish(dataset: &Dataset, _: &NoParameters, _: &mut Workbench) -> Result<Release, LabError> {
        let microdata = dataset.microdata()?;
        let any = CellColumn { cells: vec![GeneralizedCell::Any], of_row: vec![0; microdata.rows()] };
        let sensitive = microdata.sensitive_codes().iter().copied().map(Some).collect();
        let columns = vec![any; microdata.quasi_identifiers.len()];
        Ok(Release::GeneralizedTable(GeneralizedTable { columns, sensitive }))
    }
}
