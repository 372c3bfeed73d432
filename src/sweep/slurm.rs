//! Slurm as a queue: `sbatch`, `squeue`, `scancel` and `scontrol`, as they are on the path. No accounting database is asked:
//! many clusters have none.

use super::queue::{Job, Queue, QueueError, QueueLimits, Task, TaskState};
use crate::run::{shell_word, write_atomically};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The Slurm of the cluster that this machine is part of.
#[derive(Debug, Clone, Default)]
pub struct Slurm {
    /// Whose limits hold; the default partition's where None.
    pub partition: Option<String>,
    /// What the user gives `sbatch`, the partition included. It comes last, and so wins.
    pub arguments: Vec<String>,
}

/// Slurm's own default.
const ARRAY_SIZE: usize = 1001;

/// How clients say that they did not reach the controller.
const AWAY: [&str; 8] = [
    "Unable to contact slurm controller",
    "Communication connection failure",
    "Socket timed out",
    "Connection refused",
    "Connection reset",
    "Zero Bytes were transmitted",
    "Resource temporarily unavailable",
    "standby mode",
];

/// What a command of Slurm prints.
fn say(program: &str, arguments: &[OsString]) -> Result<String, QueueError> {
    let output =
        Command::new(program).args(arguments).stdin(Stdio::null()).output().map_err(|error| {
            QueueError::Absent(format!("cannot run `{program}`: {error}; is Slurm installed here?"))
        })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    let message = format!("`{program}` failed ({}): {said}", output.status);
    match AWAY.iter().any(|sign| said.contains(sign)) {
        true => Err(QueueError::Away(message)),
        false => Err(QueueError::Refused(message)),
    }
}

impl Slurm {
    fn sbatch_arguments(&self, job: &Job, script: &Path) -> Vec<OsString> {
        let minutes = job.array.time.as_secs().div_ceil(60);
        let megabytes = job.array.memory.div_ceil(1 << 20);
        let mut arguments: Vec<OsString> = [
            "--parsable".to_string(),
            format!("--job-name={}", job.name),
            format!("--array=0-{}", job.array.batches.len() - 1),
            "--ntasks=1".to_string(),
            "--cpus-per-task=1".to_string(),
            format!("--time={minutes}"),
            format!("--mem={megabytes}M"),
            "--requeue".to_string(),
            "--open-mode=append".to_string(),
        ]
        .map(OsString::from)
        .to_vec();
        let mut directory = OsString::from("--chdir=");
        directory.push(&job.command.directory);
        arguments.push(directory);
        // A percent sign in a path is one to Slurm only when doubled.
        let log = script.with_extension("").to_string_lossy().replace('%', "%%");
        arguments.push(format!("--output={log}-%a.log").into());
        if job.array.timed {
            arguments.push("--exclusive".into());
        }
        arguments.extend(self.arguments.iter().map(OsString::from));
        arguments.push(script.into());
        arguments
    }
}

/// A task is this program with the number of its batch.
fn script_text(job: &Job) -> String {
    let words: Vec<String> = job.command.words.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
    format!(
        "#!/bin/sh\n# A task runs one batch of cells; those that are in the store already it leaves alone.\nexec {} \"$(({} + SLURM_ARRAY_TASK_ID))\"\n",
        words.join(" "),
        job.first
    )
}

impl Queue for Slurm {
    fn submit(&self, job: &Job) -> Result<String, QueueError> {
        let script = job.folder.join(format!("{}.sh", job.name));
        write_atomically(&script, script_text(job).as_bytes())
            .map_err(|error| QueueError::Refused(error.to_string()))?;
        let said = say("sbatch", &self.sbatch_arguments(job, &script))?;
        // "1234" or "1234;cluster", after whatever a site's plugins print.
        let last = said.lines().last().unwrap_or_default();
        Ok(last.split(';').next().unwrap_or_default().trim().to_string())
    }

    fn tasks(&self, names: &[&str]) -> Result<Vec<Task>, QueueError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = ["--noheader", "--array", "--states=all", "--format=%j|%K|%T|%i|%r"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).to_vec();
        arguments.push(format!("--name={}", names.join(",")).into());
        Ok(say("squeue", &arguments)?.lines().filter_map(task).collect())
    }

    fn cancel(&self, ids: &[String]) -> Result<(), QueueError> {
        let ids: Vec<OsString> = ids.iter().map(OsString::from).collect();
        say("scancel", &ids).map(drop)
    }

    fn cancel_command(&self, names: &[&str]) -> String {
        format!("scancel --name={}", names.join(","))
    }

    fn limits(&self) -> QueueLimits {
        let ask = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            say("scontrol", &arguments).unwrap_or_default()
        };
        let partition = self.partition.as_deref();
        let tasks = array_size(&ask(&["show", "config"])).unwrap_or(ARRAY_SIZE);
        let mut question = vec!["--oneliner", "show", "partition"];
        question.extend(partition);
        QueueLimits { tasks, time: longest_job(&ask(&question), partition) }
    }
}

