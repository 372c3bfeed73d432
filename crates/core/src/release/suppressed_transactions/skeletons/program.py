#!/usr/bin/env python3
"""@NAME@: a publisher of suppressed transactions. Needs nothing beyond the standard library.

It gets one JSON object on standard input and leaves two files in the output directory: the transactions without the
suppressed public items, and the list of these. docs/external-algorithms.md is the protocol;
`anonlab algorithms check --release suppressed-transactions --command python3 @NAME@.py` tests it.
"""

import csv
import json
import os
import sys
import time
from collections import Counter
from itertools import combinations

VERSION = "@NAME@ 0.1"


def publish(transactions, private, parameters):
    """Gives the public items to suppress everywhere: a set. Raise Refusal when the guarantee cannot be kept.

    REPLACE THIS with your idea. As it is: while somebody who knows at most p public items learns too much, the rarest
    item of each set goes that says too much and still has all its items.
    """
    h, k, p = parameters["h"], parameters["k"], parameters["p"]
    if moles(transactions, private, h, k, 0):
        raise Refusal("whoever knows nothing already learns too much, so no suppression helps")
    supports = Counter(item for row in transactions for item in set(row))
    suppressed = set()
    rows = transactions
    for size in range(1, p + 1):
        while found := moles(rows, private, h, k, size):
            for known in found:
                if suppressed.isdisjoint(known):
                    suppressed.add(min(known, key=lambda item: (supports[item], item)))
            rows = [[item for item in row if item not in suppressed] for row in rows]
    count_of("suppressed_items", len(suppressed))
    return suppressed


def moles(rows, private, h, k, size):
    """Every set of `size` public items that is in some row, but in fewer than k, or that tells a private item."""
    supports, together = Counter(), Counter()
    for row in rows:
        secrets = private.intersection(row)
        for known in combinations(sorted(set(row) - private), size):
            supports[known] += 1
            together.update((known, secret) for secret in secrets)
    if size == 0:
        supports[()] = len(rows)
    worst = Counter()
    for (known, _), count in together.items():
        worst[known] = max(worst[known], count)
    return sorted(known for known, n in supports.items() if n < k or worst[known] > h * n)


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
        private = {line["item"] for line in csv.DictReader(file) if line["role"] == "private"}
    start = time.perf_counter()
    try:
        suppressed = publish(transactions, private, request["parameters"])
    except Refusal as refusal:
        say(refuse=str(refusal))
        return
    say(phase="search", seconds=time.perf_counter() - start)
    output = request["output"]
    with open(os.path.join(output, "transactions.dat"), "w", encoding="utf-8") as file:
        for row in transactions:
            file.write(" ".join(item for item in row if item not in suppressed) + "\n")
    with open(os.path.join(output, "suppressed.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item"])
        writer.writerows([item] for item in sorted(suppressed))


if __name__ == "__main__":
    main()
