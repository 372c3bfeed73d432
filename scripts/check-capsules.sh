#!/usr/bin/env bash
# A capsule of the papers' quick run is a valid Workflow Run Crate and agrees when every one of its cells is computed again; a forged
# one does not.
#
#   scripts/check-capsules.sh [--short]    --short: one spec and a sample
#
# ANONLAB is the program; it is built unless given. The validator (roc-validator, from PyPI) runs without the network: the context of RO-Crate
# 1.1 comes from the package `rocrate`.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${ANONLAB:-}" ]; then
    cargo build --release --quiet
    ANONLAB="${CARGO_TARGET_DIR:-target}/release/anonlab"
fi
ANONLAB="$(realpath "$ANONLAB")"
venv="${XDG_CACHE_HOME:-$HOME/.cache}/anonlab-roc-validator-0.13.0"
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import rocrate, rocrate_validator' 2>/dev/null; then
    python3 -m venv "$venv"
    # The last rocrate whose context is that of RO-Crate 1.1.
    "$venv/bin/pip" install --quiet 'roc-validator==0.13.0' 'rocrate==0.13.0'
fi
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT

how=(--all)
if [ "${1:-}" = --short ]; then
    mkdir "$out/specs"
    cp experiments/anatomy.yaml "$out/specs/"
    how=(--sample 10%)
else
    cp -r experiments "$out/specs"
fi
# Verdicts that are not as expected in the quick variant are no matter here.
"$ANONLAB" reproduce --experiments "$out/specs" --quick --readings none --quiet --out "$out/run" || [ $? -eq 1 ]
"$ANONLAB" bundle "$out/run" -o "$out/result.zip"
"$venv/bin/python" scripts/validate-crate.py "$out/result.zip"
# Elsewhere: nothing but the file.
mkdir "$out/elsewhere"
cd "$out/elsewhere"
"$ANONLAB" recheck ../result.zip "${how[@]}" --quiet

"$venv/bin/python" - ../result.zip forged.zip <<'END'
import sys, zipfile
source, target = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], "w")
for entry in source.infolist():
    data = source.read(entry)
    if entry.filename.endswith("measurements.csv"):
        data = data[:-2] + bytes([data[-2] ^ 1]) + data[-1:]
    target.writestr(entry, data)
target.close()
END
if "$ANONLAB" recheck forged.zip --cells 1 --quiet; then
    echo "an altered measurement was not found" >&2
    exit 1
fi
