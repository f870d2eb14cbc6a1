//! The commands that make no call: introspect, validate, schema, completions, help, and wrong usage.

use super::harness::{Place, run, shop};
use serde_json::json;

#[tokio::test]
async fn help() {
    let mut text = run(&["--help"]).await.stdout;
    for command in [
        "serve",
        "demo",
        "call",
        "introspect",
        "validate",
        "doctor",
        "client-config",
        "schema",
        "completions",
    ] {
        let ran = run(&[command, "--help"]).await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        text.push_str(&format!("\n=== {command}\n{}", ran.stdout));
    }
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn wrong_usage() {
    for (arguments, said) in [
        (vec!["serv"], "serve"),
        (vec!["serve", "--unknown"], "--unknown"),
        (vec![], "Usage"),
        (vec!["validate"], "FILE"),
        (vec!["call"], "OPERATION"),
        (vec!["completions", "cobol"], "cobol"),
        (vec!["introspect", "--format", "xml"], "xml"),
    ] {
        let ran = run(&arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
    let version = run(&["--version"]).await;
    assert_eq!((version.code, version.stdout.trim()), (0, concat!("aqueduct ", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test]
async fn introspect_text() {
    let shop = shop();
    let all = run(&["introspect", &shop]).await;
    assert_eq!(all.code, 0, "{all:?}");
    insta::assert_snapshot!("introspect_operations", all.stdout);
    insta::assert_snapshot!(
        "introspect_one",
        run(&["introspect", &shop, "--name", "delete_order"]).await.stdout
    );
    insta::assert_snapshot!("introspect_types", run(&["introspect", &shop, "--types"]).await.stdout);
    insta::assert_snapshot!("introspect_why", run(&["introspect", &shop, "--why"]).await.stdout);
}

#[tokio::test]
async fn introspect_json() {
    let shop = shop();
    let all = run(&["introspect", &shop, "--format", "json"]).await.json();
    assert_eq!(all["success"], true);
    assert_eq!(all["data"]["operations"].as_array().unwrap().len(), 8);
    let one = run(&["introspect", &shop, "--format", "json", "--name", "get_product"]).await.json();
    assert_eq!(one["data"]["operation"]["mcpTool"], "mcp_aql_read");
    let of_type =
        run(&["introspect", &shop, "--types", "--name", "OrderState", "--format", "json"]).await.json();
    assert_eq!(of_type["data"]["type"]["values"], json!(["open", "paid", "shipped"]));
    let why = run(&["introspect", &shop, "--why", "--format", "json"]).await.json();
    assert!(why.as_array().unwrap().iter().any(|row| row["decision"] == "confirm"), "{why}");
}

#[tokio::test]
async fn introspect_of_nothing() {
    let shop = shop();
    for more in
        [vec!["--name", "no_such"], vec!["--types", "--name", "NoSuch"], vec!["--why", "--name", "no_such"]]
    {
        let mut arguments = vec!["introspect", shop.as_str()];
        arguments.extend(&more);
        let ran = run(&arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran:?}");
        assert!(ran.stderr.contains("no_such") || ran.stderr.contains("NoSuch"), "{ran:?}");
    }
}

/// Hidden operations are shown with the rule that hides them, when asked why.
#[tokio::test]
async fn why_shows_hidden_operations() {
    let shop = shop();
    let listed = run(&["introspect", &shop, "--trust", "generated"]).await;
    assert!(!listed.stdout.contains("create_order"), "{}", listed.stdout);
    let why = run(&["introspect", &shop, "--trust", "generated", "--why"]).await;
    let line = why.stdout.lines().find(|line| line.starts_with("create_order")).unwrap();
    assert!(line.contains("deny"), "{line}");
}

/// What an author wrote cannot steer the terminal of the person who reads it.
#[tokio::test]
async fn escapes_of_terminals() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let hostile = text
        .replace("List products", "List \\e[2J\\u009b31m products")
        .replace("kind: enum", "kind: \"\\e[2J\"");
    let file = place.write("shop-adapter.md", hostile.replace("kind: \"\\e[2J\"", "kind: enum"));
    let broken = place.write("b/shop-adapter.md", hostile);
    for arguments in
        [vec!["introspect", file.as_str()], vec!["introspect", &file, "--why"], vec!["validate", &broken]]
    {
        let ran = place.run(&arguments, &[], "").await;
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{9b}'), "{arguments:?}: {shown:?}");
    }
}

#[tokio::test]
async fn validate() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let good = place.write("good-adapter.md", text.replace("name: shop", "name: good"));
    let bad = place.write(
        "bad-adapter.md",
        text.replace("type: adapter", "type: adaptor")
            .replace("maps_to: \"GET /search\"", "maps_to: \"FETCH search\""),
    );
    let ran = place.run(&["validate", &good], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.ends_with("good-adapter.md: valid, 7 operations, 0 warnings\n"), "{}", ran.stdout);
    let ran = place.run(&["validate", "bad-adapter.md"], &[], "").await;
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran:?}");
    insta::assert_snapshot!("validate_bad", ran.stdout);
    let several = place.run(&["validate", &good, &bad], &[], "").await;
    assert_eq!(several.code, 2);
    assert!(
        several.stdout.contains("good-adapter.md: valid")
            && several.stdout.contains("bad-adapter.md: invalid")
    );
    let missing = place.run(&["validate", &bad, "none-adapter.md", &good], &[], "").await;
    assert_eq!(missing.code, 4);
    assert!(missing.stderr.contains("none-adapter.md"), "{}", missing.stderr);
    assert!(missing.stdout.contains("good-adapter.md: valid"));
}

#[tokio::test]
async fn validate_json() {
    let place = Place::new();
    let bad = place.write("bad-adapter.md", "---\nname: bad\n---\n");
    let ran = place.run(&["validate", &bad, "none-adapter.md", &shop(), "--format", "json"], &[], "").await;
    assert_eq!(ran.code, 4);
    let reports = ran.json();
    let valid: Vec<_> = reports.as_array().unwrap().iter().map(|report| report["valid"].clone()).collect();
    assert_eq!(valid, [json!(false), json!(false), json!(true)]);
    let first = &reports[0]["diagnostics"][0];
    assert_eq!((first["severity"].as_str(), first["line"].is_u64()), (Some("error"), true), "{first}");
    assert!(reports[1]["error"].as_str().unwrap().contains("none-adapter.md"));
}

/// A directory is no file, and a file that is no adapter by its name says so.
#[tokio::test]
async fn validate_other_things() {
    let place = Place::new();
    let folder = place.path().display().to_string();
    let ran = place.run(&["validate", &folder], &[], "").await;
    assert_eq!(ran.code, 4, "{ran:?}");
    let notes = place.write("notes.md", "# Notes\n");
    let ran = place.run(&["validate", &notes], &[], "").await;
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("-adapter.md"), "{}", ran.stdout);
}

#[tokio::test]
async fn schema_and_completions() {
    let schema = run(&["schema"]).await;
    assert_eq!(schema.code, 0);
    let schema = schema.json();
    assert!(schema["properties"]["operations"].is_object(), "{schema}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]).await;
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("introspect"), "{shell}");
    }
}

/// A reader that goes away, such as `head`, is no reason to crash.
#[tokio::test]
async fn output_that_nobody_reads() {
    use std::process::{Command, Stdio};
    for arguments in [vec!["schema"], vec!["completions", "bash"], vec!["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aqueduct"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!said.contains("panicked") && !said.contains("defect"), "{arguments:?}: {said}");
        assert_ne!(ended.status.code(), Some(101), "{arguments:?}");
    }
}

#[tokio::test]
async fn sources_that_are_none() {
    let place = Place::new();
    let folder = place.path().join("empty");
    std::fs::create_dir(&folder).unwrap();
    place.write("api.json", "{}");
    for (arguments, exit, said) in [
        (vec!["serve"], 3, "no source was given"),
        (vec!["introspect"], 3, "no source was given"),
        (vec!["serve", "missing-adapter.md"], 4, "missing-adapter.md"),
        (vec!["serve", "empty"], 3, "holds no file named *-adapter.md"),
        (vec!["serve", "api.json"], 2, "not an adapter file"),
        (vec!["serve", "https://example.com/openapi.json"], 2, "not an adapter file"),
        (vec!["serve", "mcp:npx thing"], 2, "not an adapter file"),
        (vec!["serve", "--state-dir", "/proc/nope/here"], 4, "--state-dir"),
    ] {
        let ran = place.run(&arguments, &[], "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (exit, ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}
