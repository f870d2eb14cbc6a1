//! How a server was reached, without its secrets: the `source` of a discovery bundle.
//!
//! Of headers and variables the names are written, of values only references to variables, of an address nothing that
//! may be a credential.

use super::warn;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::secrets::MARK;
use aqueduct_operations::variable_reference::{self, only_variable};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use url::Url;

pub(super) fn source(
    config: &ServerConfig,
    listing: &ServerListing,
    name: &str,
    captured_at: &str,
    warnings: &mut Vec<Value>,
) -> Value {
    let milliseconds = u64::try_from(config.timeout.as_millis()).unwrap_or(u64::MAX);
    let (address, transport, auth, mut used) = match &config.reach {
        ServerTransport::Http { url, headers } => {
            (without_secrets(url), "streamable_http", auth(headers), json!({"headers": redacted(headers)}))
        }
        ServerTransport::Stdio { command, args, env, cwd } => {
            let message =
                "The transport 'stdio' is an extension: the shape of bundles knows streamable_http alone";
            warnings.push(warn("TRANSPORT_EXTENSION", "info", message));
            let used = json!({"command": program(command), "args": args.len(), "env": redacted(env), "cwd": cwd.is_some()});
            (format!("stdio:{}", encoded(&program(command))), "stdio", json!({"type": "none"}), used)
        }
    };
    used["timeout_ms"] = json!(milliseconds);
    let known = ["name", "version", "title"];
    let server: Map<String, Value> = known
        .iter()
        .filter_map(|key| {
            Some(((*key).to_owned(), listing.server.get(*key).filter(|value| value.is_string())?.clone()))
        })
        .collect();
    let mut out = json!({
        "name": name,
        "server_url": address,
        "transport": transport,
        "captured_at": captured_at,
        "auth": auth,
        "capture_config_redacted": used,
    });
    if !server.is_empty() {
        out["server"] = Value::Object(server);
    }
    out
}

/// How the server is authenticated to, as far as the shape can say it.
fn auth(headers: &[NamedSecret]) -> Value {
    let Some(NamedSecret { name, value }) =
        headers.iter().find(|header| header.name.eq_ignore_ascii_case("authorization"))
    else {
        return json!({"type": "none"});
    };
    let value = value.expose_secret();
    let mut out = json!({"type": "bearer", "header": name});
    let is_word = |prefix: &str| variable_reference::references(prefix).next().is_none();
    let rest = match value.split_once(' ').filter(|(prefix, _)| is_word(prefix)) {
        Some((prefix, rest)) => {
            out["prefix"] = json!(format!("{prefix} "));
            rest
        }
        None => value,
    };
    if let Some(variable) = only_variable(rest.trim()) {
        out["token_env"] = json!(variable);
    }
    out
}

fn redacted(pairs: &[NamedSecret]) -> Value {
    let shown = pairs.iter().map(|NamedSecret { name, value }| {
        let value = value.expose_secret();
        (name.clone(), Value::from(if only_variable(value.trim()).is_some() { value } else { MARK }))
    });
    Value::Object(shown.collect())
}

fn without_secrets(url: &Url) -> String {
    let mut url = url.clone();
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    url.set_fragment(None);
    url.set_query(None);
    if !names.is_empty() {
        url.query_pairs_mut().extend_pairs(names.iter().map(|name| (name, "REDACTED")));
    }
    // Only addresses that cannot have them refuse to lose them.
    let _without_user = url.set_username("").and_then(|()| url.set_password(None));
    url.into()
}

fn program(command: &str) -> String {
    command.rsplit(['/', '\\']).next().unwrap_or(command).to_owned()
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
