//! Tests of `cursor_key`.

use super::{FILE, KeyError, kept_in};
use std::sync::Barrier;

#[test]
fn made_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("new/state");
    let key = kept_in(&directory).unwrap();
    assert_eq!(kept_in(&directory).unwrap(), key);
    assert_ne!(kept_in(&folder.path().join("other")).unwrap(), key, "keys are random");
    let names: Vec<_> = directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [FILE], "no draft is left");
}

#[cfg(unix)]
#[test]
fn for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("state");
    kept_in(&directory).unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&directory), mode(&directory.join(FILE))), (0o700, 0o600));
}

/// Processes that start together agree.
#[test]
fn one_key_for_all() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let barrier = Barrier::new(8);
        let keys: Vec<[u8; 32]> = std::thread::scope(|scope| {
            let start = || {
                barrier.wait();
                kept_in(folder.path()).unwrap()
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    }
}

#[test]
fn damaged_keys_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for content in ["", "short", "this is quite a bit longer than a key can be"] {
        std::fs::write(folder.path().join(FILE), content).unwrap();
        let error = kept_in(folder.path()).unwrap_err();
        assert!(matches!(error, KeyError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("delete the file"), "{error}");
    }
    let blocked = folder.path().join(FILE).join("inside");
    assert!(kept_in(&blocked).is_err());
}
