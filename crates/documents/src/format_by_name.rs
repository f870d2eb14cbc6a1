//! Text into a tree, in the language that the file's name says: TOML, YAML, or JSON with comments.
//!
//! A name and a text in; a tree out, or nothing once the mistake has been reported.

use super::findings::Findings;
use super::{Document, jsonc, toml, yaml};

/// Reads a document. A name that says nothing is read as YAML, which JSON mostly is.
pub fn parse(file: &str, text: &str, found: &mut Findings<'_>) -> Option<Document> {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let (read, code) = match ending.as_str() {
        "toml" => (toml::tree(text), "TOML_SYNTAX"),
        "json" | "jsonc" => (jsonc::parse(text), "JSON_SYNTAX"),
        _ => (yaml::parse(text), "YAML_SYNTAX"),
    };
    let document = read.map_err(|problem| found.add_syntax(code, problem)).ok()?;
    found.add_repeated(&document);
    Some(document)
}

#[cfg(test)]
mod tests;
