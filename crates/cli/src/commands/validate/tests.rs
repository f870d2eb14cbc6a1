//! Tests of `validate`.

use super::other_command;
use std::path::Path;

/// A source that is no adapter file is not told to be renamed.
#[test]
fn other_kinds_have_other_commands() {
    let told = |file: &str, text: &str| other_command(Path::new(file), text.as_bytes()).unwrap_or_default();
    assert!(
        told("openapi.yaml", "\u{feff}openapi: 3.0.3\n").contains("aqueduct import openapi openapi.yaml")
    );
    assert!(
        told("s.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}").contains("aqueduct doctor s.json")
    );
    assert_eq!(told("notes.md", "---\nname: x\n---\n"), "");
    assert_eq!(told("x-adapter.md", "openapi: 3.0.3\n"), "");
}
