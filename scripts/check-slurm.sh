#!/usr/bin/env bash
# Runs specs through a private Slurm cluster (scripts/slurm-cluster.sh) while tasks and the controller are killed at random
# moments, and through GNU parallel in shards, and checks that measurements.csv has the bytes of a run on one machine.
#
#   scripts/check-slurm.sh            experiments/anatomy.yaml in full, and `reproduce --thorough` of the quick variants with two seeds
#   scripts/check-slurm.sh --short    anatomy.yaml alone: what .ci/run runs
#
# SEED=7 picks other moments. ANONLAB names the binary. Everything is in a temporary directory, on loopback, and ended at
# the end by its own process ids.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PATH:/usr/sbin:/sbin"

short=false
case "${1:-}" in
    --short) short=true ;;
    "") ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
anonlab="${ANONLAB:-${CARGO_TARGET_DIR:-target}/release/anonlab}"
[ -x "$anonlab" ] || { echo "there is no $anonlab: cargo build --release" >&2; exit 1; }
anonlab="$(cd "$(dirname "$anonlab")" && pwd)/$(basename "$anonlab")"
RANDOM="${SEED:-1}"
disturbances=40
if $short; then disturbances=15; fi

work="$(mktemp -d /tmp/anonlab-slurm.XXXXXX)"
export SLURM_CONF="$work/cluster/slurm.conf"
killer=""
janitor=""
cleanup() {
    # shellcheck disable=SC2086 # none, one or two ids
    kill $killer $janitor 2>/dev/null || true
    scripts/slurm-cluster.sh stop "$work/cluster" || true
    rm -rf "$work"
}
trap cleanup EXIT
scripts/slurm-cluster.sh start "$work/cluster"

# A controller that was killed may find a job running that it does not know of, and drain the node: what an administrator
# would look at and put back.
tidy() {
    while sleep 2; do
        scontrol update NodeName=n1,n2 State=RESUME >/dev/null 2>&1 || true
    done
}
tidy &
janitor=$!

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }

# Ends a random task, or the controller, every second or so, for a while. Tasks are cancelled, killed outright, or put
# back into the queue.
disturb() {
    local tasks task pid i
    for i in $(seq "$disturbances"); do
        sleep "$((RANDOM % 2)).$((RANDOM % 10))"
        if [ $((RANDOM % 6)) -eq 0 ]; then
            pid="$(cat "$work/cluster/slurmctld.pid")"
            kill -9 "$pid" 2>/dev/null || true
            echo "controller killed" >>"$work/disturbed"
            sleep "$((RANDOM % 3))"
            scripts/slurm-cluster.sh controller "$work/cluster" >/dev/null 2>&1 || true
            continue
        fi
        mapfile -t tasks < <(squeue --noheader --array --states=RUNNING --format=%i 2>/dev/null || true)
        [ ${#tasks[@]} -gt 0 ] || continue
        task="${tasks[$((RANDOM % ${#tasks[@]}))]}"
        case $((RANDOM % 3)) in
            0) scancel "$task" >/dev/null 2>&1 && echo "task cancelled" >>"$work/disturbed" || true ;;
            1) scancel --signal=KILL --full "$task" >/dev/null 2>&1 && echo "task killed" >>"$work/disturbed" || true ;;
            2) scontrol requeue "$task" >/dev/null 2>&1 && echo "task requeued" >>"$work/disturbed" || true ;;
        esac
    done
}

peace() {
    [ -n "$killer" ] || return 0
    kill "$killer" 2>/dev/null || true
    wait "$killer" 2>/dev/null || true
    killer=""
    controller_is_up || scripts/slurm-cluster.sh controller "$work/cluster" >/dev/null
}

controller_is_up() {
    kill -0 "$(cat "$work/cluster/slurmctld.pid")" 2>/dev/null && scontrol ping >/dev/null 2>&1
}

compare() { # NAME LOCAL OTHER
    local csv
    for csv in "$2"/*/measurements.csv; do
        cmp "$csv" "$3/$(basename "$(dirname "$csv")")/measurements.csv" || { echo "$1: other bytes" >&2; exit 1; }
    done
    echo "  $1: the same bytes"
}

# Exit code 1 is that of a claim that does not hold, which is not what is checked here. What hangs is ended.
lab() {
    local code=0
    timeout 900 "$anonlab" "$@" || code=$?
    [ "$code" -lt 2 ] || return "$code"
}

check() { # NAME BATCH_TIME ARGUMENTS...
    local name="$1" batch="$2" start tries=0 code
    local out="$work/$1"
    shift 2
    echo "$name"
    start="$(now)"
    lab "$@" --out "$out/local" --quiet >/dev/null
    echo "  local: $(since "$start") s"

    : >"$work/disturbed"
    disturb &
    killer=$!
    start="$(now)"
    code=0
    lab "$@" --out "$out/slurm" --quiet --executor slurm --batch-time "$batch" --poll 500ms >"$work/said" 2>&1 || code=$?
    while [ "$code" -eq 3 ] || [ "$code" -eq 2 ]; do
        tries=$((tries + 1))
        # Towards the end everything is left in peace, or it might never come to an end.
        if [ "$tries" -ge 4 ]; then peace; fi
        [ "$tries" -lt 12 ] || { cat "$work/said" >&2; echo "$name: does not come to an end" >&2; exit 1; }
        code=0
        lab collect "$out/slurm" --retry --wait --quiet --poll 500ms >"$work/said" 2>&1 || code=$?
    done
    peace
    echo "  Slurm, with $(sort "$work/disturbed" | uniq -c | awk '{printf "%s%s %s %s", s, $1, $2, $3; s = ", "}'): $(since "$start") s, $tries retries"
    compare "Slurm" "$out/local" "$out/slurm"

    start="$(now)"
    seq 1 6 | parallel --will-cite --jobs 3 "$anonlab" "$@" --out "$out/parallel" --quiet --jobs 1 --shard {}/6 >/dev/null
    lab collect "$out/parallel" --quiet >/dev/null
    echo "  GNU parallel, 6 shards: $(since "$start") s"
    compare "GNU parallel" "$out/local" "$out/parallel"
}

# One cell a batch, in peace: what a batch costs beside its cell, and a slot's part of it.
overhead() {
    local start local_time slurm_time
    start="$(now)"
    lab run experiments/anatomy.yaml --quick --only "$1" --out "$work/o/local" --jobs 1 --quiet >/dev/null
    local_time="$(since "$start")"
    start="$(now)"
    lab run experiments/anatomy.yaml --quick --only "$1" --out "$work/o/slurm" --quiet --executor slurm --batch-time 1ms --poll 100ms >"$work/said"
    slurm_time="$(since "$start")"
    local batches
    batches="$(sed -n 's/.* in \([0-9]*\) batches.*/\1/p' "$work/said")"
    awk -v l="$local_time" -v s="$slurm_time" -v b="$batches" \
        'BEGIN { printf "overhead: %d batches of one cell in %s s on 4 slots (one after another, without Slurm: %s s): %.2f s of a slot a batch\n", b, s, l, (4 * s - l) / b }'
}

check anatomy 20s run experiments/anatomy.yaml
if ! $short; then
    check thorough 10s reproduce --thorough --quick --seeds 2
fi
overhead "$(sed -n '/^figures:/,$s/^  \([a-z0-9_-]*\):.*/\1/p' experiments/anatomy.yaml | head -1)"
echo "all is the same"
