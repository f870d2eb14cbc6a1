//! What a given source is: by its form where that tells, else by what is in the file.
//!
//! The words of a user in, a kind out. Nothing is loaded yet, but a file may be read to know it.

use crate::front_door::BuildError;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_sources::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_sources::openapi::read::MAX_DOCUMENT;
use aqueduct_sources::{adapter_file, mcp_server, openapi};
use std::path::Path;
use url::Url;

/// The kinds of sources.
#[derive(Debug)]
pub(crate) enum SourceKind {
    /// A directory of adapter and operation files.
    Directory,
    /// An adapter file.
    AdapterFile,
    /// An OpenAPI or Swagger document on disk.
    Document,
    /// An OpenAPI or Swagger document on the web.
    WebDocument(Url),
    /// A file that lists MCP servers.
    Servers,
    /// One MCP server.
    Server(Box<ServerConfig>),
}

impl SourceKind {
    /// True when it may stand for several sources, so that names are namespaced (ruling N2).
    pub fn is_several(&self) -> bool {
        matches!(self, SourceKind::Directory | SourceKind::Servers)
    }

    /// The kind of what was given. A file that is not there is an adapter file that cannot be read.
    pub fn of(path: &Path) -> Result<SourceKind, BuildError> {
        let text = path.to_string_lossy();
        if let Some(server) = mcp_server::one_server(&text) {
            let server = server.map_err(|problem| BuildError::NotASource(format!("'{text}': {problem}")))?;
            return Ok(SourceKind::Server(Box::new(server)));
        }
        if is_on_the_web(path) {
            let url =
                Url::parse(&text).map_err(|_| BuildError::NotASource(format!("'{text}' is not a URL")))?;
            return Ok(SourceKind::WebDocument(url));
        }
        if path.is_dir() {
            return Ok(SourceKind::Directory);
        }
        if adapter_file::name_prefix(&text).is_some() || !path.is_file() {
            return Ok(SourceKind::AdapterFile);
        }
        SourceKind::of_content(path, &text)
    }

    fn of_content(path: &Path, shown: &str) -> Result<SourceKind, BuildError> {
        let bytes = disk::read(path, MAX_DOCUMENT)?;
        let content = String::from_utf8_lossy(&bytes);
        let content = content.trim_start_matches('\u{feff}');
        if openapi::looks_like_openapi(content) {
            return Ok(SourceKind::Document);
        }
        if mcp_server::looks_like_servers(content) {
            return Ok(SourceKind::Servers);
        }
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if ["json", "yaml", "yml"].contains(&extension.as_str()) {
            return Err(BuildError::NotASource(format!(
                "'{shown}' is no source that is known: an OpenAPI document has 'openapi' or 'swagger' at its top, a list \
                 of MCP servers 'mcpServers' or 'servers', and adapter files are named *-adapter.md"
            )));
        }
        Ok(SourceKind::AdapterFile)
    }
}

/// True for a file that lists one MCP server and no more.
pub(crate) fn has_one_server(path: &Path) -> bool {
    let bytes =
        matches!(SourceKind::of(path), Ok(SourceKind::Servers)).then(|| disk::read(path, MAX_ADAPTER_FILE));
    let Some(Ok(bytes)) = bytes else { return false };
    let shown = path.to_string_lossy();
    mcp_server::read_servers(&shown, &String::from_utf8_lossy(&bytes)).servers.len() == 1
}

/// True for what is no path: a URL, or a server by its command or URL.
pub(crate) fn is_elsewhere(path: &Path) -> bool {
    is_on_the_web(path)
        || ["mcp:", "mcp+http:", "mcp+https:"].iter().any(|start| path.to_string_lossy().starts_with(start))
}

fn is_on_the_web(path: &Path) -> bool {
    let text = path.to_string_lossy();
    ["http://", "https://"].iter().any(|start| text.starts_with(start))
}
