//! The configured store: opened, which reaches nothing yet, and what its errors mean for a command.
//!
//! A configuration file and a state directory in; a store, or a message with the exit code that fits, out.

use crate::cli::StoreArgs;
use crate::report::{CommandError, Exit};
use crate::{config, state};
use aqueduct::SystemClock;
use aqueduct::store::{Store, StoreError, StoreSettings};
use std::sync::Arc;

/// The store that the configuration names; SQLite in the state directory when it names none.
pub fn open(args: &StoreArgs) -> Result<Store, CommandError> {
    let settings = config::store_settings(args.config.as_deref(), args.state_dir.as_deref())?;
    open_at(settings.ok_or_else(state::no_directory)?)
}

/// The store with these settings.
pub fn open_at(settings: StoreSettings) -> Result<Store, CommandError> {
    Store::open(settings, Arc::new(SystemClock)).map_err(failed)
}

/// A failure of the store, for the person: what cannot be reached or written is IO, what is set wrongly is configuration.
pub fn failed(error: StoreError) -> CommandError {
    let exit = match &error {
        StoreError::Unavailable { .. } | StoreError::Damaged(_) | StoreError::NoRandomness => Exit::Io,
        StoreError::NewerSchema { .. }
        | StoreError::KeyMissing
        | StoreError::KeyMismatch
        | StoreError::Settings(_) => Exit::Configuration,
    };
    // Anyone who runs a command of this store may see where it is.
    match error.cause() {
        Some(cause) => CommandError::new(exit, format!("{error}: {cause}")),
        None => CommandError::new(exit, error),
    }
}
