//! `--executor slurm` with `sbatch`, `squeue` and `scontrol` of the test's own: what Slurm may do, without Slurm.
//! `scripts/check-slurm.sh` does the same with a real cluster.

use crate::lab::{Lab, PATIENTS, Said};
use crate::readings::with_claims;
use std::os::unix::fs::PermissionsExt;

/// Notes how it was called, then runs the tasks of the array one after another, less those that are to be lost.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >>"$FAKE/submitted"
if [ -f "$FAKE/refuse" ]; then echo "sbatch: error: invalid partition specified: nowhere" >&2; exit 1; fi
if [ -f "$FAKE/away" ]; then
    rm "$FAKE/away"
    echo "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)" >&2
    exit 1
fi
for word in "$@"; do
    case "$word" in
        --job-name=*) name="${word#*=}" ;;
        --array=*) last="${word##*-}" ;;
    esac
    script="$word"
done
say() { echo "$2" >"$FAKE/new" && mv "$FAKE/new" "$FAKE/tasks/$name.$1"; }
for i in $(seq 0 "$last"); do say "$i" PENDING; done
run() {
    for i in $(seq 0 "$last"); do
        lost="$(cat "$FAKE/lost/$i" 2>/dev/null)"
        case "$lost" in
            KILLED) # in the middle of it: it has done nothing yet, or some of it
                say "$i" RUNNING
                SLURM_ARRAY_TASK_ID=$i timeout -s KILL 0.05 sh "$script" >>"$FAKE/log" 2>&1
                say "$i" FAILED ;;
            ?*) say "$i" "$lost" ;;
            *)
                say "$i" RUNNING
                SLURM_ARRAY_TASK_ID=$i sh "$script" >>"$FAKE/log" 2>&1
                say "$i" COMPLETED ;;
        esac
    done
}
if [ ! -f "$FAKE/stuck" ]; then (sleep 0.3; run) </dev/null >/dev/null 2>&1 & fi
echo 77
"#;

const SQUEUE: &str = r#"#!/bin/sh
echo "$@" >>"$FAKE/asked"
left="$(cat "$FAKE/outage" 2>/dev/null || echo 0)"
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) >"$FAKE/outage"
    echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2
    exit 1
fi
for task in "$FAKE"/tasks/*; do
    [ -f "$task" ] || continue
    file="${task##*/}"
    state="$(cat "$task")"
    case "$state" in
        HELD) echo "${file%.*}|${file##*.}|PENDING|77_${file##*.}|launch failed requeued held" ;;
        *) echo "${file%.*}|${file##*.}|$state|77_${file##*.}|None" ;;
    esac
done
"#;

