#!/bin/sh
# k^m-anonymity on the real sets: CPU seconds and peak memory, each line in a process of its own.
#
#   ANONLAB_DATA=directory scripts/bench-km.sh [table|scaling|k|order]
#
# table    AA, AA refined and the proven optimum at k=5, m=2, 3, 4, degree 5, items by id (the default)
# scaling  AA and the optimum on growing prefixes of BMS-POS, part a, and on stand-ins of up to 5 million transactions
# k        AA and the optimum for k from 2 to 1,000 on BMS-POS, part a
# order    the optimum for each order of the items under the hierarchy
#
# Columns: publishing alone, and the process from its start to the release (loading included); the verifier; NCP.
set -eu
cd "$(dirname "$0")/.."

bench=$(cargo bench --bench km --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\/km-[^"]*\)".*/\1/p' | tail -n 1)
[ -x "$bench" ] || { echo "cannot build the benchmark: run cargo bench --bench km --no-run" >&2; exit 1; }

line() {
    "$bench" "$@" | awk -F'\t' '{
        printf "%-14s %9d  %-10s %5d %2d %-10s %9.3f %9.3f %7d %9.3f %9.5f  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 }'
}

printf '%-14s %9s  %-10s %5s %2s %-10s %9s %9s %7s %9s %9s\n' \
    dataset rows algorithm k m order publish_s process_s peak_mb verify_s ncp
case "${1:-table}" in
table)
    for data in bms-webview-1 bms-webview-2 bms-pos/a; do
        for m in 2 3 4; do
            for algorithm in aa aa-refined optimal; do
                line $algorithm $data all 5 $m
            done
        done
    done
    ;;
scaling)
    for algorithm in aa optimal; do
        for rows in 12500 25000 50000 100000; do
            line $algorithm bms-pos/a $rows 5 3
        done
        for rows in 625000 1250000 2500000 5000000; do
            line $algorithm bms-pos like:$rows 5 3
        done
    done
    ;;
k)
    for k in 2 5 10 20 50 100 200 500 1000; do
        for algorithm in aa optimal; do
            line $algorithm bms-pos/a all $k 3
        done
    done
    ;;
order)
    for data in bms-webview-1 bms-webview-2 bms-pos/a; do
        for order in id appearance random frequency; do
            line optimal $data all 5 3 $order
        done
    done
    ;;
*)
    echo "usage: scripts/bench-km.sh [table|scaling|k|order]" >&2
    exit 2
    ;;
esac
