//! Runs a cell in a worker process and turns whatever happens to it into an answer.

use super::worker_output::{parse_answer, read_answer};
use super::workers::Adopts;
use super::{Answer, Executor, Interrupt, MemoryLimit, Status, Told, WorkOrder};
use anonlab_core::lab::{Killed, MemoryKills};
use anonlab_core::worker::heap::{NO_MEMORY_EXIT, OUT_OF_MEMORY_EXIT};
use anonlab_core::worker::{KILLED_EXIT, RUN_VARIABLE};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// More than this on standard output is not an answer but a flood.
const OUTPUT_LIMIT: usize = 64 << 20;
/// How much of a worker's error output a row keeps.
const ERROR_TAIL: usize = 2000;
/// How long a worker that is asked to end may take: it ends the program it runs and all that this one started.
const GRACE: Duration = Duration::from_secs(3);
/// Whoever kills a worker from outside (a scheduler that ends a job) may be about to kill this process too. Then the death of
/// the worker says nothing about the cell, so for this long it is not yet counted as an answer.
const KILLED_TOGETHER: Duration = Duration::from_secs(1);
/// How often a cell is begun whose worker is killed from outside each time.
const ATTEMPTS: usize = 3;
/// How often a waiting run looks whether somebody wants it to stop.
const HEARTBEAT: Duration = Duration::from_millis(50);

/// Starts this very binary as a worker.
#[derive(Debug, Clone)]
pub struct ProcessExecutor {
    program: PathBuf,
    arguments: Vec<String>,
    adopts: Adopts,
}

impl ProcessExecutor {
    /// Workers are this executable with the hidden `worker` command. What killed runs left on this machine is cleared, and
    /// this process must start nothing but workers while cells run.
    pub fn this_binary() -> std::io::Result<Self> {
        Ok(Self::of_binary(std::env::current_exe()?))
    }

    /// Workers are another anonlab: an older build to compare with.
    pub fn of_binary(program: PathBuf) -> Self {
        Self { program, arguments: vec!["worker".to_string()], adopts: Adopts::begin() }
    }

    #[cfg(test)]
    fn shell(script: &str) -> Self {
        Self { program: "/bin/sh".into(), arguments: vec!["-c".to_string(), script.to_string()], adopts: Adopts(false) }
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env(RUN_VARIABLE, std::process::id().to_string())
            // One core a cell: costs repeat, and `--jobs` alone decides how much runs at once.
            .env("RAYON_NUM_THREADS", "1")
            .env("POLARS_MAX_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C reaches the run, which then ends its workers in order.
            .process_group(0);
        self.adopts.start(&mut command)
    }

    /// Runs the cell once.
    fn attempt(&self, order: &WorkOrder, told: Told, interrupt: &Interrupt) -> Attempt {
        let (start, kills) = (Instant::now(), MemoryKills::so_far());
        let attempt = match self.spawn() {
            Ok(child) => {
                let worker = child.id();
                let attempt = watch(child, order, kills, told, interrupt);
                self.adopts.over(worker, matches!(&attempt, Attempt::Answered(answer) if answer.status == Status::Ok));
                attempt
            }
            Err(error) => Attempt::Answered(Box::new(crash(format!("cannot start a worker: {error}")))),
        };
        match attempt {
            Attempt::Answered(mut answer) => {
                answer.costs.cell_seconds = start.elapsed().as_secs_f64();
                Attempt::Answered(answer)
            }
            other => other,
        }
    }
}

impl Executor for ProcessExecutor {
    fn execute(&self, order: &WorkOrder, interrupt: &Interrupt) -> Option<Answer> {
        self.execute_telling(order, Arc::new(|_| ()), interrupt)
    }

