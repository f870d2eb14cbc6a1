//! Taking the server away from the others: sessions without end, bodies that do not come to one, tokens by the thousand, ids alike.

use crate::outside::harness::{DEADLINE, code};
use crate::outside::http::server::{ANN, BOB, HttpServer, TOKENS, call, delete, read_answer, token_in};
use aqueduct_testkit::api::{Answer, FakeApi, Gate};
use futures::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

fn get_product(id: i64, product: i64) -> Value {
    call(id, "mcp_aql_read", "get_product", json!({"product_id": product}))
}

/// Answers with the product's number, products from 100 on only once the gate is open.
async fn upstream(gate: &Gate) -> FakeApi {
    let gate = gate.clone();
    FakeApi::start(move |request| {
        let number: i64 =
            request.path().rsplit('/').next().and_then(|it| it.parse().ok()).unwrap_or_default();
        let answer = Answer::json(200, json!({"id": number}));
        if number >= 100 { Answer::behind(&gate, answer) } else { answer }
    })
    .await
}

/// Every POST is answered, and with what it asked for, whatever other requests have its id: in one session, in another one, without
/// one.
#[tokio::test]
async fn ids_alike_are_each_answered() {
    let gate = Gate::default();
    let api = upstream(&gate).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let one = server.open("2025-11-25", &[]).await;
    let two = server.open("2025-06-18", &[]).await;
    let ids = [json!(7), json!("7"), json!("a \"quoted\" id")];
    let mut asked = Vec::new();
    for (number, id) in (100_i64..).step_by(10).zip(&ids) {
        for product in number..number + 5 {
            let mut message = get_product(0, product);
            message["id"] = id.clone();
            let sent = match product % 5 {
                3 => server.stateless_bytes(&[], &message),
                4 => server.posted(&[("mcp-session-id", two.as_str())], message.to_string().as_bytes()),
                _ => server.posted(&[("mcp-session-id", one.as_str())], message.to_string().as_bytes()),
            };
            asked.push((id.clone(), product, sent));
        }
    }
    let answers = join_all(asked.iter().map(async |(_, _, sent)| server.exchange(sent).await));
    let opened = async {
        api.wait_for_request_count(asked.len()).await;
        gate.open();
    };
    let (answers, ()) =
        timeout(DEADLINE, async { tokio::join!(answers, opened) }).await.expect("all are answered");
    for ((id, product, _), answer) in asked.iter().zip(answers) {
        assert_eq!(answer.message()["id"], *id, "{answer:?}");
        assert_eq!(answer.inside()["data"]["id"], *product, "{answer:?}");
    }
    let again = server.in_session(&one, &[], &get_product(7, 3)).await;
    assert_eq!(again.inside()["data"]["id"], 3, "an id that was answered is free again");
}

/// Who gives up an id gives up all its requests; those with other ids go on.
#[tokio::test]
async fn ids_alike_are_given_up_together() {
    let gate = Gate::default();
    let api = upstream(&gate).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let headers = [("mcp-session-id", session.as_str())];
    let mut streams = Vec::new();
    for (id, product) in [(7, 100), (7, 101), (8, 102)] {
        let mut stream = server.connect().await;
        let message = get_product(id, product).to_string();
        stream.write_all(&server.posted(&headers, message.as_bytes())).await.unwrap();
        streams.push(stream);
    }
    api.wait_for_request_count(3).await;
    let params = json!({"requestId": 7, "reason": "changed my mind"});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(server.in_session(&session, &[], &cancel).await.status, 202);
    for stream in &mut streams[..2] {
        let ended = timeout(DEADLINE, read_answer(stream)).await.expect("the stream ends");
        assert!(!ended.body.contains("\"result\""), "{ended:?}");
    }
    gate.open();
    let answer = timeout(DEADLINE, read_answer(&mut streams[2])).await.expect("an answer");
    assert_eq!(answer.inside()["data"]["id"], 102);
}

/// However many sessions a client leaves open, there is room for the next: the one that was idle for longest goes, and its client is
/// told as the protocol has it. One with a call under way stays.
#[tokio::test]
async fn idle_sessions_make_room() {
    let gate = Gate::default();
    let api = upstream(&gate).await;
    let server = HttpServer::shop(&api.base_url(), "[http]\nmax_sessions = 4\n").await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let busy = server.open("2025-11-25", &[]).await;
    let mut stream = server.connect().await;
    let headers = [("mcp-session-id", busy.as_str())];
    stream.write_all(&server.posted(&headers, get_product(1, 100).to_string().as_bytes())).await.unwrap();
    api.wait_for_request_count(1).await;
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(server.open("2025-11-25", &[]).await);
    }
    let last = idle.pop().unwrap();
    for gone in &idle {
        let answer = server.in_session(gone, &[], &list).await;
        assert_eq!(answer.status, 404, "{answer:?}");
    }
    assert_eq!(server.in_session(&last, &[], &list).await.status, 200);
    gate.open();
    let answer = timeout(DEADLINE, read_answer(&mut stream)).await.expect("an answer");
    assert_eq!(answer.inside()["data"]["id"], 100, "its session was older than all others, and stayed");
    assert_eq!(server.in_session(&busy, &[], &list).await.status, 200);
}

