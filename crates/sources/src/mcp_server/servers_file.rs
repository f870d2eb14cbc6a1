//! A file that lists MCP servers, as a kind of source: each of its servers is one.
//!
//! A file in; its servers, and findings about those that are left out, out.

use super::kind::IMPORT;
use super::{McpServerKind, looks_like_servers, read_servers};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_source_kind::kind::{
    Candidate, EmptyList, ImportInfo, KindInfo, ListedSource, ListedSources, LocationKind, Recognition,
    SourceKind,
};
use std::path::Path;
use std::sync::Arc;

/// Files that list MCP servers, each of which is of the kind here.
#[derive(Debug, Clone)]
pub struct ServersFileKind(pub Arc<McpServerKind>);

impl SourceKind for ServersFileKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a list of MCP servers",
            given_as: "mcpServers files",
            recognised_by: Some("a list of MCP servers 'mcpServers' or 'servers'"),
            import: Some(ImportInfo { hint: "'aqueduct import mcp {source}' imports one", ..IMPORT }),
            validate_hint: Some("'aqueduct doctor {source}' tries to connect to them"),
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        let is_list =
            candidate.place == LocationKind::File && candidate.content.is_some_and(looks_like_servers);
        is_list.then_some(Recognition::Content)
    }

    fn list(&self, path: &Path, content: Option<&[u8]>) -> ListedSources {
        let file = path.display().to_string();
        let listed = read_servers(&file, &String::from_utf8_lossy(content.unwrap_or_default()));
        let reasons: Vec<String> =
            listed.left_out.iter().map(|server| format!("'{}': {}", server.name, server.why)).collect();
        let is_empty = listed.servers.is_empty();
        let is_broken = listed.diagnostics.iter().any(|each| each.severity == DiagnosticSeverity::Error);
        let empty = match (is_empty, is_broken) {
            (false, _) => None,
            (true, true) => Some(EmptyList::Invalid(listed.diagnostics.clone())),
            (true, false) => Some(EmptyList::Nothing(no_server(&file, &reasons))),
        };
        let source = |server| ListedSource {
            kind: Arc::clone(&self.0) as Arc<dyn SourceKind>,
            location: self.0.location(server),
        };
        ListedSources {
            sources: listed.servers.into_iter().map(source).collect(),
            diagnostics: listed.diagnostics,
            // Most likely the file is being written, or broken: what runs goes on.
            is_unsettled: is_empty,
            empty,
        }
    }
}

/// That there is no server in the file, and what one looks like.
fn no_server(file: &str, left_out: &[String]) -> String {
    if !left_out.is_empty() {
        return format!("{file} lists no MCP server to start: {}", left_out.join("; "));
    }
    format!(
        "{file} lists no MCP server to start: expected one or more under 'mcpServers' (or 'servers'), such as \
         {{\"mcpServers\": {{\"files\": {{\"command\": \"npx\", \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \
         \".\"]}}}}}}"
    )
}
