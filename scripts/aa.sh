#!/usr/bin/env bash
# How often a comparison of times is wrong, and how often it finds what is there.
#
#   scripts/aa.sh [RUNS] [SAMPLES]     200 runs of 10 samples each unless given
#
# A/A: the same work under two names, for a built-in publisher, a Python program and a publisher that takes less than a
# millisecond; once on the machine as it is and once with a busy neighbour on every core. Neither name is faster, so each
# verdict "one is faster" or "two is faster" is false; at most 5 % of the runs may have one.
# Power: a program that does 5 % more work, with 30 samples; at least 80 % of the runs must find it.
#
# It says what it measured and on what; the last result on a quiet machine stands in docs/methodology.md.
set -euo pipefail
runs=${1:-200}
samples=${2:-10}
anonlab=${ANONLAB:-$(dirname "$0")/../target/release/anonlab}
[ -x "$anonlab" ] || { echo "there is no $anonlab: cargo build --release, or ANONLAB=/path/to/anonlab" >&2; exit 2; }
anonlab=$(realpath "$anonlab")
work=$(mktemp -d)
neighbours=()
trap 'kill "${neighbours[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

# Does so much arithmetic, then puts every l rows into a group: diverse as long as the sensitive values take turns.
cat > program.py <<'PY'
import csv, json, os, sys
request = json.load(sys.stdin)
total = 0
for i in range(int(request["parameters"]["work"])):
    total += i * i % 7
with open(request["input"]["table"], newline="") as file:
    header, *rows = csv.reader(file)
l = int(request["parameters"]["l"])
last = max(1, len(rows) // l) - 1
counts = {}
with open(os.path.join(request["output"], "qit.csv"), "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(header[:-1] + ["group_id"])
    for number, row in enumerate(rows):
        group = min(number // l, last)
        out.writerow(row[:-1] + [group])
        counts[group, row[-1]] = counts.get((group, row[-1]), 0) + 1
with open(os.path.join(request["output"], "st.csv"), "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["group_id", header[-1], "count"])
    for (group, value), count in sorted(counts.items()):
        out.writerow([group, value, count])
PY

spec() { # name, entries, samples, data set
  cat > "$1.yaml" <<YAML
anonlab: 1
title: $1
datasets:
  patients:
    source:
      format: csv
      inline: |
        age,sex,disease
$(for i in $(seq 1 40); do echo "        $((20 + i)),F,flu"; echo "        $((60 - i)),M,cold"; done)
    quasi_identifiers: [age, sex]
    sensitive: disease
  adult:
    source: adult
    quasi_identifiers: [age, education, sex]
    sensitive: occupation
algorithms:
$2
figures:
  times:
    title: Times
    datasets: [$4]
    algorithms: [one, two]
    samples: $3
    draw: {x: algorithm, y: seconds}
    claims:
      - {says: one is faster, metric: seconds, of: one, is: {less_than: {algorithm: two}}}
      - {says: two is faster, metric: seconds, of: two, is: {less_than: {algorithm: one}}}
YAML
}

entry() { # name, kind, work
  case $2 in
    built-in | millisecond) echo "  $1: {publisher: anatomy, parameters: {l: 2}, distinct: true}" ;;
    *) echo "  $1: {command: [python3, program.py], release: buckets, version: '1', randomized: false, distinct: true, parameters: {l: 2, work: $3}}" ;;
  esac
}

count() { # name, claim pattern: runs in which such a claim holds
  local name=$1 pattern=$2 found=0
  for run in $(seq 1 "$runs"); do
    "$anonlab" run "$name.yaml" --fresh --quiet --allow-external --seed "$run" --out "out-$name" > "$name.log" 2>&1 || true
    [ -f "out-$name/$name/claims.csv" ] || { cat "$name.log" >&2; exit 1; }
    if grep -E "$pattern" "out-$name/$name/claims.csv" | grep -q ',holds,'; then found=$((found + 1)); fi
  done
  echo "$found"
}

aa() { # label
  for kind in built-in python millisecond; do
    data=patients
    if [ $kind = built-in ]; then data=adult; fi
    name="$kind-$1"
    spec "$name" "$(entry one $kind 300000)
$(entry two $kind 300000)" "$samples" $data
    echo "A/A, $1, $kind: $(count "$name" '(one|two) is faster') false verdicts in $runs runs of $samples samples"
  done
}

echo "$("$anonlab" --version), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
aa quiet
for _ in $(seq 1 "$(nproc)"); do (while :; do :; done) & neighbours+=($!); done
aa busy
kill "${neighbours[@]}" 2>/dev/null || true
neighbours=()
spec power "$(entry one python 300000)
$(entry two python 315000)" 30 patients
echo "power: 5 % more work is found in $(count power 'one is faster') of $runs runs of 30 samples"
