//! The key of the audit beside the database: made with the first line, and never made anew.
//!
//! A state directory in, its key out. The file is for its owner alone.

use super::database::io_error;
use crate::audit::key::AuditKey;
use crate::error::StoreError;
use aqueduct_private_files as private_files;
use secrecy::{ExposeSecret, SecretString};
use std::fs;
use std::io;
use std::path::Path;

const FILE: &str = "audit.key";

/// The key of this directory. When its audit `has_key` and the file is gone, that is an error: a new key would hide what was done.
#[expect(clippy::disallowed_methods, reason = "the file is this program's own")]
pub(super) fn load_or_create(directory: &Path, has_key: bool) -> Result<AuditKey, StoreError> {
    let path = directory.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => AuditKey::parse(&SecretString::from(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if has_key {
                return Err(StoreError::KeyMissing);
            }
            let (key, text) = AuditKey::generate()?;
            private_files::replace(&path, format!("{}\n", text.expose_secret()).as_bytes())
                .map_err(io_error)?;
            Ok(key)
        }
        Err(error) => Err(io_error(error)),
    }
}
