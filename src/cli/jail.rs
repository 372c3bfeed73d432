//! What a user is told of the jail that programs run in.

use crate::external::{External, Jail, coverage};
use crate::run::{PlannedCell, tell};

/// Says once what stays open to the programs of these cells on this machine, if anything does that a jail could close.
pub fn tell<'a>(cells: impl IntoIterator<Item = &'a PlannedCell>) {
    let programs = cells.into_iter().filter_map(|cell| cell.cell.algorithm.as_ref()?.external.as_ref());
    tell_of(programs);
}

pub fn tell_of<'a>(mut programs: impl Iterator<Item = &'a External>) {
    if programs.any(|program| program.jail == Jail::BestEffort)
        && let Some(open) = coverage().open()
    {
        tell!(
            "no whole jail for programs of a spec: the kernel of this machine leaves them {open} (--jail required refuses that)"
        );
    }
}
