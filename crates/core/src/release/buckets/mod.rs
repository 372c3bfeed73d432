//! Buckets: quasi-identifiers with a group id, and per group the multiset of sensitive values (QIT and ST of Anatomy).

mod cases;
mod conclusions;
mod diversity;
mod files;
mod form;
mod matching;

pub use files::ListedBuckets;

use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::group_ids::GroupIds;
use super::guarantee::Guarantee;
use super::kind::{About, Kind, KindGuarantee, ReleaseFile, Skeleton};
use crate::data::{Dataset, Microdata};
use crate::lab::{LabError, Witness};

/// Rows in groups. The quasi-identifiers of a row are published as they are; which sensitive value of its group is the
/// row's own is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buckets {
    /// Row of the original to its group; groups are numbered from 0 without gaps.
    pub group_of: Vec<u32>,
    /// Per group, the sensitive codes in it with their counts, ascending by code.
    pub sensitive: Vec<Vec<(u32, u32)>>,
    /// What the files it was read from call the groups.
    pub ids: GroupIds,
}

impl Buckets {
    /// The buckets that put each row into the group `group_of` says, with the true sensitive values of the rows.
    pub fn from_groups(microdata: &Microdata, group_of: Vec<u32>) -> Self {
        let groups = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); groups];
        for (&group, &value) in group_of.iter().zip(microdata.sensitive_codes()) {
            values[group as usize].push(value);
        }
        let sensitive = values
            .into_iter()
            .map(|mut group| {
                group.sort_unstable();
                group.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect()
            })
            .collect();
        Self { group_of, sensitive, ids: GroupIds::default() }
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.sensitive.len()
    }

    /// The rows of each group, ascending.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.groups()];
        for (row, &group) in self.group_of.iter().enumerate() {
            members[group as usize].push(row);
        }
        members
    }
}

const DIVERSITY: &str = "diversity";
const MATCHING_DIVERSITY: &str = "matching-diversity";

impl Kind for Buckets {
    const ABOUT: About = About {
        name: "buckets",
        files: &[files::QIT, files::ST],
        guarantees: &[
            KindGuarantee { name: DIVERSITY, like: "anatomy", of: &["l"] },
            KindGuarantee { name: MATCHING_DIVERSITY, like: "injector", of: &[] },
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
        let [qit, st] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Self::from_files(original.microdata()?, qit, st)
    }

    fn form_faults(beside: Beside<'_>, files: &[&[u8]], read: &Self) -> Result<Vec<FormFault>, LabError> {
        let [qit, st] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Ok(form::faults(beside.dataset().microdata()?, qit, st, read, beside.is_original()))
    }

    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>> {
        let microdata = original.microdata();
        match guarantee {
            Guarantee::Diversity { l } => {
                Some(microdata.map(|microdata| diversity::diversity_faults(microdata, self, *l)))
            }
            Guarantee::DistinctValues { l } => {
                Some(microdata.map(|microdata| diversity::distinct_faults(microdata, self, *l)))
            }
            Guarantee::MatchingDiversity { l, rules } => {
                Some(microdata.and_then(|microdata| matching::matching_faults(microdata, self, *l, rules)))
            }
            _ => None,
        }
    }

    fn cases(guarantee: &str) -> Result<Vec<Case>, LabError> {
        cases::cases(guarantee == MATCHING_DIVERSITY)
    }
}
