//! The jail of a program, where the kernel has Landlock: what it may read, write and reach beyond its own processes.
//!
//! It reads the system's programs and libraries, the files that its spec names and its input; it writes below its own
//! directory alone; it opens no TCP port, and neither signals nor traces a process outside. What Landlock does not cover
//! is not covered: UDP, sockets that have a name, processor and memory (the limits' job), names and sizes of files that it
//! cannot read, modes and times of files that are its user's.

#![allow(unsafe_code)]

use crate::lab::named;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

named! {
    /// Whether programs must run in a jail; the strictest first.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Jail {
        /// Nothing runs unless files and TCP ports are closed to it.
        Required = "required",
        /// As much of a jail as the kernel has.
        #[default]
        BestEffort = "best-effort",
        /// The rights of whoever runs it.
        Off = "off",
    }
}

impl FromStr for Jail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|jail| jail.name() == text).ok_or_else(|| format!("there are {}", known()))
    }
}

/// What this kernel can close to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Files outside of its own directories.
    pub files: bool,
    /// TCP connections.
    pub tcp: bool,
    /// Signals to processes outside. Tracing them is closed wherever files are.
    pub signals: bool,
}

impl Coverage {
    /// What a jail leaves open on this kernel, in words; None where nothing is that it could close.
    pub fn open(self) -> Option<String> {
        let lacks = |covered: bool, what: &'static str| (!covered).then_some(what);
        let open: Vec<&str> = [
            lacks(self.files, "files outside of their own directory"),
            lacks(self.tcp, "TCP connections"),
            lacks(self.signals, "signals to other processes"),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!open.is_empty()).then(|| open.join(", "))
    }
}

/// Why a program must not run under `jail` on this kernel.
pub fn refusal(jail: Jail) -> Option<String> {
    let Coverage { files, tcp, .. } = coverage();
    let missing = match (files, tcp) {
        (true, true) => return None,
        (false, _) => "has no Landlock (Linux 5.13 and later, if it is switched on)",
        (true, false) => "has a Landlock that cannot close TCP ports (Linux 6.7 and later can)",
    };
    (jail == Jail::Required).then(|| {
        format!(
            "--jail required: the kernel of this machine {missing}; --jail best-effort runs it without what is missing"
        )
    })
}

/// What a program is given beyond the system and its own directory.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    /// The program itself, and the files that its spec names.
    pub files: Vec<PathBuf>,
}

/// The system's programs, libraries and their settings; all of it for everybody to read.
const SYSTEM: [&str; 23] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/run/current-system/sw",
    // What runtimes ask to know the machine. Not all of /proc, which has the environment of every process.
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    // Without it Node does not start; keys lie beside it.
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
];

/// Of `/etc`, what linkers and runtimes read: entries that are called so or begin so. Not the rest, where keys lie.
const SETTINGS: [&str; 12] = [
    "R",
    "alternatives",
    "group",
    "java",
    "ld.so",
    "locale",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "perl",
    "python",
    "timezone",
];

/// Where a prefix has its programs' libraries and settings, beside `bin`.
const BESIDE_BIN: [&str; 6] = ["lib", "lib64", "libexec", "conf", "etc", "pyvenv.cfg"];

/// Search paths of languages: whoever sets them means them to be read, and programs to see them.
pub const SEARCH_PATHS: [&str; 9] = [
    "LD_LIBRARY_PATH",
    "JAVA_HOME",
    "NODE_PATH",
    "PERL5LIB",
    "PYENV_ROOT",
    "PYTHONPATH",
    "R_LIBS",
    "R_LIBS_USER",
    "VIRTUAL_ENV",
];

/// Where users install libraries of languages, below their home.
const LIBRARIES_AT_HOME: [&str; 3] = [".local/lib", "R", "perl5"];

