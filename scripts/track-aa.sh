#!/usr/bin/env bash
# A/A: a build compared with itself. The exact lane must never raise an alarm, the noisy one at most once in twenty times.
#
#   scripts/track-aa.sh [TIMES] [SAMPLES] [BINARY]     20 times, 10 samples, target/release/anonlab unless given
#
# The exact lane compares the paper specs (--quick), computed anew each time, with a baseline recorded before. The noisy
# lane measures the figures below in turns against the very same binary.
set -euo pipefail
cd "$(dirname "$0")/.."

times="${1:-20}"
samples="${2:-10}"
binary="$(realpath "${3:-target/release/anonlab}")"
figures="${FIGURES:-fig5a}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
common=(--quick --embedded-data --quiet --out "$work/out")

"$binary" track record "${common[@]}" --into "$work/baseline" >/dev/null
exact=0
noisy=0
open=0
compared=0
for ((i = 1; i <= times; i++)); do
    "$binary" track check "${common[@]}" --fresh --strict --against "$work/baseline" >"$work/exact.txt" || {
        exact=$((exact + 1))
        sed 's/^/    /' "$work/exact.txt"
    }
    code=0
    "$binary" track check "${common[@]}" --lane noisy --only "$figures" --samples "$samples" --against "$binary" \
        >"$work/noisy.txt" || code=$?
    case $code in
        0) ;;
        3) open=$((open + 1)) ;;
        *)
            noisy=$((noisy + 1))
            sed 's/^/    /' "$work/noisy.txt"
            ;;
    esac
    compared="$(tail -1 "$work/noisy.txt")"
    echo "$i: exact: $(tail -1 "$work/exact.txt")"
    echo "$i: noisy: $compared"
done
echo "alarms in $times times: exact lane $exact, noisy lane $noisy ($open times nothing could be told)"
[ "$exact" -eq 0 ] && [ "$noisy" -le 1 ]
