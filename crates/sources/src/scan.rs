//! Directories of sources: adapter files and operation files, however deep they lie (operation sources, section on the
//! scanner).
//!
//! A directory and a file system in; what is there, and each file that cannot be used with every reason, out. Nothing
//! fails: a scan goes on, whereas a file that is named on its own must load. The file system is handed in, so that none
//! of the platform's is touched here.

mod directory;
mod disk_fs;

pub use directory::{DeclaredOperations, DirectoryKind, declared_operations};
pub use disk_fs::DiskFs;

use aqueduct_adapter_files::name_prefix;
use aqueduct_adapter_files::operation_file::{self, ManifestRead, is_operation_file};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::operation_manifest::OperationManifest;
use aqueduct_source_kind::settings::SourceSettings;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Directories deeper than this are not entered.
const MAX_DEPTH: usize = 32;

/// What a scan needs of a file system.
pub trait ScannerFs {
    /// The entries of a directory, one at a time.
    fn entries<'f>(
        &'f self,
        directory: &Path,
    ) -> Result<Box<dyn Iterator<Item = Result<ScanEntry, ScanError>> + 'f>, ScanError>;

    /// The directory from which relative paths start.
    fn current_directory(&self) -> PathBuf;

    /// The content of a file.
    fn read(&self, file: &Path) -> Result<Vec<u8>, ScanError>;

    /// What tells a directory from every other, however it was reached.
    fn identity(&self, directory: &Path) -> PathBuf {
        directory.to_owned()
    }
}

/// An entry of a directory. Links are what they lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanEntry {
    /// Its name, without the directory.
    pub name: String,
    /// It is a file.
    pub is_file: bool,
    /// It is a directory.
    pub is_directory: bool,
}

/// Why something could not be read, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScanError(pub String);

/// What a scan found, in the order of the paths.
#[derive(Debug, Default)]
pub struct Scanned {
    /// Adapter files that load.
    pub adapters: Vec<ScannedAdapter>,
    /// Operations whose code is registered apart.
    pub operations: Vec<OperationManifest>,
    /// Files that cannot be used, each with every reason.
    pub skipped: Vec<Skipped>,
}

/// An adapter file that loads.
#[derive(Debug)]
pub struct ScannedAdapter {
    /// Where it is.
    pub file: PathBuf,
    /// The source and its operations.
    pub loaded: LoadedSource,
    /// Warnings on it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file, or a directory, that cannot be used.
#[derive(Debug)]
pub struct Skipped {
    /// Where it is.
    pub file: PathBuf,
    /// Every reason.
    pub problems: Vec<Diagnostic>,
}

/// Scans a directory. Adapter files are loaded with no settings.
pub fn scan(directory: &Path, fs: &dyn ScannerFs) -> Scanned {
    // Joined to an absolute path, the absolute one remains.
    let directory = fs.current_directory().join(directory);
    let CandidateFiles { files, unreadable: mut skipped, passed_over } = candidates(&directory, fs);
    skipped.extend(passed_over);
    let mut found = Scanned { skipped, ..Scanned::default() };
    files.iter().for_each(|file| found.take(file, fs));
    found
}

/// Files that a scan would look into.
#[derive(Debug, Default)]
pub struct CandidateFiles {
    /// Adapter files and operation files by their names, in the order of the paths.
    pub files: Vec<PathBuf>,
    /// Directories that cannot be listed.
    pub unreadable: Vec<Skipped>,
    /// What has the right name but is no file, and directories that are too deep.
    pub passed_over: Vec<Skipped>,
}

/// Finds the files that a scan would look into, without reading them.
pub fn candidates(directory: &Path, fs: &dyn ScannerFs) -> CandidateFiles {
    let mut walk = DirectoryWalk { fs, entered: HashSet::new(), found: CandidateFiles::default() };
    walk.enter(directory, 0);
    walk.found
}

struct DirectoryWalk<'s> {
    fs: &'s dyn ScannerFs,
    entered: HashSet<PathBuf>,
    found: CandidateFiles,
}

impl DirectoryWalk<'_> {
    fn enter(&mut self, directory: &Path, depth: usize) {
        // A link may lead back to where we are.
        if !self.entered.insert(self.fs.identity(directory)) {
            return;
        }
        if depth > MAX_DEPTH {
            let why = format!("Directories deeper than {MAX_DEPTH} are not entered");
            return self.pass_over(directory, why);
        }
        let entries: Result<Vec<ScanEntry>, ScanError> =
            self.fs.entries(directory).and_then(|entries| entries.filter(is_of_interest).collect());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(problem) => {
                let problems = unreadable(directory, &problem);
                self.found.unreadable.push(Skipped { file: directory.to_owned(), problems });
                return;
            }
        };
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let path = directory.join(&entry.name);
            if entry.is_directory {
                self.enter(&path, depth + 1);
            } else if entry.is_file {
                self.found.files.push(path);
            } else {
                let why = "This is no file: a pipe, a device, or a link that leads nowhere".to_owned();
                self.pass_over(&path, why);
            }
        }
    }

    fn pass_over(&mut self, path: &Path, why: String) {
        let problem =
            Diagnostic::about(path.to_string_lossy(), DiagnosticSeverity::Warning, "PASSED_OVER", why);
        self.found.passed_over.push(Skipped { file: path.to_owned(), problems: vec![problem] });
    }
}

impl Scanned {
    fn take(&mut self, path: &Path, fs: &dyn ScannerFs) {
        let bytes = match fs.read(path) {
            Ok(bytes) => bytes,
            Err(problem) => return self.skip(path, unreadable(path, &problem)),
        };
        let shown = path.to_string_lossy();
        if name_prefix(&shown).is_some() {
            let outcome = aqueduct_adapter_files::load(&shown, &bytes, &SourceSettings::default());
            let (file, diagnostics) = (path.to_owned(), outcome.diagnostics);
            match outcome.loaded {
                Some(loaded) => self.adapters.push(ScannedAdapter { file, loaded, diagnostics }),
                None => self.skip(path, diagnostics),
            }
            return;
        }
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let problem = ScanError("it is not written in UTF-8".to_owned());
            return self.skip(path, unreadable(path, &problem));
        };
        match operation_file::read(&shown, text) {
            ManifestRead::Declared(manifest, _) => self.operations.push(*manifest),
            ManifestRead::Nothing => {}
            ManifestRead::Invalid(problems) => self.skip(path, problems),
        }
    }

    fn skip(&mut self, path: &Path, problems: Vec<Diagnostic>) {
        self.skipped.push(Skipped { file: path.to_owned(), problems });
    }
}

/// Files with the right names, and directories but those that are hidden or hold what others wrote.
fn is_of_interest(entry: &Result<ScanEntry, ScanError>) -> bool {
    entry.as_ref().map_or(true, |entry| {
        let is_candidate = name_prefix(&entry.name).is_some() || is_operation_file(&entry.name);
        let is_open = !entry.name.starts_with('.') && entry.name != "node_modules";
        if entry.is_directory { is_open } else { is_candidate }
    })
}

fn unreadable(path: &Path, problem: &ScanError) -> Vec<Diagnostic> {
    let message = format!("This cannot be read: {problem}");
    vec![Diagnostic::about(path.to_string_lossy(), DiagnosticSeverity::Error, "FILE_CONTENT", message)]
}

#[cfg(test)]
mod tests;
