use super::support::{LONG, add, call_of, clients, eventually, run, run_with, until};
use super::web_replies::Canned;
use aqueduct_mcp_client::ClientEvent;
use aqueduct_operations::handler::{Boxed, ElicitResponse, HandlerError, HandlerValues, run_handler};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::rate_limits::metering::{
    LimitRefusal, RequestMeter, RequestRecord, RequestSlot, ResponseFacts,
};
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Target};
use aqueduct_testkit::mcp::people::{Person, ProgressRecorder};
use aqueduct_testkit::mcp::web::{Speaks, WebServer};
use aqueduct_testkit::permit::PermittedOperation;
use serde_json::{Map, json};
use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn config(server: &WebServer) -> ServerConfig {
    let headers = vec![NamedSecret::new("Authorization", "Bearer ${GIVEN_SECRET}")];
    ServerConfig {
        name: "web".into(),
        reach: ServerTransport::Http { url: server.url.clone(), headers },
        timeout: LONG,
    }
}

/// S-mcp-2 S-mcp-5: a server over HTTP, of the newest protocol and of the older one, with headers on every request.
#[tokio::test]
async fn both_protocols_over_http() {
    for (speaks, version) in [(Speaks::Newest, "2026-07-28"), (Speaks::Older, "2025-11-25")] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let client = add(&clients, config(&server));
        client.ready().await.unwrap();
        let listing = client.listing().unwrap();
        assert_eq!(listing.tools[0]["name"], "tool_0", "{version}");
        assert_eq!(listing.server["name"], "fake-web", "{version}");
        let envelope = run(&clients, "web", "echo", json!({"a": [1]})).await.unwrap();
        assert_eq!(envelope.data, json!({"got": {"a": [1]}, "version": version}));
        let seen = server.credentials();
        assert!(!seen.is_empty() && seen.iter().all(|value| value == "Bearer given-s3cret"), "{seen:?}");
        clients.close_all().await;
    }
}

/// Progress and questions are passed on in both protocols, the newest asking by way of its results.
#[tokio::test]
async fn progress_and_questions_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let client = add(&clients, config(&server));
        let ear = Arc::new(ProgressRecorder::default());
        run_with(&client.handler(call_of("steps")), json!({}), Some(ear.clone()), None).await.unwrap();
        assert_eq!(ear.heard().len(), 3, "{speaks:?}");
        let ask = client.handler(call_of("ask"));
        let person = Arc::new(Person::who_says(ElicitResponse::Accepted(json!({"ok": true}))));
        let envelope = run_with(&ask, json!({}), None, Some(person.clone())).await.unwrap();
        assert_eq!(
            envelope.data["answer"],
            json!({"action": "accept", "content": {"ok": true}}),
            "{speaks:?}"
        );
        assert_eq!(person.asked()[0].message, "The MCP server 'web' asks: Really?");
        if speaks == Speaks::Newest {
            assert_eq!(envelope.data["state"], "where I was");
        }
        let alone = run_with(&ask, json!({}), None, None).await.unwrap();
        assert_eq!(alone.data["answer"]["action"], "decline", "{speaks:?}");
        clients.close_all().await;
    }
}

/// A meter that lets one request at a time go, and `left` of them.
#[derive(Debug, Default)]
struct OneAtATime {
    left: AtomicUsize,
    bodies: Arc<Mutex<Vec<String>>>,
    under_way: Arc<()>,
}

/// A request of it, which is under way for as long as it is held.
#[derive(Debug)]
struct Counted {
    bodies: Arc<Mutex<Vec<String>>>,
    _under_way: Arc<()>,
}

impl RequestMeter for OneAtATime {
    fn admit<'a>(&'a self) -> Boxed<'a, Result<RequestSlot, Box<LimitRefusal>>> {
        assert_eq!(Arc::strong_count(&self.under_way), 1, "the request before has ended");
        let left = self.left.load(Ordering::SeqCst);
        self.left.store(left.saturating_sub(1), Ordering::SeqCst);
        Box::pin(ready(match left {
            0 => Err(Box::new(LimitRefusal::Unavailable("used up".to_owned()))),
            _ => Ok(RequestSlot::recorded(Counted {
                bodies: Arc::clone(&self.bodies),
                _under_way: Arc::clone(&self.under_way),
            })),
        }))
    }
}

