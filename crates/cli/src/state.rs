//! What is kept between runs, and where: the directory that was asked for, else the platform's own.
//!
//! A flag and the environment in, the key of cursors out. A directory that was asked for must be usable. `none` keeps nothing, as
//! a read-only container must. That the platform's own is of no use is an error of its own kind: `serve` stops at it, as no one would
//! notice that tokens and the audit are gone; others go on without.

mod cursor_key;

use crate::report::{CommandError, Exit};
use aqueduct_dispatch::cursor::{CursorKey, NoKey};
use aqueduct_operations::digest::{Digest, hex};
use cursor_key::KeyError;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Why nothing can be kept.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The directory that was asked for is of no use.
    #[error("--state-dir: {0}")]
    Directory(KeyError),
    /// What is in the platform's directory is of no use.
    #[error(transparent)]
    Damaged(KeyError),
    /// The platform's directory cannot be used.
    #[error("{0}; name a directory for state with --state-dir, or keep nothing with --state-dir none")]
    Unusable(KeyError),
    /// The platform has no directory for this user.
    #[error(
        "there is no directory for state; name one with --state-dir, or keep nothing with --state-dir none"
    )]
    Nowhere,
    /// The key cannot be used.
    #[error(transparent)]
    NoKey(#[from] NoKey),
}

/// The error of a command that needs a directory for state where there is none.
pub fn no_directory() -> CommandError {
    CommandError::configuration("there is no directory for state; name one with --state-dir")
}

/// What is said for the directory when nothing is to be kept.
pub const NONE: &str = "none";

impl StateError {
    /// No one asked for a directory, and there is no usual one.
    pub fn is_of_the_usual_directory(&self) -> bool {
        matches!(self, StateError::Unusable(_) | StateError::Nowhere)
    }
}

impl From<StateError> for CommandError {
    fn from(error: StateError) -> CommandError {
        let exit = if matches!(error, StateError::Nowhere) { Exit::Configuration } else { Exit::Io };
        CommandError::new(exit, error)
    }
}

/// The key of cursors from the directory; nothing when there is none to keep it in.
pub fn cursor_key(requested: Option<&OsStr>) -> Result<Option<CursorKey>, StateError> {
    match key(requested) {
        Err(error) if error.is_of_the_usual_directory() => {
            tracing::debug!(target: "aqueduct::load", %error, "no state is kept; cursors end with this process");
            Ok(None)
        }
        key => key?.map(cursor_key_of).transpose(),
    }
}

/// The key of cursors with these bytes.
pub fn cursor_key_of(key: [u8; 32]) -> Result<CursorKey, StateError> {
    Ok(CursorKey::new(key)?)
}

/// The bytes of the key; nothing when nothing is to be kept.
pub fn key(requested: Option<&OsStr>) -> Result<Option<[u8; 32]>, StateError> {
    let Some(directory) = directory(requested) else {
        return if is_none(requested) { Ok(None) } else { Err(StateError::Nowhere) };
    };
    let is_usual = requested.is_none_or(OsStr::is_empty);
    cursor_key::load_or_create(&directory).map(Some).map_err(|error| match error {
        _ if !is_usual => StateError::Directory(error),
        KeyError::Damaged { .. } => StateError::Damaged(error),
        _ => StateError::Unusable(error),
    })
}

/// A name for anyone who shares a state directory, which tells nothing of the key that it is made of.
pub fn machine_name(key: &[u8; 32]) -> String {
    Digest::of_text(&format!("machine {}", hex(key))).hex()[..16].to_owned()
}

/// The name of the file of pins.
pub const PINS_FILE: &str = "mcp-tools.json";

/// Refuses a key that cannot be used. That there is none yet is as it should be.
pub fn check_key(directory: &Path) -> Result<(), KeyError> {
    cursor_key::check(directory)
}

/// The file in which it is remembered what MCP servers offered; nothing when there is nowhere to keep it.
pub fn pins_file(requested: Option<&OsStr>) -> Option<PathBuf> {
    Some(directory(requested)?.join(PINS_FILE))
}

/// The file in which it is kept what the operator allows to files that somebody else wrote.
pub fn grants_file(requested: Option<&OsStr>) -> Option<PathBuf> {
    Some(directory(requested)?.join("grants.json"))
}

/// The directory, whether it is there or not.
pub fn directory(requested: Option<&OsStr>) -> Option<PathBuf> {
    if is_none(requested) {
        return None;
    }
    let requested = requested.filter(|text| !text.is_empty()).map(PathBuf::from);
    requested.or_else(|| default_directory(|name| std::env::var_os(name)))
}

fn is_none(requested: Option<&OsStr>) -> bool {
    requested.is_some_and(|text| text == NONE)
}

/// Where programs keep such things on this platform.
fn default_directory(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))
    };
    base.map(|base| base.join("aqueduct"))
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests;
