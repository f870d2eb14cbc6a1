//! The result of `tools/call` to an envelope.
//!
//! `data` is the structured content when there is some, else the content blocks as they came, of kinds known or not.
//! A result that calls itself a failure stays a result, marked so (operation sources, section on MCP).

use aqueduct_operations::handler::Envelope;
use aqueduct_operations::mcp::ServerListing;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_schema::from_schema;
use serde_json::Value;

/// The envelope of a result.
pub(crate) fn envelope(mut result: Value, operation_id: &str, parse_json_text: bool) -> Envelope {
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    let structured = result.get_mut("structuredContent").map(Value::take).filter(|value| !value.is_null());
    let content = result.get_mut("content").map(Value::take).unwrap_or_else(|| Value::Array(Vec::new()));
    let Some(structured) = structured else {
        let data = if parse_json_text { parsed(content) } else { content };
        return Envelope::mcp(operation_id, data, is_error);
    };
    let mut envelope = Envelope::mcp(operation_id, structured, is_error);
    if is_error {
        // What a failure says in words is not in its structured content alone.
        envelope.meta.more.insert("content".to_owned(), content);
    }
    envelope
}

/// Fits the structured content of a result that is no failure to the output schema of its tool, where there is one.
pub(crate) fn fit(result: &mut Value, listing: &ServerListing, tool: &str) {
    let declared = listing.tools.iter().find(|each| each["name"] == tool);
    let Some(schema) = declared.and_then(|tool| tool.get("outputSchema")) else { return };
    if result.get("isError").and_then(Value::as_bool) == Some(true) {
        return;
    }
    if let Some(structured) = result.get_mut("structuredContent").filter(|value| !value.is_null()) {
        *structured = from_schema(schema).normalise(structured).value;
    }
}

/// Text blocks that are JSON objects or lists become these; the only block becomes the whole.
fn parsed(content: Value) -> Value {
    let Value::Array(blocks) = &content else { return content };
    match blocks.as_slice() {
        [only] => json_of(only).unwrap_or(content),
        blocks => blocks.iter().map(|block| json_of(block).unwrap_or_else(|| block.clone())).collect(),
    }
}

fn json_of(block: &Value) -> Option<Value> {
    let text = block.get("text").and_then(Value::as_str).filter(|_| block["type"] == "text")?;
    RawJson::structure_in(text).and_then(|json| serde_json::from_str(json.as_str()).ok())
}

#[cfg(test)]
mod tests;
