//! Signals that end a server: Ctrl-C, a termination signal, and a hangup, as when the terminal is closed.
//!
//! The first one stops taking requests, so that calls in flight are finished; a second one does not wait for them. A
//! server that was started to outlive its terminal (`nohup`) goes on when it hangs up.

#[cfg(unix)]
use tokio::signal::unix::Signal as Listener;
#[cfg(windows)]
use tokio::signal::windows::CtrlC as Listener;

use std::sync::OnceLock;
use std::task::Poll;
use tokio_util::sync::CancellationToken;

/// Signals are heeded from the moment this is made, inside a runtime.
#[derive(Debug)]
pub struct Signals(Vec<(&'static str, Listener)>);

impl Signals {
    /// Begins to listen. Where signals cannot be had, none is ever seen.
    pub fn listen() -> Signals {
        Signals(listeners())
    }

    /// Cancels `stop` on the first signal, which is kept in `reason`, and returns on the second.
    pub async fn first_and_second(mut self, stop: CancellationToken, reason: &OnceLock<&'static str>) {
        let first = self.next().await;
        reason.get_or_init(|| first);
        stop.cancel();
        self.next().await;
    }

    /// What the next signal is.
    async fn next(&mut self) -> &'static str {
        std::future::poll_fn(|context| {
            let signal = self.0.iter_mut().find_map(|(name, listener)| {
                if listener.poll_recv(context).is_ready() { Some(*name) } else { None }
            });
            signal.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

#[cfg(windows)]
fn listeners() -> Vec<(&'static str, Listener)> {
    tokio::signal::windows::ctrl_c().into_iter().map(|listener| ("signal CTRL-C", listener)).collect()
}

#[cfg(unix)]
fn listeners() -> Vec<(&'static str, Listener)> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut kinds =
        vec![("signal SIGINT", SignalKind::interrupt()), ("signal SIGTERM", SignalKind::terminate())];
    if !hangup_is_ignored() {
        kinds.push(("signal SIGHUP", SignalKind::hangup()));
    }
    kinds.into_iter().filter_map(|(name, kind)| Some((name, signal(kind).ok()?))).collect()
}

/// Whether the parent process asked for hangups to be ignored. Only Linux tells; elsewhere they end the server.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    const LARGEST: u64 = 64 * 1024;
    let status = aqueduct_documents::disk::read(std::path::Path::new("/proc/self/status"), LARGEST);
    status.is_ok_and(|bytes| ignores_hangup(&String::from_utf8_lossy(&bytes)))
}

/// Reads the mask of ignored signals. A hangup is the first signal, and so the lowest bit.
#[cfg(unix)]
fn ignores_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests;
