//! Tests of `import`.

use super::{check_kind, check_output, shown_source};
use crate::report::Exit;
use aqueduct_sources::mcp_server;
use std::path::Path;

/// A file that could not be loaded by its name is not written.
#[test]
fn names_of_files() {
    for good in ["-", "shop-adapter.md", "a/b/shop-adapter.md"] {
        assert!(check_output(Path::new(good)).is_ok(), "{good}");
    }
    for (bad, better) in
        [("foo.txt", "foo-adapter.md"), ("a/out.md", "a/out-adapter.md"), ("-adapter.md", "api-adapter.md")]
    {
        let stop = check_output(Path::new(bad)).unwrap_err();
        assert!(stop.message.ends_with(&format!("write -o {better}")), "{}", stop.message);
        assert_eq!(stop.exit, Exit::Invalid);
    }
}

/// Nothing is started for a list of servers that was taken for a document, and the command that fits is named.
#[test]
fn kinds_of_sources() {
    let folder = tempfile::tempdir().unwrap();
    let (servers, document) = (folder.path().join("servers.json"), folder.path().join("pets.json"));
    std::fs::write(&servers, "{\"mcpServers\": {\"a\": {\"command\": \"false\"}}}").unwrap();
    std::fs::write(&document, "{\"openapi\": \"3.1.0\"}").unwrap();
    assert!(check_kind(&document, "openapi").is_ok() && check_kind(&servers, "mcp").is_ok());
    let stop = check_kind(&servers, "openapi").unwrap_err();
    assert!(
        stop.message.contains("is a list of MCP servers") && stop.message.contains("aqueduct import mcp")
    );
    let stop = check_kind(&document, "mcp").unwrap_err();
    assert!(stop.message.contains("aqueduct import openapi"), "{}", stop.message);
}

/// What a file says of where it came from holds no query and no arguments.
#[test]
fn origins_hold_no_secrets() {
    let shown = |text: &str| {
        let server = mcp_server::one_server(text).map(Result::unwrap);
        shown_source(Path::new(text), server.as_ref())
    };
    assert_eq!(shown("mcp+http://127.0.0.1:9/mcp?key=secret-1"), "http://127.0.0.1:9/mcp");
    assert_eq!(
        shown("https://user:secret-1@shop.example/openapi.json?t=secret-1"),
        "https://shop.example/openapi.json"
    );
    assert!(!shown("mcp:server --token secret-1").contains("secret-1"));
    assert_eq!(shown("pets.json"), "pets.json");
}
