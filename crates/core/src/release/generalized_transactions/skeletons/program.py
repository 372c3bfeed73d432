#!/usr/bin/env python3
"""@NAME@: a publisher of generalized transactions. Needs nothing beyond the standard library.

It gets one JSON object on standard input and leaves two files in the output directory: the transactions with every item
replaced by a node of its hierarchy, and the cut, which says what each item became. docs/external-algorithms.md is the protocol;
`anonlab algorithms check --release generalized-transactions --command python3 @NAME@.py` tests it.
"""

import csv
import json
import os
import sys
import time
from collections import Counter
from itertools import combinations

VERSION = "@NAME@ 0.1"


def publish(transactions, items, parent, parameters):
    """Gives the node that each item is published as: a dictionary.

    `parent` maps every node of the hierarchy to the one above it; the root is in none of its keys. The nodes used must be
    a cut: an item below a node that is used is published as that node. Raise Refusal when the guarantee cannot be kept.

    REPLACE THIS with your idea. As it is: all items go up, level by level, until the guarantee is kept.
    """
    k, m = parameters["k"], parameters["m"]
    if len(transactions) < k:
        raise Refusal(f"there are {len(transactions)} transactions, fewer than k = {k}")
    if not all(transactions):
        raise Refusal("there is an empty transaction")
    published = {item: item for item in items}
    level = 0
    while not is_anonymous([{published[item] for item in row} for row in transactions], k, m):
        # Items at different depths meet at the root all the same.
        level += 1
        published = {item: ancestor(item, level, parent) for item in items}
        published = {item: lowest_used_above(node, published, parent) for item, node in published.items()}
    count_of("levels", level)
    return published


def ancestor(node, steps, parent):
    while steps and node in parent:
        node, steps = parent[node], steps - 1
    return node


def lowest_used_above(node, published, parent):
    """The highest node in use at or above `node`: what makes the nodes in use a cut."""
    used = set(published.values())
    highest = node
    while node in parent:
        node = parent[node]
        if node in used:
            highest = node
    return highest


def is_anonymous(rows, k, m):
    """Whether every set of at most m nodes that is in some row is in at least k of them."""
    for size in range(1, m + 1):
        supports = Counter(known for row in rows for known in combinations(sorted(row), size))
        if any(support < k for support in supports.values()):
            return False
    return True


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
    with open(request["input"]["transactions"], encoding="utf-8") as file:
        transactions = [line.split() for line in file]
    with open(request["input"]["items"], newline="", encoding="utf-8") as file:
        items = [line["item"] for line in csv.DictReader(file)]
    with open(request["input"]["hierarchy"], newline="", encoding="utf-8") as file:
        parent = {line["node"]: line["parent"] for line in csv.DictReader(file) if line["parent"]}
    start = time.perf_counter()
    try:
        published = publish(transactions, items, parent, request["parameters"])
    except Refusal as refusal:
        say(refuse=str(refusal))
        return
    say(phase="search", seconds=time.perf_counter() - start)
    output = request["output"]
    # Nodes are published as numbers; the cut says what they mean.
    number = {node: i for i, node in enumerate(sorted(set(published.values())))}
    with open(os.path.join(output, "transactions.dat"), "w", encoding="utf-8") as file:
        for row in transactions:
            file.write(" ".join(str(n) for n in sorted({number[published[item]] for item in row})) + "\n")
    with open(os.path.join(output, "cut.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item", "id", "node"])
        writer.writerows([item, number[published[item]], published[item]] for item in items)


if __name__ == "__main__":
    main()
