//! Ways in: without a token, through a web page, by a host name that only looks like ours.

use crate::outside::http::server::{ANN, HttpServer, TOKENS, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

const PAGE: (&str, &str) = ("origin", "https://app.example");
const ASKS: (&str, &str) = ("access-control-request-method", "POST");

async fn shop(api: &FakeApi, tokens: &str) -> HttpServer {
    let config = format!("[http]\nallowed_origins = [\"https://app.example\"]\n{tokens}");
    HttpServer::shop(&api.base_url(), &config).await
}

fn initialize() -> Value {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

/// While tokens are set, no method and no header gets anything done without one.
#[tokio::test]
async fn nothing_is_done_without_a_token() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1}))).await;
    let server = shop(&api, TOKENS).await;
    let own = format!("http://{}", server.address);
    let get = call(1, "mcp_aql_read", "get_product", json!({"product_id": 1}));
    let tricks: [&[(&str, &str)]; 9] = [
        &[],
        &[PAGE],
        &[ASKS],
        &[PAGE, ASKS],
        &[PAGE, ASKS, ("access-control-request-headers", "authorization")],
        &[("origin", own.as_str()), ASKS],
        &[PAGE, ASKS, ("authorization", "Bearer wrong")],
        &[PAGE, ASKS, ("x-http-method-override", "OPTIONS"), ("x-method-override", "OPTIONS")],
        &[PAGE, ASKS, ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-host", "localhost")],
    ];
    for headers in tricks {
        for body in [initialize().to_string(), get.to_string()] {
            assert_eq!(server.post(headers, body.as_bytes()).await.status, 401, "{headers:?}");
        }
        assert_eq!(server.stateless(headers, &get).await.status, 401, "{headers:?}");
        for method in ["GET", "HEAD", "DELETE", "PUT", "PATCH", "TRACE", "QUERY", "options"] {
            for path in ["/mcp", "/metrics"] {
                let answer = server.ask(method, path, headers).await;
                assert_eq!(
                    (answer.status, answer.body.contains("aqueduct_")),
                    (401, false),
                    "{method} {path} {headers:?}"
                );
            }
        }
    }
    assert_eq!(api.requests().len(), 0);
}

/// What browsers do goes on: they ask first, then send a token; and where no tokens are set nothing has changed.
#[tokio::test]
async fn browsers_get_in_with_a_token() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1}))).await;
    let get = call(1, "mcp_aql_read", "get_product", json!({"product_id": 1}));
    for (tokens, credentials) in [(TOKENS, &[ANN][..]), ("", &[])] {
        let server = shop(&api, tokens).await;
        for path in ["/mcp", "/metrics"] {
            let asked = server.ask("OPTIONS", path, &[PAGE, ASKS]).await;
            assert_eq!(
                (asked.status, asked.header("access-control-allow-origin")),
                (204, Some("https://app.example"))
            );
            assert!(
                asked.header("access-control-allow-headers").unwrap().contains("authorization"),
                "{asked:?}"
            );
        }
        let headers = [&[PAGE], credentials].concat();
        let session = server.open("2025-11-25", &headers).await;
        let answer = server.in_session(&session, &headers, &get).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example"));
        assert_eq!(answer.inside()["data"]["id"], 1);
        // What looks like the question of a browser, and is a call with a token.
        let answer = server.stateless(&[&headers[..], &[ASKS]].concat(), &get).await;
        assert_eq!(answer.inside()["data"]["id"], 1);
        assert_eq!(server.ask("GET", "/metrics", &headers).await.status, 200);
    }
}

/// A page on another host reaches a server on this machine by a name of its own: only what is exactly ours is taken.
#[tokio::test]
async fn hosts_that_look_like_ours() {
    let server = HttpServer::shop("http://127.0.0.1:9", "[http]\nallowed_hosts = [\"tools.example\"]").await;
    let port = server.address.port();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    for host in [
        "[::1].evil.com".to_owned(),
        format!("[::1].evil.com:{port}"),
        "evil.com@127.0.0.1".to_owned(),
        format!("evil.com:80@127.0.0.1:{port}"),
        "localhost.evil.com".to_owned(),
        "127.0.0.1.evil.com".to_owned(),
        "localhost@evil.com".to_owned(),
        "[::1]@evil.com".to_owned(),
        "[::1".to_owned(),
        "127.0.0.1:80:80".to_owned(),
        "localhost/evil.com".to_owned(),
        "localhost\\evil.com".to_owned(),
        "localhost evil.com".to_owned(),
        "localhost,evil.com".to_owned(),
        "tools.example.evil.com".to_owned(),
        "tools.example@evil.com".to_owned(),
        "0x7f.1".to_owned(),
    ] {
        let own = format!("http://{host}");
        for headers in
            [vec![("host", host.as_str())], vec![("host", host.as_str()), ("origin", own.as_str())]]
        {
            let answer = server.post(&headers, ping.as_bytes()).await;
            assert!([400, 403].contains(&answer.status), "{host}: {answer:?}");
            assert!([400, 403].contains(&server.ask("GET", "/metrics", &headers).await.status), "{host}");
        }
    }
    for origin in [
        "http://evil.com@tools.example",
        "http://[::1].evil.com",
        "http://tools.example/",
        "http://tools.example:1",
    ] {
        let headers = [("host", "tools.example"), ("origin", origin)];
        assert_eq!(server.ask("GET", "/metrics", &headers).await.status, 403, "{origin}");
    }
    for host in [
        format!("localhost:{port}"),
        "127.0.0.1".to_owned(),
        format!("[::1]:{port}"),
        "TOOLS.example:443".to_owned(),
    ] {
        let own = format!("http://{host}");
        let headers = [("host", host.as_str()), ("origin", own.as_str())];
        assert_eq!(server.ask("GET", "/metrics", &headers).await.status, 200, "{host}");
    }
}
