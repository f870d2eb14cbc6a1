//! The handler as a client sees it: JSON-RPC messages in and out of a running server, in this process.
//!
//! Calls that reach the operations are tested with dispatch and with the real binary; here is what comes before them.

use super::AqlServer;
use crate::mcp::session::{CallSender, SessionResolver};
use crate::mcp::tools::tests::{adapter, catalog, mode, tracker};
use aqueduct_dispatch::{Catalog, DispatchSettings, Dispatcher};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::exposure::{Exposure, Mode};
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_upstream::{Upstream, UpstreamSettings};
use rmcp::ServiceExt;
use rmcp::model::Extensions;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

fn server(catalog: Catalog) -> AqlServer {
    let clock = Arc::new(TestClock::default());
    let gatekeeper = aqueduct_safety::gatekeeper(GateSettings::default(), clock.clone());
    let settings = UpstreamSettings { max_response_size: 1_000, clock, ..UpstreamSettings::default() };
    let upstream = Upstream::new(settings, Arc::new(TestEnvironment::with(&[])));
    let dispatcher = Dispatcher::new(catalog, gatekeeper, upstream, DispatchSettings::default());
    AqlServer::new(Arc::new(dispatcher), SessionId::new("session-1"), CancellationToken::new())
}

/// Opens a session and sends these requests, one after the other; their answers.
async fn answers(server: AqlServer, requests: &[Value]) -> Vec<Value> {
    let (client, ours) = tokio::io::duplex(1 << 16);
    let serving = tokio::spawn(async move { server.serve(ours).await.unwrap().waiting().await });
    let (read, mut write) = tokio::io::split(client);
    let mut lines = BufReader::new(read).lines();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut answers = Vec::new();
    for message in [&hello, &ready].into_iter().chain(requests) {
        write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        if message.get("id").is_some() {
            let line = timeout(Duration::from_secs(10), lines.next_line()).await.expect("an answer");
            let line = line.unwrap().unwrap();
            answers.push(serde_json::from_str(&line).unwrap());
        }
    }
    write.shutdown().await.unwrap();
    drop((write, lines));
    serving.await.unwrap().unwrap();
    answers.split_off(1)
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// Opens sessions, and breaks when it is asked whose one is.
#[derive(Debug)]
struct Broken;

impl SessionResolver for Broken {
    fn open(&self) {}

    fn sender_of(&self, _request: &Extensions) -> Option<CallSender> {
        panic!("a secret")
    }

    fn over(&self) -> CancellationToken {
        CancellationToken::new()
    }
}

/// M4.2-5: a defect of the server itself, outside of a call, is answered with JSON-RPC's internal error, without what it
/// said; the server goes on.
#[tokio::test]
async fn defects_of_the_server() {
    let broken = server(tracker(Exposure::default())).for_connection(Arc::new(Broken));
    let introspect = json!({"operation": "introspect", "params": {"query": "operations"}});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let answers = answers(broken, &[call(1, "mcp_aql_read", introspect), list]).await;
    assert_eq!(
        answers[0],
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error of the server"}})
    );
    assert_eq!(answers[1]["result"]["tools"].as_array().unwrap().len(), 5, "it goes on");
}

/// M4.2-4: a tool that does not exist is invalid params; one that is called like an operation is told how to call it.
#[tokio::test]
async fn operations_called_as_tools() {
    let request = call(1, "list_issues", json!({"owner": "o"}));
    for (exposure, tool) in [(Exposure::default(), "mcp_aql_read"), (mode(Mode::Single), "mcp_aql")] {
        let spelled = call(2, "listIssues", json!({}));
        for answer in answers(server(tracker(exposure)), &[request.clone(), spelled]).await {
            let error = &answer["error"];
            let message = error["message"].as_str().unwrap();
            let told = format!(
                "It is an operation: call the tool '{tool}' with {{\"operation\": \"list_issues\"}} and its parameters in \
                 \"params\"."
            );
            assert!(message.starts_with("Unknown tool 'list") && message.ends_with(&told), "{message}");
            assert!(!looks_like_a_leak(message), "{message}");
            assert_eq!(error["code"], -32602);
            let arguments = json!({"operation": "list_issues", "params": {"owner": "owner", "repo": "repo"}});
            assert_eq!(error["data"], json!({"name": tool, "arguments": arguments}));
        }
    }
}

/// A hidden operation is not told of, whatever it is asked for by; nor does a name make a message look like a leak. The tools
/// and the search are told, in words and as a call.
#[tokio::test]
async fn unknown_tools() {
    let text = adapter(&[
        ("read", "list_things", "GET /things", "tags: []"),
        ("create", "create_thing", "POST /things", "params: { name: { type: string } }"),
    ]);
    let hiding = text.replace("certified", "generated");
    let hiding = server(catalog(&[("sample-adapter.md", &hiding)], Exposure::default()));
    let requests = [call(1, "create_thing", json!({})), call(2, "look at me", json!({}))];
    // The words of the name are searched for, where they make no message that looks like a leak.
    let expected = [("create_thing", "create thing"), ("[not shown]", "does list things")];
    for (answer, (shown, words)) in answers(hiding, &requests).await.iter().zip(expected) {
        let search = format!(r#"{{operation:"introspect",params:{{search:"{words}"}}}}"#);
        let told = format!(
            "Unknown tool '{shown}'. Known tools: mcp_aql_read. To find an operation call 'mcp_aql_read' with {search}."
        );
        assert_eq!(answer["error"]["message"], told);
        assert!(!looks_like_a_leak(&told), "{told}");
        let params = json!({"query": "search", "search": words});
        let arguments = json!({"operation": "introspect", "params": params});
        assert_eq!(answer["error"]["data"], json!({"name": "mcp_aql_read", "arguments": arguments}));
    }
}
