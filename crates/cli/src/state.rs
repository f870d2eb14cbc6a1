//! What is kept between runs, and where: the directory that was asked for, else the platform's own.
//!
//! A flag and the environment in, the key of cursors out. A directory that was asked for must be usable; without one a
//! server must start anywhere, in a read-only container too, and then keeps nothing.

mod cursor_key;

use aqueduct_dispatch::cursor::{CursorKey, NoKey};
use cursor_key::KeyError;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Why nothing can be kept.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The directory that was asked for is of no use.
    #[error("--state-dir: {0}")]
    Directory(KeyError),
    /// What is in the platform's directory is of no use.
    #[error(transparent)]
    Key(KeyError),
    /// The key cannot be used.
    #[error(transparent)]
    NoKey(#[from] NoKey),
}

/// The key of cursors from the directory; nothing when there is none to keep it in.
pub fn cursor_key(requested: Option<&OsStr>) -> Result<Option<CursorKey>, StateError> {
    let key = match requested.filter(|text| !text.is_empty()) {
        Some(directory) => {
            Some(cursor_key::load_or_create(directory.as_ref()).map_err(StateError::Directory)?)
        }
        None => in_default_directory()?,
    };
    Ok(key.map(CursorKey::new).transpose()?)
}

/// The file in which it is remembered what MCP servers offered; nothing when there is nowhere to keep it.
pub fn pins_file(requested: Option<&OsStr>) -> Option<PathBuf> {
    Some(directory(requested)?.join("mcp-tools.json"))
}

/// The file in which it is kept what the operator allows to files that somebody else wrote.
pub fn grants_file(requested: Option<&OsStr>) -> Option<PathBuf> {
    Some(directory(requested)?.join("grants.json"))
}

fn directory(requested: Option<&OsStr>) -> Option<PathBuf> {
    let requested = requested.filter(|text| !text.is_empty()).map(PathBuf::from);
    requested.or_else(|| default_directory(|name| std::env::var_os(name)))
}

fn in_default_directory() -> Result<Option<[u8; 32]>, StateError> {
    let Some(directory) = default_directory(|name| std::env::var_os(name)) else {
        tracing::debug!(target: "aqueduct::load", "there is no home for state; cursors end with this process");
        return Ok(None);
    };
    match cursor_key::load_or_create(&directory) {
        Ok(key) => Ok(Some(key)),
        // Nobody asked for it to be kept; but a damaged key would go unnoticed for ever.
        Err(error @ KeyError::Damaged { .. }) => Err(StateError::Key(error)),
        Err(error) => {
            tracing::debug!(target: "aqueduct::load", %error, "no state is kept; cursors end with this process");
            Ok(None)
        }
    }
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
