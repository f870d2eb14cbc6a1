//! Files so long that only their beginning is looked at first.

use crate::boot::recognise::RecognisedSource;
use aqueduct_sources::kind_table::KindTable;

/// What says the kind of a file is found wherever it stands in it.
#[test]
fn known_by_their_beginning_or_whole() {
    let folder = tempfile::tempdir().unwrap();
    let filler = "x".repeat(100_000);
    for (text, expected) in [
        (format!("{{\"openapi\": \"3.1.0\", \"x\": \"{filler}\"}}"), "an OpenAPI document"),
        (format!("{{\"x\": \"{filler}\", \"openapi\": \"3.1.0\"}}"), "an OpenAPI document"),
        (
            format!("{{\"mcpServers\": {{\"a\": {{\"command\": \"x\"}}}}, \"x\": \"{filler}\"}}"),
            "a list of MCP servers",
        ),
    ] {
        let path = folder.path().join("x.json");
        std::fs::write(&path, text).unwrap();
        let found = match RecognisedSource::of(&path, &KindTable::default()).unwrap() {
            RecognisedSource::Content { kind, .. } => kind.unwrap(),
            RecognisedSource::List { kind, .. } => kind,
        };
        assert_eq!(found.explain().noun, expected);
    }
}
