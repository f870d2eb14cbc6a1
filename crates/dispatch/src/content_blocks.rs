//! Content blocks, which tools of MCP servers respond with where they have no structured content.
//!
//! The JSON of a response in; out, whether it is nothing but content blocks, and the text of one. The fields of a block are
//! its own, not those of what is written in it.

use aqueduct_query::peek;
use std::borrow::Cow;

const KINDS: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// True when a response is a list of blocks, and of at least one.
pub fn are_all(data: &str) -> bool {
    let is_block = |element: &str| kind_of(element).is_some_and(|kind| KINDS.contains(&kind.as_ref()));
    data.starts_with('[') && peek::elements(data).next().is_some() && peek::elements(data).all(is_block)
}

/// The text of a text block.
pub fn text_of(block: &str) -> Option<Cow<'_, str>> {
    let text = peek::first_of(block, &["text"]).filter(|text| text.starts_with('"'))?;
    peek::text(text).filter(|_| kind_of(block).is_some_and(|kind| kind == "text"))
}

/// The text of a block that may be JSON: of a text block, or of a resource that says that it is JSON.
pub fn json_of(block: &str) -> Option<Cow<'_, str>> {
    let of_resource = || {
        kind_of(block).filter(|kind| kind == "resource")?;
        let mime_type = peek::first_of(block, &["resource.mimeType"]).and_then(peek::text)?;
        let essence = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_json = essence == "application/json" || essence.ends_with("+json");
        peek::first_of(block, &["resource.text"]).filter(|text| is_json && text.starts_with('"'))
    };
    text_of(block).or_else(|| of_resource().and_then(peek::text))
}

fn kind_of(block: &str) -> Option<Cow<'_, str>> {
    peek::first_of(block, &["type"]).and_then(peek::text)
}

#[cfg(test)]
mod tests;