    fn execute_telling(&self, order: &WorkOrder, told: Told, interrupt: &Interrupt) -> Option<Answer> {
        for _ in 0..ATTEMPTS {
            match self.attempt(order, told.clone(), interrupt) {
                Attempt::Answered(answer) => return Some(*answer),
                Attempt::Interrupted => return None,
                Attempt::Killed if ends_too(interrupt) => return None,
                Attempt::Killed => {}
            }
        }
        None
    }
}

/// What came of one worker.
enum Attempt {
    Answered(Box<Answer>),
    /// The run is to end.
    Interrupted,
    /// Somebody outside killed the worker, or its program: that says nothing about the cell.
    Killed,
}

fn crash(reason: String) -> Answer {
    Answer { crashed: true, ..Answer::without_result(Status::Failed, reason) }
}

/// Why waiting for a worker ended.
enum WaitEnd {
    Exited(ExitStatus),
    Deadline,
    Flood,
    Interrupted,
}

/// Feeds the worker, waits for it within its limits, and reads its answer.
fn watch(mut child: Child, order: &WorkOrder, kills: MemoryKills, told: Told, interrupt: &Interrupt) -> Attempt {
    let deadline = Instant::now() + order.limits.time.0;
    let order_text = serde_json::to_vec(order).unwrap_or_default();
    let (send, done) = mpsc::channel();
    let (output, errors, feeder) = (child.stdout.take(), child.stderr.take(), child.stdin.take());
    let reader = thread::spawn(move || {
        let answer = output.map(|output| read_answer(output, OUTPUT_LIMIT, &*told)).unwrap_or_default();
        // The receiver is gone only when nobody waits any more.
        let _ = send.send(answer.len() > OUTPUT_LIMIT);
        answer
    });
    let tail = thread::spawn(move || errors.map(|errors| read_tail(errors, ERROR_TAIL)).unwrap_or_default());
    thread::spawn(move || {
        // A worker that dies before it has read its order shows so by its exit status.
        feeder.map(|mut feeder| feeder.write_all(&order_text))
    });
    let end = wait(&mut child, deadline, &done, interrupt);
    if !matches!(end, WaitEnd::Exited(_)) {
        ask_to_end(&mut child);
    }
    // The whole group: a worker's children do not survive it.
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let status = child.wait();
    let end = match (end, status) {
        (WaitEnd::Exited(_), Ok(status)) => WaitEnd::Exited(status),
        (end, _) => end,
    };
    Attempt::Answered(Box::new(match end {
        WaitEnd::Interrupted => return Attempt::Interrupted,
        WaitEnd::Deadline => Answer::without_result(Status::Timeout, format!("took longer than {}", order.limits.time)),
        WaitEnd::Flood => crash(format!("wrote more than {} MB of output", OUTPUT_LIMIT >> 20)),
        WaitEnd::Exited(status) => match kills.judge(status) {
            Some(Killed::FromOutside) => return Attempt::Killed,
            _ if status.code() == Some(KILLED_EXIT) => return Attempt::Killed,
            Some(Killed::ForMemory) => {
                Answer::without_result(Status::OutOfMemory, "killed by the system for lack of memory")
            }
            None => {
                let (output, errors) = (reader.join().unwrap_or_default(), tail.join().unwrap_or_default());
                judge(status, &output, &errors, order)
            }
        },
    }))
}

/// Waits whether this process is asked to end as well; one that is killed outright does not come back from here.
fn ends_too(interrupt: &Interrupt) -> bool {
    let deadline = Instant::now() + KILLED_TOGETHER;
    while !interrupt.is_set() && Instant::now() < deadline {
        thread::sleep(HEARTBEAT);
    }
    interrupt.is_set()
}

/// Asks a worker to end and gives it a moment.
fn ask_to_end(child: &mut Child) {
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
    let deadline = Instant::now() + GRACE;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
}

fn wait(child: &mut Child, deadline: Instant, done: &Receiver<bool>, interrupt: &Interrupt) -> WaitEnd {
    let mut output_open = true;
    loop {
        let now = Instant::now();
        if interrupt.is_set() {
            return WaitEnd::Interrupted;
        }
        if now >= deadline {
            return WaitEnd::Deadline;
        }
        let pause = HEARTBEAT.min(deadline - now);
        if output_open {
            match done.recv_timeout(pause) {
                Ok(true) => return WaitEnd::Flood,
                Ok(false) | Err(RecvTimeoutError::Disconnected) => output_open = false,
                Err(RecvTimeoutError::Timeout) => {}
            }
        } else {
            // Its output is closed, so it is about to end; but a worker may also close it and stay.
            match child.try_wait() {
                // An answer that comes after the deadline is no answer.
                Ok(Some(_)) if Instant::now() >= deadline => return WaitEnd::Deadline,
                Ok(Some(status)) => return WaitEnd::Exited(status),
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(_) => return WaitEnd::Exited(ExitStatus::default()),
            }
        }
    }
}

/// "500MB" of a spec as "500 MB".
fn in_prose(limit: MemoryLimit) -> String {
    let text = limit.to_string();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    format!("{number} {unit}")
}

/// What an ended worker's status and output mean.
fn judge(status: ExitStatus, output: &[u8], errors: &str, order: &WorkOrder) -> Answer {
    if status.code() == Some(OUT_OF_MEMORY_EXIT) {
        return Answer::without_result(
            Status::OutOfMemory,
            format!("needed more than {} of heap", in_prose(order.limits.memory)),
        );
    }
    if status.code() == Some(NO_MEMORY_EXIT) {
        return Answer::without_result(Status::OutOfMemory, "the system gave it no more memory");
    }
    let said = if errors.is_empty() { String::new() } else { format!(": {errors}") };
    if !status.success() {
        return crash(format!("its worker ended with {status}{said}"));
    }
    parse_answer(output).unwrap_or_else(|error| crash(format!("its worker gave no answer ({error}){said}")))
}

/// The last `limit` bytes of `source`, as text.
fn read_tail(mut source: impl Read, limit: usize) -> String {
    let mut tail: Vec<u8> = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(n @ 1..) = source.read(&mut chunk) {
        tail.extend(&chunk[..n]);
        tail.drain(..tail.len().saturating_sub(limit));
    }
    String::from_utf8_lossy(&tail).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Cell, Limits, Timing};
    use crate::sources::DataLocations;

