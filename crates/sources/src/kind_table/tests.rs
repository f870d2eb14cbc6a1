//! Which kind something is taken for.

use super::KindTable;
use aqueduct_source_kind::kind::{Candidate, Place};

fn noun(given: &str, place: Place, content: Option<&str>) -> Option<&'static str> {
    let found = KindTable::default().recognise(&Candidate { given, place, content });
    found.map(|(kind, _)| kind.explain().noun)
}

/// The surest kind wins: a prefix over a name, a name over content, content over what is left.
#[test]
fn the_surest_kind_wins() {
    let openapi = Some("{\"openapi\": \"3.1.0\"}");
    let servers = Some("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    for (given, place, content, expected) in [
        ("mcp:server --x", Place::Missing, None, Some("an MCP server")),
        ("mcp+https://host/mcp", Place::Directory, None, Some("an MCP server")),
        ("https://host/openapi.json", Place::Web, openapi, Some("an OpenAPI document")),
        ("https://host/servers.json", Place::Web, servers, Some("an OpenAPI document")),
        ("https://host/x-adapter.md", Place::Web, Some("text"), Some("an OpenAPI document")),
        ("x-adapter.md", Place::Directory, None, Some("a directory")),
        ("x-adapter.md", Place::File, openapi, Some("an adapter file")),
        ("x.json", Place::File, openapi, Some("an OpenAPI document")),
        ("x.json", Place::File, servers, Some("a list of MCP servers")),
        ("x.JSON", Place::File, Some("{}"), None),
        ("x.md", Place::File, Some("text"), Some("an adapter file")),
        ("x.json", Place::Missing, None, Some("an adapter file")),
    ] {
        assert_eq!(noun(given, place, content), expected, "{given}");
    }
}

/// Whoever gives something unknown is told what is known, in one sentence.
#[test]
fn the_known_forms() {
    let forms = "an OpenAPI document has 'openapi' or 'swagger' at its top, a list of MCP servers 'mcpServers' or \
                 'servers', and adapter files are named *-adapter.md";
    assert_eq!(KindTable::default().known_forms(), forms);
}
