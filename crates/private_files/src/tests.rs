//! Tests of files that only their owner can read.

use super::{create_new, lock, open, open_empty, read, replace};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

fn names(folder: &Path) -> Vec<OsString> {
    folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    assert_eq!(read(&path).unwrap(), None);
    replace(&path, b"a long text").unwrap();
    replace(&path, b"short").unwrap();
    assert_eq!(read(&path).unwrap().as_deref(), Some(b"short".as_slice()));
    assert_eq!(names(folder.path()), ["state.json"], "no draft is left");
}

/// A file that cannot take its place leaves nothing beside it.
#[test]
fn nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    std::fs::create_dir(&path).unwrap();
    replace(&path, b"text").unwrap_err();
    assert_eq!(names(folder.path()), ["state.json"]);
}

/// Threads that replace a file at once each write a draft of their own.
#[test]
fn replaced_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    std::thread::scope(|scope| {
        for number in 0..8_u8 {
            let path = &path;
            scope.spawn(move || (0..20).for_each(|_| replace(path, &vec![number; 10_000]).unwrap()));
        }
    });
    let bytes = read(&path).unwrap().unwrap();
    assert!(bytes.len() == 10_000 && bytes.iter().all(|byte| *byte == bytes[0]));
}

#[test]
fn opened_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    create_new(&path).unwrap().write_all(b"text").unwrap();
    assert_eq!(create_new(&path).unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    drop(open(&path).unwrap());
    assert_eq!(read(&path).unwrap().as_deref(), Some(b"text".as_slice()));
    drop(open_empty(&path).unwrap());
    assert_eq!(read(&path).unwrap().as_deref(), Some(b"".as_slice()));
}

/// No one else can read the files, or look into a directory that is new.
#[cfg(unix)]
#[test]
fn for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("new/state");
    let path = state.join("state.json");
    drop(lock(&path).unwrap());
    replace(&path, b"text").unwrap();
    drop(open(&state.join("opened")).unwrap());
    drop(create_new(&state.join("made")).unwrap());
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&state), 0o700);
    for name in names(&state) {
        assert_eq!(mode(&state.join(&name)), 0o600, "{name:?}");
    }
}