/// Takes what it is given out of the queue.
const SCANCEL: &str = r#"#!/bin/sh
for id in "$@"; do
    echo "$id" >>"$FAKE/cancelled"
    for task in "$FAKE"/tasks/*."${id#*_}"; do
        if [ "$(cat "$task")" = HELD ]; then echo CANCELLED >"$task"; fi
    done
done
"#;

const SCONTROL: &str = "#!/bin/sh
case \"$*\" in
    *config*) echo 'MaxArraySize            = 4' ;;
    *) echo 'PartitionName=main Default=YES MaxTime=1-00:00:00 State=UP' ;;
esac
";

/// A lab beside a cluster.
struct Cluster {
    lab: Lab,
}

impl Cluster {
    fn new() -> Self {
        let lab = Lab::with("p.yaml", PATIENTS);
        lab.run(&["run", "p.yaml", "--out", "local"]).expect(0);
        for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scontrol", SCONTROL), ("scancel", SCANCEL)] {
            let path = lab.write(&format!("bin/{name}"), text);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        std::fs::create_dir_all(lab.path("fake/tasks")).unwrap();
        Self { lab }
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let path = format!("{}:{}", self.lab.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = self.lab.command(arguments);
        command.env("PATH", path).env("FAKE", self.lab.path("fake")).output().unwrap().into()
    }

    /// `run --executor slurm` with a batch for each few cells.
    fn sweep(&self, more: &[&str]) -> Said {
        let usual = ["run", "p.yaml", "--executor", "slurm", "--out", "out", "--poll", "50ms", "--batch-time", "20s"];
        self.run(&[&usual, more].concat())
    }

    fn collect(&self, more: &[&str]) -> Said {
        self.run(&[&["collect", "out"], more].concat())
    }

    /// What becomes of task `i` of every array.
    fn lose(&self, i: usize, how: &str) {
        self.lab.write(&format!("fake/lost/{i}"), how);
    }

    fn lose_nothing_more(&self) {
        std::fs::remove_dir_all(self.lab.path("fake/lost")).unwrap();
    }

    #[track_caller]
    fn same_as_local(&self) {
        assert_eq!(self.lab.read("local/p/measurements.csv"), self.lab.read("out/p/measurements.csv"));
    }
}

#[test]
fn a_sweep_goes_through_slurm_and_comes_back_the_same() {
    let cluster = Cluster::new();
    // The controller is away for a moment when it is submitted to, and for a while when it is waited for.
    cluster.lab.write("fake/away", "");
    cluster.lab.write("fake/outage", "8");
    let said = cluster.sweep(&["--partition", "main", "--account=lab", "--sbatch-arg=--qos=low"]).expect(0);
    // 15 cells taken for 6 s each, in batches of 20 s: 5, but an array has 4 at most.
    assert!(said.out.contains("15 cells in 4 batches submitted, job 77"), "{}", said.out);
    assert!(said.out.contains("15 cells, 15 of them from the store"), "{}", said.out);
    cluster.same_as_local();
    let submitted = cluster.lab.read("fake/submitted");
    for word in [
        "--array=0-3",
        "--time=7",
        "--mem=4608M",
        "--requeue",
        "--partition=main --account=lab --qos=low",
        "--cpus-per-task=1",
    ] {
        assert!(submitted.contains(word), "{word} is not in {submitted}");
    }
    assert!(!submitted.contains("--exclusive"), "{submitted}");
    assert_eq!(cluster.lab.read("fake/outage").trim(), "0");
    // Once more: nothing is left to submit.
    let said = cluster.sweep(&[]).expect(0);
    assert!(said.out.contains("p: nothing to submit"), "{}", said.out);
    assert_eq!(cluster.lab.read("fake/submitted").lines().count(), 2);
}

#[test]
fn readings_and_seeds_go_through_slurm_and_come_back_the_same() {
    let cluster = Cluster::new();
    cluster.lab.write("c.yaml", &with_claims());
    let all = ["run", "c.yaml", "--readings", "all", "--seeds", "3"];
    cluster.lab.run(&[&all[..], &["--out", "here"]].concat()).expect(0);
    cluster.lose(1, "TIMEOUT");
    let there = ["--executor", "slurm", "--out", "there", "--poll", "50ms", "--batch-time", "20s"];
    cluster.run(&[&all[..], &there].concat()).expect(3);
    cluster.lose_nothing_more();
    cluster.run(&["collect", "there", "--retry", "--wait", "--poll", "50ms"]).expect(0);
    for file in ["measurements.csv", "claims.csv", "standings.csv"] {
        let [here, there] = ["here", "there"].map(|out| cluster.lab.read(&format!("{out}/c/{file}")));
        assert_eq!(here, there, "{file}");
    }
}

#[test]
fn what_is_lost_is_told_and_submitted_again() {
    let cluster = Cluster::new();
    cluster.lose(1, "KILLED");
    cluster.lose(2, "TIMEOUT");
    cluster.lose(3, "NODE_FAIL");
    let said = cluster.sweep(&[]).expect(3);
    assert!(said.out.contains(" missing (their batches ended: "), "{}", said.out);
    assert!(said.out.contains("TIMEOUT") && said.out.contains("NODE_FAIL"), "{}", said.out);
    assert!(said.out.contains("`anonlab collect out --retry` submits what is missing"), "{}", said.out);
    assert!(!cluster.lab.path("out/p").exists());
    let done = cluster.lab.stored("out").len();
    assert!((4..=8).contains(&done), "{done} of 15 cells");
    // The same again, with another loss; then without.
    cluster.lose_nothing_more();
    cluster.lose(0, "HELD");
    let said = cluster.collect(&["--retry", "--wait", "--poll", "50ms"]).expect(3);
    assert!(said.out.contains("HELD"), "{}", said.out);
    cluster.lose_nothing_more();
    let said = cluster.collect(&["--retry", "--wait", "--poll", "50ms"]).expect(0);
    assert!(said.out.contains(" submitted, job "), "{}", said.out);
    assert_eq!(cluster.lab.read("fake/cancelled"), "77_0\n");
    cluster.same_as_local();
}

#[test]
fn a_detached_sweep_is_collected_later() {
    let cluster = Cluster::new();
    cluster.lab.write("fake/stuck", "");
    let said = cluster.sweep(&["--detach"]).expect(0);
    assert!(said.out.contains("`anonlab collect out` tells how far it is"), "{}", said.out);
    let said = cluster.collect(&[]).expect(3);
    assert!(said.out.contains("0 of 15 cells done, 15 pending"), "{}", said.out);
    // What is in the queue is not submitted twice.
    let said = cluster.collect(&["--retry"]).expect(3);
    assert!(said.out.contains("p: nothing to submit"), "{}", said.out);
    // A task starts, is requeued and starts again.
    let script = std::fs::read_dir(cluster.lab.path("out/.sweeps/p/1"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "sh"))
        .unwrap();
    let name = script.file_stem().unwrap().to_str().unwrap();
    cluster.lab.write(&format!("fake/tasks/{name}.0"), "RUNNING");
    let said = cluster.collect(&[]).expect(3);
    assert!(said.out.contains("0 of 15 cells done, 4 running, 11 pending"), "{}", said.out);
    for index in ["0", "0", "1", "2", "3"] {
        let status = std::process::Command::new("sh").arg(&script).env("SLURM_ARRAY_TASK_ID", index).status();
        assert!(status.unwrap().success());
        cluster.lab.write(&format!("fake/tasks/{name}.{index}"), "COMPLETED");
    }
    cluster.collect(&[]).expect(0);
    cluster.same_as_local();
}

#[test]
fn the_controller_need_not_answer_for_what_is_in_the_store() {
    let cluster = Cluster::new();
    cluster.lose(2, "CANCELLED");
    cluster.sweep(&[]).expect(3);
    cluster.lab.write("fake/outage", "1000000");
    let said = cluster.collect(&[]).expect(3);
    assert!(said.out.contains("the queue is not known here"), "{}", said.out);
    // Whoever computes what lacks: here a run on this machine, in the same directory.
    cluster.run(&["run", "p.yaml", "--shard", "1/1", "--out", "out"]).expect(0);
    cluster.collect(&["--wait", "--poll", "50ms"]).expect(0);
    cluster.same_as_local();
}

#[test]
fn cells_whose_time_is_plotted_have_a_node_for_themselves() {
    let cluster = Cluster::new();
    let timed = PATIENTS.replace("y: mean_relative_error", "y: seconds");
    cluster.lab.write("p.yaml", &timed);
    cluster.sweep(&[]).expect(0);
    assert!(cluster.lab.read("fake/submitted").contains("--exclusive"));
    cluster.same_as_local();
}

/// Contenders are timed by one task; when it is lost half-way, all of them again.
#[test]
fn rounds_of_timings_go_through_slurm_whole() {
    let cluster = Cluster::new();
    let timed = PATIENTS.replace("y: mean_relative_error", "y: seconds").replace("repetitions: 5", "samples: 6");
    assert!(timed.contains("samples: 6"), "{timed}");
    cluster.lab.write("p.yaml", &timed);
    cluster.lose(0, "KILLED");
    cluster.sweep(&[]).expect(3);
    cluster.lose_nothing_more();
    cluster.collect(&["--retry", "--wait", "--poll", "50ms"]).expect(0);
    let costs = cluster.lab.read("out/p/costs.csv");
    let heads: Vec<&str> = costs.lines().next().unwrap().split(',').collect();
    let sample = heads.iter().position(|head| *head == "sample").unwrap();
    let of_sample = |wanted: &str| {
        let rows = costs.lines().filter(|line| line.contains(",seconds,"));
        rows.filter(|line| line.split(',').nth(sample) == Some(wanted)).count()
    };
    let each: Vec<usize> = ["0", "1", "2", "3", "4", "5", "6"].map(of_sample).to_vec();
    assert!(each[0] > 0 && each[..6].iter().all(|count| *count == each[0]) && each[6] == 0, "{each:?}");
}

#[test]
fn a_cluster_that_refuses_or_is_not_there_is_told() {
    let cluster = Cluster::new();
    cluster.lab.write("fake/refuse", "");
    let said = cluster.sweep(&["--partition", "nowhere"]).expect(2);
    assert!(said.err.contains("invalid partition specified"), "{}", said.err);
    let arguments = ["run", "p.yaml", "--executor", "slurm", "--out", "none"];
    let said: Said = cluster.lab.command(&arguments).env("PATH", "/nonexistent").output().unwrap().into();
    assert!(said.expect(2).err.contains("is Slurm installed here?"));
    let said = cluster.sweep(&["--fresh"]).expect(2);
    assert!(said.err.contains("--fresh is for runs on this machine"), "{}", said.err);
}

#[test]
fn a_task_with_other_data_than_was_planned_says_so() {
    let cluster = Cluster::new();
    cluster.lab.write("data.csv", "age,disease\n1,flu\n2,cold\n3,flu\n4,cold\n");
    let head = PATIENTS.split("  patients:\n").next().unwrap();
    let tail = PATIENTS.split("    sensitive: disease\n").nth(1).unwrap().replace("[2, 3, 4]", "[2]");
    let dataset = "  patients:\n    source: {file: data.csv, format: csv}\n    quasi_identifiers: [age]\n    sensitive: disease\n";
    cluster.lab.write("p.yaml", &format!("{head}{dataset}{tail}"));
    cluster.lab.write("fake/stuck", "");
    cluster.sweep(&["--detach"]).expect(0);
    cluster.lab.write("data.csv", "age,disease\n1,flu\n2,cold\n3,flu\n5,cold\n");
    let submission = cluster.lab.path("out/.sweeps/p/1");
    let said = cluster.run(&["task", "--out", "out", submission.to_str().unwrap(), "0"]).expect(2);
    assert!(said.err.contains("cells of this batch are not in the plan of this machine"), "{}", said.err);
}
