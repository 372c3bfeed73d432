use super::{About, Publisher};
use crate::data::Dataset;
use crate::lab::{
    LabError, Parameter, Workbench, complete_parameters, describe_parameters, parameters_schema, read_parameters,
};
use crate::release::{Guarantee, Release};
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// Every built-in publisher, in the order `algorithms list` shows them.
pub fn publishers() -> &'static [&'static dyn AnyPublisher] {
    &[
        &Registered::<super::anatomy::Anatomy>(PhantomData),
        &Registered::<super::given_groups::GivenGroups>(PhantomData),
        &Registered::<super::injector::Injector>(PhantomData),
        &Registered::<super::injector::InjectorBalanced>(PhantomData),
        &Registered::<super::injector::EvenPace>(PhantomData),
        &Registered::<super::km::OptimalAnonymization>(PhantomData),
        &Registered::<super::km::Direct>(PhantomData),
        &Registered::<super::km::Apriori>(PhantomData),
        &Registered::<super::km::PrintedOptimal>(PhantomData),
        &Registered::<super::km::PrintedDirect>(PhantomData),
        &Registered::<super::km::PrintedApriori>(PhantomData),
        &Registered::<super::km::AprioriRefined>(PhantomData),
        &Registered::<super::km::Optimal>(PhantomData),
        &Registered::<super::cohesion::Cohesion>(PhantomData),
        &Registered::<super::cohesion::CohesionEnumerate>(PhantomData),
        &Registered::<super::cohesion::CohesionItems>(PhantomData),
        &Registered::<super::cohesion::CohesionMinimalMoles>(PhantomData),
        &Registered::<super::cohesion::CohesionPrinted>(PhantomData),
        &Registered::<super::cohesion::CohesionOptimal>(PhantomData),
        &Registered::<super::association_rules::AssociationRules>(PhantomData),
        &Registered::<super::tables::Mondrian>(PhantomData),
        &Registered::<super::tables::FullDomain>(PhantomData),
        &Registered::<super::tables::Datafly>(PhantomData),
        &Registered::<super::tables::Identity>(PhantomData),
        &Registered::<super::tables::EverythingGeneralized>(PhantomData),
    ]
}

/// The publisher of that name.
pub fn publisher(name: &str) -> Option<&'static dyn AnyPublisher> {
    publishers().iter().copied().find(|publisher| publisher.name() == name)
}

/// A publisher whose parameters come as JSON: what specs, commands and workers deal with.
pub trait AnyPublisher: Send + Sync {
    /// The registered name.
    fn name(&self) -> &'static str;
    /// The folder or file of `publish` it lives in: what a change of its code is told from.
    fn family(&self) -> &'static str;
    /// What there is to know of it before it runs.
    fn about(&self) -> &'static About;
    /// What it can be given.
    fn parameters(&self) -> &'static [Parameter];
    /// The JSON schema of its parameters.
    fn schema(&self) -> Value;
    /// Fills in defaults and checks names, types and bounds.
    fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError>;
    /// What a release made with these parameters is held to.
    fn guarantee(&self, given: &Map<String, Value>) -> Result<Guarantee, LabError>;
    /// Publishes; `given` are complete parameters.
    fn publish(
        &self,
        dataset: &Dataset,
        given: &Map<String, Value>,
        bench: &mut Workbench,
    ) -> Result<Release, LabError>;
}

struct Registered<P>(PhantomData<P>);

impl<P: Publisher> AnyPublisher for Registered<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn family(&self) -> &'static str {
        // "anonlab_core::publish::km::direct::Direct". Were it ever to look different, the family would be unknown, and
        // unknown families depend on all code.
        std::any::type_name::<P>().split("::").nth(2).unwrap_or_default()
    }

    fn about(&self) -> &'static About {
        &P::ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        describe_parameters::<P::Parameters>()
    }

    fn schema(&self) -> Value {
        parameters_schema::<P::Parameters>()
    }

    fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError> {
        complete_parameters::<P::Parameters>(given)
    }

    fn guarantee(&self, given: &Map<String, Value>) -> Result<Guarantee, LabError> {
        Ok(P::guarantee(&read_parameters(given)?))
    }

    fn publish(
        &self,
        dataset: &Dataset,
        given: &Map<String, Value>,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        P::publish(dataset, &read_parameters(given)?, bench)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_that_a_publisher_describes_can_be_given() {
        for publisher in publishers() {
            // Some must be given others with it; what counts is that none is unknown.
            for parameter in publisher.parameters() {
                let value = parameter.default.clone().unwrap_or(Value::Null);
                let refused = publisher.complete(&Map::from_iter([(parameter.name.clone(), value)])).err();
                let told = refused.map(|error| error.to_string()).unwrap_or_default();
                assert!(!told.contains("unknown"), "{} does not take `{}`: {told}", publisher.name(), parameter.name);
            }
        }
    }

    #[test]
    fn every_publisher_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = publishers().iter().map(|publisher| publisher.name()).collect();
        assert_eq!(names.len(), publishers().len());
    }
}
