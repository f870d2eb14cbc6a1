//! Every version of the protocol from one process: with sessions, and without.

use super::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

#[tokio::test]
async fn all_versions_from_one_process() {
    let api = FakeApi::start(|_| Answer::json(200, json!({"id": 3}))).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let get = call(2, "mcp_aql_read", "get_product", json!({"product_id": 3}));
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for version in ["2025-06-18", "2025-11-25"] {
        let session = server.open(version, &[]).await;
        let headers = [("mcp-protocol-version", version)];
        let listed = server.in_session(&session, &headers, &list).await;
        assert_eq!(listed.header("content-type"), Some("application/json"));
        assert_eq!(listed.message()["result"]["tools"].as_array().unwrap().len(), 5, "{version}");
        let got = server.in_session(&session, &headers, &get).await;
        assert_eq!(got.inside()["data"]["id"], 3, "{version}");
    }
    let found = server
        .stateless(&[], &json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}))
        .await;
    assert_eq!(found.header("content-type"), Some("application/json"));
    assert_eq!(found.header("mcp-session-id"), None);
    let versions = found.message()["result"]["supportedVersions"].clone();
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        assert!(versions.as_array().unwrap().contains(&json!(version)), "{versions}");
    }
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    assert_eq!(server.stateless(&[], &list).await.message()["result"]["tools"].as_array().unwrap().len(), 5);
    assert_eq!(server.stateless(&[], &get).await.inside()["data"]["id"], 3);
}

#[tokio::test]
async fn headers_that_contradict_the_message() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let get = call(2, "mcp_aql_read", "introspect", json!({"query": "operations"}));
    let bytes = String::from_utf8(server.stateless_bytes(&[], &get)).unwrap();
    assert_eq!(server.exchange(bytes.as_bytes()).await.status, 200);
    let other = bytes.replace("mcp-name: mcp_aql_read", "mcp-name: mcp_aql_delete");
    assert_eq!(server.exchange(other.as_bytes()).await.status, 400);
    let unknown = server.post(&[("mcp-protocol-version", "1999-01-01")], get.to_string().as_bytes()).await;
    assert_eq!(unknown.status, 400);
    let no_session = server.post(&[], get.to_string().as_bytes()).await;
    assert_eq!(no_session.status, 400, "{no_session:?}");
    for (method, status) in [("PUT", 405), ("GET", 406)] {
        assert_eq!(server.ask(method, "/mcp", &[]).await.status, status, "{method}");
    }
}

/// What is not declared is not there: no empty lists in its place, and no handshake where there are no sessions.
#[tokio::test]
async fn methods_that_are_not_served() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    for method in ["prompts/list", "resources/list", "resources/templates/list", "initialize", "no/such"] {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}});
        let answer = server.stateless(&[], &message).await;
        assert_eq!(answer.status, 404, "{method}: {answer:?}");
        let error = &answer.message()["error"];
        assert_eq!(error["code"], -32601, "{method}");
        assert!(error["message"].as_str().unwrap().contains(&format!("'{method}'")), "{error}");
    }
    let session = server.open("2025-11-25", &[]).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/list"});
    assert_eq!(server.in_session(&session, &[], &message).await.message()["error"]["code"], -32601);
}