/// What a program reads and runs beyond the system: its own files, and where PATH and the search paths lead.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn readable(grants: &Grants, variable: &dyn Fn(&str) -> Option<OsString>) -> BTreeSet<PathBuf> {
    let mut paths: BTreeSet<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    for entry in std::fs::read_dir("/etc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| SETTINGS.iter().any(|known| name.starts_with(known))) {
            paths.insert(entry.path());
        }
    }
    let directories = |name: &str| variable(name).map(|value| env::split_paths(&value).collect::<Vec<_>>());
    let absolute = |path: &PathBuf| path.is_absolute();
    paths.extend(SEARCH_PATHS.iter().filter_map(|name| directories(name)).flatten().filter(absolute));
    for folder in directories("PATH").unwrap_or_default().into_iter().filter(absolute) {
        paths.extend(installation(&folder));
        paths.insert(folder);
    }
    for file in &grants.files {
        // An interpreter in a virtual environment is a link into the installation that it belongs to.
        for file in [Some(file.clone()), file.canonicalize().ok()].into_iter().flatten() {
            paths.extend(file.parent().map(installation).unwrap_or_default());
            paths.insert(file);
        }
    }
    if let Some(home) = variable("HOME").map(PathBuf::from).filter(absolute) {
        paths.extend(LIBRARIES_AT_HOME.map(|folder| home.join(folder)));
    }
    paths
}

/// The libraries beside a directory of programs. Beside `/bin` they are the system's, and `/etc` is not all for everybody.
fn installation(programs: &Path) -> Vec<PathBuf> {
    let is_root = |prefix: &Path| prefix.canonicalize().is_ok_and(|real| real.parent().is_none());
    match (programs.file_name(), programs.parent()) {
        (Some(name), Some(prefix)) if name == "bin" && !is_root(prefix) => {
            BESIDE_BIN.map(|folder| prefix.join(folder)).to_vec()
        }
        _ => Vec::new(),
    }
}

#[cfg(target_os = "linux")]
pub use of_linux::{Walls, coverage};

#[cfg(target_os = "linux")]
mod of_linux {
    use super::*;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreated, RulesetCreatedAttr, Scope, path_beneath_rules,
    };
    use std::os::fd::{AsRawFd, OwnedFd};

    /// The newest rights that this file has been thought through for. Older kernels keep what they know of them.
    const KNOWN: ABI = ABI::V7;

    /// What this kernel can keep programs from.
    pub fn coverage() -> Coverage {
        let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        Coverage {
            files: strict().handle_access(AccessFs::Execute).is_ok(),
            tcp: strict().handle_access(AccessNet::ConnectTcp).is_ok(),
            signals: strict().scope(Scope::Signal).is_ok(),
        }
    }

    /// As the kernel has it: `struct landlock_path_beneath_attr`.
    #[repr(C, packed)]
    struct PathRule {
        allowed: u64,
        below: libc::c_int,
    }

    const PATH_BENEATH: libc::c_int = 1;

    /// The rules of one program, ready to be closed behind it.
    pub struct Walls(Option<OwnedFd>);

    impl Walls {
        /// Rules for a program that reads `input` and writes below `own`. None of them where `jail` is off or the kernel
        /// knows none.
        pub fn new(jail: Jail, grants: &Grants, input: &Path, own: &[PathBuf]) -> io::Result<Self> {
            if let Some(refusal) = refusal(jail) {
                return Err(io::Error::other(refusal));
            }
            match jail {
                Jail::Off => Ok(Self(None)),
                Jail::Required | Jail::BestEffort => {
                    rules(grants, input, own).map(|rules| Self(rules.into())).map_err(io::Error::other)
                }
            }
        }

        pub fn stand(&self) -> bool {
            self.0.is_some()
        }

        /// Shuts this process in, with all that it will start: system calls alone, fit for between fork and exec.
        pub fn close(&self) -> io::Result<()> {
            let Some(rules) = &self.0 else { return Ok(()) };
            // SAFETY: the calls take numbers, descriptors and a rule that outlives them; nothing is allocated.
            let closed = unsafe {
                // What a process asks about itself. Its number is known only here, and exec keeps it.
                let own = libc::open(c"/proc/self".as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
                if own >= 0 {
                    let rule = PathRule { allowed: AccessFs::ReadFile as u64 | AccessFs::ReadDir as u64, below: own };
                    libc::syscall(libc::SYS_landlock_add_rule, rules.as_raw_fd(), PATH_BENEATH, &raw const rule, 0);
                }
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                    && libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) == 0
            };
            if closed { Ok(()) } else { Err(io::Error::last_os_error()) }
        }
    }

    fn rules(grants: &Grants, input: &Path, own: &[PathBuf]) -> Result<RulesetCreated, landlock::RulesetError> {
        let (read, all) = (AccessFs::from_read(KNOWN), AccessFs::from_all(KNOWN));
        let device: BitFlags<AccessFs> =
            AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
        let mut rules = Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?
            // Paths that are not there have nothing to grant.
            .add_rules(path_beneath_rules(readable(grants, &|name| env::var_os(name)), read))?
            .add_rules(path_beneath_rules([input], read))?
            .add_rules(path_beneath_rules(own, all))?
            .add_rules(path_beneath_rules(["/dev/null"], device))?
            .add_rules(path_beneath_rules(
                ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"],
                AccessFs::ReadFile,
            ))?;
        // Interpreters list the folder of a script before they open a module in it: names, not contents.
        for folder in grants.files.iter().skip(1).filter_map(|file| file.parent()).collect::<BTreeSet<_>>() {
            if let Ok(folder) = PathFd::new(folder) {
                rules = rules.add_rule(PathBeneath::new(folder, AccessFs::ReadDir))?;
            }
        }
        Ok(rules)
    }
}

