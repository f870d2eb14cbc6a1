//! Looks at what is kept between runs: can the state directory be written, and can what is in it be used?
//!
//! The shared flags in; findings of what is to be fixed out, none where all is well. Nothing is left behind: a directory that is not
//! there yet is not made, and a store is not either.

use super::finding::CheckResult;
use crate::cli::SourceArgs;
use crate::commands::runtime;
use crate::report::CommandError;
use crate::store::{failed, open_at};
use crate::{config, state};
use aqueduct::store::{Store, StoreLocation};
use aqueduct_private_files as private_files;
use std::io::{self, Write};
use std::path::Path;

/// As much is written to try a directory: a store needs more than a key does.
const TRIED_BYTES: usize = 64 * 1024;

/// The file of a store in the directory.
const STORE_FILE: &str = "store.sqlite";

const ANOTHER: &str = "make it a directory that can be written, name another one with --state-dir, or keep nothing with --state-dir none";
const MOVE_IT: &str = "put a copy of it back, or move it away";

/// Findings on the state directory, the key, the store and what is remembered of MCP servers.
pub fn of_state(shared: &SourceArgs) -> Result<Vec<CheckResult>, CommandError> {
    let requested = shared.state_dir.as_deref();
    let Some(directory) = state::directory(requested) else {
        let is_wanted = requested.is_none_or(|requested| requested != state::NONE);
        let finding = || CheckResult::fix("state", state::StateError::Nowhere.to_string(), None);
        return Ok(is_wanted.then(finding).into_iter().collect());
    };
    if let Err(error) = try_to_write(&directory) {
        let message = format!("the directory {} cannot be used: {error}", directory.display());
        return Ok(vec![CheckResult::fix("state", message, Some(ANOTHER))]);
    }
    let mut findings = Vec::new();
    if let Err(error) = state::check_key(&directory) {
        findings.push(CheckResult::fix("key", error.to_string(), None));
    }
    findings.extend(of_pins(&directory));
    let settings = config::store_settings(shared.config.as_deref(), requested)?;
    let is_there = directory.join(STORE_FILE).exists();
    let store = settings
        .filter(|settings| is_there || !matches!(settings.place, StoreLocation::Sqlite { .. }))
        .map(open_at)
        .transpose();
    match store {
        Ok(store) => findings.extend(store.map(|store| of_store(&store)).transpose()?.flatten()),
        Err(error) => findings.push(CheckResult::fix("store", error.message, None)),
    }
    Ok(findings)
}

/// Writes a file where the directory is, or where it would be made, and takes it away again.
fn try_to_write(directory: &Path) -> io::Result<()> {
    let absolute = std::path::absolute(directory)?;
    let place = absolute.ancestors().find(|place| place.symlink_metadata().is_ok()).unwrap_or(&absolute);
    if !place.is_dir() {
        let message = format!("{} is no directory", place.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
    }
    let file = place.join(format!(".aqueduct-{}.try", std::process::id()));
    let written = private_files::create_new(&file).and_then(|mut open| {
        open.write_all(&[0; TRIED_BYTES])?;
        open.sync_all()
    });
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => written.and(Err(error)),
        Ok(()) | Err(_) => written,
    }
}

/// A store that cannot be read.
fn of_store(store: &Store) -> Result<Option<CheckResult>, CommandError> {
    let status = runtime()?.block_on(store.status());
    Ok(status.err().map(|error| CheckResult::fix("store", failed(error).message, Some(MOVE_IT))))
}

#[cfg(feature = "mcp-servers")]
fn of_pins(directory: &Path) -> Option<CheckResult> {
    let error = aqueduct_mcp_client::Pins::new(directory.join(state::PINS_FILE)).waiting().err()?;
    Some(CheckResult::fix("mcp tools", error.to_string(), Some(MOVE_IT)))
}

#[cfg(not(feature = "mcp-servers"))]
fn of_pins(_directory: &Path) -> Option<CheckResult> {
    None
}
