//! The table of measures.

#![forbid(unsafe_code)]

use crate::data::Dataset;
use crate::lab::{
    LabError, Observation, Parameter, Workbench, complete_parameters, describe_parameters, parameters_schema,
    read_parameters,
};
use crate::measure::{About, Measure, Subject};
use crate::release::Release;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// Every measure, in the order `algorithms list` shows them.
pub fn measures() -> &'static [&'static dyn AnyMeasure] {
    &[
        &Registered::<crate::audit::NegativeRuleCensus>(PhantomData),
        &Registered::<crate::audit::BackgroundKnowledge>(PhantomData),
        &Registered::<crate::utility::ConfidenceError>(PhantomData),
        &Registered::<crate::utility::IdentificationError>(PhantomData),
        &Registered::<crate::utility::QueryError>(PhantomData),
        &Registered::<crate::utility::NuggetsKept>(PhantomData),
        &Registered::<crate::utility::RulesKept>(PhantomData),
        &Registered::<crate::audit::BreachProbability>(PhantomData),
        &Registered::<crate::audit::MoleBorderListing>(PhantomData),
        &Registered::<crate::audit::maxent::MaximumEntropy>(PhantomData),
        &Registered::<crate::utility::Ncp>(PhantomData),
        &Registered::<crate::utility::ItemsetQueryError>(PhantomData),
        &Registered::<crate::utility::TransactionStatistics>(PhantomData),
        &Registered::<crate::utility::TransactionSpectra>(PhantomData),
        &Registered::<crate::audit::ReachedPrivacy>(PhantomData),
        &Registered::<crate::audit::ReachedAnonymity>(PhantomData),
        &Registered::<crate::audit::Risk>(PhantomData),
        &Registered::<crate::utility::TableClasses>(PhantomData),
        &Registered::<crate::utility::InformationLoss>(PhantomData),
        &Registered::<crate::utility::KlDivergence>(PhantomData),
        &Registered::<crate::utility::Classification>(PhantomData),
        &Registered::<crate::utility::CutLattice>(PhantomData),
        &Registered::<crate::utility::TableStatistics>(PhantomData),
    ]
}

/// The measure of that name.
pub fn measure(name: &str) -> Option<&'static dyn AnyMeasure> {
    measures().iter().copied().find(|measure| measure.name() == name)
}

/// A measure whose parameters come as JSON: what specs, commands and workers deal with.
pub trait AnyMeasure: Send + Sync {
    /// The registered name.
    fn name(&self) -> &'static str;
    /// What there is to know of it before it runs.
    fn about(&self) -> &'static About;
    /// Whether repetitions differ.
    fn draws(&self) -> bool;
    /// What it can be given.
    fn parameters(&self) -> &'static [Parameter];
    /// Whether its answer follows from the release alone.
    fn of_release_alone(&self) -> bool;
    /// Parameters that are those of the guarantee where a spec does not set them.
    fn of_guarantee(&self) -> &'static [&'static str];
    /// The JSON schema of its parameters.
    fn schema(&self) -> Value;
    /// Fills in defaults and checks names, types and bounds.
    fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError>;
    /// Takes it; `given` are complete parameters.
    fn measure(
        &self,
        original: &Dataset,
        release: Option<&Release>,
        given: &Map<String, Value>,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError>;
}

struct Registered<M>(PhantomData<M>);

impl<M: Measure> AnyMeasure for Registered<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn about(&self) -> &'static About {
        &M::ABOUT
    }

    fn draws(&self) -> bool {
        M::DRAWS
    }

    fn parameters(&self) -> &'static [Parameter] {
        describe_parameters::<M::Parameters>()
    }

    fn of_release_alone(&self) -> bool {
        M::OF_RELEASE_ALONE
    }

    fn of_guarantee(&self) -> &'static [&'static str] {
        M::OF_GUARANTEE
    }

    fn schema(&self) -> Value {
        parameters_schema::<M::Parameters>()
    }

    fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError> {
        complete_parameters::<M::Parameters>(given)
    }

    fn measure(
        &self,
        original: &Dataset,
        release: Option<&Release>,
        given: &Map<String, Value>,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        M::measure(Subject { original, release }, &read_parameters(given)?, bench)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Seed;
    use crate::publish::publishers;

    #[test]
    fn what_a_measure_shares_with_guarantees_is_a_parameter_of_it() {
        for measure in measures() {
            for name in measure.of_guarantee() {
                let known = measure.parameters().iter().any(|parameter| parameter.name == *name);
                assert!(known, "{} has no parameter `{name}`", measure.name());
            }
        }
    }

    /// On the first conformance case of its kind, every release is read by exactly the measures that say they read it.
    #[test]
    fn measures_read_the_releases_that_they_say_they_read() {
        for publisher in publishers() {
            let kind = publisher.about().release;
            let case = kind.cases(kind.about().guarantees[0].name).unwrap().remove(0);
            let mut given = case.parameters.clone();
            given.retain(|name, _| publisher.parameters().iter().any(|parameter| parameter.name == *name));
            // Publishers that cannot do with the case alone (given groups) are no matter.
            let mut bench = Workbench::new(Seed(1), "test");
            let Ok(release) = publisher.publish(&case.dataset, &given, &mut bench) else { continue };
            for measure in measures().iter().filter(|measure| !measure.about().releases.is_empty()) {
                // Queries as the small tables of conformance cases allow them.
                let mut given = Map::from_iter(
                    [("dim", 1), ("sel", 1)].map(|(name, value)| (name.to_string(), Value::from(value))),
                );
                given.retain(|name, _| measure.parameters().iter().any(|parameter| parameter.name == *name));
                let complete = measure.complete(&given).unwrap();
                let read = measure.measure(&case.dataset, Some(&release), &complete, &mut bench);
                let refused = matches!(read, Err(LabError::Input(_)));
                let says = measure.about().releases.contains(&kind);
                let name = measure.name();
                assert_eq!(refused, !says, "{name} of {}: {:?}", publisher.name(), read.err());
            }
        }
    }

    #[test]
    fn every_measure_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = measures().iter().map(|measure| measure.name()).collect();
        assert_eq!(names.len(), measures().len());
    }
}
