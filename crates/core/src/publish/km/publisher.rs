//! What the publishers of this family have in common: all but how they find a cut.

use super::problem::Problem;
use super::search::CutSearch;
use super::{KmParameters, PAPER, RELEASE};
use super::{apriori, direct, lattice, optimal, printed, refined};
use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release, ReleaseKind};
use std::marker::PhantomData;

pub type OptimalAnonymization = CutPublisher<lattice::OptimalAnonymization>;
pub type Direct = CutPublisher<direct::Direct>;
pub type Apriori = CutPublisher<apriori::Apriori>;
pub type PrintedOptimal = CutPublisher<printed::PrintedOptimal>;
pub type PrintedDirect = CutPublisher<printed::PrintedDirect>;
pub type PrintedApriori = CutPublisher<printed::PrintedApriori>;
pub type AprioriRefined = CutPublisher<refined::AprioriRefined>;
pub type Optimal = CutPublisher<optimal::Optimal>;

/// Publishes the cut that a search finds.
pub struct CutPublisher<S>(PhantomData<S>);

impl<S: CutSearch> Publisher for CutPublisher<S> {
    type Parameters = S::Parameters;
    const NAME: &'static str = S::NAME;
    const ABOUT: About = About {
        summary: S::SUMMARY,
        paper: PAPER,
        input: InputKind::Transactions,
        release: ReleaseKind::GeneralizedTransactions,
        counters: S::COUNTERS,
        phases: S::PHASES,
        randomized: false,
    };

    fn guarantee(parameters: &S::Parameters) -> Guarantee {
        let KmParameters { k, m } = *parameters.as_ref();
        Guarantee::KmAnonymity { k, m }
    }

    fn publish(dataset: &Dataset, parameters: &S::Parameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let problem = Problem::new(dataset, *parameters.as_ref())?;
        let cut = S::cut(&problem, parameters, bench);
        Ok(bench.phase(RELEASE, |_| problem.release(&cut)))
    }
}
