//! The result of `tools/call` to an envelope.
//!
//! `data` is the structured content when there is some, else the content blocks as they came, of kinds known or not.
//! A result that calls itself a failure stays a result, marked so (operation sources, section on MCP).

use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::handler::{Envelope, EnvelopeMark, EnvelopeMeta};
use aqueduct_operations::mcp::ServerListing;
use aqueduct_schema::from_schema;
use serde_json::{Map, Value};

/// The envelope of a result.
pub(crate) fn envelope(mut result: Value, operation_id: &str, parse_json_text: bool) -> Envelope {
    let mut more = Map::new();
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    if is_error {
        more.insert("isError".into(), Value::Bool(true));
    }
    let structured = result.get_mut("structuredContent").map(Value::take).filter(|value| !value.is_null());
    let content = result.get_mut("content").map(Value::take).unwrap_or_else(|| Value::Array(Vec::new()));
    let data = match structured {
        // What a failure says in words is not in its structured content alone.
        Some(structured) if is_error => {
            more.insert("content".into(), content);
            structured
        }
        Some(structured) => structured,
        None if parse_json_text => parsed(content),
        None => content,
    };
    Envelope {
        discriminant: EnvelopeMark::Aqueduct,
        data,
        meta: EnvelopeMeta {
            source: "mcp".into(),
            operation_id: operation_id.into(),
            timestamp: SystemClock.now().to_string(),
            more,
        },
    }
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
    serde_json::from_str::<Value>(text).ok().filter(|value| value.is_object() || value.is_array())
}

#[cfg(test)]
mod tests;
