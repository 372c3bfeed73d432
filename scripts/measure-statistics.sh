#!/usr/bin/env bash
# Measures the aggregate statistics that stand-ins are generated from, on the real files, and fits the generator to them.
#
#   scripts/measure-statistics.sh            write datasets/statistics/*.json anew (a quarter of an hour)
#   scripts/measure-statistics.sh --check    fail where a real file that is here gives other numbers than the committed ones
#
# The real data is looked for in ANONLAB_DATA. Numbers only, ids of items and their supports among them: no file
# has a transaction.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --check ]; then
    exec cargo run --release --quiet -- data measure --check
fi
names=("$@")
if [ ${#names[@]} = 0 ]; then
    names=(bms-webview-1 bms-webview-2 bms-pos.a bms-pos retail t10i4d100k mushroom)
fi
for name in "${names[@]}"; do
    cargo run --release --quiet -- data measure "$name" --tries "${TRIES:-40}" --into datasets/statistics
done
