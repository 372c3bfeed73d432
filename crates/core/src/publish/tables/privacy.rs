//! What a table must keep, as parameters: any conjunction of the guarantees for generalized tables.

use crate::lab::{LabError, with_defaults};
use crate::release::Guarantee;
use crate::release::generalized_table::{Conventions, Distance, Requirement, TableGuarantee};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which ℓ-diversity is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Diversity {
    /// ℓ different values.
    #[default]
    Distinct,
    /// No value in more than 1 of ℓ rows.
    Frequency,
    /// An entropy of at least ln ℓ.
    Entropy,
    /// r₁ < c·(r_ℓ + … + r_m).
    Recursive,
}

with_defaults! {
    /// The privacy every class must have. What is not given is not asked for; everything given must hold.
    pub struct Privacy {
        /// k-anonymity: the fewest rows of a class.
        #[schemars(range(min = 1))]
        pub k: usize = 5,
        /// ℓ-diversity: the fewest sensitive values of a class, as `diversity` counts them.
        #[schemars(range(min = 1))]
        pub l: Option<usize> = None,
        /// Which ℓ-diversity is meant.
        pub diversity: Diversity = Diversity::Distinct,
        /// The c of recursive (c, ℓ)-diversity.
        #[schemars(range(max = 1e15), extend("exclusiveMinimum" = 0.0))]
        pub c: f64 = 1.0,
        /// (α, k)-anonymity: the largest share of a sensitive value in a class.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub alpha: Option<f64> = None,
        /// t-closeness: the largest distance of a class from the distribution of the whole table.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub t: Option<f64> = None,
        /// The distance that t bounds; `hierarchical` needs a hierarchy of the sensitive attribute.
        pub distance: Distance = Distance::Equal,
        /// β-likeness: the largest (q − p) / p of a sensitive value.
        #[schemars(range(min = 0.0, max = 1e15))]
        pub beta: Option<f64> = None,
        /// Bound (q − p) / p also by −ln p (enhanced β-likeness).
        pub enhanced: bool = false,
        /// δ-disclosure privacy: |ln(q / p)| must be below it for every sensitive value.
        #[schemars(range(min = 0.0, max = 1e15))]
        pub delta: Option<f64> = None,
        /// Further requirements, such as `{require: entropy-diversity, l: 2.5}`.
        pub also: Vec<Requirement> = Vec::new(),
    }
}

impl Privacy {
    pub fn requirements(&self) -> Vec<Requirement> {
        let &Self { k, l, diversity, c, alpha, t, distance, beta, enhanced, delta, .. } = self;
        let diversity = l.map(|l| match diversity {
            Diversity::Distinct => Requirement::DistinctDiversity { l },
            Diversity::Frequency => Requirement::FrequencyDiversity { l },
            Diversity::Entropy => Requirement::EntropyDiversity { l: l as f64 },
            Diversity::Recursive => Requirement::RecursiveDiversity { c, l },
        });
        let likeness = beta.map(|beta| match enhanced {
            true => Requirement::EnhancedBetaLikeness { beta },
            false => Requirement::BetaLikeness { beta },
        });
        let asked = [
            Some(Requirement::KAnonymity { k }),
            diversity,
            alpha.map(|alpha| Requirement::Alpha { alpha }),
            t.map(|t| Requirement::TCloseness { t, distance }),
            likeness,
            delta.map(|delta| Requirement::DeltaDisclosure { delta }),
        ];
        asked.into_iter().flatten().chain(self.also.iter().cloned()).collect()
    }

    pub fn guarantee(&self, conventions: Conventions) -> Guarantee {
        Guarantee::Table(TableGuarantee { requirements: self.requirements(), conventions })
    }
}

/// The usual conventions, with at most the share `suppression` of the rows suppressed.
pub(super) fn suppressing(suppression: f64) -> Conventions {
    Conventions { suppression, ..Conventions::default() }
}

/// What makes a parameter no threshold.
pub(super) fn bad_threshold(requirement: &Requirement) -> LabError {
    LabError::input(format!("{requirement} has a threshold that is no number from 0 to 10^15"))
}
