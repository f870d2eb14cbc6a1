//! Which kind something is taken for.

use super::KindTable;
use aqueduct_source_kind::kind::{Candidate, DiskEntry};

fn noun(given: &str, entry: DiskEntry, content: Option<&str>) -> Option<&'static str> {
    let found = KindTable::default().recognise(&Candidate { given, entry, content });
    found.map(|(kind, _)| kind.explain().noun)
}

/// The surest kind wins: a prefix over a name, a name over content, content over what is left.
#[test]
fn the_surest_kind_wins() {
    let openapi = Some("{\"openapi\": \"3.1.0\"}");
    let servers = Some("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    for (given, entry, content, expected) in [
        ("mcp:server --x", DiskEntry::Missing, None, Some("an MCP server")),
        ("mcp+https://host/mcp", DiskEntry::Directory, None, Some("an MCP server")),
        ("https://host/openapi.json", DiskEntry::Missing, None, Some("an OpenAPI document")),
        ("x-adapter.md", DiskEntry::Directory, None, Some("a directory")),
        ("x-adapter.md", DiskEntry::File, openapi, Some("an adapter file")),
        ("x.json", DiskEntry::File, openapi, Some("an OpenAPI document")),
        ("x.json", DiskEntry::File, servers, Some("a list of MCP servers")),
        ("x.JSON", DiskEntry::File, Some("{}"), None),
        ("x.md", DiskEntry::File, Some("text"), Some("an adapter file")),
        ("x.json", DiskEntry::Missing, None, Some("an adapter file")),
    ] {
        assert_eq!(noun(given, entry, content), expected, "{given}");
    }
}

/// Whoever gives something unknown is told what is known, in one sentence.
#[test]
fn the_known_forms() {
    let forms = "an OpenAPI document has 'openapi' or 'swagger' at its top, a list of MCP servers 'mcpServers' or \
                 'servers', and adapter files are named *-adapter.md";
    assert_eq!(KindTable::default().known_forms(), forms);
}
