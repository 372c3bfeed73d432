#!/usr/bin/env bash
# How often a comparison of times is wrong, and how often it finds what is there.
#
#   scripts/aa.sh [--runs N] [--power-runs N] [--samples N] [--batch N] [--neighbours N] [--series NAME] [--budget SECONDS]
#   [--results FILE] [--write]
#
# A/A: the same work under two names, for a built-in publisher, a Python program and a publisher that takes less than a
# millisecond; on the machine as it is ("quiet") and beside busy neighbours ("busy", --neighbours processes, 1 unless given).
# Neither name is faster, so each verdict "one is faster" or "two is faster" is false; at most 5 % of the runs may have one.
# Power: a program that takes 5 % longer, start of the interpreter included, with 30 samples; at least 80 % of the runs must
# find it.
#
# A run is one figure with two contenders, timed in --samples rounds (6) and judged by its two claims. --batch (10) of them share
# a process of `anonlab run`, which only saves starting it. All series advance together, a batch each in turn, until each has
# --runs (200; the power check 40) or --budget is spent. --results keeps every run in a file and goes on from what is there:
# several short calls add up to a long one, and --series takes only those whose names begin so (quiet, busy-python, power).
# Exit code 1 when a rate is out of its bound.
#
# --write puts the table of all runs into docs/methodology.md. ANONLAB names the program; target/release/anonlab unless given.
set -euo pipefail
runs=200 power_runs=40 samples=6 batch=10 neighbours=1 series= budget=100000 results= page=
here=$(cd "$(dirname "$0")/.." && pwd)
while [ $# -gt 0 ]; do
    case "$1" in
        --write) page=$here/docs/methodology.md; shift; continue ;;
        --runs) runs=$2 ;;
        --power-runs) power_runs=$2 ;;
        --samples) samples=$2 ;;
        --batch) batch=$2 ;;
        --neighbours) neighbours=$2 ;;
        --series) series=$2 ;;
        --budget) budget=$2 ;;
        --results) results=$(realpath -m "$2") ;;
        *) echo "there is no option $1; see the head of $0" >&2; exit 2 ;;
    esac
    shift 2
done
anonlab=${ANONLAB:-$here/target/release/anonlab}
[ -x "$anonlab" ] || { echo "there is no $anonlab: cargo build --release, or ANONLAB=/path/to/anonlab" >&2; exit 2; }
anonlab=$(realpath "$anonlab")
work=$(mktemp -d)
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
results=${results:-$work/results.csv}
[ -f "$results" ] || echo "series,samples,neighbours,found,seconds" > "$results"

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

# Writes a spec of so many figures, each with two contenders: name, kind, work of one, work of two, samples, figures.
cat > spec.py <<'PY'
import sys
name, kind, one, two, samples, figures = sys.argv[1:]
# The interpreter itself: `python3` may be a script that looks for one, and takes longer than the program.
python = sys.executable
rows = "".join(f"        {20 + i},F,flu\n        {60 - i},M,cold\n" for i in range(1, 41))
data = "adult" if kind == "built-in" else "patients"
def entry(work):
    if kind == "python":
        return (f"{{command: [{python}, program.py], release: buckets, version: '1', randomized: false, distinct: true, "
                f"parameters: {{l: 2, work: {work}}}}}")
    return "{publisher: anatomy, parameters: {l: 2}, distinct: true}"
print(f"""anonlab: 1
title: {name}
datasets:
  patients:
    source:
      format: csv
      inline: |
        age,sex,disease
{rows}    quasi_identifiers: [age, sex]
    sensitive: disease
  adult:
    source: adult
    derive: [{{first: 5000}}]
    quasi_identifiers: [age, education, sex]
    sensitive: occupation
algorithms:""")
for i in range(int(figures)):
    print(f"  one-{i}: {entry(one)}\n  two-{i}: {entry(two)}")
print("figures:")
for i in range(int(figures)):
    print(f"""  pair-{i}:
    title: Times
    datasets: [{data}]
    algorithms: [one-{i}, two-{i}]
    samples: {samples}
    draw: {{x: algorithm, y: seconds}}
    claims:
      - {{says: one is faster, metric: seconds, of: one-{i}, is: {{less_than: {{algorithm: two-{i}}}}}}}
      - {{says: two is faster, metric: seconds, of: two-{i}, is: {{less_than: {{algorithm: one-{i}}}}}}}""")
PY

# Prints how many figures of a run have a claim among those wanted that holds.
cat > holds.py <<'PY'
import csv, sys
path, wanted = sys.argv[1], sys.argv[2].split("|")
rows = [row for row in csv.DictReader(open(path, newline="")) if row["claim"] in wanted]
print(len({row["figure"] for row in rows if row["verdict"] == "holds"}))
PY

