//! Which kind something is taken for.

use super::KindTable;
use aqueduct_source_kind::kind::{
    Candidate, KindInfo, LoadServices, LoadedContent, LocationKind, Recognition, SourceContent, SourceKind,
    SourceLocation,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn noun(given: &str, place: LocationKind, content: Option<&str>) -> Option<&'static str> {
    let found = KindTable::default().recognise(&Candidate { given, place, content });
    found.map(|(kind, _)| kind.explain().noun)
}

/// The surest kind wins: a prefix over a name, a name over content, content over what is left.
#[test]
fn the_surest_kind_wins() {
    let openapi = Some("{\"openapi\": \"3.1.0\"}");
    let servers = Some("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    for (given, place, content, expected) in [
        ("mcp:server --x", LocationKind::Missing, None, Some("an MCP server")),
        ("mcp+https://host/mcp", LocationKind::Directory, None, Some("an MCP server")),
        ("https://host/openapi.json", LocationKind::Web, openapi, Some("an OpenAPI document")),
        ("https://host/servers.json", LocationKind::Web, servers, Some("an OpenAPI document")),
        ("https://host/x-adapter.md", LocationKind::Web, Some("text"), Some("an OpenAPI document")),
        ("x-adapter.md", LocationKind::Directory, None, Some("a directory")),
        ("x-adapter.md", LocationKind::File, openapi, Some("an adapter file")),
        ("x.json", LocationKind::File, openapi, Some("an OpenAPI document")),
        ("x.json", LocationKind::File, servers, Some("a list of MCP servers")),
        ("x.JSON", LocationKind::File, Some("{}"), None),
        ("x.md", LocationKind::File, Some("text"), Some("an adapter file")),
        ("x.json", LocationKind::Missing, None, Some("an adapter file")),
    ] {
        assert_eq!(noun(given, place, content), expected, "{given}");
    }
}

/// Anyone who gives something unknown is told what is known, in one sentence.
#[test]
fn the_known_forms() {
    let forms = "an OpenAPI document has 'openapi' or 'swagger' at its top, a list of MCP servers 'mcpServers' or \
                 'servers', and adapter files are named *-adapter.md";
    assert_eq!(KindTable::default().known_forms(), forms);
}

/// Counts how often it was asked about content.
#[derive(Debug, Default)]
struct CountingKind(AtomicUsize);

impl SourceKind for CountingKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a counting file",
            given_as: "counting files",
            recognised_by: None,
            import: None,
            validate_hint: None,
            needs_consent: true,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        self.0.fetch_add(usize::from(candidate.content.is_some()), Ordering::Relaxed);
        None
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Err(given.to_owned())
    }

    fn load(&self, _: SourceContent<'_>, _: &dyn LoadServices) -> LoadedContent {
        LoadedContent::default()
    }
}

/// A document of many megabytes is not read by kinds that come after the one that knows it.
#[test]
fn content_that_is_known_is_not_read_again() {
    let counting = Arc::new(CountingKind::default());
    let mut kinds = KindTable::default();
    kinds.add(Arc::clone(&counting) as Arc<dyn SourceKind>);
    for (content, asked) in [("{\"openapi\": \"3.1.0\", \"servers\": []}", 0), ("{\"servers\": []}", 1)] {
        let candidate = Candidate { given: "x.json", place: LocationKind::File, content: Some(content) };
        kinds.recognise(&candidate);
        assert_eq!(counting.0.load(Ordering::Relaxed).min(1), asked, "{content}");
    }
}
