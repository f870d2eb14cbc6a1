//! Passphrases against a store in a directory of the test.

#![allow(clippy::unwrap_used, missing_docs, reason = "these are tests")]

use aqueduct_safety::passphrase::{PassphraseError, check_passphrase, replace_passphrase, set_passphrase};
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::{Store, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const GOOD: &str = "correct horse battery";

fn store(directory: &TempDir, clock: &TestClock) -> Store {
    Store::open(StoreSettings::sqlite(directory.path()), Arc::new(clock.clone())).unwrap()
}

fn secret(text: &str) -> SecretString {
    SecretString::from(text.to_owned())
}

#[tokio::test]
async fn set_checked_and_replaced() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::default());
    let store = store(&directory, &clock);
    assert!(matches!(check_passphrase(&store, &secret(GOOD)).await, Err(PassphraseError::NotSet)));
    assert!(matches!(set_passphrase(&store, &secret("short")).await, Err(PassphraseError::TooShort)));
    set_passphrase(&store, &secret(GOOD)).await.unwrap();
    assert!(matches!(set_passphrase(&store, &secret(GOOD)).await, Err(PassphraseError::AlreadySet)));
    let hash = store.operator_passphrase().await.unwrap().unwrap();
    assert!(hash.expose_secret().starts_with("$argon2id$v=19$m=65536,t=3,p=1$"), "the parameters");
    check_passphrase(&store, &secret(GOOD)).await.unwrap();
    let other = secret("another long passphrase");
    let refused = replace_passphrase(&store, &other, &other).await;
    assert!(matches!(refused, Err(PassphraseError::Wrong)), "{refused:?}");
    replace_passphrase(&store, &secret(GOOD), &other).await.unwrap();
    check_passphrase(&store, &other).await.unwrap();
    assert!(matches!(check_passphrase(&store, &secret(GOOD)).await, Err(PassphraseError::Wrong)));
    let lines = store.audit_lines(AuditFilter::default(), 100).await.unwrap();
    let events: Vec<&str> = lines.iter().map(|line| line.entry.event.as_str()).collect();
    assert_eq!(events, ["PASSPHRASE_SET", "PASSPHRASE_REJECTED", "PASSPHRASE_SET", "PASSPHRASE_REJECTED"]);
}

/// After five wrong ones even the right one has to wait.
#[tokio::test]
async fn attempts_are_limited() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::default());
    let store = store(&directory, &clock);
    set_passphrase(&store, &secret(GOOD)).await.unwrap();
    for _ in 0..5 {
        assert!(matches!(
            check_passphrase(&store, &secret("wrong wrong wrong")).await,
            Err(PassphraseError::Wrong)
        ));
    }
    assert!(matches!(check_passphrase(&store, &secret(GOOD)).await, Err(PassphraseError::Limited { .. })));
    clock.advance(Duration::from_secs(70));
    check_passphrase(&store, &secret(GOOD)).await.unwrap();
}
