//! Requests through all layers, from the guard to the operations: what tokens allow, and questions on the way.
//!
//! The routes are called in this process; nothing listens.

use super::{CallerListWriter, HttpSettings, Route, Token, router};
use crate::metrics::Metrics;
use crate::test_dispatcher::{TOOL, TestDispatcher, inside, order};
use aqueduct_operations::clock::Clock;
use axum::Router;
use axum::body::Body;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

/// The SHA-256 of `one` and of `two`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
const TWO: &str = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

/// Ann may read the stock; Bob has no scopes.
fn guarded(desk: &TestDispatcher) -> Router {
    let ann = Token::new("ann", ONE).unwrap().with_scopes(["stock:read".to_owned()]);
    let tokens = vec![ann, Token::new("bob", TWO).unwrap()];
    serving(desk, HttpSettings { tokens, ..HttpSettings::default() })
}

fn serving(desk: &TestDispatcher, settings: HttpSettings) -> Router {
    router(&desk.dispatcher, &Arc::new(Metrics::default()), &settings, &Route::ALL)
}

/// A client: its token, and what goes on in its session.
#[derive(Clone, Copy)]
struct Client<'a> {
    router: &'a Router,
    token: &'a str,
    session: Option<&'a str>,
    version: &'a str,
}

impl Client<'_> {
    async fn post(&self, message: &Value) -> Response<Body> {
        let mut request = Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("authorization", format!("Bearer {}", self.token))
            .header("mcp-protocol-version", self.version);
        if let Some(session) = self.session {
            request = request.header("mcp-session-id", session);
        } else if let Some(method) = message["method"].as_str().filter(|_| self.version == "2026-07-28") {
            request = request.header("mcp-method", method).header("mcp-name", TOOL);
        }
        let request = request.body(Body::from(message.to_string())).unwrap();
        let answer = self.router.clone().call(request);
        timeout(Duration::from_secs(60), answer).await.expect("an answer").unwrap()
    }

    /// Opens a session; its name.
    async fn open(&self) -> String {
        let client = json!({"name": "test", "version": "1"});
        let capabilities = json!({"elicitation": {}});
        let params =
            json!({"protocolVersion": self.version, "capabilities": capabilities, "clientInfo": client});
        let opened =
            self.post(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
        let session = opened.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let open = Client { session: Some(&session), ..*self };
        assert_eq!(open.post(&ready).await.status(), StatusCode::ACCEPTED);
        session
    }

    /// Calls the tool, with what more the parameters have; the last message of the answer.
    async fn call(&self, arguments: Value, more: Value) -> Value {
        let answer = self.post(&self.calling(arguments, more)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        Messages::of(answer).last().await
    }

    fn calling(&self, arguments: Value, more: Value) -> Value {
        let mut params = json!({"name": TOOL, "arguments": arguments});
        if self.version == "2026-07-28" {
            let about = "io.modelcontextprotocol";
            params["_meta"] = json!({
                format!("{about}/protocolVersion"): self.version,
                format!("{about}/clientCapabilities"): {"elicitation": {}},
                format!("{about}/clientInfo"): {"name": "test", "version": "1"},
            });
        }
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})
    }
}

/// The messages of an answer, one by one as they come.
struct Messages {
    body: Body,
    held: String,
    is_stream: bool,
}

impl Messages {
    fn of(answer: Response<Body>) -> Messages {
        let is_stream = answer.headers()["content-type"] == "text/event-stream";
        Messages { body: answer.into_body(), held: String::new(), is_stream }
    }

    async fn next(&mut self) -> Option<Value> {
        loop {
            if self.is_stream
                && let Some((line, rest)) = self.held.split_once('\n')
            {
                let message = line.strip_prefix("data:").and_then(|data| serde_json::from_str(data).ok());
                self.held = rest.to_owned();
                if message.is_some() {
                    return message;
                }
                continue;
            }
            let frame = timeout(Duration::from_secs(60), self.body.frame()).await.expect("more or the end");
            match frame {
                Some(frame) => {
                    let data = frame.unwrap().into_data().unwrap();
                    self.held.push_str(std::str::from_utf8(&data).unwrap());
                }
                None => {
                    let rest = std::mem::take(&mut self.held);
                    return serde_json::from_str(&rest).ok();
                }
            }
        }
    }

    async fn last(mut self) -> Value {
        let mut last = Value::Null;
        while let Some(message) = self.next().await {
            last = message;
        }
        last
    }
}

fn count(operation: &str) -> Value {
    json!({"operation": operation})
}

/// S-registry-3: an operation that needs a scope is refused to a token without it, in every version, alone and in a batch;
/// another's session does not help.
#[tokio::test]
async fn scopes_of_tokens() {
    let desk = TestDispatcher::new();
    let router = guarded(&desk);
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        for (token, may) in [("one", true), ("two", false)] {
            let client = Client { router: &router, token, session: None, version };
            let has_sessions = version != "2026-07-28";
            let session = if has_sessions { Some(client.open().await) } else { None };
            let client = Client { session: session.as_deref(), ..client };
            let answer = inside(&client.call(count("count_stock"), json!({})).await);
            if may {
                assert_eq!(answer, json!({"count": 7}), "{version}");
            } else {
                assert_eq!(answer["code"], "PERMISSION_DENIED", "{version}");
                assert_eq!(answer["message"], "Permission denied: requires 'stock:read' scope");
            }
            let free = inside(&client.call(count("count_doors"), json!({})).await);
            assert_eq!(free, json!({"count": 7}), "it needs none");
            let operations = json!([count("count_doors"), count("count_stock")]);
            let batch = json!({"operation": "batch", "params": {"operations": operations}});
            let text = client.call(batch, json!({})).await.to_string();
            assert_eq!(text.contains("PERMISSION_DENIED"), !may, "{text}");
            if has_sessions {
                let other = Client { token: if may { "two" } else { "one" }, ..client };
                let answer = other.post(&other.calling(count("count_stock"), json!({}))).await;
                assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{version}");
            }
        }
    }
}

