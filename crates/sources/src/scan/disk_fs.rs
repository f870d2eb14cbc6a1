//! The platform's own file system, for scans. All of it goes through `disk`.
//!
//! A directory or a file in, entries or bytes out. Paths stay as they were given, and no file above the cap is
//! read.

use super::{ScanEntry, ScanError, ScannerFs};
use aqueduct_documents::disk;
use aqueduct_documents::disk::MAX_ADAPTER_FILE;
use std::path::{Path, PathBuf};

/// The disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFs;

impl ScannerFs for DiskFs {
    fn entries<'f>(
        &'f self,
        directory: &Path,
    ) -> Result<Box<dyn Iterator<Item = Result<ScanEntry, ScanError>> + 'f>, ScanError> {
        let entries = disk::entries(directory).map_err(|error| ScanError(error.to_string()))?;
        Ok(Box::new(entries.map(|entry| {
            let entry = entry.map_err(|error| ScanError(error.to_string()))?;
            Ok(ScanEntry { name: entry.name, is_file: entry.is_file, is_directory: entry.is_directory })
        })))
    }

    fn current_directory(&self) -> PathBuf {
        // Paths stay as they were given, so that messages show them so.
        PathBuf::new()
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, ScanError> {
        disk::read(file, MAX_ADAPTER_FILE).map_err(|error| ScanError(error.to_string()))
    }

    fn identity(&self, directory: &Path) -> PathBuf {
        disk::identity(directory)
    }
}

#[cfg(test)]
mod tests;
