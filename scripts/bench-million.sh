#!/usr/bin/env bash
# Plans a million cells (50 options of a reading, 20 seeds, 1,000 points), stores a made-up answer for each, and makes the report
# of them; prints seconds and peak memory of each step and fails beyond the bounds: 10 s and 1 GB to plan, 2 minutes and 2 GB
# to collect.
#
#   scripts/bench-million.sh [CELLS]     1,000,000 unless given; the bounds shrink with the cells
set -euo pipefail
cd "$(dirname "$0")/.."
cells="${1:-1000000}"
cargo bench --bench sweep -- "$cells" readings | tee /dev/stderr | awk -v cells="$cells" '
    function bound(name, seconds, megabytes) {
        # The last three words of a line are wall seconds, user seconds and MB.
        if ($(NF - 2) > seconds * cells / 1e6 || $NF > megabytes * cells / 1e6 + 50) { print name " is out of its bounds"; bad = 1 }
    }
    /^plan --summary/ { bound("planning", 10, 1000); seen++ }
    /^collect  / { bound("the report", 120, 2000); seen++ }
    END { exit bad || seen != 2 }'
