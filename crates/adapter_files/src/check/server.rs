//! The `target` of an MCP server: a program that is started here, or an endpoint.
//!
//! The block in; the way to the server out. Secrets come from the environment: `${VAR}`, never the value.

use super::target::{check_headers, warn_of_plain_http};
use aqueduct_documents::credentials;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::address::AddressKind;
use aqueduct_operations::credential_scope::is_confidential;
use aqueduct_operations::mcp::ServerTransport;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::variable_reference::variable_value;
use aqueduct_source_kind::base_url::{self, BaseUrlProblem};
use std::path::PathBuf;
use url::Url;

/// Keys that only a program takes.
const PROGRAM_KEYS: [&str; 4] = ["command", "args", "env", "cwd"];

/// The way to an MCP server.
pub(super) fn check(target: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ServerTransport> {
    if target.text("transport") == Some("stdio") {
        for key in ["base_url", "headers"] {
            refuse(target, key, "belongs to the transport 'http'", found);
        }
        return program(target, found);
    }
    refuse_program_keys(target, found);
    let headers = target.get("headers").map_or_else(Vec::new, |at| check_headers(&at, found));
    let url = target.get("base_url").and_then(|at| endpoint(&at, found))?;
    let headers = headers.into_iter().map(|(name, value)| NamedSecret::new(name, value)).collect();
    Some(ServerTransport::Http { url, headers })
}

/// Reports the keys of a program where there is none.
pub(super) fn refuse_program_keys(target: &NodeCursor<'_>, found: &mut Findings<'_>) {
    for key in PROGRAM_KEYS {
        refuse(target, key, "belongs to the transport 'stdio'", found);
    }
}

fn refuse(target: &NodeCursor<'_>, key: &str, why: &str, found: &mut Findings<'_>) {
    if let Some(at) = target.get(key) {
        at.error("UNKNOWN_KEY", format!("'{key}' {why}"))
            .hint("remove it, or change 'transport'")
            .add_to(found);
    }
}

fn program(target: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ServerTransport> {
    let mut env = Vec::new();
    for (entry, value) in target.get("env").iter().flat_map(NodeCursor::entries) {
        let name = entry.key.as_str();
        if name.is_empty() || name.contains(['=', '\0']) {
            value
                .error("INVALID_NAME", "No variable has this name")
                .on_key(entry)
                .expected("a name such as GITHUB_TOKEN")
                .add_to(found);
            continue;
        }
        let Some(text) = value.node.text() else { continue };
        if is_secret(name, NamePlace::Variable) && !text.is_empty() && variable_value(text).is_none() {
            credentials::report_value(&value, "This variable would hold the credential itself", found);
            continue;
        }
        env.push(NamedSecret::new(name, text));
    }
    Some(ServerTransport::Stdio {
        command: target.owned_text("command").filter(|command| !command.trim().is_empty())?,
        args: target.texts("args"),
        env,
        cwd: target.text("cwd").map(PathBuf::from),
    })
}

/// An endpoint may have a query, which the base of an API has not.
fn endpoint(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Url> {
    let text = at.node.text()?;
    let (base, query) = text.split_once('?').map_or((text, None), |(base, query)| (base, Some(query)));
    let mut url = match base_url::parse(base) {
        Ok(url) => url,
        Err(BaseUrlProblem::Credentials) => {
            credentials::report_value(at, "The URL holds a user name or a password", found);
            return None;
        }
        Err(_) => {
            at.error("INVALID_VALUE", "This is not the URL of an MCP server")
                .expected("an http or https URL such as https://mcp.example.com/mcp")
                .received(described(at.node))
                .add_to(found);
            return None;
        }
    };
    let pairs = query.into_iter().flat_map(|query| query.split('&')).filter_map(|pair| pair.split_once('='));
    if pairs.into_iter().any(|(name, value)| {
        is_secret(name, NamePlace::Parameter) && !value.is_empty() && variable_value(value).is_none()
    }) {
        credentials::report_value(at, "The query of the URL carries a credential", found);
        return None;
    }
    url.set_query(query);
    if !is_confidential(&url) && AddressKind::of_host(&url).is_none() {
        warn_of_plain_http(at, found);
    }
    Some(url)
}
