//! Credentials in the words of `serve`: in addresses and in headers. A client's file, or a terminal, is no place for them.
//!
//! A word in; the word without them, and the variables that stand for them, out. What `serve` itself looks up in the
//! environment becomes a reference and goes on working; of the rest the person is told what to do.

use aqueduct_operations::credential_scope::has_user_info;
use aqueduct_operations::secrets::names::{NamePlace, is_plain_header, is_secret};
use aqueduct_operations::secrets::shapes::looks_like_a_key;
use aqueduct_operations::variable_reference::variable_value;
use url::Url;

/// Values of a query that are longer are taken for credentials, whatever they are called.
const LONGEST_PLAIN: usize = 24;

/// What stands in the place of a credential that cannot be referred to.
const PLACE: &str = "PUT-IT-HERE";

/// A word without its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanedWord {
    /// What may be shown.
    pub word: String,
    /// Variables that `serve` reads in their place.
    pub variables: Vec<String>,
    /// Something is left that the person must see to.
    pub is_incomplete: bool,
}

/// A word of `serve` without credentials. `before` is the word in front of it.
pub fn cleaned(word: &str, before: &str) -> CleanedWord {
    let (flag, value) = match word.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (flag, value),
        _ => (before, word),
    };
    let result = match flag {
        "--header" => header(value),
        _ => {
            // A value for one of several sources: SOURCE=VALUE.
            let start = value.find("http://").or_else(|| value.find("https://")).unwrap_or(value.len());
            address(&value[start..])
                .map(|url| CleanedWord { word: format!("{}{}", &value[..start], url.word), ..url })
        }
    };
    let unchanged = || CleanedWord { word: word.to_owned(), variables: Vec::new(), is_incomplete: false };
    let rest = &word[..word.len() - value.len()];
    result.map_or_else(unchanged, |result| CleanedWord { word: format!("{rest}{}", result.word), ..result })
}

/// Such as `shop=X-Key: value`; nothing when there is nothing to hide.
fn header(value: &str) -> Option<CleanedWord> {
    let (name, content) = value.split_once(':')?;
    let plain = name.rsplit('=').next().unwrap_or(name).trim();
    if is_plain_header(plain, content.trim()) || content.trim().is_empty() {
        return None;
    }
    let word = format!("{name}: {PLACE}");
    Some(CleanedWord { word, variables: Vec::new(), is_incomplete: true })
}

/// An address; nothing when it is none, or has nothing to hide.
fn address(text: &str) -> Option<CleanedWord> {
    let mut url = Url::parse(text).ok()?;
    let mut is_incomplete = has_user_info(&url);
    // An address of this kind can be without both.
    let (user, password) = (url.set_username(""), url.set_password(None));
    let mut variables = Vec::new();
    let is_changed = is_incomplete && user.is_ok() && password.is_ok();
    let query = url.query().unwrap_or_default().to_owned();
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) if holds_secret(name, value) => {
                is_incomplete = true;
                variables.push(variable(&url, name));
                format!("{name}={PLACE}")
            }
            _ => pair.to_owned(),
        })
        .collect();
    if variables.is_empty() && !is_changed {
        return None;
    }
    let bare = text_without_query(&url);
    let word = if query.is_empty() { bare } else { format!("{bare}?{}", pairs.join("&")) };
    Some(CleanedWord { word, variables, is_incomplete })
}

/// The address of an MCP server, whose query may refer to variables.
pub fn of_server(text: &str) -> Option<CleanedWord> {
    let cleaned = address(text.strip_prefix("mcp+")?)?;
    let mut word = format!("mcp+{}", cleaned.word);
    for name in &cleaned.variables {
        word = word.replacen(&format!("={PLACE}"), &format!("=${{{name}}}"), 1);
    }
    let has_user = Url::parse(text.trim_start_matches("mcp+")).is_ok_and(|url| !url.username().is_empty());
    Some(CleanedWord { word, is_incomplete: has_user, ..cleaned })
}

fn text_without_query(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_query(None);
    bare.set_fragment(None);
    bare.to_string()
}

fn holds_secret(name: &str, value: &str) -> bool {
    let is_reference = variable_value(value).is_some_and(|value| value.prefix.is_empty());
    let looks_secret = value.len() > LONGEST_PLAIN || looks_like_a_key(value);
    !value.is_empty() && !is_reference && (is_secret(name, NamePlace::Address) || looks_secret)
}

/// The variable for a value of a query: of the host and the name.
fn variable(url: &Url, name: &str) -> String {
    let text = format!("{}_{name}", url.host_str().unwrap_or("server"));
    let upper = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = text.chars().map(upper).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("SERVER_{name}") } else { name }
}

#[cfg(test)]
mod tests;
