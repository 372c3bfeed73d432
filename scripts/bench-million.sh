#!/usr/bin/env bash
# Plans a million cells (50 options of a reading, 20 seeds, 1,000 points), stores a made-up answer for each, and makes the report
# of them; prints seconds and peak memory of each step and fails beyond the bounds: 10 s and 1 GB to plan, 2 minutes and 2 GB
# to collect.
#
#   scripts/bench-million.sh [--write] [CELLS]     1,000,000 unless given; the bounds shrink with the cells
#
# --write puts the result into docs/beyond-one-machine.md. The store is below /dev/shm where there is one, at about 2 KB a cell.
set -euo pipefail
cd "$(dirname "$0")/.."
write=
if [ "${1:-}" = --write ]; then
    write=yes
    shift
fi
cells="${1:-1000000}"
found=$(mktemp)
trap 'rm -f "$found"' EXIT
cargo bench --bench sweep -- "$cells" readings | tee /dev/stderr "$found" | awk -v cells="$cells" '
    function bound(name, seconds, megabytes) {
        # The last three words of a line are wall seconds, user seconds and MB.
        if ($(NF - 2) > seconds * cells / 1e6 || $NF > megabytes * cells / 1e6 + 50) { print name " is out of its bounds"; bad = 1 }
    }
    /^plan --summary/ { bound("planning", 10, 1000); seen++ }
    /^collect  / { bound("the report", 120, 2000); seen++ }
    END { exit bad || seen != 2 }'
if [ -n "$write" ]; then
    python3 - "$cells" "$found" <<'PYTHON'
import pathlib
import re
import sys

sys.path.insert(0, "scripts")
from splice import splice

cells, found = int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text()
lines = [f"Last result: {cells:,} cells.", "", "| step | seconds | processor seconds | MB at most so far |", "|---|--:|--:|--:|"]
for step, *numbers in re.findall(r"^(\S.*?) +([\d.]+) +([\d.]+) +(\d+)$", found, re.MULTILINE):
    lines.append(f"| {step} | {' | '.join(numbers)} |")
splice(pathlib.Path("docs/beyond-one-machine.md"), "scripts/bench-million.sh", "\n".join(lines))
PYTHON
fi