/// Where no one needs a token, everybody who gets here may do everything.
#[tokio::test]
async fn no_tokens_no_scopes() {
    let desk = TestDispatcher::new();
    let router = serving(&desk, HttpSettings::default());
    let client = Client { router: &router, token: "", session: None, version: "2026-07-28" };
    assert_eq!(inside(&client.call(count("count_stock"), json!({})).await), json!({"count": 7}));
}

/// In a session, a question comes on the stream of the call that it is about, and its answer by a request of its own.
#[tokio::test]
async fn questions_on_the_stream_of_their_call() {
    let desk = TestDispatcher::new();
    let router = guarded(&desk);
    let client = Client { router: &router, token: "one", session: None, version: "2025-06-18" };
    let session = client.open().await;
    let client = Client { session: Some(&session), ..client };
    let mut messages = Messages::of(client.post(&client.calling(order(2), json!({}))).await);
    for number in 1..=2 {
        let question = messages.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["message"], format!("How many, {number}?"));
        let result = json!({"action": "accept", "content": {"count": number}});
        let answered = client.post(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result})).await;
        assert_eq!(answered.status(), StatusCode::ACCEPTED);
    }
    let answer = messages.next().await.unwrap();
    assert_eq!((&answer["id"], &inside(&answer)["said"]), (&json!(7), &json!([{"count": 1}, {"count": 2}])));
}

/// Without one, a call that waits belongs to the token that sent it: another's answer is refused, and changes nothing.
#[tokio::test]
async fn calls_that_wait_belong_to_a_token() {
    let desk = TestDispatcher::new();
    let router = guarded(&desk);
    let ann = Client { router: &router, token: "one", session: None, version: "2026-07-28" };
    let bob = Client { token: "two", ..ann };
    let asked = ann.call(order(1), json!({})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let accepted = json!({"action": "accept", "content": {"count": 4}});
    let state = &asked["result"]["requestState"];
    let more = json!({"requestState": state, "inputResponses": {"question_1": accepted}});
    let refused = bob.post(&bob.calling(order(1), more.clone())).await;
    assert_eq!(Messages::of(refused).last().await["error"]["code"], -32602);
    let answer = ann.call(order(1), more).await;
    assert_eq!(inside(&answer)["said"], json!([{"count": 4}]));
}

/// A session that its client ends takes its open calls with it.
#[tokio::test]
async fn the_end_of_a_session_ends_its_questions() {
    let mut desk = TestDispatcher::new();
    let router = guarded(&desk);
    let client = Client { router: &router, token: "one", session: None, version: "2025-11-25" };
    let session = client.open().await;
    let client = Client { session: Some(&session), ..client };
    let mut messages = Messages::of(client.post(&client.calling(order(1), json!({}))).await);
    assert_eq!(messages.next().await.unwrap()["method"], "elicitation/create");
    let end = Request::delete("/mcp")
        .header("host", "localhost")
        .header("authorization", "Bearer one")
        .header("mcp-session-id", &session)
        .header("mcp-protocol-version", "2025-11-25");
    let ended = router.clone().call(end.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    assert_eq!(desk.next_end().await, None, "the call was dropped");
}

/// Whose last token was taken back, or has ended, has no session any more; the others go on.
#[tokio::test]
async fn sessions_end_with_the_last_token() {
    let desk = TestDispatcher::new();
    let metrics = Arc::new(Metrics::default());
    let (writer, list) = CallerListWriter::new();
    let end = desk.clock.now() + Duration::from_secs(60);
    let ann = Token::new("ann", ONE).unwrap().with_expiry(Some(end));
    writer.write(vec![ann.clone(), Token::new("bob", TWO).unwrap()]);
    let settings = HttpSettings { callers: Some(list), ..HttpSettings::default() };
    let router = router(&desk.dispatcher, &metrics, &settings, &Route::ALL);
    let client = |token| Client { router: &router, token, session: None, version: "2025-11-25" };
    let (of_ann, of_bob) = (client("one").open().await, client("two").open().await);
    let until_open = async |count: u32| {
        let line = format!("\naqueduct_sessions {count}\n");
        let look = async {
            while !metrics.text().contains(&line) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), look).await.unwrap_or_else(|_| panic!("{}", metrics.text()));
    };
    until_open(2).await;
    let (ann_in, bob_in) = (
        Client { session: Some(&of_ann), ..client("one") },
        Client { session: Some(&of_bob), ..client("two") },
    );
    for caller in [ann_in, bob_in] {
        caller.call(json!({"operation": "count_doors"}), json!({})).await;
    }
    writer.write(vec![ann]);
    until_open(1).await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(bob_in.post(&ping).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(ann_in.post(&ping).await.status(), StatusCode::OK);
    desk.clock.advance(Duration::from_secs(60));
    until_open(0).await;
    assert_eq!(ann_in.post(&ping).await.status(), StatusCode::UNAUTHORIZED);
    assert!(
        metrics.text().contains("aqueduct_sessions_ended_total{end=\"graceful\"} 2"),
        "{}",
        metrics.text()
    );
}
