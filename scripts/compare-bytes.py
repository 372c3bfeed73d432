"""Compares two measurements.csv cell by cell: tells answers that differ apart from cells that one of the runs did not end.

    compare-bytes.py HERE THERE

Prints one line, and the first differences. Exit code 0: the same bytes; 1: other bytes; 3: the same but for cells that did not end.
"""

import csv
import sys

UNENDED = {"timeout", "out_of_memory"}


def cells(path):
    """The lines of each cell, by what stands before its status, and the status."""
    csv.field_size_limit(sys.maxsize)
    with open(path, newline="") as file:
        rows = csv.reader(file)
        heads = next(rows)
        status = heads.index("status")
        lines, statuses = {}, {}
        for row in rows:
            cell = tuple(row[:status])
            lines.setdefault(cell, []).append(row[status:])
            statuses[cell] = row[status]
    return heads, lines, statuses


def main():
    (heads, here, status_here), (other_heads, there, status_there) = map(cells, sys.argv[1:3])
    every = list(here) + [cell for cell in there if cell not in here]
    # A cell that ended in neither run is no difference: its lines say the same limit.
    differ = [cell for cell in every if here.get(cell) != there.get(cell)]
    unended = [cell for cell in differ if UNENDED & {status_here.get(cell), status_there.get(cell)}]
    others = [cell for cell in differ if cell not in set(unended)]
    if heads != other_heads or others:
        print(f"other bytes: {len(others)} of {len(every)} cells differ, and {len(unended)} ended in one of the runs alone")
        for cell in others[:2]:
            print("  cell", ", ".join(word for word in cell if word))
            pairs = zip(here.get(cell, []), there.get(cell, []))
            first = next((pair for pair in pairs if pair[0] != pair[1]), (here.get(cell), there.get(cell)))
            print("    here ", first[0])
            print("    there", first[1])
        return 1
    if unended:
        print(f"not compared: {len(unended)} of {len(every)} cells ended in one of the runs alone (time or memory); the others are the same bytes")
        return 3
    print(f"same bytes: {sum(map(len, here.values()))} lines of {len(every)} cells")
    return 0


sys.exit(main())
