//! In place of `notices` without the feature `watch`: there are none, so that files are polled.

use super::watch::WatchEvent;
use std::path::Path;
use std::sync::mpsc::Sender;

/// Notices that no one gives.
#[derive(Debug)]
pub(super) enum FolderNotices {}

impl FolderNotices {
    /// Gives none.
    pub fn start(_wake: Sender<WatchEvent>) -> Option<FolderNotices> {
        None
    }

    /// Watches nothing.
    pub fn watch(&mut self, _folder: &Path) -> bool {
        match *self {}
    }
}
