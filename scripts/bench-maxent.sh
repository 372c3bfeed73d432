#!/bin/sh
# Solves the maximum-entropy problems of Adult with this project's solver and, beside it, with SciPy's L-BFGS-B and with
# Clarabel, and prints how many times faster it is. CPU seconds, one thread each.
#
#   scripts/bench-maxent.sh [--limit SECONDS] [--only TEXT]
#
# --limit stops another solver after so many seconds a problem (default 120); --only takes the cells whose name has TEXT.
set -eu
cd "$(dirname "$0")/.."
limit=120 only=
while [ $# -gt 1 ]; do
    case "$1" in
    --limit) limit=$2 ;;
    --only) only=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 0 ] || { echo "usage: scripts/bench-maxent.sh [--limit SECONDS] [--only TEXT]" >&2; exit 2; }
work=target/bench-maxent
mkdir -p "$work"
if [ ! -x "$work/venv/bin/python" ]; then
    python3 -m venv "$work/venv"
fi
"$work/venv/bin/pip" install --quiet numpy scipy clarabel
rm -rf "$work/problems"
cargo bench --quiet --bench maxent -- --export "$PWD/$work/problems" --only "$only"
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 exec "$work/venv/bin/python" scripts/bench-maxent.py "$work/problems" --limit "$limit"
