//! The calls, each by its number: reads with a value of their own above all, and some of everything that keeps something for a while.
//!
//! A number in; a tool, arguments and what the answer has to say out. No two reads are alike, so that nothing can be kept for ever
//! without being seen.

use serde_json::{Value, json};
use std::net::SocketAddr;

/// The protocol without sessions.
pub const VERSION: &str = "2026-07-28";

/// One call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: Value,
    /// Texts of which one has to be in the answer.
    expected: Vec<String>,
}

impl Call {
    /// The call with this number.
    pub fn of(number: u64) -> Call {
        let read = |arguments: Value, expected: &str| Call {
            tool: "mcp_aql_read",
            arguments,
            expected: vec![expected.to_owned()],
        };
        match number % 20 {
            0 => read(
                json!({"operation": "introspect", "params": {"query": "search", "search": format!("show item {number}")}}),
                "get_item",
            ),
            1 => {
                let item =
                    |id: u64| json!({"operation": "get_item", "params": {"item_id": format!("b{id}")}});
                read(
                    json!({"operations": [item(number), item(number + 1)]}),
                    &format!("/items/b{}", number + 1),
                )
            }
            2 => read(json!({"operation": format!("get_itm{number}")}), "NOT_FOUND_OPERATION"),
            3 => read(json!({"operation": "get_item"}), "VALIDATION_MISSING_PARAM"),
            4 => {
                let params = json!({"first": 3, "shelf": format!("s{number}"), "filter": {"kind": 1}, "fields": ["id"]});
                read(json!({"operation": "list_items", "params": params}), "pageInfo")
            }
            5 if number % 1000 == 5 => Call {
                tool: "mcp_aql_delete",
                arguments: json!({"operation": "delete_item", "params": {"item_id": format!("d{number}")}}),
                // A client that asks for too many confirmations gets none for a while.
                expected: vec!["CONFIRMATION_REQUIRED".to_owned(), "RATE_LIMIT".to_owned()],
            },
            6 if number % 1000 == 6 => Call {
                tool: "mcp_aql_delete",
                arguments: json!({"operation": "delete_item", "params": {"item_id": "d", "confirmation_token": format!("conf_{number:064}")}}),
                expected: vec!["TOKEN_INVALID".to_owned(), "RATE_LIMIT".to_owned()],
            },
            _ => {
                let params = json!({"item_id": format!("i{number}"), "fields": ["path"]});
                read(json!({"operation": "get_item", "params": params}), &format!("/items/i{number}\\"))
            }
        }
    }

    /// The call as a message of a session.
    pub fn message(&self, id: u64) -> Value {
        let params = json!({"name": self.tool, "arguments": self.arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }

    /// The same without a session.
    pub fn stateless_message(&self, id: u64) -> Value {
        let about = "io.modelcontextprotocol";
        let mut message = self.message(id);
        message["params"]["_meta"] = json!({format!("{about}/protocolVersion"): VERSION,
            format!("{about}/clientCapabilities"): {}, format!("{about}/clientInfo"): {"name": "soak", "version": "1"}});
        message
    }

    /// Whether an answer says what it has to.
    pub fn is_answered_by(&self, answer: &str) -> bool {
        self.expected.iter().any(|expected| answer.contains(expected.as_str()))
    }
}

/// Which call a line answers, if it answers one.
pub fn id_of(line: &str) -> Option<u64> {
    let message: Value = serde_json::from_str(line).ok()?;
    message.get("method").is_none().then(|| message["id"].as_u64()).flatten()
}

/// The adapter file for these calls.
pub fn adapter(api: &SocketAddr) -> String {
    let item = "params: { item_id: { type: string, required: true } }";
    format!(
        "---\nname: calls\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Items of a store\"\ntarget: {{ base_url: \
         \"http://{api}\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n    - {{ name: \
         get_item, maps_to: \"GET /items/{{item_id}}\", description: \"Show an item\", {item} }}\n    - {{ name: list_items, \
         maps_to: \"GET /list/{{shelf}}\", description: \"List the items of a shelf\", params: {{ shelf: {{ type: string, \
         required: true }} }} }}\n  delete:\n    - {{ name: delete_item, maps_to: \"DELETE /items/{{item_id}}\", description: \
         \"Remove an item\", {item} }}\n---\n"
    )
}

#[cfg(test)]
mod tests;
