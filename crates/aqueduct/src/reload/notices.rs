//! What the system reports of changes in folders: the feature `watch`.
//!
//! Folders in; a wake-up for every change in them out. A notice about somebody who only reads wakes no one. When the system
//! gives no notices, that is said once, and files are polled.

use super::watch::{POLL, WatchEvent};
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::ffi::OsString;
use std::path::Path;
use std::sync::mpsc::Sender;

/// The system's notices, as long as this is kept.
#[derive(Debug)]
pub(super) struct FolderNotices(RecommendedWatcher);

impl FolderNotices {
    /// Hands over the system's notices; nothing where there are none.
    pub fn start(wake: Sender<WatchEvent>) -> Option<FolderNotices> {
        let watcher = notify::recommended_watcher(move |notice: notify::Result<Event>| {
            let wakes = match notice {
                Ok(event) if event.need_rescan() => Some(WatchEvent::Lost),
                Ok(event) => touched(event),
                Err(_) => Some(WatchEvent::Lost),
            };
            if let Some(wakes) = wakes {
                // No one watches any more when this fails.
                drop(wake.send(wakes));
            }
        });
        watcher.map(FolderNotices).map_err(|error| warn(&error)).ok()
    }

    /// Watches a folder too; false when that is more than the system allows.
    pub fn watch(&mut self, folder: &Path) -> bool {
        match self.0.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => true,
            // It may come back.
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => true,
            Err(error) => {
                warn(&error);
                false
            }
        }
    }
}

/// The names in a notice, unless it is about somebody who only looks, as we do.
pub(super) fn touched(event: Event) -> Option<WatchEvent> {
    let is_written = event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    if event.kind.is_access() && !is_written {
        return None;
    }
    let names = event.paths.iter().filter_map(|path| path.file_name().map(OsString::from));
    Some(WatchEvent::Touched(names.collect()))
}

fn warn(error: &notify::Error) {
    let seconds = POLL.as_secs();
    tracing::warn!(target: "aqueduct::load", %error, seconds, "files cannot be watched; they are looked at every few seconds");
}
