#![forbid(unsafe_code)]

use anonlab::cli::{Cli, Exit};
use anonlab::run::CountingAllocator;
use std::process::ExitCode;

#[global_allocator]
static HEAP: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match Cli::read().and_then(Cli::dispatch) {
        Ok(Exit::AllWell) => ExitCode::SUCCESS,
        Ok(Exit::NotAllWell) => ExitCode::from(1),
        Ok(Exit::NothingComparable | Exit::Unfinished) => ExitCode::from(3),
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.exit_code())
        }
    }
}
