//! What is left when a run and its worker were killed together: temporary directories, and processes that a program had
//! sent into the background.

use super::processes::{environment, everybody};
use super::removal::remove_whole;
use super::tree::kill;
use crate::lab::abandoned_directories;
use std::path::Path;

/// Ends the processes and removes the directories that killed runs of this user left on this machine.
pub fn clear_abandoned() {
    for directory in abandoned_directories() {
        end_those_of(&directory);
        // What cannot be removed now is found again.
        let _ = remove_whole(&directory);
    }
}

/// Ends whatever was started with its temporary files in `directory`, as a program is and all that it starts.
fn end_those_of(directory: &Path) {
    let mark = [b"TMPDIR=", directory.as_os_str().as_encoded_bytes(), b"/"].concat();
    for process in everybody() {
        if environment(process).split(|&byte| byte == 0).any(|variable| variable.starts_with(&mark)) {
            kill(process);
        }
    }
}
