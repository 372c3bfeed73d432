#!/usr/bin/env python3
"""@NAME@: a publisher of buckets. Needs nothing beyond the standard library.

It gets one JSON object on standard input and leaves two files in the output directory: which group each row is in, and
which sensitive values each group has. docs/external-algorithms.md is the protocol;
`anonlab algorithms check --release buckets --command python3 @NAME@.py` tests it.
"""

import csv
import json
import os
import random
import sys
import time
from collections import Counter

VERSION = "@NAME@ 0.1"


def publish(rows, quasi_identifiers, parameters, rng):
    """Gives each row its group: a list of numbers, as long as `rows`.

    A row is a list of texts: the quasi-identifiers in their order, then the sensitive value. `quasi_identifiers` says of
    each its name and kind ("numeric" or "categorical"). Raise Refusal when the guarantee cannot be kept.

    REPLACE THIS with your idea. As it is: rows sorted by sensitive value are dealt out like cards, so that no group gets a
    value twice.
    """
    l = parameters["l"]
    value, count = Counter(row[-1] for row in rows).most_common(1)[0]
    if count * l > len(rows):
        raise Refusal(f"not {l}-eligible: {value!r} is in {count} of {len(rows)} rows, more than 1 in {l}")
    order = list(range(len(rows)))
    rng.shuffle(order)
    order.sort(key=lambda row: rows[row][-1])
    groups = len(rows) // l
    group_of = [0] * len(rows)
    for place, row in enumerate(order):
        group_of[row] = place % groups
    count_of("groups", groups)
    return group_of


class Refusal(Exception):
    """There is no release, for a good reason."""


def say(**message):
    print(json.dumps(message), flush=True)


def count_of(name, value):
    """Reports a counter: a fact of the computation. What the release is worth is for the lab to say."""
    say(counter=name, value=value)


def main():
    if "--version" in sys.argv[1:]:
        print(VERSION)
        return
    request = json.load(sys.stdin)
    with open(request["input"]["table"], newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    start = time.perf_counter()
    try:
        roles = request["input"]["quasi_identifiers"]
        group_of = publish(rows, roles, request["parameters"], random.Random(request["seed"]))
    except Refusal as refusal:
        say(refuse=str(refusal))
        return
    say(phase="grouping", seconds=time.perf_counter() - start)
    write(request["output"], "qit.csv", header[:-1] + ["group_id"], (r[:-1] + [g] for r, g in zip(rows, group_of)))
    values = Counter((group, row[-1]) for row, group in zip(rows, group_of))
    lines = ([group, value, count] for (group, value), count in sorted(values.items()))
    write(request["output"], "st.csv", ["group_id", header[-1], "count"], lines)


def write(directory, name, header, lines):
    with open(os.path.join(directory, name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)


if __name__ == "__main__":
    main()