    fn run(script: &str, time: &str) -> Answer {
        attempted(script, time).unwrap()
    }

    fn attempted(script: &str, time: &str) -> Option<Answer> {
        let cell = Cell {
            dataset_name: "d".into(),
            dataset: serde_json::from_str(r#"{"source": "adult"}"#).unwrap(),
            algorithm: None,
            measures: Default::default(),
            repetition: 0,
            workloads: 1,
            seed: Some(1),
        };
        let limits = Limits { time: time.parse().unwrap(), ..Limits::default() };
        let order = WorkOrder {
            cell,
            data: None,
            locations: DataLocations::new(None),
            limits,
            keep: None,
            timing: Timing::default(),
            tell: false,
            threads: 1,
        };
        ProcessExecutor::shell(script).execute(&order, &Interrupt::default())
    }

    #[test]
    fn whatever_a_worker_does_is_a_row() {
        let hang = run("sleep 60", "100ms");
        assert_eq!((hang.status, hang.reason.as_str()), (Status::Timeout, "took longer than 100ms"));
        let crashed = run("echo lost my way >&2; exit 3", "5s");
        assert_eq!(crashed.status, Status::Failed);
        assert_eq!(crashed.reason, "its worker ended with exit status: 3: lost my way");
        assert!(crashed.crashed);
        assert!(run("kill -SEGV $$", "5s").reason.contains("signal: 11"));
        assert_eq!(run("exit 86", "5s").status, Status::OutOfMemory);
        assert_eq!(run("exit 85", "5s").status, Status::OutOfMemory);
        assert!(run("echo '{garbage'", "5s").reason.starts_with("its worker gave no answer"));
        assert!(run("yes", "20s").reason.starts_with("wrote more than 64 MB"));
        assert_eq!(run("exec >&-; sleep 60", "100ms").status, Status::Timeout);
    }

    /// Of 140 staggered kills 28 once left a final `failed` or `out_of_memory`.
    #[test]
    fn a_worker_that_is_killed_from_outside_is_no_answer() {
        for signal in ["TERM", "INT", "HUP", "KILL"] {
            // Whoever runs the tests in the background may have signals ignored.
            let script = format!("exec env --default-signal=HUP,INT sh -c 'kill -{signal} $$'");
            assert_eq!(attempted(&script, "5s"), None, "{signal}");
        }
        assert_eq!(attempted("exit 87", "5s"), None, "its program was killed");
    }

    #[test]
    fn a_cell_whose_worker_is_killed_runs_again() {
        let directory = tempfile::tempdir().unwrap();
        let mark = directory.path().join("killed");
        let answer = serde_json::to_string(&Answer::without_result(Status::Ok, "")).unwrap();
        let script = format!("[ -e {0} ] && echo '{answer}' || {{ touch {0}; kill -KILL $$; }}", mark.display());
        assert_eq!(run(&script, "5s").status, Status::Ok);
    }

    #[test]
    fn children_do_not_survive_their_worker() {
        let mark = format!("/tmp/anonlab-orphan-{}", std::process::id());
        run(&format!("(sleep 1; touch {mark}) & sleep 60"), "100ms");
        thread::sleep(Duration::from_millis(1500));
        assert!(!std::path::Path::new(&mark).exists());
    }
}
