/// A digest of the rooms that compute (data, mining, publish, release, audit, utility, the worker) and of the dependency
/// versions, taken at build time: part of every cell's key, so that a changed algorithm is never served from the store.
pub fn code_digest() -> &'static str {
    env!("ANONLAB_CODE_DIGEST")
}

/// The compiler, the profile and the target: what heap and allocations depend on besides the code. A compiler may leave
/// out allocations, and the standard library decides how vectors grow.
pub fn build_name() -> &'static str {
    env!("ANONLAB_BUILD")
}
