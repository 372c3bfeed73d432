"""Writes what scripts/bench-tables.sh measured as Markdown, and with --into puts it into a document.

Arguments: the times of peers (`name|seconds|ours` a line), and what the bench says of growing tables.
"""

import argparse
import re
from pathlib import Path

from splice import splice

GROWN = re.compile(r"^(\S+) +(\d+) rows +([\d.]+) s +(\d+) ns a row, process so far at most +(\d+) MB")


def beside_peers(lines):
    yield "| peer | seconds | ours | times |"
    yield "|---|--:|--:|--:|"
    for line in lines:
        name, seconds, ours = line.split("|")
        seconds, ours = float(seconds), float(ours)
        yield f"| {name} | {seconds:.3g} | {ours:.2g} | {seconds / ours:,.0f} |"


def grown(lines):
    """What a row costs, from the smallest to the largest number of rows."""
    each, memory = {}, {}
    for name, rows, _, nanoseconds, megabytes in (GROWN.match(line).groups() for line in lines):
        each.setdefault(int(rows), {})[name] = nanoseconds
        memory[int(rows)] = megabytes
    names = list(next(iter(each.values())))
    yield f"| rows | {' | '.join(f'`{name}`' for name in names)} | memory |"
    yield "|--:" * (len(names) + 2) + "|"
    for rows, costs in each.items():
        yield f"| {rows:,} | {' | '.join(f'{costs[name]} ns' for name in names)} | {memory[rows]} MB |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", type=Path)
    parser.add_argument("grown", type=Path)
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    tables = [beside_peers, grown]
    files = [options.peers, options.grown]
    text = "\n\n".join("\n".join(table(file.read_text().splitlines())) for table, file in zip(tables, files))
    print(text)
    if options.into:
        splice(options.into, "scripts/bench-tables.sh", text)


main()
