//! An MCP server that is connected to: it wants to wear down the person behind a call.

use crate::outside::harness::{Place, Server, fake_server, inside};
use serde_json::{Value, json};

/// A client that can be asked, and says yes to everything; gives the answer to a call of `ask` and how often it was asked.
async fn asked(questions: u32) -> (Value, u32) {
    let place = Place::new();
    let servers = json!({"mcpServers": {"nosy": {"command": fake_server(), "args": ["--questions", questions.to_string()]}}});
    let file = place.write("servers.json", servers.to_string());
    let mut server =
        Server::start_in(place, &[&file, "--trust", "nosy=official"], &[("PATH", "/usr/bin:/bin")]);
    let client = json!({"name": "test", "version": "1.0"});
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": client});
    server.request("initialize", params).await;
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let arguments = json!({"operation": "nosy__ask", "params": {}});
    let id = server.ask("tools/call", json!({"name": "mcp_aql_execute", "arguments": arguments})).await;
    let mut times = 0;
    loop {
        let message = server.next().await;
        if message["method"] == "elicitation/create" {
            times += 1;
            let answer = json!({"action": "accept", "content": {"ok": true}});
            server.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": answer})).await;
        } else if message["id"] == id {
            return (inside(&message), times);
        }
    }
}

/// Of two hundred questions in one call a few reach the person; the server is told no to the others, and the reply says so, once.
#[tokio::test]
async fn questions_without_end() {
    let (reply, times) = asked(200).await;
    assert_eq!(times, 5, "{reply}");
    let answers = reply["data"]["answers"].as_array().unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(answers.len(), 200);
    assert!(answers[..5].iter().all(|answer| answer["action"] == "accept"), "{reply}");
    assert!(answers[5..].iter().all(|answer| answer["action"] == "decline"), "{reply}");
    let warnings = reply["warnings"].as_array().unwrap();
    let told: Vec<&Value> = warnings.iter().filter(|each| each["code"] == "QUESTIONS_DECLINED").collect();
    assert_eq!(told.len(), 1, "{reply}");
    assert!(told[0]["message"].as_str().unwrap().contains("195 were declined"), "{reply}");
}

/// A server that asks what it needs to know is answered.
#[tokio::test]
async fn a_few_questions() {
    let (reply, times) = asked(3).await;
    assert_eq!(times, 3, "{reply}");
    let answers = reply["data"]["answers"].as_array().unwrap_or_else(|| panic!("{reply}"));
    assert!(answers.iter().all(|answer| answer["action"] == "accept"), "{reply}");
    assert_eq!(reply.get("warnings"), None, "{reply}");
}
