#!/usr/bin/env bash
# How the time of an audit grows: Adult sampled up to 10,000, 100,000 and 1,000,000 rows, as a table of Mondrian (k = 10) whose rows are
# shuffled and a hundredth of them dropped, and as buckets of Anatomy (ℓ = 5) whose rows are shuffled. Prints CPU seconds of the
# whole `audit --rows any` with every measure, and those per row against the smallest. ANONLAB names the binary.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${ANONLAB:-}" ]; then
    cargo build --quiet --release
    ANONLAB=${CARGO_TARGET_DIR:-target}/release/anonlab
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shuffled() { # FILE TO SHARE: the lines of FILE but the header, shuffled, less a share of them
    python3 - "$@" <<'PYTHON'
import random
import sys

with open(sys.argv[1]) as file:
    header, *rows = file.readlines()
random.Random(1).shuffle(rows)
with open(sys.argv[2], "w") as file:
    file.writelines([header, *rows[int(len(rows) * float(sys.argv[3])) :]])
PYTHON
}
audited() { # RELEASE ROWS GUARANTEE
    TIMEFORMAT="%U %S %R"
    spent=$({ time "$ANONLAB" audit "${set[@]}" --release "$1" --rows any --guarantee "$3" --time 10m --format json \
        >"$work/answer.json" || true; } 2>&1)
    python3 - "$2" "$spent" "$work/answer.json" "$work/first" <<'PYTHON'
import json
import os
import sys

rows, (user, system, real) = int(sys.argv[1]), map(float, sys.argv[2].split()[-3:])
answer = json.load(open(sys.argv[3]))
kind, matched, cpu = answer["kind"], answer["rows"], user + system
first = f"{sys.argv[4]}-{kind}"
if not os.path.exists(first):
    open(first, "w").write(str(cpu / rows))
growth = cpu / rows / float(open(first).read())
missing = [unsaid["of"] for unsaid in answer["unsaid"] if not unsaid["of"].startswith("reached_")]
print(
    f"{kind:17} {rows:9,} rows: {cpu:7.2f} CPU s, {real:7.2f} s; {growth:5.2f} times per row; {matched['matched']:,} matched, "
    f"{matched['dropped']:,} dropped{'; not said: ' + ', '.join(missing) if missing else ''}"
)
PYTHON
}
for rows in 10000 100000 1000000; do
    set=(--dataset scripts/audited-adult.yaml:adult --set "derive=[{drop_missing: used}, {sample: $rows}]")
    "$ANONLAB" publish "${set[@]}" --algorithm mondrian -p k=10 --out "$work/table-$rows" >/dev/null
    shuffled "$work/table-$rows/table.csv" "$work/shuffled.csv" 0.01
    audited "$work/shuffled.csv" "$rows" k-anonymity:k=2
    "$ANONLAB" publish "${set[@]}" --algorithm anatomy -p l=5 --out "$work/buckets" >/dev/null
    mkdir -p "$work/shuffled"
    shuffled "$work/buckets/qit.csv" "$work/shuffled/qit.csv" 0
    cp "$work/buckets/st.csv" "$work/shuffled/st.csv"
    audited "$work/shuffled" "$rows" diversity:l=5
    rm -r "$work/buckets"
done
