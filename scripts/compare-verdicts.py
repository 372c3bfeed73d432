#!/usr/bin/env python3
"""Compares two output directories of the same specs, on real data and on stand-ins; prints Markdown.

compare-verdicts.py REAL STAND_IN [--tables REAL STAND_IN] [--points FILE] [--into DOCUMENT]

--tables adds the verdicts of the papers on tables, so that all four papers are counted.
--points writes how far off each figure's points are, as JSON: the program shows it beside figures of stand-ins.
--into replaces the marked block of a document by what is printed.
"""
import argparse
import csv
import json
import math
import re
import sys
from pathlib import Path

from splice import splice

VARIABLE = {"value", "status", "reason", "note", "release", "origin", "metric", "at", "defaults"}
# Of these metrics: how far off is near enough, how far off one is, and the unit of that.
WATCHED = {
    "ncp": (20.0, lambda a, b: 100 * abs(b - a) / a if a else (math.inf if b else 0.0), "%"),
    "nuggets_kept": (5.0, lambda a, b: abs(b - a), "points"),
}
# The specs, to tell which of their figures were not compared.
SPECS = [Path(__file__).parent.parent / "experiments" / f"{name}.yaml" for name in ("km-anonymity", "cohesion")]
FIGURE = re.compile(r"^  ([\w-]+):", re.MULTILINE)


def rows(path):
    if not path.exists():
        sys.exit(f"{path} is missing: run both sides first")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def figures(directory):
    """By experiment and figure: the metric of each claim, and the metrics that are drawn."""
    found = {}
    for path in sorted(directory.glob("*/figures/*.json")):
        figure = json.loads(path.read_text())
        found[(path.parent.parent.name, figure["id"])] = (
            {claim["says"]: claim.get("metric") for claim in figure["claims"]},
            [drawn["metric"] for drawn in figure["draw"]["y"]],
        )
    return found


def claims(directory):
    """Verdicts by experiment, figure, claim, reading and seed."""
    found = {}
    for path in sorted(directory.glob("*/claims.csv")):
        for row in rows(path):
            key = (path.parent.name, row["figure"], row["claim"], row["reading"], row["seed"])
            found[key] = row["verdict"]
    return found


def measurements(directory):
    """Status by cell, values of the watched metrics by cell, and the cells that are of real data."""
    status, values, real = {}, {}, set()
    for path in sorted(directory.glob("*/measurements.csv")):
        for row in rows(path):
            own = tuple(f"{k}={v}" for k, v in row.items() if k not in VARIABLE and v)
            cell = (path.parent.name, row["figure"], row["reading"], own)
            status[cell] = row["status"]
            if row["origin"] in ("real", "partial"):
                real.add(cell)
            if row["metric"] in WATCHED and not row["at"] and row["value"]:
                values[(row["metric"], cell)] = float(row["value"])
    return status, values, real


def told(cell):
    experiment, _, _, own = cell
    shown = [part for part in own if not part.startswith(("repetition=", "seed="))]
    return f"{experiment}: " + ", ".join(part.replace("=", " ", 1) for part in shown)


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)"


def shares(of, real, stand_in, timed):
    """How many verdicts agree, of all claims and apart by whether they are about time."""
    common = [key for key in real if key in stand_in]
    if not common:
        sys.exit(f"{of}: the two runs have no claim in common")
    lines = []
    for name, keys in [("verdicts", common), ("about time", [k for k in common if timed(k)]), ("all others", [k for k in common if not timed(k)])]:
        if keys:
            lines.append(f"{name}: {share(sum(real[k] == stand_in[k] for k in keys), len(keys))}")
    yield f"{of}, equal {'; '.join(lines)}.\n"


def verdicts(real, stand_in, shapes, tables):
    timed = lambda key: shapes.get(key[:2], ({}, []))[0].get(key[2]) == "seconds"
    if tables:
        yield from shares("All four papers", real | tables[0], stand_in | tables[1], timed)
        yield from shares("The two papers on tables", *tables, timed)
    yield from shares("The two papers on transactions", real, stand_in, timed)
    common = [key for key in real if key in stand_in]
    other = [key for key in common if real[key] != stand_in[key]]
    if other:
        yield "| experiment | figure | claim | reading | real | stand-in |\n|---|---|---|---|---|---|"
        for key in other:
            experiment, figure, claim, reading, _ = (part.replace("|", "\\|") for part in key)
            clock = " (time)" if timed(key) else ""
            yield f"| {experiment} | {figure} | {claim}{clock} | {reading} | {real[key]} | {stand_in[key]} |"
        yield ""


