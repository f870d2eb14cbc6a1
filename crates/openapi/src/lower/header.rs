//! What a document says of the API as a whole: its name, version and description. Its tags are topics: each operation has its own,
//! and a tag that is none's says nothing of any.
//!
//! The small part of the root and the document's place in; the words of the source out. The document's version is put into
//! SemVer, its title or place into a legal source name.

use super::source_name;
use super::summary::brief;
use aqueduct_operations::markup::unmarked;
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use serde_json::{Map, Value};

/// Characters of the source's description.
const DESCRIPTION: usize = 200;
/// Characters of the documentation that is kept.
const DOCUMENTATION: usize = 20_000;

/// A source with what the document says of itself.
pub(super) fn header(root: &Map<String, Value>, place: &str) -> Source {
    let none = Map::new();
    let info = root.get("info").and_then(Value::as_object).unwrap_or(&none);
    let text =
        |key: &str| info.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let title = text("title");
    let written_version = match info.get("version") {
        Some(Value::String(version)) => version.clone(),
        Some(Value::Number(version)) => version.to_string(),
        _ => String::new(),
    };
    let long = text("description").or(text("summary"));
    let words = text("summary").or(long).or(title).unwrap_or("An API that its document does not describe");
    let mut shown = Map::new();
    for (key, value) in [
        ("title", title.map(Value::from)),
        ("document_version", (!written_version.is_empty()).then(|| written_version.as_str().into())),
        ("terms_of_service", text("termsOfService").map(Value::from)),
        ("contact", info.get("contact").filter(|value| value.is_object()).cloned()),
        ("license", info.get("license").filter(|value| value.is_object()).cloned()),
        ("external_docs", root.get("externalDocs").filter(|value| value.is_object()).cloned()),
    ] {
        if let Some(value) = value {
            shown.insert(key.to_owned(), value);
        }
    }
    Source {
        version: semver_of(&written_version),
        description: brief(words, DESCRIPTION),
        documentation: unmarked(long.unwrap_or_default()).chars().take(DOCUMENTATION).collect(),
        info: shown,
        ..Source::new(source_name::of(title.unwrap_or_default(), place), TrustLevel::Generated)
    }
}

/// A semantic version from whatever stands there: `v1` is 1.0.0, a date its numbers, a word 0.0.0.
fn semver_of(written: &str) -> String {
    let written = written.trim();
    if semver::Version::parse(written).is_ok() {
        return written.to_owned();
    }
    let bare = written.strip_prefix(['v', 'V']).unwrap_or(written);
    if semver::Version::parse(bare).is_ok() {
        return bare.to_owned();
    }
    let mut numbers = bare
        .split(|c: char| !c.is_ascii_digit())
        .skip_while(|part| part.is_empty())
        .map_while(|part| part.parse::<u64>().ok());
    let mut next = || numbers.next().unwrap_or(0);
    let (major, minor, patch) = (next(), next(), next());
    format!("{major}.{minor}.{patch}")
}

#[cfg(test)]
mod tests;
