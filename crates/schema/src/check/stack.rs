//! Room on the stack for schemas that lead to each other through many levels.
//!
//! Work in, its result out. What stays within the usual number of levels runs where it is; the rest is begun again on a
//! thread of its own, so that no schema and no value can exhaust the stack of the caller.

use crate::work::{WorkResult, WorkStop};

/// Levels for which every thread has room.
const USUAL: usize = 160;
/// Levels that are followed in all, and the stack that they take in a build for debugging.
const DEEPEST: usize = 12_000;
const STACK: usize = 128 * 1024 * 1024;

/// Runs this with as many levels as it needs.
pub(super) fn with_room<T: Send>(work: impl Fn(usize) -> WorkResult<T> + Sync) -> WorkResult<T> {
    match work(USUAL) {
        Err(WorkStop::Deep(_)) => {}
        done => return done,
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || work(DEEPEST));
        let done = thread.ok().and_then(|thread| thread.join().ok());
        done.unwrap_or(Err(WorkStop::Deep(USUAL)))
    })
}
