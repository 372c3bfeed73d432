//! What the audit reports, by name.

use crate::lab::Metric;

/// How large the adversary's problem is, and how its solver fared.
const fn diagnostic(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::fact(name, unit, about).diagnostic()
}

/// Divergences: the closer the adversary is to the truth, the less private.
const fn private(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::higher(name, unit, about).tolerating(1e-6)
}

const fn exposed(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::lower(name, unit, about).tolerating(1e-6)
}

/// What is left when the solver stops, next to nothing: only another order of magnitude is news.
const fn residue(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::lower(name, unit, about).tolerating(10.0).diagnostic()
}

/// Constants of these metrics, and the list of all in this order.
macro_rules! metrics {
    ($($name:ident = $metric:expr;)*) => {
        $(pub const $name: Metric = $metric;)*
        pub const ALL: &[Metric] = &[$($name),*];
    };
}

metrics! {
    D_OVERALL =
        private("d_overall", "nats", "divergence of the adversary's belief from the truth, mean over the records");
    D_QUANTILE =
        private("d_individual_quantile", "nats", "individual divergence that this share of the records has at most");
    D_LARGEST = private("d_individual_largest", "nats", "mean of the K largest divergences of quasi-identifier values");
    D_SMALLEST =
        private("d_individual_smallest", "nats", "mean of the K smallest divergences: those the adversary knows best");
    ENTROPY = private("entropy", "nats", "entropy of the adversary's belief, per record");
    TRUE_ENTROPY = Metric::fact(
        "entropy_original",
        "nats",
        "entropy of the sensitive value given the quasi-identifiers, per record",
    );

    MAX_POSTERIOR = exposed("max_posterior", "", "largest probability the adversary gives any value");
    L_DISTINCT = private("l_distinct", "values", "fewest values the adversary leaves to anybody");
    L_ENTROPY = private("l_entropy", "values", "smallest exponential of the entropy of anybody's posterior");
    T_CLOSENESS = exposed(
        "t_closeness",
        "",
        "largest distance of anybody's posterior from the shares of all, as half the sum of differences",
    );
    BEYOND_ALPHA_K = exposed(
        "beyond_alpha_k",
        "individuals",
        "individuals with a posterior above alpha, or among fewer than k who look the same",
    );
    SMALLEST_CROWD = private("smallest_crowd", "individuals", "fewest individuals who look the same to the adversary");
    DETERMINED =
        exposed("determined", "individuals", "individuals whose own value has a posterior of `determined_at` or more");
    MISLED = Metric::fact(
        "misled",
        "individuals",
        "individuals of whom a wrong value has a posterior of `determined_at` or more",
    );
    DISCLOSED = exposed("disclosed", "individuals", "individuals whose own value has `factor` times its prior or more");

    QI_VALUES = diagnostic("qi_values", "values", "distinct quasi-identifier values");
    RULES = Metric::fact("known_rules", "rules", "rules the adversary knows");
    POSTERIOR = Metric::fact("posterior", "", "P*(X | Q), for each quasi-identifier value and each sensitive value");
    NAR_CONSTRAINTS = diagnostic("nar_constraints", "constraints", "constraints from patterns that were not published");
    NAR_VARIABLES = diagnostic("nar_variables", "variables", "variables in them, each as often as it occurs");
    CONSTRAINTS_UNPRUNED = diagnostic("constraints_unpruned", "constraints", "patterns that could give a constraint");
    CONSTRAINTS_BY_THEOREM = diagnostic(
        "constraints_by_theorem_2",
        "constraints",
        "sensitive values times the patterns there would be if every combination of values occurred",
    );
    VARIABLES_UNPRUNED = diagnostic("variables_unpruned", "variables", "variables in them, each as often as it occurs");
    VARIABLES =
        diagnostic("variables", "variables", "variables in all constraints, those of the quasi-identifiers included");
    SOLVED_CLASSES =
        diagnostic("solved_classes", "classes", "classes of quasi-identifier values that constraints tell apart");
    SOLVED_ROWS = diagnostic("solved_rows", "rows", "different constraints that say something");
    STEPS = diagnostic("steps", "steps", "Newton steps of the solver");

    RESIDUAL = residue("residual", "", "largest miss of a constraint, as a share of all records");
    DUALITY_GAP = residue("duality_gap", "nats", "how much more entropy any answer could have");
    COMPLEMENTARITY = residue("complementarity", "", "largest product of a multiplier and its slack");

    D_OVERALL_WITHOUT =
        private("d_overall_without_non_rules", "nats", "d_overall when unpublished patterns are ignored");
    VARIABLES_WITHOUT = diagnostic(
        "variables_without_non_rules",
        "variables",
        "variables in all constraints but those of unpublished patterns",
    );
    DIFFERENCE = exposed("difference", "nats", "mean of the K largest falls of a divergence by unpublished patterns");
    TOP_DIFFERENCE =
        exposed("top_difference", "nats", "fall of the divergence, of the K-th most exposed quasi-identifier value");
    TOP_D_WITH = private("top_d_with", "nats", "its divergence with unpublished patterns used");
    TOP_D_WITHOUT = private("top_d_without", "nats", "its divergence with unpublished patterns ignored");
    TOP_ORIGINAL = Metric::fact("top_original", "", "share of its most frequent sensitive value in the original");
    TOP_WITH = exposed("top_posterior_with", "", "posterior of that value with unpublished patterns used");
    TOP_WITHOUT = exposed("top_posterior_without", "", "posterior of that value with unpublished patterns ignored");
}
