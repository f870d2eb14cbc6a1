//! Tests of `disk`.

use super::{LARGE_CONTENT, ReadError, beginning, read, read_content};
use std::io::Write;

/// R1.3-1 R3.1-1: a file on disk is read whole; each way of failing has its own words.
#[test]
fn reads_and_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x-adapter.md");
    assert!(matches!(read(&path, 10), Err(ReadError::Missing { .. })));
    std::fs::File::create(&path).unwrap().write_all(b"0123456789").unwrap();
    assert_eq!(read(&path, 10).unwrap(), b"0123456789");
    let error = read(&path, 9).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { most: 9, .. }));
    let error = read(folder.path(), 10).unwrap_err();
    assert!(error.to_string().ends_with("is a directory, not a file"), "{error}");
}

/// Of a long file no more than its beginning is read, of one that is no longer nothing; a file that is too large is refused here too.
#[test]
fn the_beginning_of_a_long_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    std::fs::write(&path, "0123456789").unwrap();
    assert_eq!(beginning(&path, 10, 4).unwrap().as_deref(), Some(&b"0123"[..]));
    assert_eq!(beginning(&path, 10, 10).unwrap(), None);
    assert!(matches!(beginning(&path, 9, 4), Err(ReadError::TooLarge { most: 9, .. })));
}

/// Content is the same on both sides of the length from which on it has memory of its own, and is capped like any other.
#[test]
fn large_content_is_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    for length in [0, LARGE_CONTENT - 1, LARGE_CONTENT, LARGE_CONTENT + 4097] {
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        assert!(read_content(&path, 2 * LARGE_CONTENT).unwrap() == bytes, "{length}");
    }
    assert!(matches!(read_content(&path, LARGE_CONTENT), Err(ReadError::TooLarge { .. })));
    assert!(matches!(read_content(folder.path(), 10), Err(ReadError::Directory { .. })));
}

/// What may wait for ever is refused before it is opened.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("x-adapter.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), std::path::Path::new("/dev/zero")] {
        let path = path.to_owned();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(read(&path, 10)));
        let outcome = receiver.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
        let error = outcome.unwrap_err();
        assert!(error.to_string().ends_with("is a pipe or a device, not a regular file"), "{error}");
    }
    assert_eq!(read(std::path::Path::new("/dev/null"), 10).unwrap(), b"");
}
