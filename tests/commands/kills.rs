//! Signals from outside, and what killed runs leave: no final row, no orphan, no file.

use crate::external::{has, lab, rows, runs};
use crate::lab::{Lab, PATIENTS, Said};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[track_caller]
fn wait(what: &str, until: impl Fn() -> bool) {
    let start = Instant::now();
    while !until() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(process: i32, signal: i32) {
    // SAFETY: a signal to a process that a program of this test named.
    unsafe { libc::kill(process, signal) };
}

/// Starts a command whose program leaves its marks in the lab's own directory, with temporary files there, too.
fn start(lab: &Lab, arguments: &[&str]) -> Child {
    std::fs::create_dir_all(lab.path("temporary")).unwrap();
    let anonlab = lab.command(arguments);
    // Whoever runs the tests in the background may have signals ignored, and children ignore what their parents do.
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP,INT,TERM").arg(anonlab.get_program()).args(anonlab.get_args());
    command.envs(anonlab.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = anonlab.get_current_dir() {
        command.current_dir(directory);
    }
    command
        .args(["--allow-external", "--jail", "off", "--quiet"])
        .env("HOME", lab.path(""))
        .env("TMPDIR", lab.path("temporary"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Temporary directories of programs that are there.
fn temporary(lab: &Lab) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(lab.path("temporary")).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.display().to_string().contains("anonlab-external-")).collect()
}

/// The ids of the program and of its worker, once it hangs.
fn hanging(lab: &Lab) -> (i32, i32) {
    wait("the program does not start", || lab.path("hangs").exists());
    let text = lab.read("hangs");
    let (program, worker) = text.split_once(' ').unwrap();
    (program.parse().unwrap(), worker.parse().unwrap())
}

#[test]
fn a_program_or_worker_killed_from_outside_runs_again() {
    if !has("python3") {
        return;
    }
    let cases = [
        (libc::SIGKILL, true, "run"),
        (libc::SIGINT, true, "run"),
        (libc::SIGHUP, true, "shard"),
        (libc::SIGTERM, true, "shard"),
        (libc::SIGKILL, false, "shard"),
        (libc::SIGTERM, false, "run"),
        (libc::SIGHUP, false, "run"),
    ];
    std::thread::scope(|scope| {
        for (signal, to_program, how) in cases {
            scope.spawn(move || {
                let lab = lab(&["once"], "{time: 1m, memory: 1GB}");
                let arguments: &[&str] =
                    if how == "run" { &["run", "p.yaml"] } else { &["run", "p.yaml", "--shard", "1/1"] };
                let mut run = start(&lab, arguments);
                let (program, worker) = hanging(&lab);
                send(if to_program { program } else { worker }, signal);
                assert_eq!(run.wait().unwrap().code(), Some(0), "{signal} {to_program} {how}");
                if how == "shard" {
                    lab.run(&["collect", "reports", "--allow-external"]).expect(0);
                }
                let (status, reason) = &rows(&lab, "p")["once"];
                assert_eq!((status.as_str(), reason.as_str()), ("ok", ""), "{signal} {to_program} {how}");
            });
        }
    });
}

/// Each time it starts, its worker is killed.
#[test]
fn a_cell_that_is_always_killed_is_missing_and_not_failed() {
    if !has("python3") {
        return;
    }
    let lab = Lab::with(
        "killer.py",
        "import os, signal, sys\nif '--version' in sys.argv: print(1), sys.exit()\nos.kill(os.getppid(), signal.SIGKILL)\n",
    );
    let entry = "algorithms:\n  killer: {command: [python3, killer.py], release: buckets, randomized: false}\nmeasures:\n  queries";
    let text = PATIENTS
        .replace("measures:\n  queries", entry)
        .replace("algorithms: [anatomy]", "algorithms: [anatomy, killer]")
        .replace("[2, 3, 4]", "[2]")
        .replace("repetitions: 5", "repetitions: 1");
    lab.write("p.yaml", &text);
    let said = lab.run(&["run", "p.yaml", "--allow-external", "--jail", "off", "--quiet"]).expect(3);
    assert!(said.err.contains("1 cell has no answer: its worker or program was killed from outside"), "{}", said.err);
    assert_eq!(lab.stored("reports").len(), 1, "the other cell is kept");
    let said = lab.run(&["run", "p.yaml", "--allow-external", "--jail", "off", "--quiet", "--shard", "1/1"]).expect(3);
    assert!(said.err.contains("1 cell has no answer"), "{}", said.err);
    let said = lab.run(&["collect", "reports", "--allow-external"]).expect(3);
    assert!(said.out.contains("1 missing") || said.err.contains("1 missing"), "{}{}", said.out, said.err);
}

#[test]
fn a_daemon_does_not_survive_its_killed_worker() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["hanging-orphan"], "{time: 1m, memory: 1GB}");
    let script = lab.path("misbehaving.py").display().to_string();
    let mut run = start(&lab, &["run", "p.yaml"]);
    wait("the program does not start", || lab.path("hangs").exists());
    // The worker is the run's child; what it started reads the script.
    let worker = children(run.id() as i32);
    assert_eq!(worker.len(), 1);
    let below = || children(worker[0]);
    wait("the daemon is not there", || below().len() == 2);
    let daemons = below();
    std::fs::remove_file(lab.path("hangs")).unwrap();
    send(worker[0], libc::SIGKILL);
    wait("the daemon outlives its worker", || {
        daemons.iter().all(|pid| !PathBuf::from(format!("/proc/{pid}")).exists())
    });
    wait("the cell does not run again", || lab.path("hangs").exists());
    send(run.id() as i32, libc::SIGINT);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    wait("a program outlives its run", || !runs(&script));
}

fn children(process: i32) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<i32>>()).collect()
}

