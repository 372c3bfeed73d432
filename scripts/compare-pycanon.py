"""Computes k, ℓ, α, t, β and δ of random tables with pycanon and with anonlab, and says where they differ and why.

Arguments: the anonlab binary, the number of tables. pycanon gets what anonlab publishes as `identity`: the table itself. Values
that pycanon defines otherwise are compared with that definition in mind (see docs/generalized-tables.md); any other difference
is an error.
"""

import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections import Counter

import pandas
from pycanon import anonymity

warnings.filterwarnings("ignore")
QUASI = ["age", "town", "job"]


def random_table(rng):
    rows, values = rng.choice([5, 20, 60, 200]), rng.randint(2, 5)
    ages, towns, jobs = (rng.randint(1, most) for most in (3, 2, 2))
    return [
        [str(20 + 10 * rng.randrange(ages)), "ab"[rng.randrange(towns)], "xy"[rng.randrange(jobs)], f"s{rng.randrange(values)}"]
        for _ in range(rows)
    ]


def ours(binary, tables, directory):
    datasets = {}
    for i, rows in enumerate(tables):
        name = f"t{i}.csv"
        with open(os.path.join(directory, name), "w", newline="") as file:
            csv.writer(file).writerows([QUASI + ["s"]] + rows)
        source = {"file": name, "format": "csv"}
        datasets[f"t{i}"] = {"source": source, "quasi_identifiers": QUASI, "sensitive": "s"}
    figure = {
        "title": "Random tables",
        "datasets": list(datasets),
        "algorithms": ["identity"],
        "measures": ["reached-privacy", "risk"],
        "draw": {"kind": "table", "x": "dataset", "y": "reached_k"},
    }
    spec = {"anonlab": 1, "title": "Random tables", "datasets": datasets, "figures": {"f": figure}}
    path = os.path.join(directory, "random.yaml")
    with open(path, "w") as file:
        json.dump(spec, file)
    out = os.path.join(directory, "out")
    subprocess.run([binary, "run", path, "--out", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = [os.path.join(base, name) for base, _, names in os.walk(out) for name in names if name == "measurements.csv"]
    values = {}
    with open(found[0], newline="") as file:
        for row in csv.DictReader(file):
            values.setdefault(row["dataset"], {})[row["metric"]] = float(row["value"])
    return [values[f"t{i}"] for i in range(len(tables))]


def theirs(rows):
    frame = pandas.DataFrame(rows, columns=QUASI + ["s"])
    sensitive = ["s"]
    return {
        "k": anonymity.k_anonymity(frame, QUASI),
        "alpha": anonymity.alpha_k_anonymity(frame, QUASI, sensitive)[0],
        "l": anonymity.l_diversity(frame, QUASI, sensitive),
        "entropy_l": anonymity.entropy_l_diversity(frame, QUASI, sensitive),
        "t": anonymity.t_closeness(frame, QUASI, sensitive),
        "beta": anonymity.basic_beta_likeness(frame, QUASI, sensitive),
        "enhanced_beta": anonymity.enhanced_beta_likeness(frame, QUASI, sensitive),
        "recursive_c": anonymity.recursive_c_l_diversity(frame, QUASI, sensitive, imp=0)[0],
        "delta": anonymity.delta_disclosure(frame, QUASI, sensitive),
    }


def class_counts(rows):
    """The counts of the sensitive values of each class."""
    classes = {}
    for row in rows:
        classes.setdefault(tuple(row[:-1]), Counter())[row[-1]] += 1
    return [list(counts.values()) for counts in classes.values()]


def recursive_c(rows, l, largest_first):
    """The smallest c of recursive (c, l)-diversity; pycanon sorts the counts the other way."""
    counts = [sorted(counts, reverse=largest_first) for counts in class_counts(rows)]
    return max(count[0] / sum(count[l - 1 :]) if len(count) >= l else math.inf for count in counts)


def main():
    binary, number = sys.argv[1], int(sys.argv[2])
    rng = random.Random(18)
    tables = [random_table(rng) for _ in range(number)]
    with tempfile.TemporaryDirectory() as directory:
        measured = ours(binary, tables, directory)
    explained, wrong = {}, []
    for i, (rows, mine) in enumerate(zip(tables, measured)):
        other = theirs(rows)

        def is_close(found, wanted):
            return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12)

        def same(name, found, wanted):
            if not is_close(found, wanted):
                wrong.append(f"table {i}: {name} is {found} here, {wanted} of pycanon")

        def explain(reason, name, found, wanted, by_their_definition):
            """Theirs may differ from ours only as the definition they use does."""
            same(f"{name} by their definition", by_their_definition, wanted)
            if not is_close(found, wanted):
                explained[reason] = explained.get(reason, 0) + 1

        same("k", mine["reached_k"], other["k"])
        same("alpha", mine["reached_alpha"], other["alpha"])
        same("l", mine["reached_l"], other["l"])
        same("t", mine["reached_t"], other["t"])
        same("beta", mine["reached_beta"], other["beta"])
        # pycanon truncates e^H, which rounding may have left a hair below a whole number.
        entropy = mine["reached_entropy_l"]
        if other["entropy_l"] not in (int(entropy), int(entropy + 1e-9), int(entropy - 1e-9)):
            wrong.append(f"table {i}: entropy ℓ is {entropy} here, {other['entropy_l']} of pycanon")
        elif other["entropy_l"] != entropy:
            explained["entropy ℓ truncated"] = explained.get("entropy ℓ truncated", 0) + 1
        totals = Counter(row[-1] for row in rows).values()
        explain(
            "enhanced β bounded by the largest −ln p of all values",
            "enhanced β",
            mine.get("reached_enhanced_beta", math.inf),
            other["enhanced_beta"],
            min(mine["reached_beta"], max(-math.log(total / len(rows)) for total in totals)),
        )
        # Ours is for ℓ = 2 unless told otherwise; theirs for the distinct ℓ that is reached, as the next whole number.
        same("recursive c, literally", mine.get("reached_recursive_c", math.inf), recursive_c(rows, 2, True))
        if other["l"] > 1:
            explain(
                "recursive (c, ℓ) with counts sorted ascending",
                "recursive c",
                math.floor(recursive_c(rows, other["l"], True) + 1),
                other["recursive_c"],
                math.floor(recursive_c(rows, other["l"], False) + 1),
            )
        # A value that a class lacks makes δ infinite here, which has no row; pycanon leaves it out.
        if "reached_delta" in mine:
            same("delta", mine["reached_delta"], other["delta"])
        else:
            explained["absent values left out of δ"] = explained.get("absent values left out of δ", 0) + 1
    for reason, count in explained.items():
        print(f"{count} of {number} tables differ by definition: {reason}")
    print("\n".join(wrong) or f"all other values of {number} tables are equal")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
