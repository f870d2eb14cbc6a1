//! `[http]`: the HTTP listener and who may use it.
//!
//! The tree in, settings out. Whatever cannot be kept is reported where it stands.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_operations::credential_scope::origin_text;
use aqueduct_surface::http::{HttpSettings, TlsFiles, Token};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use url::{Host, Url};

/// A client without a token would have this one.
const HASH_OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Reads the block of this file, reporting what is wrong.
pub fn read(file: &str, root: &NodeCursor<'_>, found: &mut Findings<'_>) -> HttpSettings {
    let mut settings = HttpSettings::default();
    let Some(http) = root.get("http") else { return settings };
    settings.listen = listen(&http, found);
    settings.allowed_hosts = hosts(&http, found);
    settings.allowed_origins = origins(&http, found);
    settings.tokens = tokens(&http, found);
    settings.tls = tls(file, &http, found);
    let whole = |key: &str| http.whole(key).and_then(|value| u32::try_from(value).ok());
    if let Some(most) = whole("max_connections") {
        settings.max_connections = usize::try_from(most).unwrap_or(usize::MAX);
    }
    if let Some(most) = whole("max_sessions") {
        settings.max_sessions = u64::from(most);
    }
    if let Some(most) = http.whole("max_buffered_bytes").and_then(|value| u64::try_from(value).ok()) {
        settings.max_buffered_bytes = most;
    }
    settings.requests_per_second = whole("requests_per_second");
    if let Some(seconds) = whole("request_timeout_seconds") {
        settings.request_timeout = Duration::from_secs(u64::from(seconds));
    }
    if let Some(seconds) = whole("session_idle_seconds") {
        settings.session_idle = Duration::from_secs(u64::from(seconds));
    }
    settings
}

fn listen(http: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<String> {
    let at = http.get("listen")?;
    let text = at.node.filled_text()?;
    if !is_address(text) {
        found.add(
            at.error("INVALID_VALUE", "This is no address to listen on")
                .expected("host and port, such as 127.0.0.1:7300 or [::1]:7300")
                .received(described(at.node)),
        );
    }
    Some(text.to_owned())
}

/// Whether it has the form of host and port; whether this machine has the address, only opening it tells.
fn is_address(text: &str) -> bool {
    let is_named = || text.rsplit_once(':').is_some_and(|(host, port)| is_host_name(host) && is_port(port));
    text.parse::<SocketAddr>().is_ok() || is_named()
}

fn is_host_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// Hosts are compared with what requests name, so anything else would never match, or not mean what it says.
fn hosts(http: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<String> {
    let Some(list) = http.get("allowed_hosts") else { return Vec::new() };
    for at in list.elements() {
        let Some(text) = at.node.filled_text() else { continue };
        let is_ipv6 = || matches!(Host::parse(text), Ok(Host::Ipv6(_)));
        if !(is_host_name(text) || is_address(text) || is_ipv6()) {
            found.add(
                at.error("INVALID_VALUE", "This is not a host as requests name it")
                    .expected("a host name, with a port or without, such as tools.example.com; no wildcard, no scheme, no path")
                    .received(described(at.node)),
            );
        }
    }
    http.texts("allowed_hosts")
}

/// Origins are compared as browsers send them, so they must be written like that.
fn origins(http: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<String> {
    let Some(list) = http.get("allowed_origins") else { return Vec::new() };
    for at in list.elements() {
        let text = at.node.text().unwrap_or_default();
        let parsed = Url::parse(text).ok().map(|url| origin_text(&url));
        if !text.is_empty() && parsed.as_deref() != Some(text.to_ascii_lowercase().as_str()) {
            found.add(
                at.error("INVALID_VALUE", "This is not an origin as browsers send it")
                    .expected(
                        "scheme, host and port if it is not the usual one, such as https://app.example.com",
                    )
                    .received(described(at.node)),
            );
        }
    }
    http.texts("allowed_origins")
}

/// Certificate and key, whose paths are relative to the file that names them.
fn tls(file: &str, http: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<TlsFiles> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let place = |at: &NodeCursor<'_>| Some(folder.join(at.node.text()?));
    match (http.get("tls_cert"), http.get("tls_key")) {
        (Some(certificate), Some(key)) => {
            Some(TlsFiles { certificate: place(&certificate)?, key: place(&key)? })
        }
        (None, None) => None,
        (Some(alone), None) | (None, Some(alone)) => {
            found.add(
                alone
                    .error("MISSING_KEY", "A certificate and its key go together")
                    .hint("set both tls_cert and tls_key"),
            );
            None
        }
    }
}

fn tokens(http: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<Token> {
    let Some(list) = http.get("tokens") else { return Vec::new() };
    let mut names = HashSet::new();
    let mut hashes = HashSet::new();
    let mut tokens = Vec::new();
    for at in list.elements() {
        let (Some(name), Some(sha256)) = (at.get("name"), at.get("sha256")) else { continue };
        let (Some(name_text), Some(hash)) = (name.node.text(), sha256.node.text()) else { continue };
        if name_text == "local" {
            found.add(
                name.error("INVALID_VALUE", "'local' is the one who runs the server")
                    .hint("choose another name"),
            );
        }
        if !names.insert(name_text) {
            found.add(name.error("DUPLICATE_NAME", "Two tokens have this name").hint("give each its own"));
        }
        let hash_in_lower_case = hash.to_ascii_lowercase();
        if hash_in_lower_case == HASH_OF_NOTHING {
            found.add(
                sha256
                    .error("INVALID_VALUE", "This is the SHA-256 of an empty text")
                    .hint("the token was missing when it was made: run 'printf %s TOKEN | sha256sum' again"),
            );
        } else if !hashes.insert(hash_in_lower_case) {
            found.add(
                sha256
                    .error("DUPLICATE_NAME", "Two tokens have this SHA-256, so they are the same token")
                    .hint("give each client a token of its own"),
            );
        }
        match Token::new(name_text, hash) {
            // Without any it may call only what needs none.
            Ok(token) => tokens.push(token.with_scopes(at.texts("scopes"))),
            Err(_) => {
                // It may be the token itself: it is not repeated.
                found.hide_text(hash);
                found.hide_line(sha256.node.line);
                found.add(
                    sha256
                        .error("INVALID_VALUE", "This is not the SHA-256 of a token")
                        .expected("64 hexadecimal digits, as 'printf %s TOKEN | sha256sum' prints them"),
                );
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests;
