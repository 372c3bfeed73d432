#!/usr/bin/env python3
"""Compares two output directories of the same specs, on real data and on stand-ins; prints Markdown.

compare-verdicts.py REAL STAND_IN
"""
import csv
import math
import sys
from pathlib import Path

VARIABLE = {"value", "status", "reason", "note", "release", "origin", "metric"}


def rows(path):
    if not path.exists():
        sys.exit(f"{path} is missing: run both sides first")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def claims(directory):
    """Verdicts by experiment, figure, claim, reading and seed."""
    found = {}
    for path in sorted(directory.glob("*/claims.csv")):
        for row in rows(path):
            key = (path.parent.name, row["figure"], row["claim"], row["reading"], row["seed"])
            found[key] = row["verdict"]
    return found


def measurements(directory):
    """Status by cell, and values of the drawn metrics by cell."""
    status, values = {}, {}
    for path in sorted(directory.glob("*/measurements.csv")):
        for row in rows(path):
            cell = (path.parent.name,) + tuple(f"{k}={v}" for k, v in row.items() if k not in VARIABLE and k != "at" and v and k != "defaults")
            status[cell] = row["status"]
            if row["metric"] in ("ncp", "nuggets_kept") and not row["at"] and row["value"]:
                values[(row["metric"], cell)] = float(row["value"])
    return status, values


def told(cell):
    return " ".join(part for part in cell if not part.startswith(("repetition=", "seed=")))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    real, stand_in = Path(sys.argv[1]), Path(sys.argv[2])
    on_real, on_stand_in = claims(real), claims(stand_in)
    common = [key for key in on_real if key in on_stand_in]
    if not common:
        sys.exit("the two runs have no claim in common")
    other = [key for key in common if on_real[key] != on_stand_in[key]]
    agree = len(common) - len(other)
    print(f"Verdicts: {agree} of {len(common)} agree ({100 * agree / len(common):.1f} %).\n")
    if other:
        print("| experiment | figure | claim | reading | real | stand-in |\n|---|---|---|---|---|---|")
        for key in other:
            experiment, figure, claim, reading, _ = (part.replace("|", "\\|") for part in key)
            print(f"| {experiment} | {figure} | {claim} | {reading} | {on_real[key]} | {on_stand_in[key]} |")
        print()
    (status, values), (status_other, values_other) = measurements(real), measurements(stand_in)
    late = [cell for cell, ended in status.items() if ended == "ok" and status_other.get(cell, "ok") != "ok"]
    early = [cell for cell, ended in status.items() if ended != "ok" and status_other.get(cell) == "ok"]
    print(f"Cells that end on the data and not on its stand-in: {len(late)}; the other way round: {len(early)}.\n")
    for cell in late:
        print(f"- {told(cell)}: {status_other[cell]}")
    if late:
        print()
    for metric, bound, apart, unit in [
        ("ncp", 0.2, lambda a, b: abs(b - a) / a if a else (math.inf if b else 0.0), "of the loss"),
        ("nuggets_kept", 5.0, lambda a, b: abs(b - a), "points"),
    ]:
        points = [(apart(v, values_other[key]), v, values_other[key], key[1]) for key, v in values.items() if key[0] == metric and key in values_other]
        points = [point for point in points if not any(part.startswith("dataset=example") for part in point[3])]
        if not points:
            continue
        far = sorted((point for point in points if point[0] > bound), reverse=True, key=lambda point: point[0])
        median = sorted(point[0] for point in points)[len(points) // 2]
        print(f"`{metric}`: {len(points) - len(far)} of {len(points)} points within {bound} {unit}; the median is {median:.3f} off.\n")
        if far:
            print("| point | real | stand-in |\n|---|---|---|")
            for _, a, b, cell in far[:12]:
                print(f"| {told(cell)} | {a:.4g} | {b:.4g} |".replace("=", " "))
            if len(far) > 12:
                print(f"| and {len(far) - 12} more | | |")
            print()


main()