impl RequestRecord for Counted {
    fn answered(&mut self, _: &dyn ResponseFacts) {}

    fn returned(&mut self, body: &str) {
        self.bodies.lock().unwrap().push(body.to_owned());
    }
}

/// Each round of a tool that asks is a request of its own to the limits of the source, and one after another.
#[tokio::test]
async fn every_round_asks_the_limits() {
    let server = WebServer::start(Speaks::Newest).await;
    let clients = clients();
    let client = add(&clients, config(&server));
    client.ready().await.unwrap();
    let mut operation = aqueduct_testkit::operation::get("ask", "https://api.test", "/");
    operation.target =
        Target::Handler(HandlerTarget::new(HandlerKind::McpTool, client.handler(call_of("ask"))));
    let permitted = PermittedOperation::new(&operation);
    for (left, rounds) in [(2, 2), (1, 1), (0, 0)] {
        let meter = Arc::new(OneAtATime { left: AtomicUsize::new(left), ..OneAtATime::default() });
        let values = Arc::new(Map::new());
        let permit = permitted.permit_with(&values, Some(Arc::clone(&meter) as Arc<dyn RequestMeter>));
        let outcome = run_handler(permit, &HandlerValues::of_call(&values), None, None).await;
        let bodies = meter.bodies.lock().unwrap().clone();
        assert_eq!(bodies.len(), rounds, "{outcome:?}");
        assert_eq!(outcome.is_ok(), left == 2, "{outcome:?}");
        assert!(bodies.first().is_none_or(|body| body.contains("input_required")), "{bodies:?}");
        if let Err(error) = outcome {
            assert!(matches!(error, HandlerError::Limited(_)), "{error}");
        }
    }
    clients.close_all().await;
}

/// A changed list is followed over HTTP: in the newest protocol one has to listen for it, in the older it is told.
#[tokio::test]
async fn changes_are_followed_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let mut events = clients.events();
        add(&clients, config(&server)).ready().await.unwrap();
        let changes = tokio::spawn(async move {
            until(&mut events, |event| match event {
                ClientEvent::Changed { listing, .. } => Some(listing.tools.len()),
                _ => None,
            })
            .await
        });
        // Until somebody listens there is no one to tell.
        eventually(|| {
            server.offer(3);
            changes.is_finished()
        })
        .await;
        assert_eq!(changes.await.unwrap(), 3, "{speaks:?}");
        clients.close_all().await;
    }
}

/// Anyone who goes away cancels the call over HTTP too.
#[tokio::test]
async fn a_dropped_call_is_cancelled_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        add(&clients, config(&server)).ready().await.unwrap();
        let hanging = run(&clients, "web", "hang", json!({}));
        // An answer to another call says that the first has arrived.
        tokio::select! {
            biased;
            _ = hanging => panic!("it hangs"),
            answer = run(&clients, "web", "echo", json!({})) => drop(answer.unwrap()),
        }
        eventually(|| server.cancelled() == 1).await;
        clients.close_all().await;
    }
}

/// Ruling S7: credentials follow no redirect.
#[tokio::test]
async fn redirects_are_not_followed() {
    let server = WebServer::start(Speaks::Newest).await;
    let mut config = config(&server);
    let url = WebServer::redirecting_to(&server.url).await;
    if let ServerTransport::Http { url: place, .. } = &mut config.reach {
        *place = url;
    }
    let clients = clients();
    assert!(add(&clients, config).ready().await.is_err());
    assert_eq!(server.credentials(), Vec::<String>::new());
    clients.close_all().await;
}

