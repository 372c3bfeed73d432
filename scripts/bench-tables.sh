#!/usr/bin/env bash
# Runs Mondrian, full-domain generalization and the measures of generalized tables beside anonypy, anjana and pycanon (PyPI) on the
# 30,162 complete rows of Adult's training part with six quasi-identifiers, and prints times and ratios.
#
# The peers are installed below the cache directory, anjana apart from the others: it wants another pycanon. With `grow`, ours
# alone on up to five million rows.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = grow ]; then
    exec cargo bench --quiet -p anonlab-core --bench tables -- grow
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/bench-tables
install() { # FOLDER PACKAGE…
    if [ ! -e "$1/ready" ]; then
        python3 -m venv "$1"
        "$1/bin/pip" install --quiet "${@:2}"
        touch "$1/ready"
    fi
}
install "$cache" anonypy==0.2.1 pycanon==1.3.6
install "$cache-anjana" anjana==1.2.3
ours=$(mktemp) table=$(mktemp --suffix=.csv)
trap 'rm -f "$ours" "$table"' EXIT
cargo bench --quiet -p anonlab-core --bench tables -- --write "$table" >"$ours"
cat "$ours"
"$cache/bin/python" scripts/bench-tables.py "$ours" "$table" anonypy pycanon
"$cache-anjana/bin/python" scripts/bench-tables.py "$ours" "$table" anjana
