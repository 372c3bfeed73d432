#!/usr/bin/env bash
# Runs the four papers' specs once on the real data (ANONLAB_DATA) and once on stand-ins, and prints as Markdown
# where they disagree: verdicts, cells that end on the data only, losses and nuggets at every drawn point. The two papers on
# tables use Adult, which is in the project and has no stand-in: their second run finds every cell of the first in the store.
#
#   scripts/compare-verdicts.sh [--write] [--quick] [--out DIR] [OPTION of `anonlab run`…]
#
# --write puts the result into docs/data.md, and how far off each figure is into experiments/stand-ins.json, which the program
# shows beside figures of stand-ins. `--set limits.time=2m` helps where other programs are busy: a cell then ends or not
# for its own sake. ANONLAB names a built program to use instead of `cargo run --release`. Cells that are in DIR are not run again.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

out="$here/reports/verdicts"
options=()
results=()
while [ $# -gt 0 ]; do
    case "$1" in
        --out) out="$2"; shift 2 ;;
        --write) results=(--points "$here/experiments/stand-ins.json" --into "$here/docs/data.md"); shift ;;
        *) options+=("$1"); shift ;;
    esac
done
: "${ANONLAB_DATA:?the directory of the real data sets}"
run() {
    if [ -n "${ANONLAB:-}" ]; then "$ANONLAB" "$@"; else cargo run --release --quiet --manifest-path "$here/Cargo.toml" -- "$@"; fi
}
specs=("$here/experiments/km-anonymity.yaml" "$here/experiments/cohesion.yaml")
nothing="$(mktemp -d)"
trap 'rm -rf "$nothing"' EXIT

# A claim that fails is a result here, not an error.
run run "${specs[@]}" --quiet --out "$out/real" ${options+"${options[@]}"} >&2 || [ $? = 1 ]
ANONLAB_DATA="$nothing" XDG_CACHE_HOME="$nothing" \
    run run "${specs[@]}" --quiet --out "$out/stand-in" ${options+"${options[@]}"} >&2 || [ $? = 1 ]

tables=("$here/experiments/injector.yaml" "$here/experiments/maxent.yaml")
run run "${tables[@]}" --quiet --out "$out/tables" ${options+"${options[@]}"} >&2 || [ $? = 1 ]
for spec in injector maxent; do
    mkdir -p "$out/tables-real/$spec"
    cp -R "$out/tables/$spec/claims.csv" "$out/tables/$spec/figures" "$out/tables-real/$spec/"
done
ANONLAB_DATA="$nothing" XDG_CACHE_HOME="$nothing" \
    run run "${tables[@]}" --quiet --out "$out/tables" ${options+"${options[@]}"} >&2 || [ $? = 1 ]
python3 "$here/scripts/compare-verdicts.py" "$out/real" "$out/stand-in" --tables "$out/tables-real" "$out/tables" ${results+"${results[@]}"}
