//! Lines about where the work is, for whoever waits.

#![forbid(unsafe_code)]

use super::order::TELLS;
use std::io::Write;

/// Tells where the worker is. Nobody may listen any more, which is no reason to stop.
pub(super) fn tell(place: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{TELLS}{place}").and_then(|()| out.flush());
}
