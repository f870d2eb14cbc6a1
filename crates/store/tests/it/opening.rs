//! Opening a store: versions, keys, files, and what cannot be opened.

use crate::support::{Place, ask, asker, call, count_events, issue, on_both_engines, refusal, settle};
use aqueduct_store::approvals::{ApprovalDecision, Claim, ClaimTerms};
use aqueduct_store::{Migrated, Outage, Store, StoreError, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use std::sync::Arc;
use std::time::Duration;

/// The version of the tables.
const KNOWN: i64 = 8;

on_both_engines!(
    migrated_once,
    from_every_older_version,
    keys_of_agents_lose_their_separators,
    a_newer_store_is_refused,
    a_program_that_runs_outlives_a_newer_one,
    many_open_at_once,
    another_key_is_refused,
);

async fn migrated_once(place: Place) {
    assert_eq!(place.open().prepare().await.unwrap(), Migrated { from: 0, to: KNOWN });
    assert_eq!(place.open().prepare().await.unwrap(), Migrated { from: KNOWN, to: KNOWN });
}

/// What takes back what each version has made, from the first on.
fn undoing_each_version() -> Vec<Vec<String>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut scripts: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    scripts.sort();
    let made = |script: &std::path::PathBuf| {
        let text = std::fs::read_to_string(script).unwrap();
        assert!(!text.contains("DROP "), "{script:?}");
        let named = |kind: &str| {
            let begin = format!("CREATE {kind} ");
            let made = text.split(&begin).skip(1);
            let name = |rest: &str| rest.split_whitespace().next().unwrap().to_owned();
            made.map(|rest| format!("DROP {kind} IF EXISTS {}", name(rest))).collect::<Vec<_>>()
        };
        // Of a table that was there before, columns may be added.
        let added = text.split("ALTER TABLE ").skip(1).map(|rest| {
            let words: Vec<&str> = rest.split_whitespace().take(4).collect();
            let [table, "ADD", "COLUMN", column] = words[..] else { panic!("{script:?}: {words:?}") };
            format!("ALTER TABLE {table} DROP COLUMN {column}")
        });
        [named("TABLE"), named("INDEX"), added.collect()].concat()
    };
    scripts.iter().map(made).collect()
}

/// A store of every version before this one, with everything in it that it had, is brought to this one: what was there works on, and what
/// is new can be used.
async fn from_every_older_version(place: Place) {
    let versions = undoing_each_version();
    assert_eq!(versions.len() as i64, KNOWN);
    for older in (1..KNOWN).rev() {
        let store = place.open();
        let unused = issue(&store, "s1", vec![call("a")]).await;
        let used = issue(&store, "s1", vec![call("b")]).await;
        assert_eq!(refusal(&store, &used, "s1", call("b")).await, None);
        let approval = ask(&store, "s1", vec![call("c")]).await;
        let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
        store.decide_approval(&approval.id, yes, "olga").await.unwrap();
        store.seal_audit().await.unwrap();
        settle(&store).await;
        drop(store);
        for undo in versions.iter().skip(older as usize).rev().flatten() {
            place.tamper(undo);
        }
        place.tamper(&format!("DELETE FROM schema_versions WHERE version > {older}"));
        let store = place.open();
        assert_eq!(store.prepare().await.unwrap(), Migrated { from: older, to: KNOWN });
        assert!(store.verify_audit().await.unwrap().is_whole(), "from version {older}");
        assert_eq!(refusal(&store, &unused, "s1", call("a")).await, None, "from version {older}");
        assert!(refusal(&store, &used, "s1", call("b")).await.is_some(), "from version {older}");
        let claim = store.claim_approval(&asker("s1"), &call("c"), ClaimTerms::default()).await.unwrap();
        assert!(matches!(claim, Claim::Claimed { .. }), "from version {older}: {claim:?}");
        drop(claim);
        // Every table of now takes and gives rows, as a copy of the whole shows.
        store.instances().await.unwrap();
        let mut copy = Vec::new();
        store.export(&mut copy).await.unwrap();
        assert!(count_events(&store, "STORE_EXPORTED").await > 0);
    }
}

/// C8.8.3-4: what was kept of agents by keys with separators is found by those without; of two blocked agents that are one by that, one is left.
async fn keys_of_agents_lose_their_separators(place: Place) {
    place.open().prepare().await.unwrap();
    place.tamper("DELETE FROM schema_versions WHERE version = 8");
    for (agent, at) in [("release-bot", 1), ("releasebot", 2), ("v-w", 3), ("bar-n", 4)] {
        place.tamper(&format!(
            "INSERT INTO agent_challenges (id, agent, kind, hint, reason, instance, state, made_at, expires_at) \
             VALUES ('of {agent}', '{agent}', 'block', 'h', 'r', 'i', 'waiting', {at}, {at})"
        ));
        place.tamper(&format!(
            "INSERT INTO agent_blocks (agent, name, challenge, hint, reason, blocked_at) \
             VALUES ('{agent}', '{agent}', 'of {agent}', 'h', 'r', {at})"
        ));
        place.tamper(&format!(
            "INSERT INTO agent_attempts (subject, failures, opened_at, lockouts, locked_until) VALUES ('{agent}', 1, 0, 0, {at})"
        ));
    }
    place.tamper(
        "INSERT INTO agent_attempts (subject, failures, opened_at, lockouts, locked_until) VALUES ('session:a-b', 1, 0, 0, 0)",
    );
    let store = place.open();
    for (key, challenge) in [
        ("releasebot", Some("of releasebot")),
        ("wv", Some("of v-w")),
        ("bam", Some("of bar-n")),
        ("release-bot", None),
    ] {
        assert_eq!(store.agent_block(key).await.unwrap().as_deref(), challenge, "{key}");
    }
    assert_eq!(store.agents_overview().await.unwrap().blocked.len(), 3);
    let mut copy = Vec::new();
    store.export(&mut copy).await.unwrap();
    let copy = String::from_utf8(copy).unwrap();
    assert!(copy.contains("session:a-b") && !copy.contains("\"release-bot\",1"), "{copy}");
}

/// A program that runs goes on when a newer one changes the store by adding to it; it is not started on it again.
async fn a_program_that_runs_outlives_a_newer_one(place: Place) {
    let running = place.open();
    let before = issue(&running, "s1", vec![call("a")]).await;
    place.tamper("CREATE TABLE of_a_newer_version (id BIGINT PRIMARY KEY)");
    place.tamper(&format!("INSERT INTO schema_versions (version, applied_at) VALUES ({}, 0)", KNOWN + 1));
    assert_eq!(refusal(&running, &before, "s1", call("a")).await, None);
    let after = issue(&running, "s1", vec![call("b")]).await;
    assert_eq!(refusal(&running, &after, "s1", call("b")).await, None);
    assert!(running.verify_audit().await.unwrap().is_whole());
    let started = place.open().prepare().await.unwrap_err();
    assert!(matches!(started, StoreError::NewerSchema { .. }), "{started}");
    let said = started.to_string();
    assert!(said.contains(&(KNOWN + 1).to_string()) && said.contains(&KNOWN.to_string()), "{said}");
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
