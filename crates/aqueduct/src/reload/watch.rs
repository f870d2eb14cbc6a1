//! Watches the files and directories of the sources, and loads again what changes, on a thread of its own.
//!
//! The system's notices in, reloads out. Folders are watched, not files: most editors replace a file by another. Notices
//! are taken together until it is quiet, since a file is rarely written at once. Notices can be missing (other machines'
//! file systems, replaced folders), so the files are looked at from time to time in any case; without any notices that is
//! all there is.

use super::notices::FolderNotices;
use super::{Reloaded, Reloader};
use crate::boot::RefreshScope;
use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// So long nothing must have happened before files are read.
const QUIET: Duration = Duration::from_millis(50);

/// The longest that a change waits for others.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often files are looked at besides notices.
const SWEEP: Duration = Duration::from_secs(10);

/// How often files are looked at where there are no notices.
pub(super) const POLL: Duration = Duration::from_secs(2);

/// Files are watched as long as this is kept.
#[derive(Debug)]
pub struct FileWatcher {
    wake: Sender<WatchEvent>,
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        // A thread that has ended already needs no telling.
        drop(self.wake.send(WatchEvent::Stop));
    }
}

/// What the thread receives.
#[cfg_attr(not(feature = "watch"), allow(dead_code, reason = "notices of files come from the system alone"))]
#[derive(Debug)]
pub(super) enum WatchEvent {
    /// Something happened to files with these names.
    Touched(Vec<OsString>),
    /// Notices were lost.
    Lost,
    /// A connection has something new to offer or is gone, or a document has come.
    News,
    /// It is over.
    Stop,
}

/// Is called after every reload.
type ReloadListener = Box<dyn Fn(&Reloaded) + Send>;

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchScope {
    /// Files, documents on the web and connections.
    Everything,
    /// Connections alone: they report changes by themselves.
    Connections,
}

/// Follows what connections offer, and nothing else.
pub(crate) fn follow_connections(reloader: Arc<Reloader>, listener: ReloadListener) -> FileWatcher {
    let (wake, wakes) = event_channel(&reloader);
    start(WatchThread { reloader, listener, notices: None, wakes, extent: WatchScope::Connections }, wake)
}

/// What the thread is woken by; news of connections and documents come over it already.
fn event_channel(reloader: &Reloader) -> (Sender<WatchEvent>, Receiver<WatchEvent>) {
    let (wake, wakes) = channel();
    let sender = wake.clone();
    // No one watches any more when this fails.
    reloader.on_change(move || drop(sender.send(WatchEvent::News)));
    (wake, wakes)
}

/// Begins to watch; changes since the sources were loaded are seen too.
pub(crate) fn begin(reloader: Arc<Reloader>, listener: ReloadListener) -> FileWatcher {
    let (wake, wakes) = event_channel(&reloader);
    if !reloader.sources().can_change() {
        // All was given as it is.
        return FileWatcher { wake };
    }
    let notices = FolderNotices::start(wake.clone());
    start(WatchThread { reloader, listener, notices, wakes, extent: WatchScope::Everything }, wake)
}

fn start(watch: WatchThread, wake: Sender<WatchEvent>) -> FileWatcher {
    let thread = std::thread::Builder::new().name("reload".to_owned()).spawn(move || watch.run());
    if let Err(error) = thread {
        tracing::warn!(target: "aqueduct::load", %error, "files are not watched: no thread can be started");
    }
    FileWatcher { wake }
}

/// The thread's own.
struct WatchThread {
    reloader: Arc<Reloader>,
    listener: ReloadListener,
    notices: Option<FolderNotices>,
    wakes: Receiver<WatchEvent>,
    extent: WatchScope,
}

/// What to look at next.
enum NextLook {
    Names(HashSet<OsString>),
    All,
}

impl WatchThread {
    fn run(mut self) {
        let mut next = Some(NextLook::Names(HashSet::new()));
        while let Some(what) = next {
            // Before the look, so that no change falls between the two.
            self.watch_folders();
            let reloaded = self.reloader.reload(match (self.extent, &what) {
                (WatchScope::Connections, _) => RefreshScope::Connections,
                (WatchScope::Everything, NextLook::Names(names)) => RefreshScope::Changed(names),
                (WatchScope::Everything, NextLook::All) => RefreshScope::All,
            });
            if reloaded != Reloaded::default() {
                (self.listener)(&reloaded);
                // New files may be in new places.
                self.watch_folders();
            }
            next = self.wait();
        }
    }

    /// Watches every folder that matters now. One that is watched already stays so; one that was replaced is found anew.
    fn watch_folders(&mut self) {
        let Some(notices) = &mut self.notices else { return };
        for folder in self.reloader.sources().folders() {
            if !notices.watch(&folder) {
                self.notices = None;
                return;
            }
        }
    }

    /// Waits for something to look at; nothing when it is over.
    fn wait(&self) -> Option<NextLook> {
        let interval = if self.notices.is_some() { SWEEP } else { POLL };
        let mut names = HashSet::new();
        let mut is_lost = false;
        let mut until = Instant::now() + interval;
        let mut latest: Option<Instant> = None;
        loop {
            match self.wakes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(WatchEvent::Touched(more)) => names.extend(more),
                Ok(WatchEvent::Lost) => is_lost = true,
                Ok(WatchEvent::News) => {}
                Ok(WatchEvent::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => break,
            }
            let now = Instant::now();
            until = (now + QUIET).min(*latest.get_or_insert(now + PATIENCE));
        }
        Some(if is_lost { NextLook::All } else { NextLook::Names(names) })
    }
}

#[cfg(test)]
#[cfg(feature = "watch")]
mod tests;
