//! Reads the files that a document refers to. There is no network here.
//!
//! A path in, the text of a document out, or why there is none. Files outside the folder of the document are read
//! only when the operator has named them, no file above the cap is read, and none twice by those that share a `FileCache`.

use crate::allow_refs::AllowRefs;
use crate::document_location::DocumentLocation;
use crate::kind::DocumentReader;
use aqueduct_documents::disk::{self, MAX_DOCUMENT, ReadError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Documents that were read once. Clones are the same: a later reader of one of the files gets what the first has read.
#[derive(Debug, Clone, Default)]
pub struct FileCache(Arc<Mutex<HashMap<PathBuf, Arc<[u8]>>>>);

impl FileCache {
    /// The content of a file, links followed. One that cannot be read is tried again by the next.
    pub fn read(&self, path: &Path) -> Result<Arc<[u8]>, ReadError> {
        let real = disk::real_path(path)?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(&real) {
            return Ok(Arc::clone(known));
        }
        let bytes: Arc<[u8]> = disk::read(&real, MAX_DOCUMENT)?.into();
        files.insert(real, Arc::clone(&bytes));
        Ok(bytes)
    }
}

/// Reads files of one folder and below, wherever symbolic links lead; others only when a pattern names them.
#[derive(Debug)]
pub struct DiskReader {
    folder: PathBuf,
    allow: AllowRefs,
    files: FileCache,
}

impl DiskReader {
    /// A reader for the documents that the document in this file refers to.
    pub fn beside(document: &str, allow: &AllowRefs) -> DiskReader {
        let folder = match Path::new(document).parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        DiskReader { folder, allow: allow.clone(), files: FileCache::default() }
    }

    /// The same with files that others may have read.
    #[must_use]
    pub fn sharing(self, files: FileCache) -> DiskReader {
        DiskReader { files, ..self }
    }
}

impl DocumentReader for DiskReader {
    fn read(&self, place: &str) -> Result<String, String> {
        let DocumentLocation::File(path) = DocumentLocation::parse(place) else {
            return Err("only files are read here, not URLs".to_owned());
        };
        let named = self.allow.names(&DocumentLocation::File(path.clone()));
        let real = disk::real_path(Path::new(&path)).map_err(|error| error.to_string())?;
        let folder = disk::real_path(&self.folder).map_err(|error| error.to_string())?;
        if !named
            && !real.starts_with(&folder)
            && !self.allow.names(&DocumentLocation::File(real.to_string_lossy().into()))
        {
            return Err("it is a link that leads out of the folder of the document".to_owned());
        }
        let bytes = self.files.read(&real).map_err(|error| error.to_string())?;
        decode(bytes.to_vec()).map_err(|error| error.to_string())
    }
}

/// That a document is not in UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the document is not in UTF-8 but {found}; save it as UTF-8")]
pub struct EncodingError {
    /// The encoding that it seems to have.
    pub found: &'static str,
}

/// The text of a document. Only UTF-8 is read.
pub fn decode(bytes: Vec<u8>) -> Result<String, EncodingError> {
    refuse_other_encodings(&bytes)?;
    String::from_utf8(bytes).map_err(|_| EncodingError { found: ANOTHER })
}

/// The text of a document, where it stands.
pub fn decoded(bytes: &[u8]) -> Result<&str, EncodingError> {
    refuse_other_encodings(bytes)?;
    std::str::from_utf8(bytes).map_err(|_| EncodingError { found: ANOTHER })
}

const ANOTHER: &str = "another encoding";

/// Names an encoding that shows in the first bytes.
fn refuse_other_encodings(bytes: &[u8]) -> Result<(), EncodingError> {
    let found = match bytes {
        [0xFF, 0xFE, ..] | [_, 0, _, 0, ..] => "UTF-16 (little endian)",
        [0xFE, 0xFF, ..] | [0, _, 0, _, ..] => "UTF-16 (big endian)",
        [0x1F, 0x8B, ..] => "compressed (gzip)",
        [b'P', b'K', 3, 4, ..] => "an archive (zip)",
        _ => return Ok(()),
    };
    Err(EncodingError { found })
}
