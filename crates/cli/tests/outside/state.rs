//! The state directory: made where it is needed, and nowhere else.

use super::harness::Place;
use super::http::server::HttpServer;
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

/// A directory that was asked for must be usable. Without a usual one `serve` stops, as it would serve without the tokens and the
/// audit that somebody relies on; `call`, which one person makes, goes on.
#[tokio::test]
async fn where_nothing_can_be_kept() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let place = Place::new();
    let file = place.write("notes-adapter.md", super::several::adapter("notes", &api.base_url(), "notes"));
    place.write("blocked", "a file");
    let blocked = place.path().join("blocked").display().to_string();
    let ran = place.run(&["serve", &file, "--state-dir", &blocked], &[], "").await;
    assert!(ran.code == 4 && ran.stderr.starts_with("error: --state-dir: "), "{ran:?}");
    for (variables, code) in
        [(("HOME", blocked.as_str()), 4), (("HOME", ""), 3), (("AQUEDUCT_STATE_DIR", ""), 3)]
    {
        for http in [&[] as &[&str], &["--http", "127.0.0.1:0"]] {
            let ran = place.run(&[&["serve", &file], http].concat(), &[variables], "").await;
            assert!(ran.code == code && ran.stderr.contains("--state-dir none"), "{variables:?}: {ran:?}");
            assert!(!ran.stderr.contains("listening"), "{ran:?}");
        }
        let ran = place.run(&["call", &file, "get_notes"], &[variables], "").await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    }
}

/// A read-only container says that nothing is kept; who serves so is told what is missing.
#[tokio::test]
async fn where_nothing_is_to_be_kept() {
    let place = Place::new();
    let file =
        place.write("notes-adapter.md", super::several::adapter("notes", "http://127.0.0.1:9", "notes"));
    let home = place.path().join("home");
    let variables = [("HOME", home.to_str().unwrap()), ("AQUEDUCT_STATE_DIR", "none")];
    for words in [vec!["serve", &file], vec!["serve", &file, "--state-dir", "none"]] {
        let ran = place.run(&words, &variables, "").await;
        assert!(ran.code == 0 && ran.stderr.starts_with("warning: nothing is kept"), "{ran:?}");
    }
    let refused = place.run(&["serve", &file, "--confirmation", "operator"], &variables, "").await;
    assert!(refused.code == 3 && refused.stderr.contains("needs a store"), "{refused:?}");
    let refused = place.run(&["operator", "status"], &variables, "").await;
    assert!(refused.code == 3 && refused.stderr.contains("no directory for state"), "{refused:?}");
    let config = ["client-config", "cursor", &file, "--", "--state-dir", "none"];
    let args = place.run(&config, &variables, "").await.json()["mcpServers"]["notes"]["args"].clone();
    assert_eq!(args, json!(["serve", file, "--state-dir", "none"]));
    let mut server = HttpServer::start(place, &[&file], &variables).await;
    assert!(server.next_error().await.starts_with("warning: nothing is kept"));
    assert_eq!(server.ask("GET", "/metrics", &[]).await.status, 200, "without tokens, on loopback");
    assert!(!home.exists());
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
