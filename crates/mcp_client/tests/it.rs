//! The clients against fake servers: as child processes, over HTTP, and through the guard.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "these are tests")]
#![allow(clippy::disallowed_methods, reason = "the test's own files and variables")]

/// One subject a module, and what they share.
mod it {
    mod calls;
    #[cfg(unix)]
    mod direct;
    mod guard;
    mod many;
    mod restarts;
    mod support;
    mod web;
    mod web_replies;
}
