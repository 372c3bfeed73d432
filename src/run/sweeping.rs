use anonlab_core::lab::sweep_files;
use std::fs;
use std::path::{Path, PathBuf};

/// Removes the temporary files that killed runs left below an output directory: in the store, among results and releases.
pub fn sweep_below(out: &Path) {
    let mut open: Vec<PathBuf> = vec![out.to_path_buf()];
    while let Some(directory) = open.pop() {
        sweep_files(&directory);
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        // Links are not followed: what they lead to is not ours.
        open.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
}
