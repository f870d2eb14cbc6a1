//! One MCP server as a kind of source: `mcp:COMMAND ARGS…` or `mcp+https://host/mcp`.
//!
//! A command, a URL or a listing in; how the server is reached, or its operations and report, out. Nothing is connected to.

use super::connection::{McpConnection, ServerConnector};
use super::{load, one_server};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_source_kind::kind::{
    Candidate, ChangeListener, ContentLocation, ImportInfo, KindInfo, LoadServices, LoadedContent,
    Recognition, SourceContent, SourceKind, SourceLocation,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The subcommand that imports servers.
pub(super) const IMPORT: ImportInfo = ImportInfo {
    command: "mcp",
    about: "An MCP server: a URL, mcp:COMMAND, a command in one string, or an mcpServers file with one server",
    value_name: "SERVER",
    value_help: "The server",
    takes_several: false,
    has_bundle: true,
    hint: "'aqueduct import mcp' imports it",
};

/// MCP servers, with the connector to them.
#[derive(Debug, Clone)]
pub struct McpServerKind(pub Arc<dyn ServerConnector>);

impl McpServerKind {
    /// Where a server is.
    pub(super) fn location(&self, config: ServerConfig) -> ContentLocation {
        let servers = Arc::clone(&self.0);
        ContentLocation::Connection(Arc::new(McpConnection { config, servers }))
    }
}

impl SourceKind for McpServerKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "an MCP server",
            given_as: "mcp:COMMAND, mcp+http URLs",
            recognised_by: None,
            import: Some(IMPORT),
            validate_hint: None,
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        one_server(candidate.given).map(|_| Recognition::Prefix)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        match one_server(given) {
            Some(Ok(server)) => Ok(SourceLocation::Content(self.location(server))),
            Some(Err(problem)) => Err(format!("'{given}': {problem}")),
            None => Err(format!("'{given}' is no MCP server")),
        }
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        // What is no connection was never said to be a server.
        let Some(connection) = services.connection() else { return LoadedContent::default() };
        let listing = match serde_json::from_slice(&content.bytes) {
            Ok(listing) => listing,
            Err(error) => {
                let problem = format!("The listing cannot be read: {error}");
                let problem = Diagnostic::about(
                    content.place,
                    DiagnosticSeverity::Error,
                    "LISTING_UNREADABLE",
                    problem,
                );
                return LoadedContent { diagnostics: vec![problem], ..LoadedContent::default() };
            }
        };
        let settings = services.settings(connection.name());
        let imported = load(connection.name(), &listing, &settings, &|tool| connection.handler(tool));
        LoadedContent {
            loaded: Some(imported.loaded),
            diagnostics: imported.diagnostics,
            report: Some(imported.report),
            ..LoadedContent::default()
        }
    }

    fn wait_for_connections(&self) {
        self.0.wait_for_listings();
    }

    fn follow_connections(&self, listener: ChangeListener) {
        self.0.on_change(listener);
    }

    /// A URL, a command, a file, or already in a source's own form.
    fn import_source(&self, given: &Path) -> PathBuf {
        let given = &*given.to_string_lossy();
        let is_source = ["mcp:", "mcp+http://", "mcp+https://"].iter().any(|start| given.starts_with(start));
        if is_source || Path::new(given).is_file() {
            PathBuf::from(given)
        } else if given.starts_with("http://") || given.starts_with("https://") {
            PathBuf::from(format!("mcp+{given}"))
        } else {
            PathBuf::from(format!("mcp:{given}"))
        }
    }
}
