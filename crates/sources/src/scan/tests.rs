//! Scans of a file system in memory, and of the disk.
//!
//! Files by path in; adapters, operations and what was skipped out. A scan ends whatever links lead back, and goes
//! on after what cannot be read.

use super::{DiskFs, ScanEntry, ScanError, Scanned, ScannerFs, scan};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const ADAPTER: &str = "---\nname: shop\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A shop that sells things\"\n\
    target: {base_url: https://api.example.com, transport: http, protocol: rest, serialization: json}\noperations:\n  \
    read:\n    - {name: get_item, maps_to: GET /item, description: \"Read it\"}\n---\n";
const OPERATION: &str = "{\"name\": \"sum\", \"namespace\": \"maths\", \"version\": \"1.0.0\", \"type\": \"QUERY\", \"description\": \"d\", \"inputSchema\": {}}";

/// Files by path. A directory named `loop` holds its parent.
#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
    taken: RefCell<Vec<String>>,
    broken: Option<PathBuf>,
}

impl Memory {
    fn of(files: &[(&str, &str)]) -> Memory {
        let files = files.iter().map(|(path, text)| (Path::new("/srv").join(path), text.as_bytes().to_vec()));
        Memory { files: files.collect(), ..Memory::default() }
    }

    fn plain(path: &Path) -> PathBuf {
        path.iter().fold(PathBuf::new(), |mut out, part| {
            if part == "loop" {
                out.pop()
            } else {
                out.push(part);
                true
            };
            out
        })
    }
}

impl ScannerFs for Memory {
    fn entries<'f>(
        &'f self,
        directory: &Path,
    ) -> Result<Box<dyn Iterator<Item = Result<ScanEntry, ScanError>> + 'f>, ScanError> {
        let directory = Memory::plain(directory);
        if self.broken.as_ref() == Some(&directory) {
            return Err(ScanError("the disk is on fire".to_owned()));
        }
        let below = self.files.keys().filter_map(|file| file.strip_prefix(&directory).ok());
        let names: BTreeSet<(String, bool)> = below
            .filter_map(|rest| {
                let name = rest.iter().next()?.to_string_lossy().into_owned();
                Some((name, rest.iter().count() == 1))
            })
            .collect();
        let links = directory.ends_with("linked").then(|| ("loop".to_owned(), false));
        Ok(Box::new(names.into_iter().chain(links).map(|(name, is_file)| {
            self.taken.borrow_mut().push(name.clone());
            Ok(ScanEntry { name, is_file, is_directory: !is_file })
        })))
    }

    fn current_directory(&self) -> PathBuf {
        PathBuf::from("/srv")
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, ScanError> {
        self.files.get(&Memory::plain(file)).cloned().ok_or_else(|| ScanError("it is gone".to_owned()))
    }

    fn identity(&self, directory: &Path) -> PathBuf {
        Memory::plain(directory)
    }
}

fn shown(found: &Scanned) -> (Vec<String>, Vec<String>, Vec<String>) {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    (
        found.adapters.iter().map(|each| path(&each.file)).collect(),
        found.operations.iter().map(|each| each.file.clone()).collect(),
        found.skipped.iter().map(|each| path(&each.file)).collect(),
    )
}

/// S-scanner-1 S-scanner-2 S-scanner-3 S-scanner-7 S-scanner-10 S-scanner-11 S-extend-5: directories below are scanned
/// too, only for files with the right names, through the file system that is handed in; a relative path starts where it
/// says.
#[test]
fn finds_what_there_is() {
    let fs = Memory::of(&[
        ("dir/shop-adapter.md", ADAPTER),
        ("dir/a/b/c/shop-adapter.md", ADAPTER),
        ("dir/a/sum.operation.json", OPERATION),
        ("dir/README.md", "x"),
        ("dir/a/openapi.json", "{}"),
        ("dir/.git/shop-adapter.md", ADAPTER),
        ("dir/node_modules/x/shop-adapter.md", ADAPTER),
        ("other/shop-adapter.md", ADAPTER),
    ]);
    let found = scan(Path::new("dir"), &fs);
    let (adapters, operations, skipped) = shown(&found);
    assert_eq!(adapters, ["/srv/dir/a/b/c/shop-adapter.md", "/srv/dir/shop-adapter.md"]);
    assert_eq!(operations, ["/srv/dir/a/sum.operation.json"]);
    assert!(skipped.is_empty());
    assert_eq!(found.adapters[0].loaded.operations[0].name, "get_item");
    let again = scan(Path::new("/srv/dir"), &fs);
    assert_eq!(shown(&again).0, adapters, "an absolute path stays as it is");
}

