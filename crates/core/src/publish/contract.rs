//! What a program can be held to. It follows from the kind of release and the parameters of the spec; the program has no
//! say in it.

use super::registry::{AnyPublisher, publisher};
use crate::data::InputKind;
use crate::lab::{LabError, Parameter};
use crate::release::conformance::Case;
use crate::release::{Guarantee, KindGuarantee, ReleaseKind};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A guarantee a program may be asked to keep, with the parameters it depends on.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// As it stands under `guarantee` in specs.
    pub name: &'static str,
    /// The kind of release that the program gives.
    pub release: ReleaseKind,
    guarantee: &'static KindGuarantee,
}

/// Every contract; the first of a kind of release is meant where a spec names none.
pub fn contracts() -> &'static [Contract] {
    static CONTRACTS: LazyLock<Vec<Contract>> = LazyLock::new(|| {
        let of_kind = |&release: &ReleaseKind| {
            let guarantees = release.about().guarantees.iter();
            guarantees.map(move |guarantee| Contract { name: guarantee.name, release, guarantee })
        };
        ReleaseKind::ALL.iter().flat_map(of_kind).collect()
    });
    &CONTRACTS
}

/// The contract of that name, or the plainest one for a kind of release.
pub fn contract(release: ReleaseKind, name: Option<&str>) -> Option<&'static Contract> {
    contracts().iter().find(|contract| contract.release == release && name.is_none_or(|name| name == contract.name))
}

/// The parameters by which guarantees of one kind differ in strength: releases that differ in one of them promise
/// different things.
pub fn guarantee_parameters() -> BTreeSet<&'static str> {
    contracts().iter().flat_map(|contract| contract.guarantee.of).copied().collect()
}

impl Contract {
    fn model(&self) -> &'static dyn AnyPublisher {
        publisher(self.guarantee.like).expect("contracts name built-in publishers; a test holds them to it")
    }

    /// The kind of original that it takes.
    pub fn input(&self) -> InputKind {
        self.model().about().input
    }

    /// What the guarantee depends on.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.model().parameters().iter().filter(|parameter| self.has(&parameter.name)).cloned().collect()
    }

    fn has(&self, parameter: &str) -> bool {
        self.guarantee.of.is_empty() || self.guarantee.of.contains(&parameter)
    }

    /// The parameters of the guarantee among `given`.
    fn own(&self, given: &Map<String, Value>) -> Map<String, Value> {
        let known = self.parameters();
        let is_own = |name: &str| known.iter().any(|parameter| parameter.name == name);
        given.iter().filter(|(name, _)| is_own(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The guarantee's parameters checked and with their defaults, then the program's own as they are given.
    pub fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError> {
        let mut complete = self.model().complete(&self.own(given))?;
        complete.retain(|name, _| self.has(name));
        // What has no default decides what is promised: t-closeness without t would be nothing.
        if let Some((needed, _)) = complete.iter().find(|(_, value)| !self.guarantee.of.is_empty() && value.is_null()) {
            return Err(LabError::input(format!("{} promises nothing without `{needed}`: give it", self.name)));
        }
        for (name, value) in given {
            complete.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Ok(complete)
    }

    /// What a release made with these parameters is held to.
    pub fn guarantee(&self, given: &Map<String, Value>) -> Result<Guarantee, LabError> {
        self.model().guarantee(&self.own(given))
    }

    /// Small and nasty inputs, with what a program held to this must do about them.
    pub fn cases(&self) -> Result<Vec<Case>, LabError> {
        self.release.cases(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn contracts_rest_on_publishers_of_their_kind() {
        for contract in contracts() {
            assert_eq!(contract.model().about().release, contract.release, "{}", contract.name);
            for name in contract.guarantee.of {
                assert!(contract.parameters().iter().any(|parameter| parameter.name == *name), "{}", contract.name);
            }
        }
    }

    #[test]
    fn a_guarantee_follows_from_the_parameters_and_others_pass_through() {
        let diversity = contract(ReleaseKind::Buckets, None).unwrap();
        assert_eq!(diversity.name, "diversity");
        assert_eq!(diversity.guarantee(&map(json!({"l": 3, "depth": 7}))).unwrap(), Guarantee::Diversity { l: 3 });
        let complete = diversity.complete(&map(json!({"depth": 7}))).unwrap();
        assert_eq!(Value::Object(complete), json!({"l": 6, "depth": 7}));
        let error = diversity.complete(&map(json!({"l": 1}))).unwrap_err();
        assert_eq!(error.to_string(), "`l` must be at least 2, not 1");
        assert!(contract(ReleaseKind::Buckets, Some("km-anonymity")).is_none());
        let closeness = contract(ReleaseKind::GeneralizedTable, Some("t-closeness")).unwrap();
        let error = closeness.complete(&map(json!({"k": 5}))).unwrap_err();
        assert_eq!(error.to_string(), "t-closeness promises nothing without `t`: give it");
        let km = contract(ReleaseKind::GeneralizedTransactions, None).unwrap();
        assert_eq!(Value::Object(km.complete(&Map::new()).unwrap()), json!({"k": 5, "m": 2}));
    }

    #[test]
    fn every_contract_has_cases_whose_parameters_it_takes() {
        for contract in contracts() {
            let cases = contract.cases().unwrap();
            assert!(cases.len() >= 10, "{}", contract.name);
            for case in cases {
                contract.complete(&case.parameters).unwrap();
                assert_eq!(case.dataset.kind(), contract.input());
            }
        }
    }
}
