//! The words of an entry: every variable that is needed, no credential, and servers that run already.

use crate::outside::harness::{Place, run, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// A document with three schemes, of which one operation takes either of two, and another a pair.
fn document() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Depot", "version": "1"},
        "servers": [{"url": "https://api.depot.example"}],
        "components": {"securitySchemes": {
            "token": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "login": {"type": "http", "scheme": "basic"},
        }},
        "paths": {
            "/a": {"get": {"operationId": "getA", "security": [{"token": []}, {"key": []}], "responses": {"200": {"description": "ok"}}}},
            "/b": {"post": {"operationId": "makeB", "security": [{"login": []}], "responses": {"200": {"description": "ok"}}}},
        },
    })
}

fn names(server: &Value) -> Vec<String> {
    server["env"].as_object().unwrap().keys().cloned().collect()
}

/// Every variable of every scheme is named, of hidden operations and alternatives too: of a file, and of a document on the
/// web; and those that the operator names for what is not looked at.
#[tokio::test]
async fn every_variable() {
    let place = Place::new();
    place.write("depot.json", document().to_string());
    let api = FakeApi::always(Answer::json(200, document())).await;
    let url = format!("{}/depot.json", api.base_url());
    for source in ["depot.json", &url] {
        let ran = place.run(&["client-config", "cursor", source, "--name", "d"], &[("HOME", "/h")], "").await;
        let found = names(&ran.json()["mcpServers"]["d"]);
        assert_eq!(found.len(), 4, "{source}: {ran:?}");
        for part in ["TOKEN", "KEY", "LOGIN_USERNAME", "LOGIN_PASSWORD"] {
            assert!(found.iter().any(|name| name.contains(part)), "{part}: {found:?}");
        }
        for name in &found {
            assert!(ran.stderr.contains(name), "{name}: {ran:?}");
        }
    }
    let words = [
        "client-config",
        "cursor",
        "http://127.0.0.1:1/none.json",
        "--name",
        "d",
        "--",
        "--auth-env",
        "MINE",
    ];
    let ran = place.run(&words, &[("HOME", "/h")], "").await;
    assert_eq!(names(&ran.json()["mcpServers"]["d"]), ["MINE"], "{ran:?}");
    place.write("aqueduct.toml", "[sources.far]\nfrom = \"http://127.0.0.1:1/none.json\"\nauth = { type = \"basic\", username_env = \"U\", password_env = \"P\" }\n");
    let ran = place.run(&["client-config", "cursor", "--name", "d"], &[("HOME", "/h")], "").await;
    assert_eq!(names(&ran.json()["mcpServers"]["d"]), ["U", "P"], "{ran:?}");
}

/// No credential of an address or a header is printed or written; an address without one stays as it is.
#[tokio::test]
async fn no_credentials() {
    const SECRET: &str = "hunter2secret";
    let place = Place::new();
    let home = place.path().display().to_string();
    for source in [
        format!("http://me:{SECRET}@127.0.0.1:1/openapi.json"),
        format!("http://127.0.0.1:1/openapi.json?v=2&api_key={SECRET}"),
        format!("mcp+http://127.0.0.1:1/mcp?token={SECRET}"),
        format!("mcp+http://{SECRET}@127.0.0.1:1/mcp"),
    ] {
        for client in ["cursor", "codex", "claude-desktop"] {
            let ran = place.run(&["client-config", client, &source], &[("HOME", &home)], "").await;
            assert_eq!(ran.code, 0, "{ran:?}");
            assert!(!format!("{ran:?}").contains(SECRET), "{ran:?}");
            assert!(ran.stdout.contains("127.0.0.1:1/"), "{ran:?}");
        }
        let written =
            place.run(&["client-config", "cursor", &source, "--write"], &[("HOME", &home)], "").await;
        assert!(!format!("{written:?}").contains(SECRET), "{written:?}");
        let text = std::fs::read_to_string(place.path().join(".cursor/mcp.json")).unwrap_or_default();
        assert!(!text.contains(SECRET), "{text}");
    }
    let header = format!("X-Key: {SECRET}");
    let ran = place
        .run(&["client-config", "cursor", &shop(), "--", "--header", &header], &[("HOME", "/h")], "")
        .await;
    assert!(ran.code == 0 && !format!("{ran:?}").contains(SECRET), "{ran:?}");
    // In the query of a server's address, what was a credential is looked up from now on.
    let source = format!("mcp+https://mcp.example.com/mcp?token={SECRET}&v=2");
    let ran = place.run(&["client-config", "claude-code", &source, "--name", "x"], &[], "").await;
    let server = &ran.json()["mcpServers"]["x"];
    assert_eq!(server["args"][1], "mcp+https://mcp.example.com/mcp?token=${MCP_EXAMPLE_COM_TOKEN}&v=2");
    assert_eq!(server["env"]["MCP_EXAMPLE_COM_TOKEN"], "${MCP_EXAMPLE_COM_TOKEN}");
    let plain = "http://127.0.0.1:1/openapi.json?version=2024-01";
    let ran = place.run(&["client-config", "cursor", plain, "--name", "x"], &[("HOME", "/h")], "").await;
    assert_eq!(ran.json()["mcpServers"]["x"]["args"], json!(["serve", plain]), "{ran:?}");
}

