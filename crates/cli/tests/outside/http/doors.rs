//! Who is let in: hosts, origins, tokens, addresses.

use super::server::{ANN, BOB, HttpServer, TOKENS, call};
use crate::outside::harness::{Place, shop};
use serde_json::json;

const PATHS: [&str; 4] = ["/mcp", "/metrics", "/healthz", "/readyz"];

#[tokio::test]
async fn hosts_and_origins() {
    let config = "[http]\nallowed_hosts = [\"tools.example\"]\nallowed_origins = [\"https://app.example\"]";
    let server = HttpServer::shop("http://127.0.0.1:9", config).await;
    for path in PATHS {
        assert_eq!(server.ask("GET", path, &[("host", "evil.example")]).await.status, 403, "{path}");
        let page = [("origin", "http://evil.example")];
        assert_eq!(server.ask("GET", path, &page).await.status, 403, "{path}");
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    for origin in ["http://evil.example", "null", "http://localhost"] {
        assert_eq!(server.post(&[("origin", origin)], message.as_bytes()).await.status, 403, "{origin}");
    }
    let port = server.address.port();
    for host in [format!("localhost:{port}"), format!("[::1]:{port}"), "tools.example".to_owned()] {
        let own = format!("http://{host}");
        let headers = [("host", host.as_str()), ("origin", own.as_str())];
        assert_eq!(server.ask("GET", "/healthz", &headers).await.status, 200, "{host}");
    }
    assert_eq!(server.metric("aqueduct_http_refused_total{reason=\"host\"}").await, 4.0);
}

/// A browser may read answers only for pages that are listed.
#[tokio::test]
async fn pages_that_are_listed() {
    let config = format!("[http]\nallowed_origins = [\"https://app.example\"]\n{TOKENS}");
    let server = HttpServer::shop("http://127.0.0.1:9", &config).await;
    let page = ("origin", "https://app.example");
    let asked = server.ask("OPTIONS", "/mcp", &[page, ("access-control-request-method", "POST")]).await;
    assert_eq!(
        (asked.status, asked.header("access-control-allow-origin")),
        (204, Some("https://app.example"))
    );
    let told = server.ask("GET", "/metrics", &[page, ANN]).await;
    assert_eq!((told.status, told.header("access-control-allow-origin")), (200, Some("https://app.example")));
    assert_eq!(server.ask("GET", "/metrics", &[page]).await.status, 401);
    let unasked = server.ask("GET", "/metrics", &[ANN]).await;
    assert_eq!(unasked.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn tokens() {
    let server = HttpServer::shop("http://127.0.0.1:9", TOKENS).await;
    for path in ["/mcp", "/metrics"] {
        let none = server.ask("GET", path, &[]).await;
        assert_eq!((none.status, none.header("www-authenticate")), (401, Some("Bearer realm=\"aqueduct\"")));
        let wrong = server.ask("GET", path, &[("authorization", "Bearer three")]).await;
        assert_eq!(wrong.status, 401);
        assert!(wrong.header("www-authenticate").unwrap().contains("invalid_token"), "{wrong:?}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.ask("GET", path, &[]).await.status, 200);
    }
    assert_eq!(server.ask("GET", "/metrics", &[ANN]).await.status, 200);
    server.open("2025-11-25", &[ANN]).await;
}

/// S-registry-3: what the configuration gives a token is what its owner may call.
#[tokio::test]
async fn scopes_of_tokens() {
    let place = Place::new();
    let adapter = "---\nname: stock\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A stock\"\ntarget: { base_url: \
                   \"http://127.0.0.1:9\", transport: http, protocol: rest, serialization: json, retries: 0 }\noperations:\n  \
                   read:\n    - { name: list_stock, maps_to: \"GET /stock\", description: \"Lists it\", required_scopes: \
                   [\"stock:read\"] }\n---\n";
    place.write("stock-adapter.md", adapter);
    let config = TOKENS.replacen(
        "[[http.tokens]]\nname = \"ann\"",
        "[[http.tokens]]\nname = \"ann\"\nscopes = [\"stock:read\"]",
        1,
    );
    place.write("aqueduct.toml", &config);
    let server = HttpServer::start(place, &["stock-adapter.md"], &[]).await;
    let message = call(1, "mcp_aql_read", "list_stock", json!({}));
    let code = async |token| server.stateless(&[token], &message).await.inside()["error"]["code"].clone();
    assert_eq!(
        code(ANN).await,
        "TRANSPORT_CONNECTION_REFUSED",
        "it was let through to an API that is not there"
    );
    assert_eq!(code(BOB).await, "PERMISSION_DENIED");
}

/// Off loopback nothing is served to those who need no token.
#[tokio::test]
async fn other_machines_need_tokens() {
    let place = Place::new();
    let shop = shop();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let ran = place.run(&["serve", &shop, "--http", address], &[], "").await;
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.stderr.contains("no bearer tokens are set"), "{ran:?}");
        assert!(!ran.stderr.contains("listening"), "{ran:?}");
    }
    let ran = place.run(&["serve", &shop, "--http", "127.0.0.1:notaport"], &[], "").await;
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[tokio::test]
async fn configuration_that_cannot_be_kept() {
    let place = Place::new();
    let config = r#"
[http]
listen = "127.0.0.1:0"
allowed_origins = ["app.example", "https://app.example/path", "https://app.example:8443"]
max_conections = 5
requests_per_second = 0

[[http.tokens]]
name = "ann"
sha256 = "my-real-token"

[[http.tokens]]
name = "ann"
sha256 = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
scopes = ["read"]

[[http.tokens]]
name = "bob"
"#;
    place.write("aqueduct.toml", config);
    let ran = place.run(&["serve", &shop()], &[], "").await;
    assert_eq!(ran.code, 3);
    assert!(!ran.stderr.contains("my-real-token"), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stderr);
}
