"""Other solvers on the problems that `cargo bench --bench maxent -- --export` writes.

Each problem has two sensitive values. With p the probability of the first for each class of quasi-identifier values, it is

    maximize  sum of weight * entropy(p)   subject to   lower <= A p <= upper.

L-BFGS-B minimizes the dual, whose multipliers have a sign where a row is no equality. Clarabel gets two exponential cones
a class. Both get the classes merged, as ours does here, and are timed in CPU seconds without building their matrices.
"""

import argparse
import json
import pathlib
import time

import clarabel
import numpy as np
import scipy.optimize
import scipy.sparse as sparse


class Problem:
    def __init__(self, path):
        data = json.loads(path.read_text())
        self.name = data["name"]
        self.weights = np.array(data["weights"])
        rows = data["rows"]
        self.lower = np.array([row["lower"] for row in rows])
        self.upper = np.array([row["upper"] for row in rows])
        ends = np.cumsum([0] + [len(row["members"]) for row in rows])
        members = np.concatenate([row["members"] for row in rows] + [[]]).astype(int)
        weights = self.weights[members] if len(members) else np.array([])
        self.matrix = sparse.csr_matrix((weights, members, ends), shape=(len(rows), len(self.weights)))
        self.capacity = np.asarray(self.matrix.sum(axis=1)).ravel() if rows else np.array([])
        self.seconds = data["seconds"]
        self.residual_of_ours = data["residual"]
        self.answer = np.zeros(len(self.weights))
        self.answer[np.array(data["classes"])] = data["posterior"]

    def residual(self, p):
        if len(self.lower) == 0:
            return 0.0
        sums = self.matrix @ p
        return float(np.max(np.maximum(np.maximum(self.lower - sums, sums - self.upper), 0)))


def by_lbfgsb(problem, limit):
    """Minimizes sum of weight * log(1 + exp(A' m)) - lower * m+ + upper * m-, where m = m+ - m-."""
    equal = problem.lower == problem.upper
    low = ~equal & (problem.lower > 0)
    high = ~equal & (problem.upper < problem.capacity)
    membership = problem.matrix.copy()
    membership.data[:] = 1.0
    stacked = sparse.vstack([membership[equal], membership[low], -membership[high]]).tocsr()
    sides = np.concatenate([problem.lower[equal], problem.lower[low], -problem.upper[high]])
    bounds = [(None, None)] * int(equal.sum()) + [(0, None)] * int(low.sum() + high.sum())
    transposed = stacked.T.tocsr()
    start = time.process_time()

    def dual(multipliers):
        exponents = transposed @ multipliers
        value = problem.weights @ np.logaddexp(0, exponents) - sides @ multipliers
        p = 1 / (1 + np.exp(-np.clip(exponents, -700, 700)))
        return value, stacked @ (problem.weights * p) - sides

    def stop_late(_):
        if time.process_time() - start > limit:
            raise StopIteration

    options = {"maxiter": 10**6, "maxfun": 10**7, "ftol": 1e-15, "gtol": 1e-10, "maxcor": 20}
    found = scipy.optimize.minimize(
        dual, np.zeros(len(sides)), jac=True, method="L-BFGS-B", bounds=bounds, callback=stop_late, options=options
    )
    seconds = time.process_time() - start
    p = 1 / (1 + np.exp(-np.clip(transposed @ found.x, -700, 700)))
    return p, seconds, seconds > limit


def by_clarabel(problem, limit):
    n = len(problem.weights)
    equal = problem.lower == problem.upper
    low = ~equal & (problem.lower > 0)
    high = ~equal & (problem.upper < problem.capacity)
    zero = lambda rows: sparse.csr_matrix((int(rows.sum()), 2 * n))
    linear = sparse.vstack([
        sparse.hstack([problem.matrix[equal], zero(equal)]),
        sparse.hstack([-problem.matrix[low], zero(low)]),
        sparse.hstack([problem.matrix[high], zero(high)]),
    ])
    # (t, p, 1) and (u, 1 - p, 1) in the exponential cone: t <= -p ln p, u <= -(1 - p) ln(1 - p).
    classes = np.arange(n)
    i = np.concatenate([6 * classes, 6 * classes + 1, 6 * classes + 3, 6 * classes + 4])
    j = np.concatenate([n + classes, classes, 2 * n + classes, classes])
    entries = np.concatenate([-np.ones(n), -np.ones(n), -np.ones(n), np.ones(n)])
    cones = sparse.csr_matrix((entries, (i, j)), shape=(6 * n, 3 * n))
    right = np.tile([0.0, 0.0, 1.0, 0.0, 1.0, 1.0], n)
    matrix = sparse.vstack([linear, cones]).tocsc()
    sides = np.concatenate([problem.lower[equal], -problem.lower[low], problem.upper[high], right])
    objective = np.concatenate([np.zeros(n), -problem.weights, -problem.weights])
    kinds = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(low.sum() + high.sum()))]
    kinds += [clarabel.ExponentialConeT()] * (2 * n)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.time_limit = limit
    start = time.process_time()
    solver = clarabel.DefaultSolver(sparse.csc_matrix((3 * n, 3 * n)), objective, matrix, sides, kinds, settings)
    solution = solver.solve()
    seconds = time.process_time() - start
    return np.array(solution.x[:n]), seconds, "MaxTime" in str(solution.status)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("problems", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=120)
    arguments = parser.parse_args()
    print(f"\n{'cell':<44}{'ours':>10}{'residual':>10}{'L-BFGS-B':>11}{'residual':>10}{'off by':>9}{'ratio':>8}"
          f"{'Clarabel':>11}{'residual':>10}{'off by':>9}{'ratio':>8}")
    least = {}
    for path in sorted(arguments.problems.glob("*.json")):
        problem = Problem(path)
        if len(problem.lower) == 0:
            continue
        line = f"{problem.name:<44}{problem.seconds * 1e3:>7.1f} ms{problem.residual_of_ours:>10.0e}"
        for name, solve in [("L-BFGS-B", by_lbfgsb), ("Clarabel", by_clarabel)]:
            p, seconds, stopped = solve(problem, arguments.limit)
            ratio = seconds / problem.seconds
            least[name] = min(least.get(name, (np.inf, "")), (ratio, problem.name))
            off = float(np.max(np.abs(p - problem.answer)))
            mark = ">" if stopped else " "
            line += f"{mark}{seconds:>8.2f} s{problem.residual(p):>10.0e}{off:>9.0e}{mark}{ratio:>7.0f}"
        print(line, flush=True)
    for name, (ratio, cell) in least.items():
        print(f"least ratio against {name}: {ratio:.1f} ({cell})")


if __name__ == "__main__":
    main()
