//! Standard output of the commands: `out!` and `outln!` are `print!` and `println!` whose failure ends the command.

use super::Failure;
use std::fmt;
use std::io;

pub fn print(text: fmt::Arguments) -> Result<(), Failure> {
    crate::run::print(text).map_err(failure)
}

/// What it means that standard output cannot be written to.
pub fn failure(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::closed_output(),
        _ => Failure::new(format!("cannot write to standard output: {error}")),
    }
}

macro_rules! out {
    ($($argument:tt)*) => { $crate::cli::output::print(format_args!($($argument)*)) };
}

macro_rules! outln {
    ($($argument:tt)*) => { $crate::cli::output::print(format_args!("{}\n", format_args!($($argument)*))) };
}

pub(super) use {out, outln};
