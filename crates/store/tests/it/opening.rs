//! Opening a store: versions, keys, files, and what cannot be opened.

use crate::support::{Place, call, issue, on_both_engines};
use aqueduct_store::{Migrated, Outage, Store, StoreError, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use std::sync::Arc;

/// The version of the tables.
const KNOWN: i64 = 4;

on_both_engines!(migrated_once, a_newer_store_is_refused, many_open_at_once, another_key_is_refused);

async fn migrated_once(place: Place) {
    assert_eq!(place.open().prepare().await.unwrap(), Migrated { from: 0, to: KNOWN });
    assert_eq!(place.open().prepare().await.unwrap(), Migrated { from: KNOWN, to: KNOWN });
}

async fn a_newer_store_is_refused(place: Place) {
    place.open().prepare().await.unwrap();
    place.tamper("INSERT INTO schema_versions (version, applied_at) VALUES (99, 0)");
    let refused = place.open().prepare().await.unwrap_err();
    assert!(matches!(refused, StoreError::NewerSchema { found: 99, known: KNOWN }), "{refused}");
}

async fn many_open_at_once(place: Place) {
    let stores: Vec<Store> = (0..6).map(|_| place.open()).collect();
    let opening: Vec<_> = stores
        .iter()
        .cloned()
        .map(|store| tokio::spawn(async move { store.prepare().await.unwrap().from }))
        .collect();
    let mut first = 0;
    for opened in opening {
        first += usize::from(opened.await.unwrap() == 0);
    }
    assert_eq!(first, 1);
}

async fn another_key_is_refused(place: Place) {
    place.open().prepare().await.unwrap();
    place.tamper("UPDATE meta SET value = 'of another key' WHERE name = 'audit_key_check'");
    let refused = place.open().prepare().await.unwrap_err();
    assert!(matches!(refused, StoreError::KeyMismatch), "{refused}");
}

fn sqlite(directory: &std::path::Path) -> Store {
    Store::open(StoreSettings::sqlite(directory), Arc::new(TestClock::default())).unwrap()
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    let store = sqlite(&state);
    issue(&store, "s1", vec![call("a")]).await;
    store.seal_audit().await.unwrap();
    let mut seen = 0;
    for file in std::fs::read_dir(&state).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", file.file_name());
        seen += 1;
    }
    assert!(seen >= 4);
    assert_eq!(std::fs::metadata(&state).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn a_key_is_not_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    sqlite(directory.path()).prepare().await.unwrap();
    std::fs::remove_file(directory.path().join("audit.key")).unwrap();
    let missing = sqlite(directory.path()).prepare().await.unwrap_err();
    assert!(matches!(missing, StoreError::KeyMissing), "{missing}");
    assert!(!directory.path().join("audit.key").exists());
}

#[tokio::test]
async fn what_is_no_database_is_damaged() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("store.sqlite"), "no database ".repeat(100)).unwrap();
    let damaged = sqlite(directory.path()).prepare().await.unwrap_err();
    assert!(matches!(damaged, StoreError::Damaged(_)), "{damaged}");
}

/// Nothing is reached before something is asked for, and what is shown of an error names no path.
#[tokio::test]
async fn a_directory_that_cannot_be_made() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let store = sqlite(&file.join("state"));
    let lost = store.ping().await.unwrap_err();
    assert!(matches!(lost, StoreError::Unavailable { reason: Outage::Failed, .. }), "{lost:?}");
    assert!(!lost.to_string().contains(directory.path().to_str().unwrap()));
    // It comes back by itself.
    std::fs::remove_file(&file).unwrap();
    store.ping().await.unwrap();
}
