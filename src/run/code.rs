/// A digest of the rooms that compute (data, mining, publish, release, audit, utility, the worker) and of the dependency
/// versions, taken at build time: part of every cell's key, so that a changed algorithm is never served from the store.
pub fn code_digest() -> &'static str {
    env!("ANONLAB_CODE_DIGEST")
}