/// What this system can keep programs from: nothing.
#[cfg(not(target_os = "linux"))]
pub fn coverage() -> Coverage {
    Coverage { files: false, tcp: false, signals: false }
}

/// A system without Landlock has no walls.
#[cfg(not(target_os = "linux"))]
pub struct Walls(());

#[cfg(not(target_os = "linux"))]
impl Walls {
    pub fn new(jail: Jail, _: &Grants, _: &Path, _: &[PathBuf]) -> io::Result<Self> {
        match refusal(jail) {
            Some(refusal) => Err(io::Error::other(refusal)),
            None => Ok(Self(())),
        }
    }

    pub fn stand(&self) -> bool {
        false
    }

    pub fn close(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_told() {
        for jail in Jail::ALL {
            assert_eq!(jail.to_string().parse(), Ok(jail));
        }
        assert_eq!("none".parse::<Jail>(), Err("there are required, best-effort, off".to_string()));
    }

    #[test]
    fn what_stays_open_is_told() {
        let all = Coverage { files: true, tcp: true, signals: true };
        assert_eq!(all.open(), None);
        assert_eq!(
            Coverage { tcp: false, signals: false, ..all }.open().unwrap(),
            "TCP connections, signals to other processes"
        );
    }

    #[test]
    fn an_installation_is_read_and_a_home_is_not() {
        let variable = |name: &str| match name {
            "PATH" => Some("/opt/tools/bin:/home/me/bin:relative:/usr/bin:/bin:/usr/../bin".into()),
            "HOME" => Some("/home/me".into()),
            "PYTHONPATH" => Some("/home/me/modules".into()),
            _ => None,
        };
        let files = vec!["/srv/venv/bin/python3".into(), "/bin/sh".into()];
        let paths = readable(&Grants { files }, &variable);
        for path in
            ["/opt/tools/lib", "/home/me/modules", "/home/me/.local/lib", "/srv/venv/lib", "/srv/venv/pyvenv.cfg"]
        {
            assert!(paths.contains(Path::new(path)), "{path}");
        }
        for path in ["/", "/home", "/home/me", "/etc", "/etc/shadow", "relative", "/srv/venv", "/opt/tools"] {
            assert!(!paths.contains(Path::new(path)), "{path}");
        }
        // A usual PATH ends with /bin, beside which /etc is.
        assert!(!paths.iter().any(|path| path.canonicalize().is_ok_and(|real| real == Path::new("/etc"))), "{paths:?}");
    }
}
