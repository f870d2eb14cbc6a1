//! The `auth` block: exactly the keys of its type, and names of environment variables only.
//!
//! A value that is no variable name may be the credential itself: it is refused and never shown.

use aqueduct_documents::credentials::report_value;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described, shortened};
use aqueduct_operations::auth::{Auth, KeyPlace, OAuth2};
use aqueduct_operations::credential_scope::{has_user_info, is_confidential};
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::secrets::shapes;
use aqueduct_operations::variable_reference::{is_variable_name, only_variable};
use aqueduct_source_kind::wire_names::key_place_problem;
use url::Url;

/// Keys under which people write the credential itself, besides the names of credentials.
const SECRET_KEYS: [&str; 3] = ["key", "username", "value"];

/// Which keys each type takes, besides `type`.
pub(crate) const KEYS: &[(&str, &[&str])] = &[
    ("oauth2", &["token_url", "client_id_env", "client_secret_env", "refresh_token_env", "scopes"]),
    ("none", &[]),
    ("bearer", &["token_env", "prefix", "header", "header_name"]),
    ("basic", &["username_env", "password_env"]),
    ("api_key", &["key_env", "header_name", "header", "query_name", "cookie_name"]),
];

/// Judges an `auth` block; nothing when it cannot be understood, which has been reported then.
pub fn check_auth(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Auth> {
    let is_literal = |key: &str| SECRET_KEYS.contains(&key) || is_secret(key, NamePlace::Parameter);
    for (entry, value) in at.entries().filter(|(entry, _)| is_literal(&entry.key)) {
        let message = format!("'{}' would hold the credential itself", entry.key);
        report_value(&value, &message, found);
    }
    if ["any_of", "all"].iter().any(|key| at.get(key).is_some()) {
        return several(at, found);
    }
    let kind = at.text("type")?;
    let (_, allowed) = KEYS.iter().find(|(each, _)| *each == kind)?;
    for (entry, value) in at.entries() {
        let known = KEYS.iter().any(|(_, keys)| keys.contains(&entry.key.as_str()));
        if known && !allowed.contains(&entry.key.as_str()) {
            let message = format!("'{}' does not belong to the type '{kind}'", entry.key);
            let keys = if allowed.is_empty() { "no other key".to_owned() } else { allowed.join(", ") };
            value.error("UNKNOWN_KEY", message).on_key(entry).expected(keys).add_to(found);
        }
    }
    match kind {
        "bearer" => bearer(at, found),
        "api_key" => api_key(at, found),
        "basic" => {
            let username_env = variable(at, "username_env", found);
            let password_env = variable(at, "password_env", found);
            Some(Auth::Basic { username_env: username_env?, password_env: password_env? })
        }
        "oauth2" => oauth2(at, found),
        _ => Some(Auth::None),
    }
}

/// Several ways, of which one is taken, or which go together.
fn several(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Auth> {
    let keys: Vec<&str> = at.entries().map(|(entry, _)| entry.key.as_str()).collect();
    let [key] = keys.as_slice() else {
        let message = "'any_of' and 'all' stand alone: each of their elements has a type of its own";
        at.error("CONTRADICTION", message).received(keys.join(", ")).add_to(found);
        return None;
    };
    let list = at.get(key)?;
    if list.node.elements().is_empty() {
        list.error("INVALID_VALUE", "This list is empty").expected("one way or more").add_to(found);
        return None;
    }
    let ways: Vec<Option<Auth>> = list.elements().map(|each| check_auth(&each, found)).collect();
    let ways = ways.into_iter().collect::<Option<Vec<Auth>>>()?;
    Some(if *key == "all" { Auth::All(ways) } else { Auth::AnyOf(ways) })
}

fn oauth2(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Auth> {
    let client_id_env = variable(at, "client_id_env", found);
    let client_secret_env = variable(at, "client_secret_env", found);
    let refresh_token_env = match at.get("refresh_token_env") {
        Some(_) => Some(variable(at, "refresh_token_env", found)?),
        None => None,
    };
    let token_url = token_url(at, found);
    Some(Auth::OAuth2(OAuth2 {
        token_url: token_url?,
        client_id_env: client_id_env?,
        client_secret_env: client_secret_env?,
        refresh_token_env,
        scopes: at.texts("scopes"),
    }))
}

/// Where tokens are issued: secrets are sent there, so it is https or this machine.
fn token_url(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Url> {
    let Some(place) = at.get("token_url") else {
        let message = "The URL where tokens are issued is required";
        at.missing_key("token_url", message)
            .expected("a URL such as https://auth.example.com/oauth/token")
            .add_to(found);
        return None;
    };
    let url = Url::parse(place.node.text()?)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some());
    let Some(url) = url else {
        place
            .error("INVALID_VALUE", "This is not a valid URL")
            .expected("a URL such as https://auth.example.com/oauth/token")
            .received(described(place.node))
            .add_to(found);
        return None;
    };
    if has_user_info(&url) {
        // A URL with a password is reported by the scan of the whole file already.
        if shapes::first_in(place.node.text()?).is_none() {
            report_value(&place, "The URL holds a user name or a password", found);
        }
        return None;
    }
    if !is_confidential(&url) {
        let message = "Plain http can be read by others; no token is asked for over it";
        place.warning("PLAIN_HTTP", message).hint("use https").add_to(found);
    }
    Some(url)
}

fn bearer(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Auth> {
    let token_env = variable(at, "token_env", found);
    for header in ["header", "header_name"].iter().filter_map(|key| at.get(key)) {
        let name = header.node.text().unwrap_or("Authorization");
        if !name.eq_ignore_ascii_case("Authorization") {
            let key_env = token_env.as_deref().unwrap_or("NAME_OF_VARIABLE");
            let message = "A bearer token is sent in the header 'Authorization'";
            header
                .error("INVALID_VALUE", message)
                .expected("Authorization")
                .received(described(header.node))
                .hint(format!(
                    "for another header write type: api_key, key_env: {key_env} and header_name: {}",
                    shortened(name, 60)
                ))
                .add_to(found);
            return None;
        }
    }
    let prefix = at.text("prefix").unwrap_or("Bearer ");
    if let Some(at) = at.get("prefix")
        && (prefix.len() > 40 || !prefix.bytes().all(|b| (b' '..=b'~').contains(&b)))
    {
        report_value(&at, "The prefix is not a word before the token, such as 'Bearer '", found);
        return None;
    }
    Some(Auth::Bearer { token_env: token_env?, prefix: prefix.to_owned() })
}

fn api_key(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Auth> {
    let key_env = variable(at, "key_env", found);
    let places: Vec<(&str, NodeCursor<'_>)> = ["header_name", "header", "query_name", "cookie_name"]
        .into_iter()
        .filter_map(|key| Some((key, at.get(key)?)))
        .collect();
    let [(key, place)] = places.as_slice() else {
        let message = "An API key needs exactly one place";
        at.error("MISSING_KEY", message)
            .expected("one of header_name, query_name, cookie_name")
            .received(if places.is_empty() { "none".to_owned() } else { format!("{} of them", places.len()) })
            .add_to(found);
        return None;
    };
    let name = place.node.filled_text()?;
    let key_place = match *key {
        "query_name" => KeyPlace::Query(name.to_owned()),
        "cookie_name" => KeyPlace::Cookie(name.to_owned()),
        _ => KeyPlace::Header(name.to_owned()),
    };
    if let Some(problem) = key_place_problem(&key_place) {
        place.error("INVALID_VALUE", problem).expected("a name such as X-API-Key").add_to(found);
        return None;
    }
    Some(Auth::ApiKey { key_env: key_env?, place: key_place })
}

/// The name of an environment variable; anything else may be the secret itself and is never shown.
fn variable(at: &NodeCursor<'_>, key: &str, found: &mut Findings<'_>) -> Option<String> {
    let Some(value) = at.get(key) else {
        let message = "The name of an environment variable is required";
        at.missing_key(key, message).expected("a name such as GITHUB_TOKEN").add_to(found);
        return None;
    };
    let text = value.node.text()?;
    let bare = || text.strip_prefix('$').filter(|name| is_variable_name(name));
    if let Some(name) = only_variable(text).or_else(bare) {
        value
            .error("INVALID_VALUE", "The variable is named without '$' and braces")
            .expected(name)
            .received(format!("\"{text}\""))
            .add_to(found);
        return None;
    }
    if !is_variable_name(text) || looks_random(text) {
        // A token shape is reported by the scan of the whole file already.
        if shapes::first_in(text).is_none() {
            let message = "This is not the name of an environment variable, and may be the credential itself";
            report_value(&value, message, found);
        }
        return None;
    }
    Some(text.to_owned())
}

/// Long, in one word and full of digits: no one names a variable so.
fn looks_random(text: &str) -> bool {
    text.len() >= 16 && !text.contains('_') && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}
