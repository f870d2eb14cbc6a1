//! Moving a store: from one engine to the other and back, nothing lost, nothing slipped in.

use crate::support::{Place, ask, asker, call, issue, refusal};
use aqueduct_store::approvals::{ApprovalDecision, Claim, ClaimTerms};
use aqueduct_store::confirmations::StoredTokenRefusal;
use aqueduct_store::transfer::ImportError;
use aqueduct_store::{Store, StoreError};
use secrecy::SecretString;
use std::path::Path;
use std::time::Duration;

async fn exported(store: &Store) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.export(&mut bytes).await.unwrap();
    bytes
}

/// A place on SQLite with the key that the tests have on PostgreSQL.
fn sqlite_with_key() -> (Place, std::path::PathBuf) {
    let place = Place::sqlite();
    let aqueduct_store::StoreLocation::Sqlite { directory } = place.settings.place.clone() else { panic!() };
    std::fs::create_dir_all(&directory).unwrap();
    write_key(&directory);
    (place, directory)
}

fn write_key(directory: &Path) {
    std::fs::write(directory.join("audit.key"), "0f".repeat(32)).unwrap();
}

/// Everything that a store can hold; the token that is not used yet.
async fn filled(store: &Store) -> SecretString {
    let used = issue(store, "s1", vec![call("a")]).await;
    assert_eq!(refusal(store, &used, "s1", call("a")).await, None);
    let approval = ask(store, "s1", vec![call("b"), call("c")]).await;
    let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
    store.decide_approval(&approval.id, yes, "olga").await.unwrap();
    ask(store, "s2", vec![call("d")]).await;
    store.set_operator_passphrase(SecretString::from("$argon2id$x")).await.unwrap();
    store.seal_audit().await.unwrap();
    issue(store, "s1", vec![call("e"), call("f")]).await
}

async fn check(store: &Store, token: &SecretString) {
    assert!(store.verify_audit().await.unwrap().is_whole());
    assert_eq!(refusal(store, token, "s1", call("e")).await, None);
    let again = refusal(store, token, "s1", call("e")).await;
    assert!(matches!(again, Some(StoredTokenRefusal::AlreadyUsed { .. })));
    assert_eq!(store.waiting_approvals(10).await.unwrap().len(), 1);
    let claim = store.claim_approval(&asker("s1"), &call("b"), ClaimTerms::default()).await.unwrap();
    assert!(matches!(claim, Claim::Claimed { .. }));
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn there_and_back() {
    let (first, _) = sqlite_with_key();
    let (second, (third, _)) = (Place::postgres(), sqlite_with_key());
    let token = filled(&first.open()).await;
    let there = exported(&first.open()).await;
    let rows = second.open().import(&mut there.as_slice()).await.unwrap();
    assert_eq!(rows + 2, there.iter().filter(|byte| **byte == b'\n').count() as u64);
    assert!(second.open().verify_audit().await.unwrap().is_whole());
    let back = exported(&second.open()).await;
    third.open().import(&mut back.as_slice()).await.unwrap();
    check(&second.open(), &token).await;
    check(&third.open(), &token).await;
}

/// More rows than one page has.
#[tokio::test]
async fn long_tables() {
    let ((from, _), (to, _)) = (sqlite_with_key(), sqlite_with_key());
    let store = from.open();
    let line = |index: usize| aqueduct_store::audit::AuditEntry::new("X", &index.to_string());
    store.append_audit((0..1203).map(line).collect()).await.unwrap();
    let file = exported(&store).await;
    to.open().import(&mut file.as_slice()).await.unwrap();
    let report = to.open().verify_audit().await.unwrap();
    assert!(report.is_whole() && report.lines == 1205, "{report:?}");
}

#[tokio::test]
async fn what_was_changed_is_refused_whole() {
    let (from, _) = sqlite_with_key();
    filled(&from.open()).await;
    let file = String::from_utf8(exported(&from.open()).await).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let without = |skipped: usize| {
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != skipped);
        kept.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let mut tried = vec![
        file.replace("waiting", "approved"),
        file.replace("$argon2id$x", "$argon2id$y"),
        format!("{file}{}\n", lines[1]),
        without(0),
        without(2),
        without(lines.len() - 1),
        String::new(),
        "{}\n".to_owned(),
    ];
    tried.push(lines.iter().rev().map(|line| format!("{line}\n")).collect());
    for text in tried {
        let (to, _) = sqlite_with_key();
        let store = to.open();
        let refused = store.import(&mut text.as_bytes()).await.unwrap_err();
        assert!(matches!(refused, ImportError::Changed { .. }), "{refused}");
        let status = store.status().await.unwrap();
        assert_eq!((status.audit_lines, status.live_tokens, status.has_passphrase), (0, 0, false));
        // Nothing is left in the way of the right file.
        store.import(&mut file.as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn only_into_an_empty_store_with_the_same_key() {
    let (from, _) = sqlite_with_key();
    filled(&from.open()).await;
    let file = exported(&from.open()).await;
    let full = from.open().import(&mut file.as_slice()).await.unwrap_err();
    assert!(matches!(full, ImportError::NotEmpty), "{full}");
    assert!(from.open().verify_audit().await.unwrap().is_whole());
    let key = Place::sqlite().open().import(&mut file.as_slice()).await.unwrap_err();
    assert!(matches!(key, ImportError::Key), "{key}");
    let (other, directory) = sqlite_with_key();
    other.open().prepare().await.unwrap();
    std::fs::write(directory.join("audit.key"), "ab".repeat(32)).unwrap();
    let mismatch = other.open().prepare().await.unwrap_err();
    assert!(matches!(mismatch, StoreError::KeyMismatch));
    let newer = String::from_utf8(file).unwrap().replacen("\"version\":8", "\"version\":9", 1);
    let (to, _) = sqlite_with_key();
    let version = to.open().import(&mut newer.as_bytes()).await.unwrap_err();
    assert!(matches!(version, ImportError::Version { found: 9, known: 8 }), "{version}");
}
