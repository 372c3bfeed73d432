#!/usr/bin/env bash
# Runs Mondrian, full-domain generalization and the measures of generalized tables beside anonypy, anjana and pycanon (PyPI) on the
# 30,162 complete rows of Adult's training part with six quasi-identifiers, and prints processor times and ratios as Markdown;
# then ours alone on 30,000 to 5 million rows.
#
#   scripts/bench-tables.sh [--write]
#
# --write puts the result into docs/generalized-tables.md.
set -euo pipefail
cd "$(dirname "$0")/.."

into=()
if [ "${1:-}" = --write ]; then into=(--into docs/generalized-tables.md); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo bench --quiet -p anonlab-core --features worker --bench tables -- --write "$work/table.csv" >"$work/ours"
for peer in anonypy anjana pycanon; do
    python=$(scripts/install-peer.sh "$peer")
    "$python" scripts/bench-tables.py "$work/ours" "$work/table.csv" "$peer" >>"$work/peers"
done
cargo bench --quiet -p anonlab-core --features worker --bench tables -- grow >"$work/grown"
python3 scripts/bench-tables-page.py "$work/peers" "$work/grown" ${into+"${into[@]}"}