#[test]
fn what_a_killed_run_leaves_the_next_one_clears() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["hanging-orphan"], "{time: 1m, memory: 1GB}");
    let script = lab.path("misbehaving.py").display().to_string();
    let mut run = start(&lab, &["run", "p.yaml"]);
    wait("the program does not start", || lab.path("hangs").exists());
    let worker = children(run.id() as i32)[0];
    wait("the daemon is not there", || children(worker).len() == 2);
    assert_eq!(temporary(&lab).len(), 1);
    // Both at once: nobody is left to clear up. The worker first stands still, so that it hears of nothing.
    send(worker, libc::SIGSTOP);
    send(run.id() as i32, libc::SIGKILL);
    send(worker, libc::SIGKILL);
    run.wait().unwrap();
    wait("the worker survives", || children(worker).is_empty() && !PathBuf::from(format!("/proc/{worker}")).exists());
    assert_eq!(temporary(&lab).len(), 1, "nobody cleared it");
    // As a killed process leaves it in the middle of a write.
    let stored = lab.path("reports/.store/ab");
    std::fs::create_dir_all(&stored).unwrap();
    let name = temporary(&lab)[0].file_name().unwrap().to_str().unwrap().replace("anonlab-external-", ".tmp-");
    std::fs::write(stored.join(&name), "half an entry").unwrap();
    lab.write("p.yaml", PATIENTS);
    let mut next = start(&lab, &["run", "p.yaml"]);
    assert_eq!(next.wait().unwrap().code(), Some(0));
    assert_eq!(temporary(&lab), [] as [PathBuf; 0]);
    assert!(!stored.join(&name).exists(), "{name}");
    wait("a daemon outlives its killed run", || !runs(&script));
}

/// The same runs give the same bytes, also when they fail.
#[test]
fn reasons_do_not_change_from_run_to_run() {
    if !has("python3") {
        return;
    }
    let ways = ["tell-ids", "crash", "nothing", "garbage", "pipe", "link", "signal", "chatter"];
    let lab = lab(&ways, "{time: 1m, memory: 1GB}");
    for out in ["first", "second"] {
        lab.run(&["run", "p.yaml", "--allow-external", "--quiet", "--out", out]).expect(1);
    }
    assert_eq!(lab.read("first/p/measurements.csv"), lab.read("second/p/measurements.csv"));
    let text = lab.read("first/p/measurements.csv");
    assert!(text.contains("RuntimeError: work/… output pid … thread … <object object at 0x…>"), "{text}");
    assert!(!text.contains("anonlab-external"), "{text}");
}

/// Somebody edits the data while cells run, puts it back, and runs again: the store has answers for the data as it was
/// planned alone.
#[test]
fn data_edited_during_a_run_does_not_enter_the_store() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["once"], "{time: 1m, memory: 1GB}");
    let table: String = PATIENTS
        .lines()
        .skip_while(|line| !line.contains("age,sex,disease"))
        .take(13)
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    let spec = lab.read("p.yaml");
    let start_of = spec.find("      inline: |").unwrap();
    let end_of = spec.find("    quasi_identifiers").unwrap();
    let spec = format!("{}      file: people.csv\n{}", &spec[..start_of], &spec[end_of..]);
    let spec = spec.replace("algorithms: [once]", "algorithms: [once, anatomy]");
    lab.write("p.yaml", &spec);
    lab.write("people.csv", &table);
    // Right answers, from data that nobody touches.
    lab.write("hangs", "");
    let right: Said = lab
        .command(&["run", "p.yaml", "--allow-external", "--jail", "off", "--quiet", "--out", "right"])
        .env("HOME", lab.path(""))
        .output()
        .unwrap()
        .into();
    right.expect(0);
    std::fs::remove_file(lab.path("hangs")).unwrap();
    // One job: the program hangs, and every later cell reads what is there then.
    let mut run = start(&lab, &["run", "p.yaml", "--jobs", "1"]);
    let (program, _) = hanging(&lab);
    lab.write("people.csv", &table.replace("29,F,flu", "29,F,gout").replace("43,M,gout", "43,M,flu"));
    send(program, libc::SIGKILL);
    assert_eq!(run.wait().unwrap().code(), Some(1), "the cells say that the data changed");
    for (algorithm, (status, reason)) in rows(&lab, "p") {
        assert_eq!(status, "failed", "{algorithm}: {reason}");
        assert!(reason.contains("people.csv changed after this cell was planned"), "{algorithm}: {reason}");
    }
    lab.write("people.csv", &table);
    let mut again = start(&lab, &["run", "p.yaml"]);
    assert_eq!(again.wait().unwrap().code(), Some(0));
    assert_eq!(lab.read("reports/p/measurements.csv"), lab.read("right/p/measurements.csv"));
}
