//! `client-config`: the snippet of every client, and files that it is written into.

mod moves;
mod words;

use super::harness::{Place, Ran, Server, run, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_aqueduct");

/// Every client gets its own form, with this program and whole paths.
#[tokio::test]
async fn snippets() {
    for (client, key) in [
        ("claude-desktop", "mcpServers"),
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
        ("windsurf", "mcpServers"),
        ("zed", "context_servers"),
        ("gemini-cli", "mcpServers"),
    ] {
        let place = Place::new();
        place.write("shop-adapter.md", fs::read_to_string(shop()).unwrap());
        let arguments = ["client-config", client, "shop-adapter.md", "--", "--mode", "single"];
        let ran = place.run(&arguments, &[("HOME", "/h")], "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        let server = &ran.json()[key]["shop"];
        assert_eq!(server["command"], PROGRAM, "{ran:?}");
        let file = place.path().join("shop-adapter.md").display().to_string();
        assert_eq!(server["args"], json!(["serve", file, "--mode", "single"]));
        assert!(server["env"]["SHOP_TOKEN"].as_str().unwrap().contains("SHOP_TOKEN"), "{server}");
        assert!(ran.stderr.contains("--write puts it there"), "{}", ran.stderr);
    }
}

/// Words after `--` are those of `serve`: more sources, a configuration; a configuration found here is named too.
#[tokio::test]
async fn words_of_serve() {
    let place = Place::new();
    fs::create_dir(place.path().join("shop")).unwrap();
    place.write("shop/shop-adapter.md", fs::read_to_string(shop()).unwrap());
    place.write("other.toml", "mode = \"single\"\n");
    let path = |name: &str| place.path().join(name).display().to_string();
    let other = path("other.toml");
    for (words, expected) in [
        (vec!["--", "demo"], vec!["demo".to_owned()]),
        (vec!["--", "shop", "--prefix", "shop_"], vec![path("shop"), "--prefix".into(), "shop_".into()]),
        (
            vec!["demo", "--", "--source-name", "shop"],
            vec!["demo".into(), "--source-name".into(), "shop".into()],
        ),
        (vec!["demo", "--", "--config", "other.toml"], vec!["demo".into(), "--config".into(), other.clone()]),
        (vec!["demo", "--", "--config=other.toml"], vec!["demo".into(), format!("--config={other}")]),
    ] {
        let mut arguments = vec!["client-config", "cursor", "--name", "x"];
        arguments.extend(&words);
        let ran = place.run(&arguments, &[("HOME", "/h")], "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        let mut all = vec!["serve".to_owned()];
        all.extend(expected);
        assert_eq!(ran.json()["mcpServers"]["x"]["args"], json!(all), "{words:?}");
    }
    place.write("aqueduct.toml", "[sources.shop]\nfrom = \"shop/shop-adapter.md\"\n");
    let ran = place.run(&["client-config", "cursor"], &[("HOME", "/h")], "").await;
    let found = ran.json();
    assert_eq!(found["mcpServers"]["shop"]["args"], json!(["serve", "--config", path("aqueduct.toml")]));
    place.write("aqueduct.toml", "[http]\nlisten = \"127.0.0.1:0\"\n");
    let ran = place.run(&["client-config", "cursor", "demo"], &[("HOME", "/h")], "").await;
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "it would listen: {ran:?}");
}

/// What is no path stays as it is, and no server is started or connected to for an entry.
#[tokio::test]
async fn sources_that_are_no_files() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let (document, endpoint) =
        (format!("{}/openapi.json", api.base_url()), format!("mcp+{}/mcp", api.base_url()));
    let started = place.path().join("started").display().to_string();
    let command = format!("mcp:touch {started} --verbose");
    place.write("own.yaml", "operations: {}\n");
    for (source, name) in [(&document, "aqueduct"), (&endpoint, "server-127-0-0-1"), (&command, "touch")] {
        let words =
            ["client-config", "cursor", source, "--", "--trust", "official", "--overrides", "own.yaml"];
        let ran = place.run(&words, &[("HOME", "/h"), ("PATH", "/usr/bin:/bin")], "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        let own = place.path().join("own.yaml").display().to_string();
        let expected = json!(["serve", source, "--trust", "official", "--overrides", own]);
        assert_eq!(ran.json()["mcpServers"][name]["args"], expected, "{ran:?}");
        let told = if *source == document { "could not be looked at" } else { "was not asked" };
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
    let shop = shop();
    let words = ["client-config", "cursor", &shop, &document, "--", "--trust", "far=official"];
    let ran = place.run(&words, &[("HOME", "/h")], "").await;
    let server = &ran.json()["mcpServers"]["aqueduct"];
    assert_eq!(server["args"], json!(["serve", shop, document, "--trust", "far=official"]), "{ran:?}");
    assert!(server["env"]["SHOP_TOKEN"].is_string(), "what is at hand was looked at: {ran:?}");
    assert!(
        api.requests().iter().all(|request| request.path() == "/openapi.json"),
        "only the document is fetched"
    );
    assert!(!fs::exists(&started).unwrap());
    let odd = place.run(&["client-config", "cursor", "mcp: "], &[("HOME", "/h")], "").await;
    assert_eq!((odd.code, odd.stdout.as_str()), (2, ""), "{odd:?}");
}

/// What could not be served is not offered.
#[tokio::test]
async fn refused() {
    for (words, exit, said) in [
        (vec!["cursor"], 3, "no source was given"),
        (vec!["cursor", "none-adapter.md"], 4, "none-adapter.md"),
        (vec!["cursor", "demo", "--", "--moda", "x"], 2, "--moda"),
        (vec!["cursor", "demo", "--", "--http", "127.0.0.1:1"], 2, "leave --http out"),
        (vec!["emacs", "demo"], 2, "emacs"),
        (vec!["zed", "demo", "--write"], 4, "--file"),
    ] {
        let mut arguments = vec!["client-config"];
        arguments.extend(&words);
        let ran = run(&arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (exit, ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
}

async fn write(place: &Place, client: &str, source: &str) -> Ran {
    let home = place.path().display().to_string();
    place.run(&["client-config", client, source, "--write"], &[("HOME", &home)], "").await
}

fn json_of(place: &Place, file: &str) -> Value {
    serde_json::from_slice(&fs::read(place.path().join(file)).unwrap()).unwrap()
}

/// A first server makes the file; what is written there starts.
#[tokio::test]
async fn a_new_file() {
    let place = Place::new();
    for (client, file) in [("cursor", ".cursor/mcp.json"), ("claude-code", ".mcp.json")] {
        let ran = write(&place, client, "demo").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran:?}");
        let server = json_of(&place, file)["mcpServers"]["bookshop"].clone();
        assert_eq!((&server["command"], &server["args"]), (&json!(PROGRAM), &json!(["serve", "demo"])));
    }
    let mut server = Server::start(&["demo"], &[]);
    server.open().await;
    assert_eq!(server.tool_names().await.len(), 5);
}

/// Other servers and keys stay as they are, the old file is kept beside, and a second time changes nothing.
#[tokio::test]
async fn an_existing_file() {
    let place = Place::new();
    let old = r#"{"zoom": 1.5, "mcpServers": {"other": {"command": "x"}}, "a": [null]}"#;
    place.write(".cursor/mcp.json", old);
    let ran = write(&place, "cursor", "demo").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let new = json_of(&place, ".cursor/mcp.json");
    let keys: Vec<_> = new.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["zoom", "mcpServers", "a"]);
    assert_eq!((&new["zoom"], &new["a"]), (&json!(1.5), &json!([null])));
    assert_eq!(new["mcpServers"]["other"], json!({"command": "x"}));
    let backup = fs::read_to_string(place.path().join(".cursor/mcp.json.bak")).unwrap();
    assert_eq!(backup, old);
    let again = write(&place, "cursor", "demo").await;
    assert!(again.stderr.contains("nothing was written"), "{again:?}");
    let files = || fs::read_dir(place.path().join(".cursor")).unwrap().count();
    assert_eq!(files(), 2);
    write(&place, "cursor", &shop()).await;
    assert_eq!(files(), 3, "an earlier backup is never written over");
    assert_eq!(fs::read_to_string(place.path().join(".cursor/mcp.json.bak")).unwrap(), old);
}

/// Variables that the person has filled in are not touched.
#[tokio::test]
async fn filled_in_variables_stay() {
    let place = Place::new();
    let file = ".config/Claude/claude_desktop_config.json";
    let first = write(&place, "claude-desktop", &shop()).await;
    assert!(first.stderr.contains("put the value of SHOP_TOKEN"), "{first:?}");
    let mut filled = json_of(&place, file);
    filled["mcpServers"]["shop"]["env"]["SHOP_TOKEN"] = json!("mine");
    filled["mcpServers"]["shop"]["args"] = json!([]);
    place.write(file, filled.to_string());
    write(&place, "claude-desktop", &shop()).await;
    let server = json_of(&place, file)["mcpServers"]["shop"].clone();
    assert_eq!((&server["env"]["SHOP_TOKEN"], &server["args"]), (&json!("mine"), &json!(["serve", shop()])));
}

/// A file that cannot be kept whole is left alone, and the snippet is printed instead.
#[tokio::test]
async fn files_left_alone() {
    for (client, file, old, said) in [
        ("zed", ".config/zed/settings.json", "// mine\n{\"theme\" \"One\"}\n", "is not valid JSON"),
        ("claude-code", ".mcp.json", "{\"mcpServers\": {},}", "is not valid JSON"),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": ", "is not valid JSON"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "{\"mcpServers\": []}", "other than an object"),
    ] {
        let place = Place::new();
        place.write(file, old);
        let ran = write(&place, client, "demo").await;
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(said) && ran.stderr.contains("nothing was written"), "{}", ran.stderr);
        assert!(ran.stdout.contains("\"bookshop\""), "{}", ran.stdout);
        let path = place.path().join(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), old);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}

/// Comments stay where the client allows them.
#[tokio::test]
async fn comments_stay() {
    let place = Place::new();
    let file = ".config/zed/settings.json";
    place.write(file, "// mine\n{\"theme\": \"One\", /* light */}\n");
    let ran = write(&place, "zed", "demo").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let new = fs::read_to_string(place.path().join(file)).unwrap();
    assert!(
        new.starts_with("// mine\n") && new.contains("/* light */") && new.contains("\"bookshop\""),
        "{new}"
    );
}

/// A link stays a link, and the file keeps its permissions.
#[cfg(unix)]
#[tokio::test]
async fn links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let real = place.write("dotfiles/mcp.json", "{}");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = place.path().join("mcp.json");
    symlink(&real, &link).unwrap();
    let ran = place.run(&["client-config", "cursor", "demo", "--write", "--file", "mcp.json"], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(json_of(&place, "dotfiles/mcp.json")["mcpServers"]["bookshop"].is_object());
    for file in ["dotfiles/mcp.json", "dotfiles/mcp.json.bak"] {
        let mode = fs::metadata(place.path().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}
