#!/usr/bin/env bash
# Compares k, ℓ, α, t, β and δ of random tables with those of pycanon (PyPI). Argument: how many tables (200).
# ANONLAB names the binary; it is built where it is not given.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/pycanon
if ! "$cache/bin/python" -c 'import pycanon' 2>/dev/null; then
    python3 -m venv "$cache"
    "$cache/bin/pip" install --quiet pycanon==1.3.6
fi
if [ -z "${ANONLAB:-}" ]; then
    cargo build --quiet --release
    ANONLAB=${CARGO_TARGET_DIR:-target}/release/anonlab
fi
exec "$cache/bin/python" scripts/compare-pycanon.py "$ANONLAB" "${1:-200}"
