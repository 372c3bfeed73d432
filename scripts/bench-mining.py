"""Mines with pyfim what `cargo bench --bench mining` mined, and prints both beside each other.

The argument is the table that the benchmark printed. Times are CPU seconds, the fastest of several repetitions.
pyfim's include the reading of Python objects into its own, which ours has no counterpart of: the time of a call that
finds nothing is taken off before the ratio is formed. To our counting of all itemsets stands pyfim's cheapest output, a
spectrum (how many itemsets there are of which size and support); to all else its list of itemsets.
"""

import csv
import gc
import gzip
import itertools
import os
import pathlib
import sys
import time

import fim

SECONDS = 0.3
MASK = (1 << 64) - 1


def read(name):
    plain = pathlib.Path(os.environ["ANONLAB_DATA"], f"{name}.dat")
    opened = open(plain, "rt") if plain.exists() else gzip.open(f"{plain}.gz", "rt")
    with opened as lines:
        return [tuple(map(int, line.split())) for line in lines]


def fastest(run):
    """The CPU seconds of the fastest repetition, and its result."""
    total, best, result = 0.0, float("inf"), None
    while total < SECONDS:
        result = None
        gc.collect()
        before = time.process_time()
        result = run()
        seconds = time.process_time() - before
        total, best = total + seconds, min(best, seconds)
    return best, result


def key(item):
    """The number of an item in the checksum; the same as in benches/mining.rs."""
    z = (item + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def checksum(found, keys):
    total = 0
    for itemset, support in found:
        mixed = sum(map(keys.__getitem__, itemset)) & MASK
        total += (mixed ^ (mixed >> 32)) * 0xBF58476D1CE4E5B9 * (2 * support + 1)
    return total & MASK


def complete(found, everywhere, rows, target):
    """Adds what pyfim's fpgrowth leaves out (its sam and relim do not): itemsets of nothing but items that every row has."""
    if not everywhere or any(everywhere.issuperset(itemset) for itemset, _ in found):
        return found
    if target != "s":
        return found
    sizes = range(1, len(everywhere) + 1)
    return found + [(part, rows) for size in sizes for part in itertools.combinations(everywhere, size)]


# What pyfim is asked for: target and report.
ASKED = {"all": ("s", "a"), "count": ("s", "#"), "maximal": ("m", "a")}


def main():
    # The collector would walk through all that is found, again and again.
    gc.disable()
    print("dataset     support target   itemsets same      ours     pyfim  reading  ratio   (ms of CPU)")
    different, ratios = 0, []
    rows, name = None, None
    for run in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
        if run["dataset"] != name:
            name = run["dataset"]
            rows = read(name)
            everywhere = frozenset(rows[0]).intersection(*rows)
            keys = {item: key(item) for item in {item for row in rows for item in row}}
            reading, _ = fastest(lambda: fim.fpgrowth(rows, supp=-(len(rows) + 1)))
        target, report = ASKED[run["target"]]
        # A negative support is a number of rows.
        seconds, found = fastest(
            lambda: fim.fpgrowth(rows, target=target, supp=-int(run["min_support"]), report=report)
        )
        same = "-"
        if report == "a":
            found = complete(found, everywhere, len(rows), target)
            is_same = len(found) == int(run["itemsets"]) and checksum(found, keys) == int(run["checksum"])
            different += not is_same
            same = "yes" if is_same else "NO"
        found = None
        ours = float(run["seconds"])
        ratio = (seconds - reading) / ours
        ratios.append(ratio)
        print(
            f"{name:11} {run['percent'] + ' %':>7} {run['target']:8} {run['itemsets']:>8} {same:>4} "
            f"{ours * 1e3:9.2f} {seconds * 1e3:9.2f} {reading * 1e3:8.2f} {ratio:6.1f}",
            flush=True,
        )
    print(f"pyfim, less its reading, takes {min(ratios):.1f} to {max(ratios):.1f} times as long")
    if different:
        sys.exit(f"{different} runs found different itemsets")


if __name__ == "__main__":
    main()
