use crate::release::generalized_table::Conventions;
use crate::release::{Guarantee, Release, RulesStated, TableGuarantee};

/// What holds of every release that says nothing untrue of its original, and asks for nothing more.
pub(super) fn truth(release: &Release) -> Guarantee {
    match release {
        Release::Buckets(_) => Guarantee::DistinctValues { l: 0 },
        Release::GeneralizedTable(_) => Guarantee::Table(TableGuarantee {
            requirements: Vec::new(),
            conventions: Conventions { suppression: 1.0, ..Conventions::default() },
        }),
        Release::GeneralizedTransactions(_) => Guarantee::KmAnonymity { k: 1, m: 1 },
        Release::SuppressedTransactions(_) => Guarantee::Cohesion { h: 1.0, k: 1, p: 0 },
        Release::Rules(rules) => Guarantee::RulesAsStated(RulesStated {
            thresholds: rules.thresholds,
            exact: rules.rules.iter().any(|rule| rule.counts.is_some()),
            sensitive_distribution: rules.sensitive_counts.is_some(),
            first: (!rules.complete).then_some(rules.rules.len()),
        }),
    }
}
