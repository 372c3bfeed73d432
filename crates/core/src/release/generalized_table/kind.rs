//! Generalized tables as one of the kinds of release.

use super::{GeneralizedTable, cases, files, form, verifier};
use crate::data::Dataset;
use crate::lab::{LabError, Witness};
use crate::release::conformance::Case;
use crate::release::form::{Beside, FormFault};
use crate::release::guarantee::Guarantee;
use crate::release::kind::{About, Kind, KindGuarantee, ReleaseFile, Skeleton};

/// Programs are held to the conventions that the spec states, so the publisher that takes all of them is the model.
const LIKE: &str = "full-domain";

impl Kind for GeneralizedTable {
    const ABOUT: About = About {
        name: "generalized-table",
        files: &[files::TABLE],
        guarantees: &[
            KindGuarantee {
                name: "k-anonymity",
                like: LIKE,
                of: &["k", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
            KindGuarantee {
                name: "l-diversity",
                like: LIKE,
                of: &["k", "l", "diversity", "c", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
            KindGuarantee {
                name: "alpha-k-anonymity",
                like: LIKE,
                of: &["k", "alpha", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
            KindGuarantee {
                name: "t-closeness",
                like: LIKE,
                of: &["k", "t", "distance", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
            KindGuarantee {
                name: "beta-likeness",
                like: LIKE,
                of: &["k", "beta", "enhanced", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
            KindGuarantee {
                name: "delta-disclosure",
                like: LIKE,
                of: &["k", "delta", "also", "suppression", "star", "suppressed", "suppressed_if"],
            },
        ],
        skeletons: &[
            Skeleton { ending: "py", text: include_str!("skeletons/program.py") },
            Skeleton {
                ending: "rs",
                text: concat!(include_str!("skeletons/program.rs.txt"), include_str!("../skeletons/parts.rs.txt")),
            },
            Skeleton {
                ending: "R",
                text: concat!(include_str!("skeletons/program.R"), include_str!("../skeletons/parts.R")),
            },
        ],
        skeleton_spec: include_str!("skeletons/spec.yaml"),
    };

    fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError> {
        Ok(self.to_files(original.microdata()?))
    }

    fn read(original: &Dataset, files: &[&[u8]]) -> Result<Self, LabError> {
        let [table] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Self::from_files(original.microdata()?, table)
    }

    fn form_faults(beside: Beside<'_>, _files: &[&[u8]], read: &Self) -> Result<Vec<FormFault>, LabError> {
        Ok(form::faults(beside.dataset().microdata()?, read))
    }

    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>> {
        match guarantee {
            Guarantee::Table(guarantee) => {
                Some(original.microdata().and_then(|microdata| verifier::table_faults(microdata, self, guarantee)))
            }
            _ => None,
        }
    }

    fn cases(guarantee: &str) -> Result<Vec<Case>, LabError> {
        cases::cases(guarantee)
    }
}
