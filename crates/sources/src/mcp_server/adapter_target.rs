//! The target of an MCP server, without the secrets that its configuration may hold.
//!
//! A configuration in; the block and the credentials by the names of variables out. A value that is not plainly harmless is
//! replaced by a variable of its name.

use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::secrets::shapes;
use aqueduct_operations::variable_reference::{VariableValue, references, variable_value};
use aqueduct_source_kind::connection::AdapterTarget;
use aqueduct_source_kind::credential_headers::basic_template;
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};

/// The target of a file that reaches this server.
pub(crate) fn adapter_target(server: &ServerConfig) -> AdapterTarget {
    let mut keys = Map::new();
    keys.insert("protocol".to_owned(), json!("mcp"));
    let mut put = |key: &str, value: Value| {
        let is_empty =
            value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty);
        if !is_empty {
            keys.insert(key.to_owned(), value);
        }
    };
    let (mut auth, mut warnings) = (Auth::None, Vec::new());
    match &server.reach {
        ServerTransport::Stdio { command, args, env, cwd } => {
            put("transport", json!("stdio"));
            put("command", json!(command));
            put("args", json!(without_secrets(args)));
            let variable = |NamedSecret { name, value }: &NamedSecret| {
                (name.clone(), json!(harmless(name, value.expose_secret())))
            };
            put("env", Value::Object(env.iter().map(variable).collect()));
            if let Some(cwd) = cwd {
                put("cwd", json!(cwd.to_string_lossy()));
            }
        }
        ServerTransport::Http { url, headers } => {
            put("transport", json!("http"));
            put("base_url", json!(address(&server.name, url.as_str())));
            let (mut constant, mut ways) = (Map::new(), Vec::new());
            for NamedSecret { name, value } in headers {
                match credential(&server.name, name, value.expose_secret()) {
                    Some(found) => ways.push(found),
                    None => drop(constant.insert(name.clone(), json!(value.expose_secret()))),
                }
            }
            put("headers", Value::Object(constant));
            auth = match ways.len() {
                0 => Auth::None,
                1 => ways.remove(0),
                _ => Auth::All(ways),
            };
            warnings.extend(query_warnings(&server.name, url.query().unwrap_or_default()));
        }
    }
    AdapterTarget { keys, auth, timeout: server.timeout, warnings }
}

/// A variable of the environment: as it is when it names another or is a plain word, else by its own name.
fn harmless(name: &str, value: &str) -> String {
    let is_word = value.len() <= 16 && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let is_number = value.len() <= 6 && value.bytes().all(|b| b.is_ascii_digit());
    let is_plain = (is_word || is_number) && !is_secret(name, NamePlace::Variable);
    if is_reference(value) || is_plain { value.to_owned() } else { format!("${{{}}}", variable(name)) }
}

fn is_reference(value: &str) -> bool {
    variable_value(value).is_some()
}

/// Arguments with variables in the place of secrets: `--token X`, `--token=X`, and whatever looks like one.
fn without_secrets(args: &[String]) -> Vec<String> {
    let mut flag: Option<String> = None;
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let name = flag.take();
        let secret = match (arg.strip_prefix('-'), arg.split_once('=')) {
            (Some(_), Some((before, value)))
                if is_secret(before, NamePlace::Variable) && !is_reference(value) =>
            {
                Some(format!("{before}=${{{}}}", variable(before)))
            }
            (Some(_), None) => {
                flag = is_secret(arg, NamePlace::Variable).then(|| variable(arg));
                None
            }
            (None, _) => name.filter(|_| !is_reference(arg)).map(|name| format!("${{{name}}}")),
            _ => None,
        };
        out.push(secret.unwrap_or_else(|| arg.clone()));
    }
    out
}

/// The URL with variables in the place of what its query says: no one can tell which of it is secret.
fn address(source: &str, url: &str) -> String {
    let Some((base, query)) = url.split_once('?') else { return url.to_owned() };
    let pairs = pairs(source, query).into_iter().map(|(name, value)| match value {
        QueryValue::Plain(value) => format!("{name}{value}"),
        QueryValue::Variable(variable) => format!("{name}=${{{variable}}}"),
    });
    format!("{base}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// A value in a query.
enum QueryValue<'q> {
    /// As it is, with its sign.
    Plain(&'q str),
    /// By a variable of this name.
    Variable(String),
}

fn pairs<'q>(source: &str, query: &'q str) -> Vec<(&'q str, QueryValue<'q>)> {
    let mut used: Vec<String> = Vec::new();
    let of = |pair: &'q str| {
        let Some((name, value)) = pair.split_once('=') else { return (pair, QueryValue::Plain("")) };
        let is_version = ["v", "version", "api-version", "api_version"].contains(&name)
            && value.len() <= 16
            && value.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
        if value.is_empty() || is_reference(value) || is_version {
            return (name, QueryValue::Plain(&pair[name.len()..]));
        }
        let own = variable(&format!("{source}_{name}"));
        let count = used.iter().filter(|each| **each == own).count();
        used.push(own.clone());
        (name, QueryValue::Variable(if count == 0 { own } else { format!("{own}_{}", count + 1) }))
    };
    query.split('&').map(of).collect()
}

/// Which variables stand for values in the query of a server's URL.
fn query_warnings(source: &str, query: &str) -> Vec<String> {
    let warning = |(name, value): (&str, QueryValue<'_>)| match value {
        QueryValue::Variable(variable) => {
            Some(format!("'{name}' in the URL of the server is taken from the variable {variable}"))
        }
        QueryValue::Plain(_) => None,
    };
    pairs(source, query).into_iter().filter_map(warning).collect()
}

/// The credentials in a header; nothing when it holds none.
fn credential(source: &str, name: &str, value: &str) -> Option<Auth> {
    if let Some(pair) = basic(value).filter(|_| name.eq_ignore_ascii_case("authorization")) {
        return Some(pair);
    }
    let variable = match variable_value(value) {
        Some(VariableValue { name, .. }) => name.to_owned(),
        _ if [NamePlace::Variable, NamePlace::Header].iter().any(|place| is_secret(name, *place))
            || shapes::first_in(value).is_some() =>
        {
            variable(&format!("{source}_{name}"))
        }
        _ => return None,
    };
    if name.eq_ignore_ascii_case("authorization") {
        let prefix = match value.split_once(' ') {
            Some((scheme, _)) if scheme.len() <= 10 => format!("{scheme} "),
            _ => String::new(),
        };
        return Some(Auth::Bearer { token_env: variable, prefix });
    }
    Some(Auth::ApiKey { key_env: variable, place: KeyPlace::Header(name.to_owned()) })
}

/// A name and a password by the variables that hold them.
fn basic(value: &str) -> Option<Auth> {
    let variables: Vec<&str> = references(value).map(|(name, _)| name).collect();
    let [username_env, password_env] = variables[..] else { return None };
    let is_pair = value == basic_template(username_env, password_env);
    is_pair.then(|| Auth::Basic { username_env: username_env.into(), password_env: password_env.into() })
}

/// The name of a variable made from other words.
fn variable(words: &str) -> String {
    let name: String =
        words.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let name = name.trim_matches('_');
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("V_{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
