//! What processes took of the machine, as the system counts it.

#![allow(unsafe_code)]

/// What this process (`RUSAGE_SELF`), or all children waited for so far (`RUSAGE_CHILDREN`), took of the machine.
pub(crate) fn resource_usage(who: libc::c_int) -> libc::rusage {
    // SAFETY: rusage is plain data for which zeros are valid, and the call only writes into it. rustix has no such call.
    unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(who, &mut usage);
        usage
    }
}