# The work that makes the program take 5 % longer than with $1, its start included: the time is that of the start and so much
# a step, each the median of some tries.
longer() {
    python3 - "$1" <<'PY'
import json, os, statistics, subprocess, sys, tempfile, time
work = int(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    table = os.path.join(folder, "t.csv")
    open(table, "w").write("a,b\n1,x\n2,y\n")
    def seconds(steps):
        request = json.dumps({"parameters": {"l": 2, "work": steps}, "input": {"table": table}, "output": folder})
        def once():
            start = time.perf_counter()
            subprocess.run([sys.executable, "program.py"], input=request.encode(), check=True)
            return time.perf_counter() - start
        return statistics.median(once() for _ in range(15))
    start, whole = seconds(0), seconds(20 * work)
step = (whole - start) / (20 * work)
print(round(work + 0.05 * (start + work * step) / step))
PY
}

done_of() { awk -F, -v s="$1" -v n="$2" '$1 == s && $2 == n' "$results" | wc -l; }

steps=200000
slower=$steps
if [[ power == "$series"* ]]; then slower=$(longer $steps); fi

# One batch of a series: name, kind, work of one, work of two, samples, claims that count, runs wanted.
advance() {
    local name=$1 kind=$2 one=$3 two=$4 rounds=$5 claims=$6 wanted=$7
    [[ $name == "$series"* ]] || return 0
    local had; had=$(done_of "$name" "$rounds")
    local count=$((wanted - had < batch ? wanted - had : batch))
    if [ "$count" -le 0 ] || [ $SECONDS -ge "$budget" ]; then return; fi
    more=1
    python3 spec.py "$name" "$kind" "$one" "$two" "$rounds" "$count" > "$name.yaml"
    local start=$EPOCHREALTIME
    "$anonlab" run "$name.yaml" --fresh --quiet --allow-external --seed "$((had + 1))" --out "out-$name" > "$name.log" 2>&1 || true
    [ -f "out-$name/$name/claims.csv" ] || { cat "$name.log" >&2; exit 1; }
    local each; each=$(python3 -c "print(round(($EPOCHREALTIME - $start) / $count, 3))")
    local found; found=$(python3 holds.py "out-$name/$name/claims.csv" "$claims")
    for ((i = 0; i < count; i++)); do
        echo "$name,$rounds,$([[ $name == busy-* ]] && echo "$neighbours" || echo 0),$((i < found)),$each" >> "$results"
    done
    rm -rf "out-$name"
}

either="one is faster|two is faster"
more=1
while [ $more = 1 ]; do
    more=0
    for kind in built-in python millisecond; do
        advance "quiet-$kind" $kind $steps $steps "$samples" "$either" "$runs"
    done
    advance power python $steps "$slower" 30 "one is faster" "$power_runs"
    if [[ busy- == "${series:0:5}"* ]]; then
        for ((i = 0; i < neighbours; i++)); do (trap - EXIT; while :; do :; done) & busy+=($!); done
        # Killed at once, a neighbour would still have the trap of this script.
        sleep 0.2
        for kind in built-in python millisecond; do
            advance "busy-$kind" $kind $steps $steps "$samples" "$either" "$runs"
        done
        kill "${busy[@]}" 2>/dev/null || true
        wait "${busy[@]}" 2>/dev/null || true
        busy=()
    fi
done

echo "$("$anonlab" --version), $(nproc) cores, $SECONDS s; all runs that the results have:"
PYTHONPATH="$here/scripts" python3 - "$results" "$(nproc)" "$page" <<'PY'
import csv, math, pathlib, sys
from splice import splice
results, cores, page = sys.argv[1:]
series = {}
for row in csv.DictReader(open(results, newline="")):
    series.setdefault((row["series"], row["samples"], row["neighbours"]), []).append((int(row["found"]), float(row["seconds"])))
bad = False
lines = ["| series | samples | busy neighbours | runs | verdicts | share | 95 % interval | s a run |", "|---|--:|--:|--:|--:|--:|---|--:|"]
for (name, samples, neighbours), rows in series.items():
    n, found = len(rows), sum(row[0] for row in rows)
    p, z = found / n, 1.96
    centre, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Out of its bound when the whole interval is.
    bad |= centre + half < 0.8 if name == "power" else centre - half > 0.05
    lines.append(f"| {name} | {samples} | {neighbours} | {n:,} | {found} | {p:.1%} | {max(0, centre - half):.1%} to {min(1, centre + half):.1%} | {sum(row[1] for row in rows) / n:.2f} |")
print("\n".join(lines))
if page:
    splice(pathlib.Path(page), "scripts/aa.sh", f"Last result, on {cores} cores:\n\n" + "\n".join(lines))
sys.exit(bad)
PY
