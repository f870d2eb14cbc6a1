//! Where an API is: the `servers` of a document, a path or an operation.
//!
//! A list of servers in, the first usable base URL out. Variables take their defaults; a relative URL is read from where
//! the document came from, which only works when that was a URL.

use aqueduct_operations::address::names_private_address;
use aqueduct_source_kind::base_url::{self, BaseUrlProblem};
use serde_json::Value;
use url::Url;

/// A server that was chosen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChosenServer {
    pub url: Url,
    /// What had to be decided on the way.
    pub warnings: Vec<String>,
}

/// True when a document from this place may name private addresses: one in a file, or from such an address itself. What
/// the public web says of addresses in here counts for nothing.
pub(super) fn vouches(place: &str) -> bool {
    address_of(place).is_none_or(|url| names_private_address(&url))
}

fn address_of(place: &str) -> Option<Url> {
    Url::parse(place).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The base URL that a list of servers names. `Err` holds what is wrong with each.
pub(super) fn choose(servers: Option<&Value>, place: &str) -> Result<ChosenServer, Vec<String>> {
    let document = address_of(place);
    let vouches = vouches(place);
    let given: Vec<&Value> = servers.and_then(Value::as_array).into_iter().flatten().collect();
    if given.is_empty() {
        // The standard reads a missing list as the root of where the document is.
        let root = document.as_ref().and_then(|url| url.join("/").ok());
        let url = root.and_then(|root| base_url::parse(root.as_str()).ok());
        return url
            .map(|url| ChosenServer {
                url,
                warnings: vec!["the document names no server: its own address is used".to_owned()],
            })
            .ok_or_else(|| vec!["it names no server".to_owned()]);
    }
    let mut warnings = Vec::new();
    let mut problems = Vec::new();
    for server in &given {
        let text = filled(server, &mut warnings);
        match read(&text, document.as_ref(), &mut warnings) {
            Ok(url) if !vouches && names_private_address(&url) => problems.push(format!(
                "the server {url} is a private address, which only a document from a file or a private address may name"
            )),
            Ok(url) => {
                warnings.extend(problems);
                if given.len() > 1 {
                    warnings.push(format!("of {} servers {url} is used", given.len()));
                }
                return Ok(ChosenServer { url, warnings });
            }
            Err(problem) => problems.push(problem),
        }
    }
    Err(problems)
}

/// The URL with its variables filled in.
fn filled(server: &Value, warnings: &mut Vec<String>) -> String {
    let mut text = server.get("url").and_then(Value::as_str).unwrap_or("/").trim().to_owned();
    let variables = server.get("variables").and_then(Value::as_object);
    for (name, variable) in variables.into_iter().flatten() {
        let placeholder = format!("{{{name}}}");
        if !text.contains(&placeholder) {
            continue;
        }
        let first = || variable.get("enum").and_then(|values| values.get(0));
        let value = match variable.get("default").or_else(first) {
            Some(Value::String(value)) => value.clone(),
            Some(Value::Number(value)) => value.to_string(),
            _ => continue,
        };
        warnings.push(format!("the server variable '{name}' has its default '{value}'"));
        text = text.replace(&placeholder, &value);
    }
    text
}

fn read(text: &str, document: Option<&Url>, warnings: &mut Vec<String>) -> Result<Url, String> {
    if text.contains('{') {
        return Err(format!("the server {text} has a variable without a default"));
    }
    let absolute = if text.starts_with("//") {
        let scheme = document.map_or("https", Url::scheme);
        format!("{scheme}:{text}")
    } else if text.contains("://") {
        text.to_owned()
    } else {
        let Some(joined) = document.and_then(|url| url.join(text).ok()) else {
            return Err(format!("the server {text} is relative, and the document is a file"));
        };
        joined.into()
    };
    let bare = absolute.split(['?', '#']).next().unwrap_or_default();
    if bare.len() < absolute.len() {
        warnings.push(format!("the query of the server {absolute} is not sent"));
    }
    base_url::parse(bare).map_err(|problem| match problem {
        BaseUrlProblem::Credentials => "a server URL holds credentials".to_owned(),
        other => format!("the server {bare}: {other}"),
    })
}

#[cfg(test)]
mod tests;
