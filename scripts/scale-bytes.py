#!/usr/bin/env python3
"""What a row takes at the largest point of experiments/scale.yaml, from a run's costs.csv, into docs/large-data.md.

    scripts/scale-bytes.py [REPORTS]     REPORTS is the directory of the run; `reports` unless given
"""

import csv
import pathlib
import sys

from splice import splice

SIZES = ("dataset.source.synthetic.rows", "dataset.source.synthetic.transactions")
PARTS = "peak_heap_bytes."


def main():
    reports = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "reports")
    csv.field_size_limit(sys.maxsize)
    cells = {}
    with open(reports / "scale" / "costs.csv", newline="") as file:
        for row in csv.DictReader(file):
            size = next((int(row[size]) for size in SIZES if row.get(size)), None)
            if size:
                cells.setdefault((row["figure"], row["algorithm"], size), {})[row["metric"]] = float(row["value"])
    largest = {}
    for figure, algorithm, size in cells:
        largest[figure, algorithm] = max(size, largest.get((figure, algorithm), 0))
    lines = ["| figure | publisher | rows or transactions | its heap | the whole process | the most of a measure |", "|---|---|--:|--:|--:|---|"]
    for (figure, algorithm), size in largest.items():
        costs = cells[figure, algorithm, size]
        heaps = [(value, metric.removeprefix(PARTS)) for metric, value in costs.items() if metric.startswith(PARTS)]
        most = "{1}, {0:.0f}".format(*max((value / size, name) for value, name in heaps)) if heaps else ""
        a_row = [f"{costs[metric] / size:.0f}" if metric in costs else "" for metric in ("peak_heap_bytes", "peak_rss_bytes")]
        lines.append(f"| {figure} | {algorithm} | {size:,} | {a_row[0]} | {a_row[1]} | {most} |")
    splice(pathlib.Path("docs/large-data.md"), "scripts/scale-bytes.py", "\n".join(lines))


main()
