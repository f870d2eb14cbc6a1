//! The state directory: made where it is needed, and nowhere else.

use super::harness::Place;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::path::Path;

fn key(directory: &Path) -> Vec<u8> {
    std::fs::read(directory.join("cursor.key")).unwrap()
}

/// Commands that answer clients keep a key, in the directory that was asked for or in the platform's; others keep nothing.
#[tokio::test]
async fn who_keeps_state() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let place = Place::new();
    let file = place.write("notes-adapter.md", super::several::adapter("notes", &api.base_url(), "notes"));
    let home = place.path().join("home");
    let state = place.path().join("state");
    let variables = [("HOME", home.to_str().unwrap()), ("AQUEDUCT_STATE_DIR", state.to_str().unwrap())];
    for arguments in [
        vec!["introspect", &file],
        vec!["validate", &file],
        vec!["client-config", "cursor", &file],
        vec!["doctor", &file],
        vec!["schema"],
    ] {
        let ran = place.run(&arguments, &variables, "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(!home.exists() && !state.exists(), "{arguments:?}");
    }
    assert_eq!(place.run(&["call", &file, "get_notes"], &variables, "").await.code, 0);
    let first = key(&state);
    assert!(first.len() == 32 && !home.exists());
    assert_eq!(place.run(&["serve", &file], &variables, "").await.code, 0);
    assert_eq!(key(&state), first, "it stays the same");
    assert_eq!(place.run(&["call", &file, "get_notes"], &variables[..1], "").await.code, 0);
    let usual = if cfg!(target_os = "macos") {
        "Library/Application Support/aqueduct"
    } else {
        ".local/state/aqueduct"
    };
    assert_ne!(key(&home.join(usual)), first);
}

/// A directory that was asked for must be usable; without one, a server starts anywhere.
#[tokio::test]
async fn where_nothing_can_be_kept() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let place = Place::new();
    let file = place.write("notes-adapter.md", super::several::adapter("notes", &api.base_url(), "notes"));
    place.write("blocked", "a file");
    let blocked = place.path().join("blocked").display().to_string();
    let ran = place.run(&["serve", &file, "--state-dir", &blocked], &[], "").await;
    assert!(ran.code == 4 && ran.stderr.starts_with("error: --state-dir: "), "{ran:?}");
    for variables in [&[("HOME", blocked.as_str())] as &[_], &[]] {
        let ran = place.run(&["call", &file, "get_notes"], variables, "").await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    }
}

/// A damaged key is told, with what to do about it.
#[tokio::test]
async fn a_damaged_key() {
    let place = Place::new();
    let file =
        place.write("notes-adapter.md", super::several::adapter("notes", "http://127.0.0.1:9", "notes"));
    place.write("state/cursor.key", "too short");
    let ran = place.run(&["serve", &file, "--state-dir", "state"], &[], "").await;
    assert!(ran.code == 4 && ran.stderr.contains("delete the file"), "{ran:?}");
    place.write("home/aqueduct/cursor.key", "too short");
    let home = place.path().join("home").display().to_string();
    if cfg!(target_os = "linux") {
        let ran = place.run(&["serve", &file], &[("XDG_STATE_HOME", &home)], "").await;
        assert!(ran.code == 4 && ran.stderr.contains("delete the file"), "{ran:?}");
    }
}
