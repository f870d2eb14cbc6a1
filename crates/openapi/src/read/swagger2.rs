//! Swagger 2.0 in the words of OpenAPI 3: servers and security schemes here, operations and parameters below.
//!
//! Parts are translated when they are asked for, so that references keep leading into the document as it is written.

mod operation;
mod parameter;

pub(super) use operation::path_item;

use super::library::DocumentSet;
use aqueduct_source_kind::document_location::DocumentLocation;
use serde_json::{Map, Value, json};

/// Gives the root its `servers`.
pub(super) fn root(library: &mut DocumentSet) {
    let place = library.documents.first().map(|document| document.place.clone());
    let servers = servers(&library.root, place.as_ref());
    library.root.insert("servers".to_owned(), servers);
}

/// `schemes`, `host` and `basePath` as URLs, encrypted ones first. Without a host they are relative.
fn servers(root: &Map<String, Value>, place: Option<&DocumentLocation>) -> Value {
    let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let host = text("host").trim_end_matches('/');
    let path = match text("basePath").trim_end_matches('/') {
        "" => String::new(),
        path if path.starts_with('/') => path.to_owned(),
        path => format!("/{path}"),
    };
    if host.is_empty() {
        return if path.is_empty() { json!([{"url": "/"}]) } else { json!([{ "url": path }]) };
    }
    if host.contains("://") {
        return json!([{ "url": format!("{host}{path}") }]);
    }
    let mut schemes: Vec<&str> = strings(root.get("schemes")).collect();
    schemes.retain(|scheme| matches!(*scheme, "http" | "https"));
    if schemes.is_empty() {
        schemes.push(match place {
            Some(DocumentLocation::Url(url))
                if url.host_str().is_some_and(|there| host.starts_with(there)) =>
            {
                url.scheme()
            }
            _ => "https",
        });
    }
    schemes.sort_by_key(|scheme| *scheme != "https");
    schemes.iter().map(|scheme| json!({ "url": format!("{scheme}://{host}{path}") })).collect()
}

/// A security scheme: `basic` is a kind of `http`, and each `oauth2` scheme has one flow.
pub(super) fn security_scheme(scheme: &Value) -> Value {
    let Some(members) = scheme.as_object() else { return scheme.clone() };
    let mut out = Map::new();
    match members.get("type").and_then(Value::as_str) {
        Some("basic") => {
            out.insert("type".to_owned(), json!("http"));
            out.insert("scheme".to_owned(), json!("basic"));
        }
        Some("oauth2") => {
            let name = match members.get("flow").and_then(Value::as_str) {
                Some("application") => "clientCredentials",
                Some("accessCode") => "authorizationCode",
                Some("password") => "password",
                _ => "implicit",
            };
            let kept = ["authorizationUrl", "tokenUrl", "scopes"];
            let flow = members.iter().filter(|(key, _)| kept.contains(&key.as_str()));
            let flow: Map<_, _> = flow.map(|(key, value)| (key.clone(), value.clone())).collect();
            out.insert("type".to_owned(), json!("oauth2"));
            out.insert("flows".to_owned(), json!({ name: flow }));
        }
        _ => {}
    }
    let moved = ["flow", "authorizationUrl", "tokenUrl", "scopes"];
    for (key, value) in members {
        if !out.contains_key(key) && !moved.contains(&key.as_str()) {
            out.insert(key.clone(), value.clone());
        }
    }
    Value::Object(out)
}

/// The texts of a list.
pub(crate) fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