/// A server that runs is entered by its address, with the token out of the environment where the client can look there.
#[tokio::test]
async fn servers_that_run() {
    let url = "http://127.0.0.1:7300/mcp";
    let entry = async |client: &str| {
        run(&["client-config", client, "--http", url, "--token-env", "AQ", "--name", "x"]).await
    };
    assert_eq!(
        entry("claude-code").await.json()["mcpServers"]["x"],
        json!({"type": "http", "url": url, "headers": {"Authorization": "Bearer ${AQ}"}})
    );
    assert_eq!(
        entry("gemini-cli").await.json()["mcpServers"]["x"],
        json!({"httpUrl": url, "headers": {"Authorization": "Bearer ${AQ}"}})
    );
    let codex = entry("codex").await;
    assert_eq!(codex.stdout, format!("[mcp_servers.x]\nurl = \"{url}\"\nbearer_token_env_var = \"AQ\"\n"));
    let open = run(&["client-config", "cursor", "--http", url]).await.json();
    assert_eq!(open["mcpServers"]["aqueduct"], json!({"url": url}));
    for (words, said) in [
        (vec!["claude-desktop", "--http", url], "Connectors"),
        (vec!["cursor", "--http", "http://me:hunter2@127.0.0.1/mcp"], "--token-env"),
        (vec!["cursor", "--http", "http://127.0.0.1/mcp?token=hunter2"], "--token-env"),
        (vec!["cursor", "--http", "nonsense"], "such as http://127.0.0.1:7300/mcp"),
        (vec!["cursor", "demo", "--http", url], "name none"),
    ] {
        let ran = run(&[&["client-config"], words.as_slice()].concat()).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(said) && !ran.stderr.contains("hunter2"), "{ran:?}");
    }
}

/// Codex has a file of its own language, of which everything else stays as it is written.
#[tokio::test]
async fn codex() {
    let place = Place::new();
    let home = place.path().display().to_string();
    let old =
        "# my settings\nmodel = \"o5\" # the usual\n\n[mcp_servers.docs] # mine\ncommand = \"docs-server\"\n";
    place.write(".codex/config.toml", old);
    let write =
        async || place.run(&["client-config", "codex", &shop(), "--write"], &[("HOME", &home)], "").await;
    let ran = write().await;
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran:?}");
    let new = std::fs::read_to_string(place.path().join(".codex/config.toml")).unwrap();
    assert!(new.starts_with(old.trim_end()), "{new}");
    assert!(new.contains("[mcp_servers.shop]") && new.contains("env_vars = [\"SHOP_TOKEN\"]"), "{new}");
    assert_eq!(std::fs::read_to_string(place.path().join(".codex/config.toml.bak")).unwrap(), old);
    assert!(write().await.stderr.contains("nothing was written"));
    place.write(".codex/config.toml", "model = ");
    let refused = write().await;
    assert!(refused.code == 2 && refused.stderr.contains("is not valid TOML"), "{refused:?}");
    assert!(refused.stdout.contains("[mcp_servers.shop]"), "{refused:?}");
}
