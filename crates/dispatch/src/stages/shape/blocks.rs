//! Blocks of content, which tools of MCP servers answer with where they have no structured result.
//!
//! The JSON of an answer in; out, whether it is nothing but such blocks. Their fields are those of the blocks, not those of
//! what is written in them.

use aqueduct_query::peek;

const KINDS: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// True when an answer is a list of blocks.
pub fn are_all(data: &str) -> bool {
    let is_block = |element: &str| {
        let kind = peek::first_of(element, &["type"]).and_then(peek::text);
        kind.is_some_and(|kind| KINDS.contains(&kind.as_ref()))
    };
    data.starts_with('[') && peek::elements(data).next().is_some() && peek::elements(data).all(is_block)
}

#[cfg(test)]
mod tests;
