//! Programs of any language as publishers. `docs/external-algorithms.md` is the protocol as their authors read it.
//!
//! A program gets a request (JSON) on standard input and files to read, leaves one release in the file format of its kind,
//! and may tell phases and counters on standard output. It is treated as hostile: it runs in a directory, a process
//! group and, where the kernel has one, a jail of its own, its whole process tree is held to limits, and nothing of it survives. What it leaves is read as the
//! release it claims to be and then goes the way of every other release, so it cannot report its own quality.

mod abandoned;
mod act;
mod definition;
mod exit;
mod failure;
mod input;
mod jail;
mod messages;
mod output;
mod private;
mod processes;
mod program;
mod removal;
mod request;
mod sandbox;
mod tree;
mod version;
mod watch;

pub use abandoned::clear_abandoned;
pub use act::act;
pub use definition::{External, NamedFile};
pub use failure::ProgramFailure;
pub use jail::{Coverage, Jail, coverage};
pub use messages::Said;
pub use program::{Assignment, Published, publish};
pub(crate) use tree::end_all;
pub use tree::{Usage, adopt_orphans, end_strays};