/// S-scanner-4 S-scanner-5 S-scanner-6: what is invalid is skipped and listed with every reason, what declares nothing is
/// passed over, and the scan goes on.
#[test]
fn skips_and_goes_on() {
    let fs = Memory::of(&[
        ("a-adapter.md", "no front matter"),
        ("b.operation.yaml", "name: 7\ntype: READ\n"),
        ("c.operation.yaml", "# nothing yet\n"),
        ("d.operation.json", "{"),
        ("e.operation.json", OPERATION),
        ("shop-adapter.md", ADAPTER),
    ]);
    let found = scan(Path::new(""), &fs);
    let (adapters, operations, skipped) = shown(&found);
    assert_eq!((adapters.len(), operations.len()), (1, 1));
    assert_eq!(skipped, ["/srv/a-adapter.md", "/srv/b.operation.yaml", "/srv/d.operation.json"]);
    assert!(found.skipped[1].problems.len() > 3, "{:?}", found.skipped[1].problems);
}

/// S-scanner-8 S-scanner-12: a spec alone is enough; its code is found by its key.
#[test]
fn handlers_come_from_elsewhere() {
    let fs = Memory::of(&[("e.operation.json", OPERATION)]);
    assert_eq!(scan(Path::new("/srv"), &fs).operations[0].handler_key(), "maths.sum");
}

/// A link that leads back ends the way, and a directory that cannot be read is listed.
#[test]
fn loops_end_and_broken_directories_are_listed() {
    let mut fs = Memory::of(&[("linked/shop-adapter.md", ADAPTER), ("deep/x.operation.json", OPERATION)]);
    assert_eq!(scan(Path::new("linked"), &fs).adapters.len(), 1);
    fs.broken = Some(PathBuf::from("/srv/deep"));
    let found = scan(Path::new("/srv"), &fs);
    assert_eq!(shown(&found).2, ["/srv/deep"]);
    assert_eq!(found.skipped[0].problems[0].message, "This cannot be read: the disk is on fire");
    assert!(!fs.taken.borrow().is_empty());
}

/// The disk is scanned alike, and a real loop of links ends.
#[cfg(unix)]
#[test]
fn the_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
    std::fs::write(folder.path().join("a/b/shop-adapter.md"), ADAPTER).unwrap();
    std::fs::write(folder.path().join("sum.operation.yaml"), OPERATION).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("a/b/back")).unwrap();
    let found = scan(folder.path(), &DiskFs);
    assert_eq!((found.adapters.len(), found.operations.len(), found.skipped.len()), (1, 1, 0));
    assert_eq!(found.adapters[0].file, folder.path().join("a/b/shop-adapter.md"));
    let found = scan(&folder.path().join("nowhere"), &DiskFs);
    assert_eq!(found.skipped.len(), 1);
}

/// What has the right name and is no file is listed, and so is a directory that is too deep.
#[cfg(unix)]
#[test]
fn what_is_passed_over_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(at("a-adapter.md")).status().unwrap().success());
    std::os::unix::fs::symlink("nowhere", at("b.operation.json")).unwrap();
    std::os::unix::fs::symlink("nowhere", at("README.md")).unwrap();
    let deep = (0..33).fold(at("c"), |path, _| path.join("d"));
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(deep.join("shop-adapter.md"), ADAPTER).unwrap();
    let found = scan(folder.path(), &DiskFs);
    assert!(found.adapters.is_empty());
    let files: Vec<&Path> = found.skipped.iter().map(|each| each.file.as_path()).collect();
    let parent = deep.parent().unwrap();
    assert_eq!(files, [at("a-adapter.md").as_path(), at("b.operation.json").as_path(), parent]);
    assert!(found.skipped.iter().all(|each| each.problems[0].code == "PASSED_OVER"));
}
