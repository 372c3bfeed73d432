//! What the audit reports, by name.

use crate::lab::{Better, Metric};

const fn fact(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::new(name, unit, Better::Neither, about)
}

/// How large the adversary's problem is, and how its solver fared.
const fn diagnostic(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    fact(name, unit, about).diagnostic()
}

/// Divergences: the closer the adversary is to the truth, the less private.
const fn private(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::new(name, unit, Better::Higher, about).tolerating(1e-6)
}

const fn exposed(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::new(name, unit, Better::Lower, about).tolerating(1e-6)
}

pub const D_OVERALL: Metric =
    private("d_overall", "nats", "divergence of the adversary's belief from the truth, mean over the records");
pub const D_QUANTILE: Metric =
    private("d_individual_quantile", "nats", "individual divergence that this share of the records has at most");
pub const D_LARGEST: Metric =
    private("d_individual_largest", "nats", "mean of the K largest divergences of quasi-identifier values");
pub const D_SMALLEST: Metric =
    private("d_individual_smallest", "nats", "mean of the K smallest divergences: those the adversary knows best");
pub const ENTROPY: Metric = private("entropy", "nats", "entropy of the adversary's belief, per record");
pub const TRUE_ENTROPY: Metric =
    fact("entropy_original", "nats", "entropy of the sensitive value given the quasi-identifiers, per record");

pub const MAX_POSTERIOR: Metric = exposed("max_posterior", "", "largest probability the adversary gives any value");
pub const L_DISTINCT: Metric = private("l_distinct", "values", "fewest values the adversary leaves to anybody");
pub const L_ENTROPY: Metric =
    private("l_entropy", "values", "smallest exponential of the entropy of anybody's posterior");
pub const T_CLOSENESS: Metric = exposed(
    "t_closeness",
    "",
    "largest distance of anybody's posterior from the shares of all, as half the sum of differences",
);
pub const BEYOND_ALPHA_K: Metric = exposed(
    "beyond_alpha_k",
    "individuals",
    "individuals with a posterior above alpha, or among fewer than k who look the same",
);
pub const SMALLEST_CROWD: Metric =
    private("smallest_crowd", "individuals", "fewest individuals who look the same to the adversary");
pub const DETERMINED: Metric =
    exposed("determined", "individuals", "individuals whose own value has a posterior of `determined_at` or more");
pub const MISLED: Metric =
    fact("misled", "individuals", "individuals of whom a wrong value has a posterior of `determined_at` or more");
pub const DISCLOSED: Metric =
    exposed("disclosed", "individuals", "individuals whose own value has `factor` times its prior or more");

pub const QI_VALUES: Metric = diagnostic("qi_values", "values", "distinct quasi-identifier values");
pub const RULES: Metric = fact("known_rules", "rules", "rules the adversary knows");
pub const POSTERIOR: Metric = Metric::new(
    "posterior",
    "",
    Better::Neither,
    "P*(X | Q), for each quasi-identifier value and each sensitive value",
);
pub const NAR_CONSTRAINTS: Metric =
    diagnostic("nar_constraints", "constraints", "constraints from patterns that were not published");
pub const NAR_VARIABLES: Metric =
    diagnostic("nar_variables", "variables", "variables in them, each as often as it occurs");
pub const CONSTRAINTS_UNPRUNED: Metric =
    diagnostic("constraints_unpruned", "constraints", "patterns that could give a constraint");
pub const CONSTRAINTS_BY_THEOREM: Metric = diagnostic(
    "constraints_by_theorem_2",
    "constraints",
    "sensitive values times the patterns there would be if every combination of values occurred",
);
pub const VARIABLES_UNPRUNED: Metric =
    diagnostic("variables_unpruned", "variables", "variables in them, each as often as it occurs");
pub const VARIABLES: Metric =
    diagnostic("variables", "variables", "variables in all constraints, those of the quasi-identifiers included");
pub const SOLVED_CLASSES: Metric =
    diagnostic("solved_classes", "classes", "classes of quasi-identifier values that constraints tell apart");
pub const SOLVED_ROWS: Metric = diagnostic("solved_rows", "rows", "different constraints that say something");
pub const STEPS: Metric = diagnostic("steps", "steps", "Newton steps of the solver");

pub const RESIDUAL: Metric =
    Metric::new("residual", "", Better::Lower, "largest miss of a constraint, as a share of all records")
        .tolerating(10.0)
        .diagnostic();
pub const DUALITY_GAP: Metric =
    Metric::new("duality_gap", "nats", Better::Lower, "how much more entropy any answer could have")
        .tolerating(10.0)
        .diagnostic();
pub const COMPLEMENTARITY: Metric =
    Metric::new("complementarity", "", Better::Lower, "largest product of a multiplier and its slack")
        .tolerating(10.0)
        .diagnostic();

pub const D_OVERALL_WITHOUT: Metric =
    private("d_overall_without_non_rules", "nats", "d_overall when unpublished patterns are ignored");
pub const VARIABLES_WITHOUT: Metric = diagnostic(
    "variables_without_non_rules",
    "variables",
    "variables in all constraints but those of unpublished patterns",
);
pub const DIFFERENCE: Metric =
    exposed("difference", "nats", "mean of the K largest falls of a divergence by unpublished patterns");
pub const TOP_DIFFERENCE: Metric =
    exposed("top_difference", "nats", "fall of the divergence, of the K-th most exposed quasi-identifier value");
pub const TOP_D_WITH: Metric = private("top_d_with", "nats", "its divergence with unpublished patterns used");
pub const TOP_D_WITHOUT: Metric = private("top_d_without", "nats", "its divergence with unpublished patterns ignored");
pub const TOP_ORIGINAL: Metric = fact("top_original", "", "share of its most frequent sensitive value in the original");
pub const TOP_WITH: Metric =
    exposed("top_posterior_with", "", "posterior of that value with unpublished patterns used");
pub const TOP_WITHOUT: Metric =
    exposed("top_posterior_without", "", "posterior of that value with unpublished patterns ignored");

pub const ALL: &[Metric] = &[
    D_OVERALL,
    D_QUANTILE,
    D_LARGEST,
    D_SMALLEST,
    ENTROPY,
    TRUE_ENTROPY,
    MAX_POSTERIOR,
    L_DISTINCT,
    L_ENTROPY,
    T_CLOSENESS,
    BEYOND_ALPHA_K,
    SMALLEST_CROWD,
    DETERMINED,
    MISLED,
    DISCLOSED,
    QI_VALUES,
    RULES,
    POSTERIOR,
    NAR_CONSTRAINTS,
    NAR_VARIABLES,
    CONSTRAINTS_UNPRUNED,
    CONSTRAINTS_BY_THEOREM,
    VARIABLES_UNPRUNED,
    VARIABLES,
    SOLVED_CLASSES,
    SOLVED_ROWS,
    STEPS,
    RESIDUAL,
    DUALITY_GAP,
    COMPLEMENTARITY,
    D_OVERALL_WITHOUT,
    VARIABLES_WITHOUT,
    DIFFERENCE,
    TOP_DIFFERENCE,
    TOP_D_WITH,
    TOP_D_WITHOUT,
    TOP_ORIGINAL,
    TOP_WITH,
    TOP_WITHOUT,
];
