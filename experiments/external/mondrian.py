#!/usr/bin/env python3
"""Mondrian-style bucketization: neighbours share groups.

After K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006: the table is cut in two at
the median of a quasi-identifier, again and again, as long as both halves stay ℓ-eligible (no sensitive value in more than 1
of ℓ rows). What cannot be cut any more is dealt out into groups of ℓ different values. Nothing is generalized: groups are
published as Anatomy publishes them, but their rows are alike, which queries about a part of the table are meant to gain by.

Readings. The attribute with the most distinct values, relative to the whole table, is tried first; on ties the first. Values
are ordered as numbers where all are numbers, else as text. A program of the protocol of docs/external-algorithms.md; needs
nothing beyond the standard library.
"""

import csv
import json
import os
import random
import sys
import time
from collections import Counter

VERSION = "mondrian 1.0"


class Refusal(Exception):
    """There is no release, for a good reason."""


def is_eligible(rows, sensitive, l):
    counts = Counter(sensitive[row] for row in rows)
    return max(counts.values()) * l <= len(rows)


def ranks(column, kind):
    """Value to its place in the column's order; missing values come last."""
    is_missing = lambda value: value in ("", "?")
    number = lambda value: (is_missing(value), 0.0 if is_missing(value) else float(value), value)
    order = sorted(set(column), key=number if kind == "numeric" else None)
    return {value: place for place, value in enumerate(order)}


def halves(rows, column):
    """The rows up to the median of a column, and those above it."""
    values = sorted(column[row] for row in rows)
    median = values[(len(values) - 1) // 2]
    if median == values[-1]:
        # More than half have the largest value: cut below it.
        median = max((value for value in values if value < median), default=median)
    return [row for row in rows if column[row] <= median], [row for row in rows if column[row] > median]


def partitions(rows, columns, sensitive, l):
    """Cuts until no cut leaves both halves eligible."""
    widths = [len(set(column)) for column in columns]
    waiting, done = [rows], []
    while waiting:
        rows = waiting.pop()
        spread = [len({column[row] for row in rows}) / width for column, width in zip(columns, widths)]
        for attribute in sorted(range(len(columns)), key=lambda attribute: -spread[attribute]):
            below, above = halves(rows, columns[attribute])
            if below and above and is_eligible(below, sensitive, l) and is_eligible(above, sensitive, l):
                waiting += [above, below]
                break
        else:
            done.append(rows)
    return done


def deal(rows, sensitive, l, rng):
    """Groups of at least l rows with different values: rows sorted by value, dealt out like cards."""
    rows = rows[:]
    rng.shuffle(rows)
    rows.sort(key=lambda row: sensitive[row])
    groups = len(rows) // l
    return [rows[first::groups] for first in range(groups)]


def publish(table, quasi_identifiers, l, rng):
    sensitive = [row[-1] for row in table]
    everybody = list(range(len(table)))
    if not table:
        raise Refusal("the table has no rows")
    if not is_eligible(everybody, sensitive, l):
        value, count = Counter(sensitive).most_common(1)[0]
        raise Refusal(f"not {l}-eligible: {value!r} is in {count} of {len(table)} rows, more than 1 in {l}")
    start = time.perf_counter()
    columns = []
    for place, role in enumerate(quasi_identifiers):
        column = [row[place] for row in table]
        rank = ranks(column, role["kind"])
        columns.append([rank[value] for value in column])
    parts = partitions(everybody, columns, sensitive, l)
    say(phase="partitioning", seconds=time.perf_counter() - start)
    say(counter="partitions", value=len(parts))
    start = time.perf_counter()
    groups = [group for part in parts for group in deal(part, sensitive, l, rng)]
    say(phase="grouping", seconds=time.perf_counter() - start)
    say(counter="groups", value=len(groups))
    group_of = [0] * len(table)
    for number, group in enumerate(groups):
        for row in group:
            group_of[row] = number
    return group_of


def say(**message):
    print(json.dumps(message), flush=True)


def write(directory, name, header, lines):
    with open(os.path.join(directory, name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)


def main():
    if "--version" in sys.argv[1:]:
        print(VERSION)
        return
    request = json.load(sys.stdin)
    with open(request["input"]["table"], newline="", encoding="utf-8") as file:
        header, *table = csv.reader(file)
    rng = random.Random(request["seed"])
    try:
        group_of = publish(table, request["input"]["quasi_identifiers"], request["parameters"]["l"], rng)
    except Refusal as refusal:
        say(refuse=str(refusal))
        return
    write(request["output"], "qit.csv", header[:-1] + ["group_id"], (r[:-1] + [g] for r, g in zip(table, group_of)))
    values = Counter((group, row[-1]) for row, group in zip(table, group_of))
    lines = ([group, value, count] for (group, value), count in sorted(values.items()))
    write(request["output"], "st.csv", ["group_id", header[-1], "count"], lines)


if __name__ == "__main__":
    main()
