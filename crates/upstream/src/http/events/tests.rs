//! Streams of events as callers meet them: framing, redaction, silence, the end of a connection from both sides.
//!
//! A fake API, or a connection in the hands of the test, sends bytes; the events that come out are compared.
//! Connecting again and bounds have files of their own.

mod bounded;

use super::{CollectLimits, EventStream, ServerSentEvent};
use crate::cache::ReadOptions;
use crate::error::{TransportErrorKind, UnreadableKind, UpstreamError};
use crate::test_support::{send, upstream};
use crate::upstream::Upstream;
use aqueduct_operations::auth::{Auth, OAuth2};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::target::{AnswerKind, Method};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::operation::{get, http_target, param, with_param, with_site, with_target};
use aqueduct_testkit::permit::PermittedOperation;
use futures::StreamExt;
use proptest::{prop_assert_eq, proptest};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HEAD: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n";

fn watching(base_url: &str) -> Operation {
    with_target(get("watch", base_url, "/events"), |target| target.answer = AnswerKind::Events)
}

async fn opened(
    upstream: &Upstream,
    operation: &Operation,
    values: Value,
) -> Result<EventStream, UpstreamError> {
    let values = Arc::new(values.as_object().cloned().unwrap());
    let permitted = PermittedOperation::new(operation);
    let prepared = Upstream::prepare(permitted.operation(), &values).unwrap();
    upstream.events(permitted.permit(&values), &prepared).await
}

/// A stream that is answered so.
fn streaming(body: impl AsRef<[u8]>) -> Answer {
    Answer::raw([HEAD.as_bytes(), body.as_ref()].concat())
}

async fn events_of(body: impl AsRef<[u8]>) -> Vec<ServerSentEvent> {
    let api = FakeApi::always(streaming(body)).await;
    let stream = opened(&upstream(&[]), &watching(&api.base_url()), json!({})).await.unwrap();
    stream.map(Result::unwrap).collect().await
}

fn event(name: Option<&str>, data: Value, id: Option<&str>) -> ServerSentEvent {
    ServerSentEvent { event: name.map(str::to_owned), data, id: id.map(str::to_owned) }
}

/// S-openapi-33: the request is built like any other, and asks for a stream.
#[tokio::test]
async fn the_request() {
    let api = FakeApi::always(streaming("data: 1\n\n")).await;
    let operation =
        with_param(watching(&api.base_url()), param("topic", ValueKind::String, ParamLocation::Query));
    let stream = opened(&upstream(&[]), &operation, json!({"topic": "a b"})).await.unwrap();
    assert_eq!(stream.count().await, 1);
    let request = api.only_request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/events?topic=a%20b"));
    assert_eq!(request.header("accept"), Some("text/event-stream, application/json;q=0.5"));
}

/// S-openapi-35: frames as the standard has them.
#[tokio::test]
async fn framing() {
    let one = |data| vec![event(None, data, None)];
    for (body, expected) in [
        ("data: {\"a\":1}\n\n", one(json!({"a": 1}))),
        ("data:{\"a\":1}\r\n\r\n", one(json!({"a": 1}))),
        ("data: 7\r\r", one(json!(7))),
        ("\u{feff}data: 7\n\n", one(json!(7))),
        ("data: [DONE]\n\n", one(json!("[DONE]"))),
        ("data:  two spaces\n\n", one(json!(" two spaces"))),
        ("data: a\ndata: b\ndata\ndata:c\n\n", one(json!("a\nb\n\nc"))),
        ("data: {\ndata: \"a\": 2}\n\n", one(json!({"a": 2}))),
        ("data\n\n", one(json!(""))),
        (": comment\n\n:\ndata: 1\n: other\n\n", one(json!(1))),
        ("unknown: 1\nDATA: 2\ndata: 3\n\n", one(json!(3))),
        ("event: tick\nid: 5\ndata: 1\n\n", vec![event(Some("tick"), json!(1), Some("5"))]),
        (
            "event: a\nevent: b\ndata: 1\n\ndata: 2\n\n",
            vec![event(Some("b"), json!(1), None), event(None, json!(2), None)],
        ),
        ("event:\nid: a\0b\ndata: 1\n\n", one(json!(1))),
        // Without data there is no event, and a last one that is not whole is none either.
        ("event: tick\nid: 5\n\nretry: 10\n\n", vec![]),
        ("data: 1\n\ndata: 2\n", one(json!(1))),
        ("", vec![]),
    ] {
        assert_eq!(events_of(body).await, expected, "{body:?}");
    }
    assert_eq!(events_of(b"data: a\xffb\n\n").await, one(json!("a\u{fffd}b")));
    assert_eq!(
        events_of(format!("data: {}1\n\n", "[".repeat(500))).await[0].data,
        json!(format!("{}1", "[".repeat(500)))
    );
}

