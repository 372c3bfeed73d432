use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A condition that every class must meet. A guarantee is a conjunction of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "require", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Requirement {
    /// At least k rows.
    KAnonymity {
        /// Rows in the smallest class.
        k: usize,
    },
    /// At least ℓ different sensitive values.
    DistinctDiversity {
        /// Different sensitive values in the poorest class.
        l: usize,
    },
    /// No sensitive value in more than 1 of ℓ rows.
    FrequencyDiversity {
        /// One in so many rows of a class may have its most frequent value.
        l: usize,
    },
    /// An entropy of at least ln ℓ.
    EntropyDiversity {
        /// The least exponential of a class's entropy.
        l: f64,
    },
    /// r₁ < c·(r_ℓ + … + r_m), the r being the counts of the sensitive values, largest first.
    RecursiveDiversity {
        /// How often the most frequent value may outweigh the rarest ones.
        c: f64,
        /// From which rank on values count as rare.
        l: usize,
    },
    /// No sensitive value in more than the share α of the rows. With k-anonymity: (α, k)-anonymity.
    Alpha {
        /// The largest share of one sensitive value in a class.
        alpha: f64,
    },
    /// Sensitive values distributed as in the whole table, up to a distance of t.
    TCloseness {
        /// The largest distance of a class's distribution from that of the table.
        t: f64,
        /// What distance is meant.
        #[serde(default)]
        distance: Distance,
    },
    /// No sensitive value more than 1 + β times as frequent as in the whole table: (q − p) / p ≤ β.
    BetaLikeness {
        /// The largest relative gain in a value's share.
        beta: f64,
    },
    /// (q − p) / p ≤ min(β, −ln p).
    EnhancedBetaLikeness {
        /// The largest relative gain in a value's share, capped for frequent values.
        beta: f64,
    },
    /// |ln(q / p)| < δ for every sensitive value of the whole table.
    DeltaDisclosure {
        /// The largest logarithmic change of a value's share, either way.
        delta: f64,
    },
}

/// How far a class's distribution of sensitive values is from the whole table's: the earth mover's distance over one of
/// these ground distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// Any two values are 1 apart: ½·Σ|q − p|.
    #[default]
    Equal,
    /// Values in their order, neighbours 1/(m − 1) apart: 1/(m − 1)·Σ|Σ(q − p)|.
    Ordered,
    /// Two values are as far apart as the height of their lowest common node in the hierarchy of the sensitive attribute.
    Hierarchical,
}

impl Requirement {
    /// Whether it is about sensitive values: of several attributes, each must then meet it alone.
    pub fn is_about_values(&self) -> bool {
        !matches!(self, Self::KAnonymity { .. })
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::KAnonymity { k } => write!(f, "{k}-anonymity"),
            Self::DistinctDiversity { l } => write!(f, "distinct {l}-diversity"),
            Self::FrequencyDiversity { l } => write!(f, "frequency {l}-diversity"),
            Self::EntropyDiversity { l } => write!(f, "entropy {l}-diversity"),
            Self::RecursiveDiversity { c, l } => write!(f, "recursive ({c}, {l})-diversity"),
            Self::Alpha { alpha } => write!(f, "α = {alpha}"),
            Self::TCloseness { t, .. } => write!(f, "{t}-closeness"),
            Self::BetaLikeness { beta } => write!(f, "basic {beta}-likeness"),
            Self::EnhancedBetaLikeness { beta } => write!(f, "enhanced {beta}-likeness"),
            Self::DeltaDisclosure { delta } => write!(f, "{delta}-disclosure"),
        }
    }
}
