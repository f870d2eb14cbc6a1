//! Tests of `write_file`.

use super::put;
use aqueduct_documents::disk;
use std::fs;

fn content(path: &std::path::Path) -> String {
    String::from_utf8(disk::read(path, 100).unwrap()).unwrap()
}

fn names(folder: &std::path::Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|each| each.unwrap().file_name().into_string().unwrap()).collect()
}

/// A file is replaced only when asked for, and nothing stays beside it.
#[test]
fn only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a-adapter.md");
    put(&path, "one", false).unwrap();
    assert!(put(&path, "two", false).unwrap_err().message.ends_with("--force replaces it"));
    assert_eq!(content(&path), "one");
    put(&path, "two", true).unwrap();
    assert_eq!(content(&path), "two");
    assert_eq!(names(folder.path()), ["a-adapter.md"]);
}

/// Where nothing can be written, nothing is left behind.
#[cfg(unix)]
#[test]
fn links_are_replaced_and_failures_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (other, link) = (folder.path().join("other"), folder.path().join("a-adapter.md"));
    fs::write(&other, "kept").unwrap();
    std::os::unix::fs::symlink(&other, &link).unwrap();
    assert!(put(&link, "new", false).is_err());
    put(&link, "new", true).unwrap();
    assert_eq!((content(&other), content(&link)), ("kept".into(), "new".into()));
    assert!(put(&folder.path().join("none").join("b-adapter.md"), "x", true).is_err());
    assert_eq!(names(folder.path()).len(), 2);
}
