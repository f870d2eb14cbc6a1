//! Puts an entry into the text of a client's file.
//!
//! The file's bytes and an entry in, the new text out. Invariant: every other key keeps its value and its place, and so do
//! the variables that the person has filled in; a file that cannot be kept whole is refused.

use super::json_file::JsonFile;
use super::{Client, ClientEntry, toml_file};

/// Why a file is left alone. The texts follow the file's name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeRefusal {
    /// Not JSON at all.
    #[error("is not valid JSON ({0})")]
    NotJson(String),
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
    let file = JsonFile::read(old.unwrap_or_default(), client.allows_comments())?;
    file.put(client, name, entry.members(client))?;
    Ok(file.text())
}

#[cfg(test)]
mod tests;
