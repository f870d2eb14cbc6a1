//! Any text in, JSON text out: the mark at the beginning dropped, YAML converted, web pages and other encodings named.
//!
//! What comes out parses: it is no deeper than serde_json reads, its escapes are characters, its numbers are finite.

use super::error::OpenError;
use super::outline::JsonOutline;
use super::{valid, yaml};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_source_kind::disk_reader::EncodingError;
use aqueduct_source_kind::side_by_side::both;

/// JSON text with its outline, and what had to be mended.
pub(super) struct PreparedText {
    pub(super) text: String,
    pub(super) outline: JsonOutline,
    pub(super) warnings: Vec<String>,
}

pub(super) fn prepare(place: &str, mut text: String) -> Result<PreparedText, OpenError> {
    if text.len() as u64 > MAX_DOCUMENT {
        return Err(OpenError::TooLarge { most: MAX_DOCUMENT as usize });
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    match text.trim_start().chars().next() {
        None => Err(OpenError::Empty),
        Some('<') => Err(OpenError::WebPage),
        Some('\0') => Err(EncodingError { found: "UTF-16 or binary" }.into()),
        Some('{' | '[') => json_or_flow(place, text),
        Some(_) => converted(&text),
    }
}

/// JSON; but a YAML file may begin with a brace too.
fn json_or_flow(place: &str, text: String) -> Result<PreparedText, OpenError> {
    let called_yaml = place.ends_with(".yaml") || place.ends_with(".yml");
    if !called_yaml {
        return json(text);
    }
    match json(text.clone()) {
        Err(_) => converted(&text),
        prepared => prepared,
    }
}

fn json(text: String) -> Result<PreparedText, OpenError> {
    let (flaws, outline) = both(text.len(), || valid::flaws(&text), || JsonOutline::of(&text));
    let flaws = flaws?;
    // The outline of a text that has to be mended is made again.
    let (text, outline, mut warnings) = if flaws.is_empty() {
        (text, outline, Vec::new())
    } else {
        let (text, warnings) = valid::mended(&text, flaws);
        let outline = JsonOutline::of(&text);
        (text, outline, warnings)
    };
    let outline = outline.map_err(|error| syntax(&error))?;
    warnings.extend(
        outline.repeated.iter().map(|path| format!("the key {path} is given twice: the last one counts")),
    );
    Ok(PreparedText { text, outline, warnings })
}

fn converted(text: &str) -> Result<PreparedText, OpenError> {
    json(yaml::to_json(text)?)
}

fn syntax(error: &serde_json::Error) -> OpenError {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let (line, column) = (narrow(error.line()), narrow(error.column()));
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let reason = if error.is_eof() { format!("it ends too early ({words})") } else { words.to_owned() };
    OpenError::Syntax { format: "JSON", line, column, reason }
}