/// A server that goes away is said to be unreachable at once, and found again when it is back.
#[tokio::test]
async fn a_lost_address_is_tried_again() {
    let server = WebServer::start(Speaks::Newest).await;
    let clients = clients();
    let mut events = clients.events();
    let mut gone = config(&server);
    if let ServerTransport::Http { url, .. } = &mut gone.reach {
        // No one listens on the port of a listener that was closed.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        url.set_port(Some(port)).unwrap();
    }
    gone.name = "gone".into();
    add(&clients, gone);
    until(&mut events, |event| matches!(event, ClientEvent::Lost { .. }).then_some(())).await;
    let error = run(&clients, "gone", "echo", json!({})).await.unwrap_err();
    let HandlerError::Unavailable { message } = error else { panic!("{error:?}") };
    assert!(message.contains("'gone'") && message.contains("being restarted"), "{message}");
    clients.close_all().await;
}

/// What a server says instead of shaking hands is told in one short line, without what it was sent as a secret.
#[tokio::test]
async fn a_refused_handshake_is_told_in_a_line() {
    let long = "x".repeat(5_000);
    for (status, kind, body, expected) in [
        (
            "302 Found",
            "text/plain",
            "go\n\u{1b}[2Jaway with given-s3cret",
            "it answers with HTTP 302: go [2Jaway with [REDACTED]",
        ),
        (
            "400 Bad Request",
            "text/plain",
            "no Bearer given-s3cret",
            "it answers with HTTP 400: no Bearer [REDACTED]",
        ),
        ("404 Not Found", "text/html", "<html>given-s3cret", "it answers with HTTP 404"),
        (
            "404 Not Found",
            "application/json",
            r#"{"no":"given-s3cret"}"#,
            r#"it answers with HTTP 404: {"no":"[REDACTED]"}"#,
        ),
        ("503 Unavailable", "text/plain", "given-s3cret", "it answers with HTTP 503"),
        ("401 Unauthorized", "text/plain", "given-s3cret", "it wants other credentials"),
        (
            "200 OK",
            "text/html",
            "<html>given-s3cret",
            "it answers with text/html, which is no message of the protocol",
        ),
        ("200 OK", "application/json", "{\"given-s3cret", "its answer cannot be read"),
        ("418 Teapot", "text/plain", long.as_str(), "it answers with HTTP 418: xxx"),
    ] {
        let canned = Canned::start(status, kind, body.as_bytes().to_vec(), 1).await;
        let clients = clients();
        let why = add(&clients, canned.config()).ready().await.unwrap_err().why;
        assert!(why.starts_with(expected), "{status}: {why}");
        assert!(why.len() < 400 && !why.contains("s3cret"), "{status}: {why}");
        clients.close_all().await;
    }
}

/// PEERS 7: a body without end at the handshake is not taken in.
#[tokio::test]
async fn an_endless_handshake_is_given_up() {
    let piece = vec![b' '; 1 << 20];
    for (status, kind, most) in [("200 OK", "application/json", 120), ("302 Found", "text/plain", 40)] {
        let canned = Canned::start(status, kind, piece.clone(), usize::MAX).await;
        let clients = clients();
        let why = add(&clients, canned.config()).ready().await.unwrap_err().why;
        assert!(!why.is_empty());
        let sent = canned.pieces();
        assert!(sent < most, "{status}: {sent} MiB were taken");
        clients.close_all().await;
    }
}

/// A server that has gone away is unreachable, and said to be so, also to the first call that finds out.
#[tokio::test]
async fn a_server_that_goes_away_is_unreachable() {
    let elsewhere =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = elsewhere.spawn(WebServer::start(Speaks::Older)).await.unwrap();
    let clients = clients();
    let client = add(&clients, config(&server));
    client.ready().await.unwrap();
    // Returns once its threads have ended, and their connections with them; it may not be waited for on a runtime.
    let gone = std::time::Duration::from_secs(30);
    tokio::task::spawn_blocking(move || elsewhere.shutdown_timeout(gone)).await.unwrap();
    drop(server);
    // The first may have been on its way.
    let first = run(&clients, "web", "echo", json!({})).await.unwrap_err();
    let is_unsure =
        matches!(&first, HandlerError::Failed { message, .. } if message.contains("may or may not"));
    assert!(is_unsure || matches!(first, HandlerError::Unavailable { .. }), "{first:?}");
    let second = run(&clients, "web", "echo", json!({})).await.unwrap_err();
    assert!(matches!(second, HandlerError::Unavailable { .. }), "{second:?}");
    clients.close_all().await;
}
