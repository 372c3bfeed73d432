use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a plain file to read. Where others can write, a link could lead anywhere, and a pipe or a device never ends: they
/// are refused, without waiting for anybody.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open_plain_as(OpenOptions::new().read(true), path)
}

/// The same with other options.
pub fn open_plain_as(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = options.custom_flags(flags).open(path).map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP | libc::ENXIO) => no_plain_file(),
        _ => error,
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_plain_file()) }
}

fn no_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn links_pipes_and_devices_are_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("plain"), "x").unwrap();
        symlink(path("plain"), path("link")).unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        assert!(open_plain(&path("plain")).is_ok());
        for (name, path) in
            [("link", path("link")), ("pipe", path("pipe")), ("directory", path("")), ("device", "/dev/zero".into())]
        {
            let said = open_plain(&path).unwrap_err().to_string();
            assert_eq!(said, "it is no plain file", "{name}");
            let error = open_plain_as(OpenOptions::new().read(true).write(true), &path).unwrap_err();
            assert!(name == "directory" || error.to_string() == "it is no plain file", "{name}: {error}");
        }
        assert_eq!(open_plain(&path("nothing")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
