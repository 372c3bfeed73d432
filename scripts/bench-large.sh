#!/usr/bin/env bash
# Runs every part of a cell on a table of 3,000,000 rows, 5 quasi-identifiers and 40 sensitive values, and the true counts of the same
# queries in DuckDB (PyPI) on one thread. Prints processor times, whether all counts agree, and ratios.
#
#   scripts/bench-large.sh [--write] [ROWS] [QUERIES]      3,000,000 rows and 100 of the 1,000 queries, unless told otherwise
#
# --write puts the result into docs/large-data.md. DuckDB is installed below the cache directory. It takes some minutes for all
# 1,000 queries.
set -euo pipefail
cd "$(dirname "$0")/.."
into=()
if [ "${1:-}" = --write ]; then
    into=(--into docs/large-data.md)
    shift
fi
rows=${1:-3000000} queries=${2:-100}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/bench-large
if [ ! -e "$cache/ready" ]; then
    python3 -m venv "$cache"
    "$cache/bin/pip" install --quiet duckdb
    touch "$cache/ready"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo bench --quiet -p anonlab-core --features worker --bench large -- "$rows" --write "$folder" | tee "$folder/ours"
"$cache/bin/python" scripts/bench-large.py "$folder" "$rows" "$queries" "${into[@]}"
