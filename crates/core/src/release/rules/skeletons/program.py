#!/usr/bin/env python3
"""@NAME@: a publisher of association rules. Needs nothing beyond the standard library.

It gets one JSON object on standard input and leaves two files in the output directory: the rules, and what they have in
common. docs/external-algorithms.md is the protocol;
`anonlab algorithms check --release rules --command python3 @NAME@.py` tests it.
"""

import csv
import json
import os
import sys
import time
from collections import Counter
from itertools import combinations

VERSION = "@NAME@ 0.1"


def publish(rows, parameters):
    """Gives every rule as (antecedent, consequent, records with the antecedent, records with both); an antecedent is a
    tuple of (column, value).

    REPLACE THIS with your idea. As it is: every pattern that occurs is counted.
    """
    columns = range(len(rows[0]) - 1)
    shortest = 0 if parameters["empty_antecedent"] else 1
    antecedents, both = Counter(), Counter()
    for row in rows:
        for size in range(shortest, len(columns) + 1):
            for chosen in combinations(columns, size):
                antecedent = tuple((column, row[column]) for column in chosen)
                antecedents[antecedent] += 1
                both[antecedent, row[-1]] += 1
    rules = [
        (antecedent, consequent, antecedents[antecedent], count)
        for (antecedent, consequent), count in both.items()
        if is_rule(antecedents[antecedent], count, len(rows), parameters)
    ]
    count_of("rules", len(rules))
    return sorted(rules, key=lambda rule: (len(rule[0]), rule))


def is_rule(antecedent, both, records, parameters):
    support, confidence = parameters["support"], both / antecedent
    supported = both / records >= support or (parameters["round_down"] and (both + 1) / records > support)
    if parameters["strict_confidence"]:
        return supported and confidence > parameters["confidence"]
    return supported and confidence >= parameters["confidence"]


def say(**message):
    print(json.dumps(message), flush=True)


def count_of(name, value):
    """Reports a counter: a fact of the computation. What the release is worth is for the lab to say."""
    say(counter=name, value=value)


def escaped(value):
    """`*` stands for any value, so one that begins so is marked."""
    return "\\" + value if value.startswith(("*", "\\")) else value


def main():
    if "--version" in sys.argv[1:]:
        print(VERSION)
        return
    request = json.load(sys.stdin)
    with open(request["input"]["table"], newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    parameters = request["parameters"]
    if not rows:
        say(refuse="the table has no rows")
        return
    if parameters["first"] is not None:
        say(refuse="this program publishes all rules, not the first ones")
        return
    start = time.perf_counter()
    rules = publish(rows, parameters)
    say(phase="mining", seconds=time.perf_counter() - start)
    output = request["output"]
    with open(os.path.join(output, "rules.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header + ["antecedent_records", "rule_records"])
        for antecedent, consequent, records, both in rules:
            line = ["*"] * (len(header) - 1)
            for column, value in antecedent:
                line[column] = escaped(value)
            counts = [records, both] if parameters["exact"] else ["", ""]
            writer.writerow(line + [escaped(consequent)] + counts)
    thresholds = ("support", "confidence", "strict_confidence", "round_down", "empty_antecedent")
    common = {
        "records": len(rows),
        "thresholds": {name: parameters[name] for name in thresholds},
        "complete": True,
        "sensitive_records": Counter(row[-1] for row in rows) if parameters["sensitive_distribution"] else None,
    }
    with open(os.path.join(output, "rules.json"), "w", encoding="utf-8") as file:
        json.dump(common, file)


if __name__ == "__main__":
    main()
