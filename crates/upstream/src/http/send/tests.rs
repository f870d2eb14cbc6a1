//! Tests of `send`.

mod private_addresses;

use crate::error::{TransportError, TransportErrorKind, UpstreamError};
use crate::test_support::{TestNames, call, program_call, upstream, upstream_with};
use aqueduct_egress::resolver::{AddressLookup, LookupFuture};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::log;
use aqueduct_testkit::operation::{get, operation, param, post, site, target, with_param, with_site};
use rustls::pki_types::PrivateKeyDer;
use serde_json::{Map, json};
use std::sync::Arc;
use std::time::Duration;

async fn failure(operation: &Operation) -> TransportError {
    match call(operation, &[], json!({})).await {
        Err(UpstreamError::Transport(error)) => error,
        other => panic!("{other:?}"),
    }
}

async fn failure_with(answer: Answer) -> TransportErrorKind {
    let api = FakeApi::always(answer).await;
    failure(&get("g", &api.base_url(), "/x")).await.kind
}

/// R2.2-5 X-plugins-7: method, path, headers and body arrive as built.
#[tokio::test]
async fn arrives_as_built() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_param(
        post("make", &format!("{}/v1", api.base_url()), "/items/{id}?kind=x"),
        param("title", ValueKind::String, ParamLocation::Body),
    );
    call(&operation, &[], json!({"id": "a/b c", "title": "é"})).await.unwrap();
    let seen = api.only_request();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("POST", "/v1/items/a%2Fb%20c?kind=x"));
    assert_eq!(seen.json(), json!({"title": "é"}));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("accept"), Some("application/json"));
}

/// S-openapi-15: a declared body arrives with every method.
#[tokio::test]
async fn bodies_arrive_with_every_method() {
    for method in Method::ALL {
        let api = FakeApi::always(Answer::empty(200)).await;
        let operation = operation("do_it", Category::Read, target(site(&api.base_url()), method, "/x"));
        let operation = with_param(operation, param("a", ValueKind::String, ParamLocation::Body));
        call(&operation, &[], json!({"a": "é"})).await.unwrap();
        let seen = api.only_request();
        assert_eq!((seen.method.as_str(), seen.json()), (method.name(), json!({"a": "é"})));
    }
}

/// A method that usually has a body says that it has none.
#[tokio::test]
async fn no_body_is_said_so() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    call(&post("make", &api.base_url(), "/x"), &[], json!({})).await.unwrap();
    let seen = api.only_request();
    assert_eq!((seen.header("content-length"), seen.header("content-type")), (Some("0"), None));
}

#[tokio::test]
async fn connections_are_kept() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = get("g", &api.base_url(), "/x");
    let upstream = upstream(&[]);
    for _ in 0..3 {
        program_call(&upstream, &operation, &Map::new()).await.unwrap();
    }
    assert_eq!((api.requests().len(), api.connection_count()), (3, 1));
}

/// R8.3-3 X-plugins-8 S-openapi-31: the timeout covers a silent server, and one that stops in the middle of a body.
#[tokio::test]
async fn timeouts() {
    for answer in [Answer::hang(), Answer::stall_after("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1")] {
        let api = FakeApi::always(answer).await;
        let after = Duration::from_millis(150);
        let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.timeout = after);
        assert_eq!(failure(&operation).await.kind, TransportErrorKind::Timeout { after });
    }
}

/// A call that is given up closes its connection, seen from the other side.
#[tokio::test]
async fn dropping_the_call_closes_the_connection() {
    let api = FakeApi::always(Answer::hang()).await;
    let operation = get("g", &api.base_url(), "/x");
    let upstream = upstream(&[]);
    let values = Map::new();
    let call = program_call(&upstream, &operation, &values);
    tokio::select! {
        _ = call => panic!("answered"),
        () = api.wait_for_request_count(1) => {}
    }
    api.wait_for_closed_connection().await;
}

