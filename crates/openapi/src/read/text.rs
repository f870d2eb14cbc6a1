//! Any text in, JSON text out: the mark at the beginning dropped, YAML converted, web pages and other encodings named.
//!
//! What comes out parses: it is no deeper than serde_json reads, its escapes are characters, its numbers are finite.

use super::error::OpenError;
use super::outline::JsonOutline;
use super::{valid, yaml};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_operations::compact_json::compact;
use aqueduct_source_kind::disk_reader::EncodingError;
use aqueduct_source_kind::side_by_side::both;

/// JSON text with its outline, and what had to be mended.
pub(super) struct PreparedText {
    pub(super) text: String,
    pub(super) outline: JsonOutline,
    pub(super) warnings: Vec<String>,
}

pub(super) fn prepare(place: &str, text: &str) -> Result<PreparedText, OpenError> {
    if text.len() as u64 > MAX_DOCUMENT {
        return Err(OpenError::TooLarge { most: MAX_DOCUMENT as usize });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        None => Err(OpenError::Empty),
        Some('<') => Err(OpenError::WebPage),
        Some('\0') => Err(EncodingError { found: "UTF-16 or binary" }.into()),
        Some('{' | '[') => json_or_flow(place, text),
        Some(_) => converted(text),
    }
}

/// JSON; but a YAML file may begin with a brace too.
fn json_or_flow(place: &str, text: &str) -> Result<PreparedText, OpenError> {
    let called_yaml = place.ends_with(".yaml") || place.ends_with(".yml");
    if !called_yaml {
        return json(text);
    }
    match json(text) {
        Err(_) => converted(text),
        prepared => prepared,
    }
}

fn json(text: &str) -> Result<PreparedText, OpenError> {
    let compacted = || {
        // It is kept for as long as the source is served, and most are indented. What it leaves of its memory was never touched:
        // to shrink it would copy it, and the allocator would keep the first copy's.
        let compact = compact(text);
        JsonOutline::of(&compact).map(|outline| (compact, outline))
    };
    let (find_repairs, compacted) = both(text.len(), || valid::find_repairs(text), compacted);
    let find_repairs = find_repairs?;
    let (text, outline, mut warnings) = match compacted {
        Ok((compact, outline)) if find_repairs.is_empty() => (compact, outline, Vec::new()),
        // Lines and columns are those of the text as it came.
        _ => {
            let (text, warnings) = valid::repaired(text, find_repairs);
            let outline = JsonOutline::of(&text).map_err(|error| syntax(&error))?;
            (text, outline, warnings)
        }
    };
    warnings.extend(
        outline.repeated.iter().map(|path| format!("the key {path} is given twice: the last one counts")),
    );
    Ok(PreparedText { text, outline, warnings })
}

fn converted(text: &str) -> Result<PreparedText, OpenError> {
    json(&yaml::to_json(text)?)
}

fn syntax(error: &serde_json::Error) -> OpenError {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let (line, column) = (narrow(error.line()), narrow(error.column()));
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let reason = if error.is_eof() { format!("it ends too early ({words})") } else { words.to_owned() };
    OpenError::Syntax { format: "JSON", line, column, reason }
}
