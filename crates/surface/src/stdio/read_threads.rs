//! The threads that calls of one client run on.
//!
//! How many are under way in; out, where the next one runs: on the client's own thread, or on a second one, which is started when
//! many are. A few calls are answered sooner without waking another thread; many get the time of a second core.

use crate::workers::{WorkerThreads, cores};
use tokio::runtime::{Handle, RuntimeFlavor};

/// From so many calls under way on, part of them run on the second thread.
const MANY: usize = 4;

/// Of so many calls one stays on the client's own thread, which has to read the requests and write the responses too.
const TURNS: usize = 3;

/// Where calls run.
pub(super) enum ReadThreads {
    /// On the thread of whoever reads the requests.
    One,
    /// On a second one too, which has not been needed so far.
    NotStarted,
    /// On both.
    Two { second: WorkerThreads, turn: usize },
}

impl ReadThreads {
    /// Of a runtime that has one thread. A runtime of several shares calls out by itself.
    pub(super) fn of_this_runtime() -> ReadThreads {
        let has_one = Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread;
        if has_one && cores() > 1 { ReadThreads::NotStarted } else { ReadThreads::One }
    }

    /// The runtime that a call is given to when so many are under way; nothing for the present one.
    pub(super) fn elsewhere(&mut self, under_way: usize) -> Option<&Handle> {
        if under_way < MANY {
            return None;
        }
        if let ReadThreads::NotStarted = self {
            *self = WorkerThreads::start(1).map_or_else(
                |error| {
                    tracing::warn!(target: "aqueduct::stdio", %error, "no second thread for calls");
                    ReadThreads::One
                },
                |second| ReadThreads::Two { second, turn: 0 },
            );
        }
        let ReadThreads::Two { second, turn } = self else { return None };
        *turn = (*turn + 1) % TURNS;
        (*turn > 0).then(|| second.next())
    }
}

#[cfg(test)]
mod tests;
