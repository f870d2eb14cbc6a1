//! The last seal that this machine has seen, in a file beside the store.
//!
//! A store that is set back to an earlier state, with all its seals, is whole in itself; it does not fit this file. Only anyone who
//! can write to this machine's directory as well goes unnoticed.

use super::chain::Seal;
use crate::error::{Outage, StoreError};
use aqueduct_private_files as private_files;
use std::path::PathBuf;

/// The file, if there is one.
#[derive(Debug, Clone)]
pub(crate) struct SealFile(Option<PathBuf>);

impl SealFile {
    pub(crate) fn new(path: Option<PathBuf>) -> SealFile {
        SealFile(path)
    }

    pub(crate) fn read(&self) -> Result<Option<Seal>, StoreError> {
        let Some(path) = &self.0 else { return Ok(None) };
        let read = private_files::read(path);
        let Some(text) = read.map_err(|error| StoreError::unavailable(Outage::Failed, error))? else {
            return Ok(None);
        };
        let seal = serde_json::from_slice(&text);
        seal.map(Some).map_err(|_| StoreError::Damaged("the file with the last seal of the audit".to_owned()))
    }

    /// Remembers a seal, unless a later one is remembered already.
    pub(crate) fn remember(&self, seal: &Seal) -> Result<(), StoreError> {
        let Some(path) = &self.0 else { return Ok(()) };
        if self.read()?.is_some_and(|seen| seen.number >= seal.number) {
            return Ok(());
        }
        private_files::replace(path, serde_json::json!(seal).to_string().as_bytes())
            .map_err(|error| StoreError::unavailable(Outage::Failed, error))
    }
}
