//! A server with what the operator sets for it: another address, credentials and headers.
//!
//! A configuration and settings in; the configuration that is connected by, and findings on what has no effect, out. What is
//! set goes to the server's own address alone; a program that is started here gets none of it.

use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_source_kind::credential_headers::credential_headers;
use aqueduct_source_kind::settings::SourceSettings;

/// The server as the operator wants it reached; nothing when what is set cannot be sent.
pub(super) fn with_settings(
    config: &ServerConfig,
    settings: &SourceSettings,
) -> Result<ServerConfig, Diagnostic> {
    let about = |severity, code, message: &str| {
        Diagnostic::about(format!("MCP server {}", config.name), severity, code, message)
    };
    let ServerTransport::Http { url, headers } = &config.reach else {
        return Ok(config.clone());
    };
    let auth = settings.auth.clone().unwrap_or_default();
    let Some(credentials) = credential_headers(&auth) else {
        let message = "An MCP server takes credentials in headers only";
        let mut refused = about(DiagnosticSeverity::Error, "AUTH_NOT_POSSIBLE", message);
        refused.expected = Some("bearer, basic, or api_key with header_name".to_owned());
        return Err(refused);
    };
    let own: Vec<_> = credentials.into_iter().chain(settings.headers.iter().cloned()).collect();
    let is_open = |name: &str| !own.iter().any(|other| other.name.eq_ignore_ascii_case(name));
    let kept = headers.iter().filter(|header| is_open(&header.name)).cloned();
    let reach = ServerTransport::Http {
        url: settings.base_url.clone().unwrap_or_else(|| url.clone()),
        headers: kept.chain(own.iter().cloned()).collect(),
    };
    Ok(ServerConfig { reach, ..config.clone() })
}

/// A warning about settings that a program which is started here does not get.
pub(super) fn unused_settings(config: &ServerConfig, settings: &SourceSettings) -> Option<Diagnostic> {
    let is_program = matches!(config.reach, ServerTransport::Stdio { .. });
    (is_program && settings.has_credentials()).then(|| {
        let message = "Credentials and headers have no effect: the server is a program that is started here";
        let about = format!("MCP server {}", config.name);
        let mut warning = Diagnostic::about(about, DiagnosticSeverity::Warning, "NO_EFFECT", message);
        warning.hint = Some("give them by 'env' of the server in its file".to_owned());
        warning
    })
}

#[cfg(test)]
mod tests;
