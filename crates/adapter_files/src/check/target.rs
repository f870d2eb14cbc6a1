//! The `target` block: where the API is and how it is reached.
//!
//! The block in; what a site needs out. Plugins are closed sets of names, and no header carries a credential.

use super::server;
use aqueduct_documents::credentials;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::credential_scope::is_confidential;
use aqueduct_operations::mcp::ServerTransport;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::target::BodyFormat;
use aqueduct_source_kind::base_url::{self, BaseUrlProblem};
use aqueduct_source_kind::wire_names::header_name_problem;
use std::collections::HashSet;
use std::time::Duration;
use url::Url;

/// A target that was understood.
pub(crate) struct TargetBlock {
    pub address: Address,
    pub headers: Vec<(String, String)>,
    pub timeout: Duration,
    pub retries: u32,
    pub body: BodyFormat,
}

/// What is called.
pub(crate) enum Address {
    /// An HTTP API.
    Api(Url),
    /// An MCP server.
    Server(ServerTransport),
}

pub(super) fn check(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<TargetBlock> {
    let is_server = at.text("protocol") == Some("mcp");
    let (address, headers) = if is_server {
        (server::check(at, found).map(Address::Server), Vec::new())
    } else {
        let url = check_api(at, found);
        let headers = at.get("headers").map_or_else(Vec::new, |at| check_headers(&at, found));
        (url.map(Address::Api), headers)
    };
    let timeout = at.whole("timeout_ms").and_then(|ms| u64::try_from(ms).ok()).unwrap_or(30_000);
    let retries = at.whole("retries").and_then(|n| u32::try_from(n).ok()).unwrap_or(2);
    let body = if at.text("serialization") == Some("form") { BodyFormat::Form } else { BodyFormat::Json };
    Some(TargetBlock { address: address?, headers, timeout: Duration::from_millis(timeout), retries, body })
}

fn check_api(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Url> {
    if let Some(named) = at.get("transport").filter(|named| named.node.text() == Some("stdio")) {
        let message = "The transport 'stdio' is for MCP servers";
        named.error("INVALID_VALUE", message).expected("http").hint("or write protocol: mcp").add_to(found);
    } else {
        server::refuse_program_keys(at, found);
    }
    at.get("base_url").and_then(|at| check_base_url(&at, found))
}

/// Warns that an address is not encrypted.
pub(super) fn warn_of_plain_http(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let message = "Plain http can be read by others; calls with credentials are refused";
    at.warning("PLAIN_HTTP", message).hint("use https").add_to(found);
}

/// Judges a base URL.
pub fn check_base_url(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Url> {
    let text = at.node.text()?;
    match base_url::parse(text) {
        Err(BaseUrlProblem::Metadata) => {
            let message = "This is the metadata service of a cloud, which is never called";
            at.error("INVALID_VALUE", message).expected("the address of an API").add_to(found);
            None
        }
        Ok(url) => {
            if !is_confidential(&url) {
                warn_of_plain_http(at, found);
            }
            Some(url)
        }
        Err(BaseUrlProblem::Credentials) => {
            credentials::report_value(at, "The base URL holds a user name or a password", found);
            None
        }
        Err(problem) => {
            let message = match problem {
                BaseUrlProblem::Scheme(scheme) => format!("The scheme '{scheme}' cannot be called"),
                BaseUrlProblem::Query => "A base URL has no query".to_owned(),
                BaseUrlProblem::Fragment => "A base URL has no fragment".to_owned(),
                BaseUrlProblem::Invalid | BaseUrlProblem::Credentials | BaseUrlProblem::Metadata => {
                    "This is not a valid URL".to_owned()
                }
            };
            at.error("INVALID_VALUE", message)
                .expected("an http or https URL such as https://api.example.com/v1")
                .received(described(at.node))
                .add_to(found);
            None
        }
    }
}

/// Judges a block of constant headers: valid names and values, and no credentials.
pub fn check_headers(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut seen = HashSet::new();
    for (entry, value) in at.entries() {
        let name = entry.key.as_str();
        if let Some(problem) = header_name_problem(name) {
            value
                .error("INVALID_VALUE", problem)
                .on_key(entry)
                .expected("a header name such as X-Api-Version")
                .add_to(found);
            continue;
        }
        if is_secret(name, NamePlace::Header) {
            credentials::report_value(&value, "This header carries credentials", found);
            continue;
        }
        let Some(text) = value.node.text() else { continue };
        if !is_header_value(text) {
            value
                .error("INVALID_VALUE", "This header value holds characters that HTTP does not allow")
                .expected("printable ASCII text on one line")
                .add_to(found);
            continue;
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            value.error("DUPLICATE_NAME", format!("Duplicate header: {name}")).on_key(entry).add_to(found);
            continue;
        }
        headers.push((name.to_owned(), text.to_owned()));
    }
    headers
}

fn is_header_value(text: &str) -> bool {
    text.bytes().all(|b| b == b'\t' || (b' '..=b'~').contains(&b)) && text.trim() == text
}