/// Where calls are under way in all sessions that could go, the next one is refused, and told why. Others have their half.
#[tokio::test]
async fn sessions_at_work_are_not_ended() {
    let gate = Gate::default();
    let api = upstream(&gate).await;
    let server = HttpServer::shop(&api.base_url(), &format!("[http]\nmax_sessions = 4\n{TOKENS}")).await;
    let mut streams = Vec::new();
    for number in 0..2 {
        let session = server.open("2025-11-25", &[ANN]).await;
        let mut stream = server.connect().await;
        let headers = [("mcp-session-id", session.as_str()), ANN];
        stream
            .write_all(&server.posted(&headers, get_product(1, 100 + number).to_string().as_bytes()))
            .await
            .unwrap();
        streams.push(stream);
    }
    api.wait_for_request_count(2).await;
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string();
    let refused = server.post(&[ANN], initialize.as_bytes()).await.message();
    assert!(
        refused["error"]["message"].as_str().unwrap().contains("as many open sessions as it allows"),
        "{refused}"
    );
    server.open("2025-11-25", &[BOB]).await;
    gate.open();
    for stream in &mut streams {
        assert_eq!(timeout(DEADLINE, read_answer(stream)).await.unwrap().inside()["success"], true);
    }
    server.open("2025-11-25", &[ANN]).await;
}

/// Bodies that are begun and not ended are held only up to a sum. Who sends little is served meanwhile, and who sends much is told
/// when to come again.
#[tokio::test]
async fn bodies_are_bounded_in_sum() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1}))).await;
    let server = HttpServer::shop(&api.base_url(), "[http]\nmax_buffered_bytes = 1048576\n").await;
    let large = call(9, "mcp_aql_create", "create_order", json!({"note": "x".repeat(900_000)}));
    let large = server.stateless_bytes(&[], &large);
    assert_eq!(server.exchange(&large).await.status, 200, "one alone has room");
    let (begun, rest) = large.split_at(large.len() - 10);
    let mut stalled = Vec::new();
    // The server reads in its own time: while the first is still on its way, another one may get before it.
    let refused = async {
        loop {
            let mut stream = server.connect().await;
            stream.write_all(begun).await.unwrap();
            stalled.push(stream);
            let answer = server.exchange(&large).await;
            if answer.status != 200 {
                return answer;
            }
        }
    };
    let refused = timeout(DEADLINE, refused).await.expect("the sum is reached");
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{refused:?}");
    let small = server.stateless(&[], &get_product(1, 1)).await;
    assert_eq!(small.inside()["data"]["id"], 1, "who sends little is served");
    let mut statuses = Vec::new();
    for mut stream in stalled {
        // One that was refused is closed.
        stream.write_all(rest).await.ok();
        let mut answer = Vec::new();
        timeout(DEADLINE, stream.read_to_end(&mut answer)).await.expect("an end").ok();
        statuses.push(String::from_utf8_lossy(&answer[..answer.len().min(12)]).into_owned());
    }
    assert!(
        statuses.iter().any(|status| status == "HTTP/1.1 200"),
        "who was there first goes on: {statuses:?}"
    );
    let free = async {
        while server.exchange(&large).await.status != 200 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(DEADLINE, free).await.expect("there is room again");
    assert!(server.metric("aqueduct_http_refused_total{reason=\"buffers\"}").await >= 1.0);
}

/// X-token-19: a session that asks for tokens by the thousand is stopped after 120 in a minute, and no one else loses theirs.
#[tokio::test]
async fn tokens_by_the_thousand() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let quiet = server.open("2025-11-25", &[]).await;
    let greedy = server.open("2025-11-25", &[]).await;
    let token = token_in(&server.in_session(&quiet, &[], &delete(None)).await.inside());
    let mut codes = Vec::new();
    for _ in 0..126 {
        let asked = (0..8).map(async |_| server.in_session(&greedy, &[], &delete(None)).await.inside());
        codes.extend(join_all(asked).await.iter().map(|answer| code(answer).to_owned()));
    }
    let stopped = codes.iter().filter(|code| *code == "RATE_LIMIT_EXCEEDED").count();
    let issued = codes.iter().filter(|code| *code == "CONFIRMATION_REQUIRED").count();
    // A slow machine may reach the next minute.
    assert!(issued >= 120 && stopped + issued == codes.len(), "{issued} issued, {stopped} stopped");
    assert!(stopped > 0);
    let kept = server.in_session(&quiet, &[], &delete(Some(&token))).await.inside();
    assert_eq!(kept["success"], true, "{kept}");
}
