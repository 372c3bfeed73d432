//! Where a program runs: a private directory, a process group of its own, few variables, limits that the kernel keeps.

#![allow(unsafe_code)]

use super::jail::{Grants, Jail, SEARCH_PATHS, Walls};
use super::removal::remove_whole;
use crate::lab::temporary_directory;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Address space beyond the memory limit. Runtimes reserve far more than they use, so this is only a last barrier; the
/// limit itself is kept by watching what is resident.
const SPARE_ADDRESSES: u64 = 64 << 30;

/// What a program may see of our environment beside [`SEARCH_PATHS`]: where programs are, and how text is encoded. Nothing else
/// reaches it, neither secrets nor settings that would make its answer depend on who runs it.
const VARIABLES: [&str; 5] = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE"];

/// One core a cell, and answers that repeat.
const SETTINGS: [(&str, &str); 6] = [
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("RAYON_NUM_THREADS", "1"),
    ("PYTHONHASHSEED", "0"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PERL_HASH_SEED", "0"),
];

/// A private directory for one run of a program; gone with everything in it when dropped.
pub struct ProgramDirectory {
    root: PathBuf,
}

impl Drop for ProgramDirectory {
    fn drop(&mut self) {
        // What cannot be removed now, a later run finds.
        let _ = remove_whole(&self.root);
    }
}

impl ProgramDirectory {
    pub fn new() -> io::Result<Self> {
        let directory = Self { root: temporary_directory("external")?.keep() };
        for part in [directory.input(), directory.work(), directory.output()] {
            fs::create_dir(part)?;
        }
        Ok(directory)
    }

    /// The whole of it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the program reads.
    pub fn input(&self) -> PathBuf {
        self.root().join("input")
    }

    /// Where it runs, and where its temporary files go.
    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// Where it leaves the release.
    pub fn output(&self) -> PathBuf {
        self.root().join("output")
    }

    fn stdin(&self) -> PathBuf {
        self.root().join("request.json")
    }

    pub fn stdout(&self) -> PathBuf {
        self.root().join("stdout")
    }

    pub fn stderr(&self) -> PathBuf {
        self.root().join("stderr")
    }

    /// The jail for a program that runs here.
    pub fn walls(&self, jail: Jail, grants: &Grants) -> io::Result<Walls> {
        Walls::new(jail, grants, &self.input(), &[self.work(), self.output()])
    }

    /// Starts `arguments` within `walls` and with `stdin` on standard input. Output goes to files, not pipes: a process that the program
    /// leaves behind cannot keep a file open for us, and the kernel holds it to `file_bytes`.
    pub fn start(
        &self,
        arguments: &[String],
        stdin: &[u8],
        file_bytes: u64,
        memory: u64,
        walls: Walls,
    ) -> io::Result<Child> {
        fs::write(self.stdin(), stdin)?;
        let (program, rest) = arguments.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command
            .args(rest)
            .current_dir(self.work())
            .env_clear()
            .envs(VARIABLES.iter().chain(&SEARCH_PATHS).filter_map(|name| Some((name, std::env::var_os(name)?))))
            .envs(SETTINGS)
            .env("TMPDIR", self.work())
            .stdin(Stdio::from(File::open(self.stdin())?))
            .stdout(Stdio::from(File::create(self.stdout())?))
            .stderr(Stdio::from(File::create(self.stderr())?))
            .process_group(0);
        let addresses = memory.saturating_add(SPARE_ADDRESSES);
        #[cfg(target_os = "linux")]
        let watcher = rustix::process::getpid();
        // SAFETY: between fork and exec the closure makes system calls alone: it allocates nothing and takes no lock.
        unsafe {
            command.pre_exec(move || {
                limit(Resource::Fsize, file_bytes)?;
                // Elsewhere the kernel does not keep this limit, or refuses it: the watcher's samples of memory do.
                if cfg!(target_os = "linux") {
                    limit(Resource::As, addresses)?;
                }
                limit(Resource::Core, 0)?;
                // A program whose watcher was killed has nobody who would end it.
                #[cfg(target_os = "linux")]
                {
                    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
                    // It may have been killed before the kernel was told.
                    if rustix::process::getppid() != Some(watcher) {
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                }
                // What whoever started us had open (a lock, a log) is no business of the program. Linux 5.11 and later can.
                #[cfg(target_os = "linux")]
                {
                    let (first, last): (libc::c_uint, libc::c_uint) = (3, libc::c_uint::MAX);
                    libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC);
                }
                // Last: from here on nothing else is opened.
                walls.close()
            });
        }
        command.spawn()
    }
}

/// Lowers a limit of this process. A hard limit that is already lower stays.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |most| most.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::io::{FdFlags, fcntl_setfd};
    use std::os::fd::AsRawFd;

    #[test]
    fn what_others_left_open_is_closed_to_a_program() {
        let held = tempfile::tempfile().unwrap();
        fcntl_setfd(&held, FdFlags::empty()).unwrap();
        let directory = ProgramDirectory::new().unwrap();
        let walls = directory.walls(Jail::Off, &Grants::default()).unwrap();
        let question = format!("test ! -e /proc/self/fd/{}", held.as_raw_fd());
        let command = ["/bin/sh".to_string(), "-c".to_string(), question];
        let mut child = directory.start(&command, b"", 1 << 20, 1 << 30, walls).unwrap();
        assert!(child.wait().unwrap().success());
    }
}
