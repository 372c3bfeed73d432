"""Mines with pyfim what `cargo bench --bench mining` mined, and prints both beside each other.

The argument is the table that the benchmark printed. Times are CPU seconds, the fastest of several repetitions.
pyfim's include the reading of Python objects into its own, which ours has no counterpart of: `reading` is the time of a
call that finds nothing, and is taken off before the ratios are formed. pyfim's cheapest output is a spectrum (how many
itemsets of which size and support); it stands beside our counting, its list of itemsets beside our visiting.
"""

import csv
import gc
import gzip
import os
import pathlib
import sys
import time

import fim

SECONDS = 0.5
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


def main():
    # The collector would walk through all that is found, again and again.
    gc.disable()
    header = "dataset     support  itemsets  same │ visited    listed  ratio │ counted  spectrum  ratio │ reading"
    print(header)
    print("                                  │      ms        ms        │      ms        ms        │      ms")
    different, ratios = 0, []
    rows, name = None, None
    for run in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
        if run["dataset"] != name:
            name = run["dataset"]
            rows = read(name)
            keys = {item: key(item) for item in {item for row in rows for item in row}}
            reading, _ = fastest(lambda: fim.fpgrowth(rows, supp=-(len(rows) + 1)))
        # A negative support is a number of rows.
        support = -int(run["min_support"])
        spectrum, _ = fastest(lambda: fim.fpgrowth(rows, supp=support, report="#"))
        listed, found = fastest(lambda: fim.fpgrowth(rows, target="s", supp=support, report="a"))
        same = len(found) == int(run["itemsets"]) and checksum(found, keys) == int(run["checksum"])
        different += not same
        visit, count = float(run["visit_seconds"]), float(run["count_seconds"])
        pair = (listed - reading) / visit, (spectrum - reading) / count
        ratios += pair
        print(
            f"{name:11} {run['percent'] + ' %':>7} {len(found):9} {'yes' if same else 'NO':>5} "
            f"│ {visit * 1e3:7.2f} {listed * 1e3:9.2f} {pair[0]:6.1f} "
            f"│ {count * 1e3:7.2f} {spectrum * 1e3:9.2f} {pair[1]:6.1f} │ {reading * 1e3:7.2f}",
            flush=True,
        )
        found = None
    print(f"ratios (pyfim less reading, to ours): from {min(ratios):.1f} to {max(ratios):.1f}")
    if different:
        sys.exit(f"{different} runs found different itemsets")


if __name__ == "__main__":
    main()
