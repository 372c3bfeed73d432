#!/usr/bin/env bash
# A private Slurm cluster of one machine: two nodes of two slots, on loopback alone, with its own key, configuration and
# state in a directory of its own. Needs no rights but to start processes, and no cgroups.
#
#   scripts/slurm-cluster.sh start DIR       then: export SLURM_CONF=DIR/slurm.conf
#   scripts/slurm-cluster.sh controller DIR  starts the controller again, after somebody killed it
#   scripts/slurm-cluster.sh stop DIR        ends what it started, by the process ids it wrote down
#
# DIR must be short (a socket's path is in it) and is not removed. Install with scripts/install-slurm.sh.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"

[ $# -eq 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command="$1"
mkdir -p "$2"
dir="$(cd "$2" && pwd)"
conf="$dir/slurm.conf"

# Starts a daemon in the foreground of a process of its own, so that its id is the one to end.
daemon() { # NAME COMMAND...
    local name="$1"
    shift
    setsid "$@" >>"$dir/log/$name.out" 2>&1 </dev/null &
    echo $! >"$dir/$name.pid"
}

free_ports() { # prints three ports that nobody listens on
    local port found=0
    for port in $(seq $((20000 + RANDOM % 20000)) 60000); do
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            found=$((found + 1))
            [ $found -lt 3 ] || return 0
        fi
    done
}

wait_for() { # WHAT COMMAND...
    local what="$1" i
    shift
    for i in $(seq 150); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.2
    done
    echo "$what does not come up; its logs:" >&2
    tail -n 20 "$dir"/log/* >&2
    exit 1
}

configure() {
    local host user ports
    host="$(hostname -s)"
    user="$(id -un)"
    mapfile -t ports < <(free_ports)
    cat >"$conf" <<CONF
ClusterName=anonlab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
# Listen on loopback, and nowhere else.
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
# A task that is put back into the queue starts again when its credential is over: not after two minutes, but soon.
AuthInfo=socket=$dir/munge.socket,cred_expire=10
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.own.pid
SlurmdPidFile=$dir/slurmd.%n.own.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
# Two nodes of this one machine, with more memory than it may have: nobody enforces it.
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=1001
MinJobAge=300
KillWait=3
SlurmctldTimeout=30
SlurmdTimeout=60
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=2,sched_min_interval=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=2 RealMemory=65536
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=2 RealMemory=65536
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=2-00:00:00 State=UP
CONF
}

start() {
    mkdir -p "$dir/log" "$dir/state"
    # MUNGE wants a directory that only its user writes to, and a key that only its user reads.
    chmod 755 "$dir"
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
    configure
    daemon munged munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munged.own.pid" --log-file="$dir/log/munged.log" --seed-file="$dir/munge.seed"
    wait_for munged munge --socket="$dir/munge.socket" --no-input
    export SLURM_CONF="$conf"
    controller
    for node in n1 n2; do
        mkdir -p "$dir/spool.$node"
        daemon "slurmd.$node" slurmd -D -N "$node" -f "$conf"
    done
    wait_for "a node" nodes_are_up
    echo "SLURM_CONF=$conf"
}

controller() {
    export SLURM_CONF="$conf"
    daemon slurmctld slurmctld -D -f "$conf"
    wait_for slurmctld scontrol ping
}

nodes_are_up() {
    [ "$(sinfo --noheader --Node --format=%t | grep -c -E 'idle|mix|alloc')" -eq 2 ]
}

stop() {
    local name pid i
    export SLURM_CONF="$conf"
    scancel --user="$(id -un)" >/dev/null 2>&1 || true
    for name in slurmd.n1 slurmd.n2 slurmctld munged; do
        [ -f "$dir/$name.pid" ] || continue
        pid="$(cat "$dir/$name.pid")"
        kill "$pid" 2>/dev/null || true
        for i in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -9 "$pid" 2>/dev/null || true
        rm -f "$dir/$name.pid"
    done
}

case "$command" in
    start | controller | stop) "$command" ;;
    *) echo "start, controller or stop?" >&2 && exit 2 ;;
esac
