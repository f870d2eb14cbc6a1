//! Puts an entry into the text of a client's file.
//!
//! The file's bytes and an entry in, the new text out. Invariant: every other key keeps its value and its place, and so do
//! the variables that the person has filled in; a file that cannot be kept whole is refused.

pub mod digits;

use super::{Client, ClientEntry, toml_file};
use digits::KeptNumbers;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// Why a file is left alone. The texts follow the file's name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeRefusal {
    /// Not JSON at all.
    #[error("is not valid JSON ({0})")]
    NotJson(String),
    /// Perhaps JSON with comments.
    #[error("has comments or is not valid JSON ({0}), and comments would be lost")]
    Comments(String),
    /// Not TOML.
    #[error("is not valid TOML ({0})")]
    NotToml(String),
    /// JSON of another form.
    #[error("holds something other than an object {0}")]
    Form(String),
}

/// The file's new text.
pub fn merge(
    old: Option<&[u8]>,
    client: Client,
    name: &str,
    entry: &ClientEntry,
) -> Result<String, MergeRefusal> {
    if client.is_toml() {
        return toml_file::merge(old.unwrap_or_default(), client.key(), name, &entry.members(client));
    }
    let (mut root, kept) = read(old.unwrap_or_default(), client)?;
    let servers = object(&mut root, client.key(), &format!("under '{}'", client.key()))?;
    let server = object(servers, name, &format!("under '{}.{name}'", client.key()))?;
    for (key, value) in entry.members(client) {
        match (server.get_mut(&key), value) {
            // What the person has filled in stays.
            (Some(Value::Object(filled)), Value::Object(new)) => {
                for (key, value) in new {
                    filled.entry(key).or_insert(value);
                }
            }
            (_, value) => {
                server.insert(key, value);
            }
        }
    }
    Ok(kept.put_back(format!("{:#}\n", Value::Object(root))))
}

/// The file's object, and the numbers that were taken out of it.
pub fn read(bytes: &[u8], client: Client) -> Result<(Map<String, Value>, KeptNumbers), MergeRefusal> {
    let text = std::str::from_utf8(bytes).map_err(|_| MergeRefusal::NotJson("it is not UTF-8".to_owned()))?;
    let text = text.trim_start_matches('\u{feff}');
    let text = if text.trim().is_empty() { "{}" } else { text };
    let refused = |error: serde_json::Error| {
        let message = error.to_string();
        if client.allows_comments() {
            MergeRefusal::Comments(message)
        } else {
            MergeRefusal::NotJson(message)
        }
    };
    // Numbers can be told from other text in valid JSON only.
    serde_json::from_str::<IgnoredAny>(text).map_err(refused)?;
    let (text, kept) = digits::take_out(text);
    match serde_json::from_str(&text).map_err(refused)? {
        Value::Object(root) => Ok((root, kept)),
        _ => Err(MergeRefusal::Form("as a whole".to_owned())),
    }
}

/// The object under a key, made when there is none.
pub fn object<'a>(
    parent: &'a mut Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<&'a mut Map<String, Value>, MergeRefusal> {
    let value = parent.entry(key).or_insert_with(|| Value::Object(Map::new()));
    value.as_object_mut().ok_or_else(|| MergeRefusal::Form(place.to_owned()))
}

#[cfg(test)]
mod tests;