/// R8.3-2: nothing listens; host and port are those of the base URL.
#[tokio::test]
async fn refused() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let operation = get("g", &format!("http://127.0.0.1:{free}"), "/x");
    let error = failure(&operation).await;
    assert_eq!(
        error,
        TransportError { kind: TransportErrorKind::Refused, host: "127.0.0.1".into(), port: free }
    );
}

#[derive(Debug)]
struct NoResolver;

impl AddressLookup for NoResolver {
    fn lookup(&self, _: &str) -> LookupFuture {
        Box::pin(std::future::ready(Err(std::io::Error::other("no resolver"))))
    }
}

/// R8.3-1: the name does not resolve: there is no address, or no resolver that answers.
#[tokio::test]
async fn unknown_host() {
    let operation = get("g", "https://api.example.com", "/x");
    let error =
        program_call(&upstream_with(TestNames::of(&[&[]]), &[]), &operation, &Map::new()).await.unwrap_err();
    let expected =
        TransportError { kind: TransportErrorKind::Dns, host: "api.example.com".into(), port: 443 };
    assert_eq!(error, expected.clone().into());
    let error =
        program_call(&upstream_with(Arc::new(NoResolver), &[]), &operation, &Map::new()).await.unwrap_err();
    assert_eq!(error, expected.into());
}

/// R8.3-4: the port does not speak TLS, or hangs up in the handshake.
#[tokio::test]
async fn tls() {
    for answer in [Answer::raw("HTTP/1.1 400 Bad Request\r\n\r\n"), Answer::drop_connection()] {
        let api = FakeApi::always(answer).await;
        let operation = get("g", &format!("https://127.0.0.1:{}", api.port()), "/x");
        let error = failure(&operation).await;
        assert!(matches!(error.kind, TransportErrorKind::Tls { .. }), "{error:?}");
    }
}

/// A TLS server on this machine whose certificate no one vouches for; gives its port.
async fn self_signed_server() -> u16 {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // The handshake fails on the client's side: that is the test.
            drop(acceptor.accept(stream).await);
        }
    });
    port
}

/// R8.3-4: a certificate that is not trusted.
#[tokio::test]
async fn untrusted_certificate() {
    let operation = get("g", &format!("https://localhost:{}", self_signed_server().await), "/x");
    let detail = "the certificate is not trusted";
    assert_eq!(failure(&operation).await.kind, TransportErrorKind::Tls { detail });
}

/// R8.3-5: closed early, cut short, not HTTP.
#[tokio::test]
async fn network() {
    for (answer, is_before_answer) in [
        (Answer::drop_connection(), true),
        (Answer::raw("HTTP/1.1 200 OK\r\nContent-Le"), true),
        (Answer::raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"), false),
        (Answer::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), false),
        (Answer::raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n\x1f"), false),
        (Answer::raw("hello\r\n\r\n"), false),
    ] {
        match failure_with(answer.clone()).await {
            TransportErrorKind::Network { before_answer, .. } => {
                assert_eq!(before_answer, is_before_answer, "{answer:?}")
            }
            other => panic!("{answer:?} gave {other:?}"),
        }
    }
}

/// R1.2-4 R11.2-1: the log tells method, host, template, status and attempt; never values or credentials.
#[tokio::test]
async fn what_is_logged() {
    log::keep();
    let api = FakeApi::in_turn(vec![
        Answer::json(503, json!({"message": "t0ken-value s3cret"})),
        Answer::json(200, json!("s3cret")),
    ])
    .await;
    let operation = with_site(get("g", &api.base_url(), "/items/{id}"), |site| {
        site.retries = 1;
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    });
    let operation = with_param(operation, param("q", ValueKind::String, ParamLocation::Query));
    call(&operation, &[("T", "t0ken-value")], json!({"id": "s3cret", "q": "s3cret"})).await.unwrap();
    let text = log::text();
    for part in ["GET", "127.0.0.1", "/items/{id}", "attempt=1 status=503", "attempt=2 status=200"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    for leak in ["s3cret", "t0ken"] {
        assert!(!text.contains(leak), "{text}");
    }
}
