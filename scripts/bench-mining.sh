#!/usr/bin/env bash
# Runs the miner beside Borgelt's fpgrowth (PyPI `pyfim`) on mushroom, chess, retail and T10I4D100K, checks that both
# find the same itemsets, and prints the ratios of their CPU times.
#
# ANONLAB_DATA is the directory of the data (NAME.dat or NAME.dat.gz); pyfim is installed below the cache directory.
# Arguments choose datasets: scripts/bench-mining.sh chess retail
set -euo pipefail
cd "$(dirname "$0")/.."

: "${ANONLAB_DATA:?set it to the directory of mushroom.dat(.gz), chess, retail and T10I4D100K}"
ANONLAB_DATA=$(realpath "$ANONLAB_DATA")
export ANONLAB_DATA

cache=${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/bench-mining
if ! "$cache/bin/python" -c 'import fim' 2>/dev/null; then
    python3 -m venv "$cache"
    "$cache/bin/pip" install --quiet pyfim==6.28
fi

ours=$(mktemp)
trap 'rm -f "$ours"' EXIT
cargo bench --quiet --bench mining -- "$@" >"$ours"
"$cache/bin/python" scripts/bench-mining.py "$ours"
