//! Tests of `cursor_key`.

use super::{FILE, KeyError, load_or_create};
use std::sync::Barrier;

#[test]
fn made_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("new/state");
    let key = load_or_create(&directory).unwrap();
    assert_eq!(load_or_create(&directory).unwrap(), key);
    assert_ne!(load_or_create(&folder.path().join("other")).unwrap(), key, "keys are random");
    let names: Vec<_> = directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [FILE], "no draft is left");
}

#[cfg(unix)]
#[test]
fn for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("state");
    load_or_create(&directory).unwrap();
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
                load_or_create(folder.path()).unwrap()
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
        let error = load_or_create(folder.path()).unwrap_err();
        assert!(matches!(error, KeyError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("delete the file"), "{error}");
    }
    let blocked = folder.path().join(FILE).join("inside");
    assert!(load_or_create(&blocked).is_err());
}
