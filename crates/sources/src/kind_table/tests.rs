//! Which kind something is taken for.

use super::KindTable;
use aqueduct_source_kind::kind::{Candidate, GivenPlace};

fn noun(given: &str, place: GivenPlace, content: Option<&str>) -> Option<&'static str> {
    let found = KindTable::default().recognise(&Candidate { given, place, content });
    found.map(|(kind, _)| kind.explain().noun)
}

/// The surest kind wins: a prefix over a name, a name over content, content over what is left.
#[test]
fn the_surest_kind_wins() {
    let openapi = Some("{\"openapi\": \"3.1.0\"}");
    let servers = Some("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    for (given, place, content, expected) in [
        ("mcp:server --x", GivenPlace::Missing, None, Some("an MCP server")),
        ("mcp+https://host/mcp", GivenPlace::Directory, None, Some("an MCP server")),
        ("https://host/openapi.json", GivenPlace::Web, openapi, Some("an OpenAPI document")),
        ("https://host/servers.json", GivenPlace::Web, servers, Some("an OpenAPI document")),
        ("https://host/x-adapter.md", GivenPlace::Web, Some("text"), Some("an OpenAPI document")),
        ("x-adapter.md", GivenPlace::Directory, None, Some("a directory")),
        ("x-adapter.md", GivenPlace::File, openapi, Some("an adapter file")),
        ("x.json", GivenPlace::File, openapi, Some("an OpenAPI document")),
        ("x.json", GivenPlace::File, servers, Some("a list of MCP servers")),
        ("x.JSON", GivenPlace::File, Some("{}"), None),
        ("x.md", GivenPlace::File, Some("text"), Some("an adapter file")),
        ("x.json", GivenPlace::Missing, None, Some("an adapter file")),
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