/// A line of `squeue`: name|index|state|id|reason.
fn task(line: &str) -> Option<Task> {
    let fields: Vec<&str> = line.trim().split('|').collect();
    let [name, index, state, id, reason] = fields[..] else { return None };
    let state = task_state(state, reason);
    Some(Task { job: name.to_string(), index: index.parse().ok()?, id: id.to_string(), state })
}

/// By its name and, of one that waits, the reason. One that its user holds waits for its user.
fn task_state(name: &str, reason: &str) -> TaskState {
    match name {
        "REQUEUE_HOLD" | "SPECIAL_EXIT" => TaskState::Held,
        "PENDING" if reason.contains("requeued held") => TaskState::Held,
        "PENDING" | "REQUEUED" | "REQUEUE_FED" | "RESV_DEL_HOLD" => TaskState::Pending,
        "RUNNING" | "CONFIGURING" | "COMPLETING" | "RESIZING" | "SIGNALING" | "STAGE_OUT" | "STOPPED" | "SUSPENDED" => {
            TaskState::Running
        }
        ended => TaskState::Ended(ended.to_string()),
    }
}

fn array_size(config: &str) -> Option<usize> {
    let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"))?;
    line.trim_start_matches([' ', '=']).trim().parse().ok().filter(|&size| size > 0)
}

/// The time limit of the partition, or of the default one.
fn longest_job(partitions: &str, wanted: Option<&str>) -> Option<Duration> {
    let field = |line: &str, name: &str| line.split(' ').find_map(|word| word.strip_prefix(name).map(String::from));
    let is_it = |line: &&str| match wanted {
        Some(name) => field(line, "PartitionName=").as_deref() == Some(name),
        None => field(line, "Default=").as_deref() == Some("YES"),
    };
    duration(&field(partitions.lines().find(is_it)?, "MaxTime=")?)
}

/// "2-00:00:00", "08:00:00"; None for UNLIMITED.
fn duration(text: &str) -> Option<Duration> {
    let (days, time) = text.split_once('-').unwrap_or(("0", text));
    let parts = time.split(':').map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    Some(Duration::from_secs(((days.parse::<u64>().ok()? * 24 + hours) * 60 + minutes) * 60 + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::batches::Array;
    use crate::sweep::queue::TaskCommand;

    fn command(words: &[&str]) -> TaskCommand {
        TaskCommand { words: words.iter().map(OsString::from).collect(), directory: "/here".into() }
    }

    fn array(tasks: usize) -> Array {
        Array { batches: vec![vec!["k".into()]; tasks], timed: true, time: Duration::from_secs(61), memory: 3 << 20 }
    }

    #[test]
    fn a_task_is_this_program_with_the_number_of_its_batch() {
        let (array, command) = (array(2), command(&["/opt/my lab/anonlab", "task", "it's"]));
        let job = Job { name: "n", first: 40, array: &array, command: &command, folder: Path::new("/") };
        let script = script_text(&job);
        assert!(script.starts_with("#!/bin/sh\n"));
        assert!(script.ends_with("exec '/opt/my lab/anonlab' task \"it's\" \"$((40 + SLURM_ARRAY_TASK_ID))\"\n"));
    }

    #[test]
    fn the_limits_of_cells_are_those_of_the_array_and_the_users_words_come_last() {
        let (array, command) = (array(3), command(&[]));
        let job = Job { name: "n", first: 0, array: &array, command: &command, folder: Path::new("/100%") };
        let slurm =
            Slurm { partition: Some("short".into()), arguments: vec!["--partition=short".into(), "--time=5".into()] };
        let words = slurm.sbatch_arguments(&job, Path::new("/100%/n.sh"));
        let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
        for expected in ["--array=0-2", "--time=2", "--mem=3M", "--exclusive", "--output=/100%%/n-%a.log", "--requeue"]
        {
            assert!(words.contains(&expected), "{expected} is not in {words:?}");
        }
        assert_eq!(words[words.len() - 3..], ["--partition=short", "--time=5", "/100%/n.sh"]);
    }

    #[test]
    fn what_slurm_prints_is_read() {
        let read = task("anonlab-1a|7|RUNNING|12_7|None").unwrap();
        assert_eq!((read.job.as_str(), read.index, read.state), ("anonlab-1a", 7, TaskState::Running));
        assert_eq!(task("anonlab-1a|N/A|RUNNING|12|None"), None);
        let held = task("anonlab-1a|7|PENDING|12_7|launch failed requeued held").unwrap();
        assert_eq!(held.state, TaskState::Held);
        assert_eq!(task("anonlab-1a|7|PENDING|12_7|JobHeldUser").unwrap().state, TaskState::Pending);
        assert_eq!(array_size("MailProg = x\nMaxArraySize            = 4001\n"), Some(4001));
        let partitions = "PartitionName=long AllowGroups=ALL Default=NO MaxTime=2-00:00:00 MinNodes=0\n\
                          PartitionName=debug Default=YES MaxTime=00:30:00\nPartitionName=all Default=NO MaxTime=UNLIMITED\n";
        assert_eq!(longest_job(partitions, None), Some(Duration::from_secs(1800)));
        assert_eq!(longest_job(partitions, Some("long")), Some(Duration::from_secs(172_800)));
        assert_eq!(longest_job(partitions, Some("all")), None);
        assert_eq!(longest_job("", None), None);
    }
}
