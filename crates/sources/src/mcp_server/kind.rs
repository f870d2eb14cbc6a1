//! One MCP server as a kind of source: `mcp:COMMAND ARGS…` or `mcp+https://host/mcp`.
//!
//! A command, a URL or a listing in; how the server is reached, or its operations and report, out. Nothing is connected to.

use super::operator_settings::{unused_settings, with_settings};
use super::{bundle, load, one_server, own_name};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use aqueduct_source_kind::kind::{
    Candidate, Confidence, ConnectedSource, ContentLocation, ImportInfo, KindInfo, LoadServices,
    LoadedContent, PreparedServer, SourceContent, SourceKind, SourceLocation,
};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::Value;
use std::path::{Path, PathBuf};

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

/// MCP servers.
#[derive(Debug, Clone, Copy)]
pub struct McpServerKind;

impl SourceKind for McpServerKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "an MCP server",
            recognised_by: None,
            import: Some(IMPORT),
            validate_hint: None,
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Confidence> {
        one_server(candidate.given).map(|_| Confidence::Prefix)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        match one_server(given) {
            Some(Ok(server)) => Ok(SourceLocation::Content(ContentLocation::Server(Box::new(server)))),
            Some(Err(problem)) => Err(format!("'{given}': {problem}")),
            None => Err(format!("'{given}' is no MCP server")),
        }
    }

    fn load(
        &self,
        content: SourceContent<'_>,
        settings: &SourceSettings,
        services: &dyn LoadServices,
    ) -> LoadedContent {
        let SourceContent::Listing { server, listing } = content else { return LoadedContent::default() };
        let imported = load(server, listing, settings, &|tool: &str| services.tool_handler(server, tool));
        LoadedContent {
            loaded: Some(imported.loaded),
            diagnostics: imported.diagnostics,
            report: Some(imported.report),
            ..LoadedContent::default()
        }
    }

    fn prepare_server(
        &self,
        server: &ServerConfig,
        settings: &SourceSettings,
    ) -> Result<PreparedServer, Diagnostic> {
        let config = with_settings(server, settings)?;
        Ok(PreparedServer { config, warning: unused_settings(server, settings) })
    }

    fn own_name(&self, listing: &ServerListing) -> Option<String> {
        own_name(listing)
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

    fn bundle(&self, connected: &ConnectedSource<'_>, captured_at: &str) -> Option<Value> {
        Some(bundle(connected, captured_at))
    }
}
