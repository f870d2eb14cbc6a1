//! Two pieces of work at the same time, where a text is long enough for that to pay.
//!
//! Work in, what each gives out. Where there is no thread to be had, one is done after the other.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Bytes of a text from which on a thread of its own is worth it.
pub const LONG_TEXT: usize = 1024 * 1024;

/// What a thread may need for the deepest document in a build for debugging; memory is taken only as it is used.
const STACK: usize = 8 * 1024 * 1024;

/// Does both: `aside` on another thread when the text that they are about is long, `here` on this one.
pub fn both<A: Send, B>(
    text_length: usize,
    aside: impl Fn() -> A + Sync,
    here: impl FnOnce() -> B,
) -> (A, B) {
    if text_length < LONG_TEXT {
        return (aside(), here());
    }
    std::thread::scope(|scope| match start(scope, &aside) {
        Ok(running) => {
            let here = here();
            (running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), here)
        }
        Err(_) => (aside(), here()),
    })
}

/// Does both with the same thing, of which a clone is a handle, as above. Each side has it for as long as it needs it: it goes away when neither does.
pub fn both_with<T: Clone + Send + Sync, A: Send, B>(
    text_length: usize,
    shared: T,
    aside: impl Fn(&T) -> A + Sync,
    here: impl FnOnce(T) -> B,
) -> (A, B) {
    if text_length < LONG_TEXT {
        return (aside(&shared), here(shared));
    }
    std::thread::scope(|scope| {
        let (aside, theirs) = (&aside, shared.clone());
        match start(scope, move || aside(&theirs)) {
            Ok(running) => {
                let here = here(shared);
                (running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), here)
            }
            Err(_) => (aside(&shared), here(shared)),
        }
    })
}

/// Starts a thread for this.
pub fn start<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().name("load".to_owned()).stack_size(STACK).spawn_scoped(scope, work)
}

#[cfg(test)]
mod tests;
