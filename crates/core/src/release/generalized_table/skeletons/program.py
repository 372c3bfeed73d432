#!/usr/bin/env python3
"""@NAME@: a publisher of generalized tables. Needs nothing beyond the standard library.

It gets one JSON object on standard input and leaves table.csv in the output directory: the rows in their order, with
generalized quasi-identifiers. docs/external-algorithms.md is the protocol, docs/generalized-tables.md says what a cell may be;
`anonlab algorithms check --release generalized-table --command python3 @NAME@.py` tests it.
"""

import csv
import json
import os
import sys
import time

VERSION = "@NAME@ 0.1"


def publish(rows, quasi_identifiers, parameters):
    """Gives each row its class: a list of lists of row numbers.

    A row is a list of texts: the quasi-identifiers in their order, then the sensitive value. `quasi_identifiers` says of
    each its name and kind ("numeric" or "categorical"). Raise Refusal when the guarantee cannot be kept.

    REPLACE THIS with your idea. As it is: rows sorted by their quasi-identifiers, k at a time.
    """
    k = parameters["k"]
    if len(rows) < k:
        raise Refusal(f"k is {k}, and there are {len(rows)} rows")

    def key(row):
        # Numbers first, by size; then everything else, by text.
        return [(0, float(cell), "") if is_number(cell) else (1, 0.0, cell) for cell in rows[row][:-1]]

    order = sorted(range(len(rows)), key=key)
    starts = list(range(0, len(order) - k + 1, k))
    classes = [order[start : start + k] for start in starts]
    classes[-1] += order[starts[-1] + k :]
    count_of("blocks", len(classes))
    return classes


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def generalize(cells, kind):
    """One cell that covers all of `cells`: the value, an interval of numbers, or a set of values."""
    values = sorted(set(cells))
    if len(values) == 1:
        return values[0]
    if kind == "numeric" and all(is_number(value) for value in values):
        return f"[{min(values, key=float)},{max(values, key=float)}]"
    # A semicolon that belongs to a value is written with a backslash before it.
    return "{" + ";".join(value.replace("\\", "\\\\").replace(";", "\\;") for value in values) + "}"


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
    roles = request["input"]["quasi_identifiers"]
    try:
        classes = publish(rows, roles, request["parameters"])
    except Refusal as refusal:
        say(refuse=str(refusal))
        return
    # Rows stay in their place. A row that fits in nowhere may become ["*"] * len(row): that suppresses it.
    released = [list(row) for row in rows]
    for members in classes:
        for column, role in enumerate(roles):
            cell = generalize([rows[row][column] for row in members], role["kind"])
            for row in members:
                released[row][column] = cell
    say(phase="generalizing", seconds=time.perf_counter() - start)
    with open(os.path.join(request["output"], "table.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(released)


if __name__ == "__main__":
    main()
