//! What names a server, and what does not.

use super::{config, source_hint};
use aqueduct_operations::mcp::ServerTransport;
use secrecy::ExposeSecret;

/// The command and its words, or the address.
fn reached(named: &str) -> String {
    match config(named, None).unwrap().reach {
        ServerTransport::Stdio { command, args, .. } => format!("{command} {args:?}"),
        ServerTransport::Http { url, .. } => url.to_string(),
    }
}

#[test]
fn three_ways_to_name_a_server() {
    assert_eq!(reached("http://127.0.0.1:7300/mcp"), "http://127.0.0.1:7300/mcp");
    assert_eq!(reached("mcp+https://example.com/mcp"), "https://example.com/mcp");
    assert_eq!(reached("mcp:aqueduct serve 'my file'"), "aqueduct [\"serve\", \"my file\"]");
    assert_eq!(reached("aqueduct serve demo"), "aqueduct [\"serve\", \"demo\"]");
    assert!(config("", None).unwrap_err().message.contains("no command"));
    assert!(config("'open", None).unwrap_err().message.contains("'open"));
}

/// Who names a source means the server that serves it.
#[test]
fn sources_are_told_from_servers() {
    let hint = source_hint("demo").unwrap();
    assert!(hint.contains("the built-in sample") && hint.ends_with("'aqueduct serve demo'"), "{hint}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop-adapter.md");
    std::fs::write(&file, "").unwrap();
    for source in [file.display().to_string(), folder.path().display().to_string()] {
        let hint = source_hint(&source).unwrap();
        assert!(hint.ends_with(&format!("'aqueduct serve {source}'")), "{hint}");
    }
    for other in ["demos", "aqueduct serve demo", "nowhere-adapter.md", "/bin/sh"] {
        assert_eq!(source_hint(other), None, "{other}");
    }
}

#[test]
fn a_token_is_for_addresses_and_is_not_held_here() {
    let ServerTransport::Http { headers, .. } =
        config("https://example.com/mcp", Some("TOKEN")).unwrap().reach
    else {
        panic!("an address");
    };
    assert_eq!(headers[0].value.expose_secret(), "Bearer ${TOKEN}");
    assert!(config("aqueduct serve demo", Some("TOKEN")).is_err());
}
