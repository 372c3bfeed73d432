#!/usr/bin/env bash
# Anonymizes Adult with anonypy and anjana (PyPI) for k = 10, and audits what they give: rows in any order, some dropped.
# Argument: how many rows of Adult (all complete ones unless given). ANONLAB names the binary; it is built where it is not given.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${ANONLAB:-}" ]; then
    cargo build --quiet --release
    ANONLAB=${CARGO_TARGET_DIR:-target}/release/anonlab
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
roles=(--quasi-identifiers age,workclass,education,marital_status,race,sex --sensitive occupation)
# The table as `identity` publishes it has these columns under their names.
first=()
if [ -n "${1:-}" ]; then first=(--set "derive=[{drop_missing: used}, {first: $1}]"); fi
"$ANONLAB" publish --dataset scripts/audited-adult.yaml:adult "${first[@]}" --algorithm identity --out "$work/original" >/dev/null
for peer in anonypy anjana; do
    python=$(scripts/install-peer.sh "$peer")
    "$python" scripts/audit-peers.py "$work/original/table.csv" "$peer" "$work/$peer.csv" 10
    echo "== $peer"
    status=0
    "$ANONLAB" audit --original "$work/original/table.csv" --release "$work/$peer.csv" "${roles[@]}" --rows any \
        --guarantee k-anonymity:k=10 || status=$?
    # A broken promise is a finding; anything else is a failure of the audit.
    if [ "$status" -gt 1 ]; then exit "$status"; fi
done