proptest! {
    /// S-openapi-35: however the network cuts it, the same events come.
    #[test]
    fn cuts_do_not_matter(cuts in proptest::collection::vec(0usize..80, 0..6), ending in "\n|\r|\r\n") {
        let text = ["\u{feff}event: é", "id: 1", "data: {\"é\":", "data: 1}", "", ": c", "data: x", "", ""].join(&ending);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([text.len()]) {
            pieces.push(text.as_bytes()[from..cut].to_vec());
            from = cut;
        }
        let events: Vec<ServerSentEvent> = runtime.block_on(async {
            bounded::stream_of(pieces).map(Result::unwrap).collect().await
        });
        prop_assert_eq!(events, vec![event(Some("é"), json!({"é": 1}), Some("1")), event(None, json!("x"), None)]);
    }
}

/// The other side of a connection, in the hands of the test.
struct Server {
    listener: TcpListener,
}

impl Server {
    async fn start() -> Server {
        Server { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    fn operation(&self) -> Operation {
        watching(&format!("http://{}", self.listener.local_addr().unwrap()))
    }

    /// Takes a request and answers with the head of a stream.
    async fn accept(&self) -> TcpStream {
        let (mut stream, _) = self.listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).await.unwrap();
            request.push(byte[0]);
        }
        stream.write_all(HEAD.as_bytes()).await.unwrap();
        stream
    }
}

/// S-openapi-34 S-openapi-36: each event is there before the next one is even sent.
#[tokio::test]
async fn one_by_one() {
    let server = Server::start().await;
    let (upstream, operation) = (upstream(&[]), server.operation());
    let (stream, connection) = tokio::join!(opened(&upstream, &operation, json!({})), server.accept());
    let (mut stream, mut connection) = (stream.unwrap(), connection);
    for number in 0..3 {
        connection.write_all(format!("data: {number}\n").as_bytes()).await.unwrap();
        connection.write_all(b"\n").await.unwrap();
        assert_eq!(stream.next().await.unwrap().unwrap().data, json!(number));
    }
    drop(connection);
    assert!(stream.next().await.is_none());
}

#[test]
fn as_json() {
    assert_eq!(event(None, json!([1]), None).json(), json!({"data": [1]}));
    let full = json!({"event": "tick", "id": "7", "data": {"a": 1}});
    assert_eq!(event(Some("tick"), json!({"a": 1}), Some("7")).json(), full);
}

/// R10.5-1: a stream that may change something ends what is kept of it.
#[tokio::test]
async fn changes_end_what_is_kept() {
    let api = FakeApi::start(|request| match request.method.as_str() {
        "GET" => Answer::json(200, json!(request.index)).header("Cache-Control", "max-age=3600"),
        _ => streaming("data: 1\n\n"),
    })
    .await;
    let upstream = upstream(&[]);
    let reading = get("read", &api.base_url(), "/events");
    let acting = with_target(watching(&api.base_url()), |target| target.method = Method::Post);
    let read = async || {
        send(&upstream, &reading, json!({}), &ReadOptions::default()).await.unwrap().data.as_str().to_owned()
    };
    assert_eq!((read().await, read().await), ("0".to_owned(), "0".to_owned()));
    // Spawned, as a server does it.
    let (caller, operation) = (upstream.clone(), acting.clone());
    let opening =
        tokio::spawn(async move { opened(&caller, &operation, json!({})).await.unwrap().count().await });
    assert_eq!(opening.await.unwrap(), 1);
    assert_eq!(read().await, "2");
}

/// S-openapi-37: a stream that is dropped closes its connection, seen from the other side; so does one that was collected.
#[tokio::test]
async fn dropping_closes() {
    let server = Server::start().await;
    let (upstream, operation) = (upstream(&[]), server.operation());
    for is_collected in [false, true] {
        let (stream, mut connection) =
            tokio::join!(opened(&upstream, &operation, json!({})), server.accept());
        connection.write_all(b"data: 1\n\n").await.unwrap();
        let mut stream = stream.unwrap();
        if is_collected {
            let limits = CollectLimits { max_events: 1, max_bytes: 100, duration: Duration::from_secs(60) };
            assert_eq!(super::collect(stream, limits, |_| {}).await.events.len(), 1);
        } else {
            stream.next().await.unwrap().unwrap();
            drop(stream);
        }
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(20), connection.read_to_end(&mut rest));
        closed.await.expect("the connection is closed").unwrap_or_default();
    }
}

