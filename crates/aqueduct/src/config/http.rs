//! `[http]`: the HTTP listener and who may use it.
//!
//! The tree in, settings out. Whatever cannot be kept is reported where it stands.

use aqueduct_sources::document::cursor::{Cursor, described};
use aqueduct_sources::document::findings::Findings;
use aqueduct_surface::http::{HttpSettings, Token};
use std::collections::HashSet;
use std::time::Duration;

/// Reads the block, reporting what is wrong.
pub fn read(root: &Cursor<'_>, found: &mut Findings<'_>) -> HttpSettings {
    let mut settings = HttpSettings::default();
    let Some(http) = root.get("http") else { return settings };
    settings.listen = http.owned_text("listen");
    settings.allowed_hosts = http.texts("allowed_hosts");
    settings.allowed_origins = origins(&http, found);
    settings.tokens = tokens(&http, found);
    let whole = |key: &str| http.whole(key).and_then(|value| u32::try_from(value).ok());
    if let Some(most) = whole("max_connections") {
        settings.max_connections = usize::try_from(most).unwrap_or(usize::MAX);
    }
    if let Some(most) = whole("max_sessions") {
        settings.max_sessions = u64::from(most);
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

/// Origins are compared as browsers send them, so they must be written like that.
fn origins(http: &Cursor<'_>, found: &mut Findings<'_>) -> Vec<String> {
    let Some(list) = http.get("allowed_origins") else { return Vec::new() };
    for at in list.elements() {
        let text = at.node.text().unwrap_or_default();
        let parsed = url::Url::parse(text).ok().map(|url| url.origin().ascii_serialization());
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

fn tokens(http: &Cursor<'_>, found: &mut Findings<'_>) -> Vec<Token> {
    let Some(list) = http.get("tokens") else { return Vec::new() };
    let mut names = HashSet::new();
    let mut tokens = Vec::new();
    for at in list.elements() {
        if let Some(scopes) = at.get("scopes") {
            let message =
                "'scopes' is not applied by this version, and the token would allow more than it says";
            found.add(
                scopes
                    .error("NOT_YET_SUPPORTED", message)
                    .hint("remove it, or wait for a version that has it"),
            );
        }
        let (Some(name), Some(sha256)) = (at.get("name"), at.get("sha256")) else { continue };
        let (Some(name_text), Some(hash)) = (name.node.text(), sha256.node.text()) else { continue };
        if !names.insert(name_text) {
            found.add(name.error("DUPLICATE_NAME", "Two tokens have this name").hint("give each its own"));
        }
        match Token::new(name_text, hash) {
            Ok(token) => tokens.push(token),
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
