//! Text into a tree, in the language that the file's name says: TOML, YAML, or JSON with comments.
//!
//! A name and a text in; a tree out, or nothing once the mistake has been reported.

use super::findings::Findings;
#[cfg(feature = "toml")]
use super::toml;
use super::{Document, SyntaxProblem, jsonc, yaml};
use aqueduct_operations::diagnostic::DiagnosticSeverity;

/// Reads a document. A name that says nothing is read as YAML, which JSON mostly is.
pub fn parse(file: &str, text: &str, found: &mut Findings<'_>) -> Option<Document> {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let (read, code) = match ending.as_str() {
        "toml" => (parse_toml(text), "TOML_SYNTAX"),
        "json" | "jsonc" => (jsonc::parse(text), "JSON_SYNTAX"),
        _ => (yaml::parse(text), "YAML_SYNTAX"),
    };
    let document = read.map_err(|problem| found.add_syntax(code, problem)).ok()?;
    found.add_repeated(&document, DiagnosticSeverity::Error);
    Some(document)
}

#[cfg(feature = "toml")]
fn parse_toml(text: &str) -> Result<Document, SyntaxProblem> {
    toml::tree(text)
}

#[cfg(not(feature = "toml"))]
fn parse_toml(_: &str) -> Result<Document, SyntaxProblem> {
    Err(SyntaxProblem {
        message: "this program was built without the feature `toml`".to_owned(),
        hint: Some("write the file in YAML or JSON, or turn the feature on".to_owned()),
        line: 1,
        column: 1,
    })
}

#[cfg(test)]
mod tests;
