//! Sessions over HTTP: what belongs to one is of no use in another.

use super::server::{ANN, BOB, HttpServer, TOKENS, delete, token_in};
use crate::outside::harness::code;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::time::Duration;

async fn upstream() -> FakeApi {
    FakeApi::start(|_| Answer::json(200, json!({}))).await
}

/// Ruling S4: a session is that of its `Mcp-Session-Id`, and a confirmation belongs to it.
#[tokio::test]
async fn sessions_do_not_share_confirmations() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let (one, two) = (server.open("2025-11-25", &[]).await, server.open("2025-06-18", &[]).await);
    assert_ne!(one, two);
    let token = token_in(&server.in_session(&one, &[], &delete(None)).await.inside());
    let stolen = server.in_session(&two, &[], &delete(Some(&token))).await.inside();
    assert_eq!(code(&stolen), "TOKEN_INVALID");
    let stateless = server.stateless(&[], &delete(Some(&token))).await.inside();
    assert_eq!(code(&stateless), "TOKEN_INVALID");
    assert_eq!(api.requests().len(), 0);
    let done = server.in_session(&one, &[], &delete(Some(&token))).await.inside();
    assert_eq!(done["success"], true, "{done}");
    assert_eq!(api.requests().len(), 1);
}

/// C2.3.1-1 C2.3.2-1 C2.3.2-3 C2.3.4-1 C2.3.4-3: a session begins with the handshake, one that its client closes has ended
/// gracefully, and one opened after it is a new one, with the same operations. What was counted stays.
#[tokio::test]
async fn sessions_begin_and_end() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    assert_eq!(server.metric("aqueduct_sessions").await, 0.0);
    let first = server.open("2025-11-25", &[]).await;
    assert_eq!(server.metric("aqueduct_sessions").await, 1.0);
    let token = token_in(&server.in_session(&first, &[], &delete(None)).await.inside());
    assert_eq!(server.ask("DELETE", "/mcp", &[("mcp-session-id", &first)]).await.status, 204);
    assert_eq!(server.in_session(&first, &[], &delete(Some(&token))).await.status, 404);
    while server.metric("aqueduct_sessions").await > 0.0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let second = server.open("2025-11-25", &[]).await;
    assert_ne!(first, second);
    let stale = server.in_session(&second, &[], &delete(Some(&token))).await.inside();
    assert_eq!(code(&stale), "TOKEN_INVALID");
    assert_eq!(api.requests().len(), 0);
    assert_eq!(server.metric("aqueduct_sessions_opened_total").await, 2.0);
    assert_eq!(server.metric("aqueduct_sessions_ended_total{end=\"graceful\"}").await, 1.0);
    assert_eq!(server.metric("aqueduct_sessions_ended_total{end=\"abrupt\"}").await, 0.0);
}

/// C2.3.2-2: a client that is not heard of any more has dropped its session.
#[tokio::test]
async fn sessions_that_are_dropped() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "[http]\nsession_idle_seconds = 1\n").await;
    server.open("2025-11-25", &[]).await;
    while server.metric("aqueduct_sessions").await > 0.0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.metric("aqueduct_sessions_ended_total{end=\"abrupt\"}").await, 1.0);
    assert_eq!(server.metric("aqueduct_sessions_ended_total{end=\"graceful\"}").await, 0.0);
}

/// Ruling S4: without sessions, what a call leaves behind belongs to the token's owner.
#[tokio::test]
async fn stateless_callers_have_their_own() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), TOKENS).await;
    let token = token_in(&server.stateless(&[ANN], &delete(None)).await.inside());
    let other = server.stateless(&[BOB], &delete(Some(&token))).await.inside();
    assert_eq!(code(&other), "TOKEN_INVALID");
    let done = server.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(done["success"], true, "{done}");
    let local = HttpServer::shop(&api.base_url(), "").await;
    let token = token_in(&local.stateless(&[], &delete(None)).await.inside());
    assert_eq!(local.stateless(&[], &delete(Some(&token))).await.inside()["success"], true);
}

#[tokio::test]
async fn a_session_works_only_for_who_opened_it() {
    let server = HttpServer::shop("http://127.0.0.1:9", TOKENS).await;
    let session = server.open("2025-11-25", &[ANN]).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(server.in_session(&session, &[ANN], &list).await.status, 200);
    assert_eq!(server.in_session(&session, &[BOB], &list).await.status, 404);
    let taken = [("mcp-session-id", session.as_str()), BOB];
    assert_eq!(server.ask("DELETE", "/mcp", &taken).await.status, 404);
    let listening = [taken[0], BOB, ("accept", "text/event-stream")];
    assert_eq!(server.ask("GET", "/mcp", &listening).await.status, 404);
    assert_eq!(server.in_session(&session, &[ANN], &list).await.status, 200);
}

#[tokio::test]
async fn idle_and_surplus_sessions() {
    let server =
        HttpServer::shop("http://127.0.0.1:9", "[http]\nmax_sessions = 1\nsession_idle_seconds = 1").await;
    let session = server.open("2025-11-25", &[]).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(server.in_session(&session, &[], &list).await.status, 200);
    let second = server.open("2025-11-25", &[]).await;
    assert_eq!(server.in_session(&session, &[], &list).await.status, 404, "the first made room");
    while server.metric("aqueduct_sessions").await > 0.0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.in_session(&second, &[], &list).await.status, 404, "the second was idle for too long");
    server.open("2025-11-25", &[]).await;
}
