#!/usr/bin/env bash
# Compares k, ℓ, α, t, β and δ of random tables with those of pycanon (PyPI). Argument: how many tables (200).
# ANONLAB names the binary; it is built where it is not given.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(scripts/install-peer.sh pycanon)
if [ -z "${ANONLAB:-}" ]; then
    cargo build --quiet --release
    ANONLAB=${CARGO_TARGET_DIR:-target}/release/anonlab
fi
exec "$python" scripts/compare-pycanon.py "$ANONLAB" "${1:-200}"
