#!/usr/bin/env bash
# Whether verdicts about times stay what they are: runs the papers' timed figures anew several times and lists every claim
# whose verdict was not the same each time.
#
#   scripts/timed-verdicts.sh [--runs N] [--results DIR] [--write] [SPEC FIGURES]…
#
# Figure 5 of Injector, Figures 8 to 11 of k^m and Figure 8 of maximum entropy unless pairs of a spec and its figures
# (fig5a,fig5b) are given. --runs (10) is how many runs there shall be; --results keeps the claims of each and goes on from those that
# are there, so that several short calls add up. --write puts the result into docs/methodology.md. Exit code 1 when a verdict changed.
#
# ANONLAB names the program; target/release/anonlab unless given. ANONLAB_DATA is where the data is.
set -euo pipefail
runs=10 results= page=
here=$(cd "$(dirname "$0")/.." && pwd)
while [ $# -gt 0 ]; do
    case "$1" in
        --runs) runs=$2; shift 2 ;;
        --results) results=$2; shift 2 ;;
        --write) page=$here/docs/methodology.md; shift ;;
        --*) echo "there is no option $1; see the head of $0" >&2; exit 2 ;;
        *) break ;;
    esac
done
if [ $# -eq 0 ]; then
    set -- experiments/injector.yaml fig5a,fig5b \
        experiments/km-anonymity.yaml fig8a,fig9a,fig10a,fig11a,fig11b,fig11c,fig11d \
        experiments/maxent.yaml fig8
fi
anonlab=${ANONLAB:-$here/target/release/anonlab}
[ -x "$anonlab" ] || { echo "there is no $anonlab: cargo build --release, or ANONLAB=/path/to/anonlab" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=${results:-$work/results}
mkdir -p "$results"

for ((run = 1; run <= runs; run++)); do
    pairs=("$@")
    while [ ${#pairs[@]} -gt 0 ]; do
        spec=${pairs[0]} figures=${pairs[1]}
        pairs=("${pairs[@]:2}")
        name=$(basename "$spec" .yaml)
        [ ! -f "$results/$name.$run.csv" ] || continue
        # A claim that fails is a result here, not an error.
        "$anonlab" run "$spec" --only "$figures" --readings none --fresh --quiet --out "$work/out" >"$work/log" 2>&1 || [ $? = 1 ] || {
            cat "$work/log" >&2
            exit 2
        }
        cp "$work/out/$name/claims.csv" "$results/$name.$run.csv"
        rm -rf "$work/out"
    done
done

PYTHONPATH="$here/scripts" python3 - "$results" "$page" <<'PY'
import collections, csv, pathlib, sys
from splice import splice
seen = collections.defaultdict(collections.Counter)
runs = collections.Counter()
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
    name = path.name.split(".")[0]
    runs[name] += 1
    for row in csv.DictReader(open(path, newline="")):
        seen[name, row["figure"], row["claim"]][row["verdict"]] += 1
changed = {claim: verdicts for claim, verdicts in seen.items() if len(verdicts) > 1}
found = []
for (name, figure, claim), verdicts in changed.items():
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    found.append(f"- {name}, {figure}: {claim}: {told}")
told = ", ".join(f"{name} {count}" for name, count in runs.items())
found.append(f"{len(changed)} of {len(seen)} verdicts changed; fresh runs: {told}.")
print("\n".join(found))
if sys.argv[2]:
    splice(pathlib.Path(sys.argv[2]), "scripts/timed-verdicts.sh", "\n".join(found[:-1] + [""] * (len(found) > 1) + found[-1:]))
sys.exit(bool(changed))
PY
