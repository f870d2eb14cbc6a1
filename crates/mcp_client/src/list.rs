//! All pages of `tools/list`, as they came.
//!
//! Bounded in number and pages, and a server that hands out the same cursor twice is not followed in circles.

use crate::connection::{RequestError, ServerConnection};
use aqueduct_operations::mcp::ServerListing;
use rmcp::model::ErrorCode;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::time::Duration;

/// The most tools that are taken from one server.
const MOST_TOOLS: usize = 10_000;

/// The most pages that are asked for: a server may hand out empty ones forever.
const MOST_PAGES: usize = 1_000;

/// What the server offers.
pub(crate) async fn list(
    name: &str,
    connection: &ServerConnection,
    timeout: Duration,
) -> Result<ServerListing, RequestError> {
    let handshake_result = connection.results.handshake_result();
    let server = handshake_result.get("serverInfo").and_then(Value::as_object).cloned();
    let instructions = handshake_result.get("instructions").and_then(Value::as_str).map(str::to_owned);
    Ok(ServerListing {
        server: server.unwrap_or_else(|| typed_identity(connection)),
        instructions,
        tools: tools(name, connection, timeout).await?,
    })
}

/// Who the server is, where it says so in another place than the response to the handshake.
fn typed_identity(connection: &ServerConnection) -> Map<String, Value> {
    let info = connection.peer.peer_info();
    let info = info.as_ref().and_then(|info| serde_json::to_value(info.server_info.as_ref()?).ok());
    info.as_ref().and_then(Value::as_object).cloned().unwrap_or_default()
}

async fn tools(
    server: &str,
    connection: &ServerConnection,
    timeout: Duration,
) -> Result<Vec<Value>, RequestError> {
    let (mut tools, mut cursor, mut seen) = (Vec::new(), None, HashSet::new());
    for _ in 0..MOST_PAGES {
        let page = match connection.page(cursor.clone(), timeout).await {
            // A server that offers only resources or prompts.
            Err(RequestError::Server(error))
                if error.code == ErrorCode::METHOD_NOT_FOUND && cursor.is_none() =>
            {
                return Ok(tools);
            }
            page => page?,
        };
        tools.extend(page.get("tools").and_then(Value::as_array).into_iter().flatten().cloned());
        if tools.len() > MOST_TOOLS {
            let most = MOST_TOOLS;
            tracing::warn!(target: "aqueduct::mcp", server, most, "the MCP server has more tools than are taken");
            tools.truncate(MOST_TOOLS);
            return Ok(tools);
        }
        let next = page.get("nextCursor").and_then(Value::as_str).filter(|next| !next.is_empty());
        let Some(next) = next else { return Ok(tools) };
        if !seen.insert(next.to_owned()) {
            tracing::warn!(target: "aqueduct::mcp", server, "the MCP server gives the same page of tools again");
            return Ok(tools);
        }
        cursor = Some(next.to_owned());
    }
    Err(RequestError::Transport(format!("it lists its tools on more than {MOST_PAGES} pages")))
}