def endings(status, other):
    late = [cell for cell, ended in status.items() if ended == "ok" and other.get(cell, "ok") != "ok"]
    early = [cell for cell, ended in status.items() if ended != "ok" and other.get(cell) == "ok"]
    yield f"Cells that end on the data and not on its stand-in: {len(late)}; the other way round: {len(early)}.\n"
    for cell in late:
        yield f"- {told(cell)}: {other[cell]}"
    if late:
        yield ""


def differences(metric, values, others, real, shapes):
    """(how far off, on the data, on the stand-in, cell) of every drawn point on real data."""
    apart = WATCHED[metric][1]
    for (name, cell), value in values.items():
        drawn = shapes.get(cell[:2], ({}, []))[1]
        if name == metric and cell in real and metric in drawn and (name, cell) in others:
            yield apart(value, others[(name, cell)]), value, others[(name, cell)], cell


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def points(metric, found):
    bound, _, unit = WATCHED[metric]
    far = sorted((point for point in found if point[0] > bound), reverse=True, key=lambda point: point[0])
    yield f"`{metric}`: {share(len(found) - len(far), len(found))} of the drawn points are within {bound:g} {unit}; the median is {median([p[0] for p in found]):.1f} {unit} off. The farthest:\n"
    if far:
        yield f"| point | real | stand-in | off by ({unit}) |\n|---|---|---|---|"
        for off, a, b, cell in far[:12]:
            yield f"| {told(cell)} | {a:.4g} | {b:.4g} | {off:.0f} |" if math.isfinite(off) else f"| {told(cell)} | {a:.4g} | {b:.4g} | |"
        if len(far) > 12:
            yield f"| and {len(far) - 12} more | | | |"
        yield ""


def by_figure(metric, found):
    """How far off the points of each figure are, under each reading."""
    bound, _, unit = WATCHED[metric]
    groups = {}
    for off, _, _, cell in found:
        groups.setdefault(cell[:3], []).append(off)
    for (experiment, figure, reading), off in sorted(groups.items()):
        finite = [number for number in off if math.isfinite(number)]
        yield {
            "experiment": experiment, "figure": figure, "reading": reading, "metric": metric, "unit": unit,
            "points": len(off), "within": sum(number <= bound for number in off), "bound": bound,
            "median": round(median(off), 1) if math.isfinite(median(off)) else None,
            "largest": round(max(finite), 1) if finite else None,
        }


def absent(known, others):
    """Figures that one of the runs lacks."""
    for experiment in sorted({name for name, _ in known}):
        lacking = [figure for name, figure in known if name == experiment and (name, figure) not in others]
        if lacking:
            yield f"Of {experiment} these figures were not compared: {', '.join(lacking)}.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real", type=Path)
    parser.add_argument("stand_in", type=Path)
    parser.add_argument("--tables", type=Path, nargs=2)
    parser.add_argument("--points", type=Path)
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    shapes = figures(options.real)
    every = {(path.stem, figure) for path in SPECS for figure in FIGURE.findall(path.read_text().split("\nfigures:\n")[1])}
    both = set(shapes) & set(figures(options.stand_in))
    lines = list(absent(sorted(every), both))
    tables = [claims(directory) for directory in options.tables or []]
    if options.tables:
        shapes |= figures(options.tables[0])
    lines += verdicts(claims(options.real), claims(options.stand_in), shapes, tables)
    (status, values, real), (status_other, values_other, _) = measurements(options.real), measurements(options.stand_in)
    lines += endings(status, status_other)
    per_figure = []
    for metric in WATCHED:
        found = list(differences(metric, values, values_other, real, shapes))
        if found:
            lines += points(metric, found)
            per_figure += by_figure(metric, found)
    text = "\n".join(lines).strip()
    print(text)
    if options.points:
        options.points.write_text("[\n" + ",\n".join("  " + json.dumps(record) for record in per_figure) + "\n]\n")
    if options.into:
        splice(options.into, "scripts/compare-verdicts.sh", text)


main()
