use super::jail::{Grants, Jail};
use super::messages::excerpt;
use super::sandbox::ProgramDirectory;
use super::tree::Reaper;
use super::watch::{End, WatchLimits, watch};
use crate::lab::open_plain;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program that takes longer to say its version does not know it.
const TIME: Duration = Duration::from_secs(20);
const MEMORY: u64 = 2 << 30;
const OUTPUT: u64 = 1 << 20;

/// What a program answers to `--version`: part of the key of its cells.
pub fn ask_version(arguments: &[String], jail: Jail, grants: &Grants) -> Result<String, String> {
    let asked: Vec<String> = arguments.iter().cloned().chain(["--version".to_string()]).collect();
    let command = asked.join(" ");
    let remedy = "it must print a version and end well, or the spec must give `version`";
    let directory = ProgramDirectory::new().map_err(|error| format!("cannot make a temporary directory: {error}"))?;
    let reaper = Reaper::new();
    let child = directory
        .walls(jail, grants)
        .and_then(|walls| directory.start(&asked, b"", OUTPUT, MEMORY, walls))
        .map_err(|error| format!("cannot start `{command}`: {error}"))?;
    let limits = WatchLimits { deadline: Instant::now() + TIME, memory: MEMORY, output_bytes: OUTPUT, files: 10 };
    match watch(&child, reaper, &directory, &limits, &|| false).0 {
        End::Exited(status) if status.success() => {}
        End::Exited(status) => {
            let said = excerpt(&read(&directory.stderr()));
            return Err(format!("`{command}` ended with {status} ({said}); {remedy}"));
        }
        End::Deadline => return Err(format!("`{command}` took longer than {TIME:?}; {remedy}")),
        _ => return Err(format!("`{command}` used more than a version needs; {remedy}")),
    }
    let version = excerpt(&read(&directory.stdout()));
    if version.is_empty() { Err(format!("`{command}` printed nothing; {remedy}")) } else { Ok(version) }
}

/// What a program said. Where it has no jail, it may have put a pipe in place of the file, or a link.
fn read(path: &Path) -> Vec<u8> {
    let mut said = Vec::new();
    let _ = open_plain(path).and_then(|file| file.take(OUTPUT).read_to_end(&mut said));
    said
}