/// S-openapi-33: statuses other than 2xx are the usual errors, another content type is an error, 204 is a stream of nothing.
#[tokio::test]
async fn other_answers() {
    let open = async |answer: Answer| {
        let api = FakeApi::always(answer).await;
        opened(&upstream(&[]), &watching(&api.base_url()), json!({})).await
    };
    match open(Answer::json(404, json!({"message": "no such topic"}))).await {
        Err(UpstreamError::Status(status)) => {
            assert_eq!((status.status, status.words.as_str()), (404, "no such topic"));
        }
        other => panic!("{other:?}"),
    }
    for answer in
        [Answer::json(200, json!({"a": 1})), Answer::html(200, "<html>"), Answer::bytes(200, "data: 1\n\n")]
    {
        match open(answer).await {
            Err(UpstreamError::Unreadable(error)) => assert_eq!(error.kind, UnreadableKind::NotEvents),
            other => panic!("{other:?}"),
        }
    }
    let events = Answer::bytes(200, "data: 1\n\n").header("Content-Type", "Text/Event-Stream;charset=UTF-8");
    assert_eq!(open(events).await.unwrap().count().await, 1);
    assert_eq!(open(Answer::empty(204)).await.unwrap().count().await, 0);
    let silent = FakeApi::always(Answer::hang()).await;
    let after = Duration::from_millis(100);
    let operation = with_site(watching(&silent.base_url()), |site| site.timeout = after);
    match opened(&upstream(&[]), &operation, json!({})).await {
        Err(UpstreamError::Transport(error)) => {
            assert_eq!(error.kind, TransportErrorKind::Timeout { after })
        }
        other => panic!("{other:?}"),
    }
}

/// A connection that breaks in the middle is an error after the events that came.
#[tokio::test]
async fn broken_connections() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n";
    let api = FakeApi::always(Answer::raw(format!("{head}data: 1\n\nda"))).await;
    let mut stream = opened(&upstream(&[]), &watching(&api.base_url()), json!({})).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().data, json!(1));
    match stream.next().await {
        Some(Err(UpstreamError::Transport(error))) => {
            assert!(matches!(error.kind, TransportErrorKind::Network { .. }))
        }
        other => panic!("{other:?}"),
    }
    assert!(stream.next().await.is_none());
}

/// R11.2-1: a credential that comes back in an event is not passed on, however it is spelled.
#[tokio::test]
async fn redacted() {
    let body = "event: t0ken-value\nid: t0ken-value\ndata: {\"a\":\"\\u0074\\u0030ken-value\",\"t0ken-value\":1}\n\ndata: got t0ken-value\n\n";
    let api = FakeApi::always(streaming(body)).await;
    let operation = with_site(watching(&api.base_url()), |site| {
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    });
    let stream = opened(&upstream(&[("T", "t0ken-value")]), &operation, json!({})).await.unwrap();
    assert_eq!(format!("{stream:?}"), "EventStream");
    let events: Vec<ServerSentEvent> = stream.map(Result::unwrap).collect().await;
    let mark = "[REDACTED]";
    let expected = [
        event(Some(mark), json!({"a": mark, mark: 1}), Some(mark)),
        event(None, json!("got [REDACTED]"), None),
    ];
    assert_eq!(events, expected);
    assert_eq!(api.only_request().header("authorization"), Some("Bearer t0ken-value"));
}

/// S-openapi-16: streams have tokens too, and get another one when the first is refused.
#[tokio::test]
async fn tokens() {
    let api = FakeApi::start(|request| match (request.path(), request.index) {
        ("/token", index) => Answer::json(200, json!({"access_token": format!("token-{index}")})),
        (_, 1) => Answer::empty(401),
        _ => streaming("data: 1\n\n"),
    })
    .await;
    let rule = OAuth2 {
        token_url: format!("{}/token", api.base_url()).parse().unwrap(),
        client_id_env: "ID".into(),
        client_secret_env: "SECRET".into(),
        refresh_token_env: None,
        scopes: Vec::new(),
    };
    let operation = with_site(watching(&api.base_url()), |site| site.auth = Auth::OAuth2(rule));
    let upstream = upstream(&[("ID", "client"), ("SECRET", "s3cret")]);
    let stream = opened(&upstream, &operation, json!({})).await.unwrap();
    assert_eq!(stream.count().await, 1);
    let sent: Vec<_> =
        api.requests().iter().map(|request| request.header("authorization").unwrap().to_owned()).collect();
    assert_eq!([&sent[1], &sent[3]], ["Bearer token-0", "Bearer token-2"]);
}
