//! How other documents are read: an injected reader, or the disk. There is no network here.
//!
//! A path in, the text of a document out, or why there is none. Files outside the folder of the document are read
//! only when the operator has named them, and no file above the cap is read.

use super::allow::AllowRefs;
use super::location::DocumentLocation;
use super::text::decode;
use aqueduct_documents::disk::{self, MAX_DOCUMENT};
use aqueduct_source_kind::kind::DocumentReader;
use std::path::{Path, PathBuf};

/// Reads files of one folder and below, wherever symbolic links lead; others only when a pattern names them.
#[derive(Debug)]
pub struct DiskReader {
    folder: PathBuf,
    allow: AllowRefs,
}

impl DiskReader {
    /// A reader for the documents that the document in this file refers to.
    pub fn beside(document: &str, allow: &AllowRefs) -> DiskReader {
        let folder = match Path::new(document).parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        DiskReader { folder, allow: allow.clone() }
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
        let bytes = disk::read(&real, MAX_DOCUMENT).map_err(|error| error.to_string())?;
        decode(bytes).map_err(|error| error.to_string())
    }
}
