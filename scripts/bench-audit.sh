#!/usr/bin/env bash
# How the time of an audit grows: Adult sampled up to 10,000, 100,000 and 1,000,000 rows, anonymized by Mondrian (k = 10), its rows
# shuffled and a hundredth of them dropped. Prints CPU seconds of `audit --rows any` with the verifier and the measures that look at the
# release (reached privacy, risk, classes, loss), and those per row against the smallest. ANONLAB names the binary.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${ANONLAB:-}" ]; then
    cargo build --quiet --release
    ANONLAB=${CARGO_TARGET_DIR:-target}/release/anonlab
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/adult.yaml" <<'YAML'
anonlab: 1
title: Adult for audits
datasets:
  adult:
    source: adult
    quasi_identifiers: [age, workclass, education, marital_status, race, sex]
    sensitive: occupation
    derive: [{drop_missing: used}]
figures:
  rows:
    title: Rows
    datasets: [adult]
    measures: [table-statistics]
    draw: {kind: table, x: dataset, y: records}
YAML
measures=(--measures reached-privacy --measures risk --measures classes --measures information-loss)
for rows in 10000 100000 1000000; do
    set=(--dataset "$work/adult.yaml:adult" --set "derive=[{drop_missing: used}, {sample: $rows}]")
    "$ANONLAB" publish "${set[@]}" --algorithm mondrian -p k=10 --out "$work/$rows" >/dev/null
    python3 - "$work/$rows/table.csv" "$work/shuffled.csv" <<'PYTHON'
import random
import sys

with open(sys.argv[1]) as file:
    header, *rows = file.readlines()
random.Random(1).shuffle(rows)
with open(sys.argv[2], "w") as file:
    file.writelines([header, *rows[len(rows) // 100 :]])
PYTHON
    TIMEFORMAT="%U %R"
    spent=$({ time "$ANONLAB" audit "${set[@]}" --release "$work/shuffled.csv" --rows any "${measures[@]}" \
        --guarantee k-anonymity:k=2 --format json >"$work/answer.json" || true; } 2>&1)
    python3 - "$rows" "$spent" "$work/answer.json" "$work/first" <<'PYTHON'
import json
import os
import sys

rows, (user, real) = int(sys.argv[1]), map(float, sys.argv[2].split()[-2:])
answer = json.load(open(sys.argv[3]))
first = sys.argv[4]
if not os.path.exists(first):
    open(first, "w").write(str(user / rows))
growth = user / rows / float(open(first).read())
matched = answer["rows"]
print(f"{rows:9,} rows: {user:7.2f} CPU s, {real:7.2f} s; {growth:5.2f} times per row; {matched['matched']:,} matched, {matched['dropped']:,} dropped")
PYTHON
done
