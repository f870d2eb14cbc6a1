//! Credentials are in no output, no debug print and no answer, whatever an upstream does with them.

use super::harness::{Place, Server, TOKEN, shop};
use aqueduct::{Aqueduct, Call, CallOrigin, SessionId, SourceSettings};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::environment::TestEnvironment;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const HEADER_SECRET: &str = "hdr-secret-99-operator";
const CARD: &str = "4111111111111111";

fn arguments(operation: &str, params: Value) -> Map<String, Value> {
    json!({"operation": operation, "params": params}).as_object().unwrap().clone()
}

/// What a client was to fill in and left as it stands is no credential: it is told of at the start, and never sent.
#[tokio::test]
async fn placeholders_are_not_sent() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 3}))).await;
    let base_url = api.base_url();
    for value in ["${env:TOKEN}", "${input:shop-token}", "${TOKEN}"] {
        let mut server = Server::start(&[&shop(), "--base-url", &base_url], &[("SHOP_TOKEN", value)]);
        server.open().await;
        let refused = server.call("mcp_aql_read", "get_product", json!({"product_id": 3})).await;
        assert_eq!(refused["error"]["code"], "AUTH_CONFIG_INVALID", "{value}: {refused}");
        assert_eq!(refused["error"]["details"]["variable"], "SHOP_TOKEN", "{refused}");
        server.until_errors_have("SHOP_TOKEN holds a placeholder such as ${env:NAME}").await;
    }
    let arguments = [&*shop(), "--base-url", &base_url, "--header", "X-Key: ${env:KEY}"];
    let mut server = Server::start(&arguments, &[("SHOP_TOKEN", TOKEN)]);
    server.open().await;
    let refused = server.call("mcp_aql_read", "get_product", json!({"product_id": 3})).await;
    assert_eq!(
        refused["error"]["details"]["name"].as_str().map(str::to_lowercase).as_deref(),
        Some("x-key"),
        "{refused}"
    );
    assert_eq!(api.requests().len(), 0);
}

/// R11.2-1 R1.2-7: every live struct, formatted while a call is under way, shows no secret.
#[tokio::test]
async fn debug_prints() {
    let api = FakeApi::always(Answer::hang()).await;
    let environment = TestEnvironment::with(&[("SHOP_TOKEN", TOKEN)]);
    let mut settings =
        SourceSettings { base_url: Some(api.base_url().parse().unwrap()), ..SourceSettings::default() };
    settings.headers.push(NamedSecret::new("X-Operator", HEADER_SECRET));
    let mut printed = vec![format!("{settings:?}"), format!("{environment:?}")];
    let builder = Aqueduct::builder()
        .source(shop(), settings.clone())
        .settings_for("shop", settings)
        .environment(Arc::new(environment));
    printed.push(format!("{builder:?}"));
    let aqueduct = builder.build().unwrap();
    let session = SessionId::new("sess_debug");
    let asked = aqueduct
        .call(Call {
            arguments: arguments("delete_order", json!({"order_id": "o1"})),
            origin: CallOrigin::local(session.clone()),
        })
        .await;
    printed.push(format!("{asked:?}"));
    let token = serde_json::from_str::<Value>(&asked.to_json()).unwrap();
    let token = token["error"]["details"]["confirmation_token"].as_str().unwrap().to_owned();
    let call = Call {
        arguments: arguments("create_order", json!({"product_id": 1, "card_number": CARD})),
        origin: CallOrigin::local(session),
    };
    printed.push(format!("{call:?}"));
    let running = tokio::spawn({
        let aqueduct = aqueduct.clone();
        async move { aqueduct.call(call).await }
    });
    api.wait_for_request_count(1).await;
    printed.push(format!("{aqueduct:?}"));
    printed.push(format!("{aqueduct:#?}"));
    let (input, output) = (tokio::io::empty(), tokio::io::sink());
    let served = aqueduct.serve_streams(input, output, CancellationToken::new()).await;
    printed.push(format!("{served:?}"));
    running.abort();
    for text in printed {
        for secret in [TOKEN, HEADER_SECRET, CARD, token.as_str()] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

fn echo(request: &Recorded) -> Value {
    let headers: Vec<String> =
        request.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    json!({"headers": headers, "auth": request.header("authorization"), "url": request.target})
}

/// R11.2-1: an upstream that echoes headers, in answers, in errors, in error pages, in headers of its own.
#[tokio::test]
async fn upstreams_that_echo() {
    for status in [200, 400, 401, 404, 422, 500] {
        let api = FakeApi::start(move |request| {
            let auth = request.header("authorization").unwrap_or_default().to_owned();
            Answer::json(status, echo(request)).header("X-Echo", &auth)
        })
        .await;
        let header = format!("X-Operator: {HEADER_SECRET}");
        let logs = [("AQUEDUCT_LOG", "trace")];
        let mut server = Server::shop(&api.base_url(), &["--header", &header], &logs).await;
        let asked = json!({"operation": "get_product", "params": {"product_id": 1}, "_meta": {"http": true}});
        server.call_raw("mcp_aql_read", asked).await;
        let (_, errors) = server.finish().await;
        let sent = api.only_request();
        assert_eq!(sent.header("x-operator"), Some(HEADER_SECRET));
        assert_eq!(sent.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
        for text in server.seen.iter().chain([&errors]) {
            assert!(!text.contains(TOKEN) && !text.contains(HEADER_SECRET), "{status}: {text}");
        }
    }
}

/// S7 in the large: a redirect to another origin carries no credential.
#[tokio::test]
async fn redirects() {
    let elsewhere = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let target = format!("{}/elsewhere", elsewhere.base_url().replace("127.0.0.1", "localhost"));
    let api = FakeApi::always(Answer::redirect(302, &target)).await;
    let header = format!("X-Operator: {HEADER_SECRET}");
    let mut server = Server::shop(&api.base_url(), &["--header", &header], &[]).await;
    server.call("mcp_aql_read", "get_product", json!({"product_id": 1})).await;
    server.finish().await;
    for request in elsewhere.requests() {
        let all = format!("{request:?}");
        assert!(!all.contains(TOKEN) && !all.contains(HEADER_SECRET), "{all}");
    }
    for text in &server.seen {
        assert!(!text.contains(TOKEN) && !text.contains(HEADER_SECRET), "{text}");
    }
}

/// R11.2-1: a missing credential is a failure that names the variable; a wrong option never repeats its value.
#[tokio::test]
async fn messages_about_credentials() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let mut server = Server::start(&[&shop(), "--base-url", &api.base_url()], &[]);
    server.open().await;
    let failed = server.call("mcp_aql_read", "get_product", json!({"product_id": 1})).await;
    assert_eq!(failed["error"]["code"], "AUTH_CREDENTIAL_MISSING", "{failed}");
    assert!(failed["error"]["message"].as_str().unwrap().contains("SHOP_TOKEN"), "{failed}");
    let (_, errors) = server.finish().await;
    assert!(
        errors.contains("warning: SHOP_TOKEN is not set; calls of shop will fail until it is"),
        "{errors}"
    );
    assert!(api.requests().is_empty());
    for (flag, value) in
        [("--auth-env", TOKEN), ("--header", TOKEN), ("--auth-env", "Bearer sk-live-4242-shop-token")]
    {
        let ran = Place::new().run(&["call", &shop(), "list_products", flag, value], &[], "").await;
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(!ran.stderr.contains("4242") && !ran.stdout.contains("4242"), "{ran:?}");
    }
}
