//! `sbatch`, `squeue` and `scontrol`, as they are on the path. No accounting database is asked: many clusters have none.

use super::queue::{State, Task};
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The commands of a cluster.
#[derive(Debug, Clone, Copy, Default)]
pub struct Slurm;

#[derive(Debug, Error)]
pub enum SlurmError {
    /// The controller does not answer: it restarts, or the network is down. It may be back in a moment.
    #[error("{0}")]
    Away(String),
    /// It answered no.
    #[error("{0}")]
    Refused(String),
    /// There are no such commands here.
    #[error("{0}")]
    Absent(String),
}

/// What a cluster's configuration allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterLimits {
    /// Tasks of an array.
    pub array: usize,
    /// The longest job of the partition, where there is such a limit.
    pub time: Option<Duration>,
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

/// How long a controller that does not answer a question is asked again.
const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_secs(2);

/// Asks again while the controller is away.
pub fn patiently<T>(mut ask: impl FnMut() -> Result<T, SlurmError>) -> Result<T, SlurmError> {
    let start = Instant::now();
    loop {
        match ask() {
            Err(SlurmError::Away(_)) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            answer => return answer,
        }
    }
}

impl Slurm {
    fn say(program: &str, arguments: &[OsString]) -> Result<String, SlurmError> {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().map_err(|error| {
            SlurmError::Absent(format!("cannot run `{program}`: {error}; is Slurm installed here?"))
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
        let message = format!("`{program}` failed ({}): {said}", output.status);
        match AWAY.iter().any(|sign| said.contains(sign)) {
            true => Err(SlurmError::Away(message)),
            false => Err(SlurmError::Refused(message)),
        }
    }

    /// Submits, and gives the job's id.
    pub(super) fn submit(self, arguments: &[OsString]) -> Result<String, SlurmError> {
        let said = Self::say("sbatch", arguments)?;
        // "1234" or "1234;cluster", after whatever a site's plugins print.
        let last = said.lines().last().unwrap_or_default();
        Ok(last.split(';').next().unwrap_or_default().trim().to_string())
    }

    /// Every task of the arrays of these names that the controller still knows of.
    pub(super) fn tasks(self, names: &[&str]) -> Result<Vec<Task>, SlurmError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = ["--noheader", "--array", "--states=all", "--format=%j|%K|%T|%i|%r"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).to_vec();
        arguments.push(format!("--name={}", names.join(",")).into());
        Ok(Self::say("squeue", &arguments)?.lines().filter_map(task).collect())
    }

    /// Takes tasks out of the queue.
    pub(super) fn cancel(self, ids: &[String]) -> Result<(), SlurmError> {
        let ids: Vec<OsString> = ids.iter().map(OsString::from).collect();
        Self::say("scancel", &ids).map(drop)
    }

    /// What the cluster allows; its usual configuration where it does not say.
    pub fn limits(self, partition: Option<&str>) -> ClusterLimits {
        let ask = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            Self::say("scontrol", &arguments).unwrap_or_default()
        };
        let array = array_size(&ask(&["show", "config"])).unwrap_or(ARRAY_SIZE);
        let mut question = vec!["--oneliner", "show", "partition"];
        question.extend(partition);
        ClusterLimits { array, time: longest_job(&ask(&question), partition) }
    }
}

/// A line of `squeue`: name|index|state|id|reason.
fn task(line: &str) -> Option<Task> {
    let fields: Vec<&str> = line.trim().split('|').collect();
    let [name, index, state, id, reason] = fields[..] else { return None };
    let state = State::named(state, reason);
    Some(Task { array: name.to_string(), index: index.parse().ok()?, id: id.to_string(), state })
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

    #[test]
    fn what_slurm_prints_is_read() {
        let read = task("anonlab-1a|7|RUNNING|12_7|None").unwrap();
        assert_eq!((read.array.as_str(), read.index, read.state), ("anonlab-1a", 7, State::Running));
        assert_eq!(task("anonlab-1a|N/A|RUNNING|12|None"), None);
        let held = task("anonlab-1a|7|PENDING|12_7|launch failed requeued held").unwrap();
        assert_eq!(held.state, State::Held);
        assert_eq!(task("anonlab-1a|7|PENDING|12_7|JobHeldUser").unwrap().state, State::Pending);
        assert_eq!(array_size("MailProg = x\nMaxArraySize            = 4001\n"), Some(4001));
        let partitions = "PartitionName=long AllowGroups=ALL Default=NO MaxTime=2-00:00:00 MinNodes=0\n\
                          PartitionName=debug Default=YES MaxTime=00:30:00\nPartitionName=all Default=NO MaxTime=UNLIMITED\n";
        assert_eq!(longest_job(partitions, None), Some(Duration::from_secs(1800)));
        assert_eq!(longest_job(partitions, Some("long")), Some(Duration::from_secs(172_800)));
        assert_eq!(longest_job(partitions, Some("all")), None);
        assert_eq!(longest_job("", None), None);
    }
}
