//! Limits and quotas from outside: what the operator sees and allows, what a restart keeps, and what a lost store does.

use super::desk::{Desk, PASSPHRASE, state_of};
use crate::outside::harness::{Place, Server, TOKEN, code, shop};
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::postgres::Postgres;
use serde_json::{Value, json};

const KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

fn quota(place: &Place, limits: &str) -> String {
    place.write("aqueduct.toml", format!("[sources.shop.rate_limits.quotas]\nlimits = [{limits}]\n"))
}

async fn read(server: &mut Server) -> Value {
    server.call("mcp_aql_read", "list_products", json!({})).await
}

/// X-rate-12: where an operator confirms, no one else lets a paused quota go on; `operator status` shows how
/// far it is, `operator continue` lets it go on, no further than its end, with a line in the audit.
#[tokio::test]
async fn the_operator_lets_a_quota_go_on() {
    let place = Place::new();
    let config = quota(&place, "{ metric = \"requests_per_day\", warn = 1, pause = 2, hard_stop = 4 }");
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let mut desk = Desk::of(place, api, &shop(), &["--config", &config, "--confirmation", "operator"]).await;
    for _ in 0..2 {
        assert_eq!(read(&mut desk.server).await["success"], true);
    }
    let paused = read(&mut desk.server).await;
    assert_eq!(code(&paused), "RATE_LIMIT_QUOTA_PAUSE", "{paused}");
    assert!(!paused.to_string().contains("quota_continue_"), "the client gets no token: {paused}");
    assert_eq!(desk.sent(), 2);
    let status = desk.place.run(&["operator", "status", "--state-dir", &state(&desk)], &[], "").await;
    for said in ["\nshop", "requests_per_day", "paused", "2 warn 1, pause 2, stop 4", "starts again"] {
        assert!(status.stdout.contains(said), "{said}: {status:?}");
    }
    let wrong = desk.operator_with(&["continue", "shop"], "not it at all\n").await;
    assert_ne!(wrong.code, 0, "{wrong:?}");
    let unknown = desk.operator(&["continue", "nobody"]).await;
    assert!(unknown.code != 0 && unknown.stderr.contains("no quota of 'nobody' is paused"), "{unknown:?}");
    let other = desk.operator(&["continue", "shop", "--metric", "cost_per_day"]).await;
    assert_ne!(other.code, 0, "{other:?}");
    assert_eq!(code(&read(&mut desk.server).await), "RATE_LIMIT_QUOTA_PAUSE");
    let done = desk.operator(&["continue", "shop"]).await;
    assert_eq!(done.stdout, "shop goes on until it starts again: requests_per_day\n", "{done:?}");
    for _ in 0..2 {
        let went_on = read(&mut desk.server).await;
        assert_eq!(went_on["success"], true, "{went_on}");
    }
    assert_eq!(code(&read(&mut desk.server).await), "RATE_LIMIT_QUOTA_EXHAUSTED");
    assert_eq!(desk.sent(), 4);
    let late = desk.operator(&["continue", "shop"]).await;
    assert!(late.code != 0 && late.stderr.contains("no quota of 'shop' is paused"), "{late:?}");
    let audit = desk.operator(&["audit", "--search", "QUOTA_CONTINUED", "--format", "json"]).await;
    let line: Value = serde_json::from_str(audit.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&line["approver"], &line["source"]), (&json!("operator"), &json!("shop")), "{line}");
    assert_eq!(audit.stdout.lines().count(), 1, "{audit:?}");
}

fn state(desk: &Desk) -> String {
    state_of(&desk.place).display().to_string()
}

/// X-rate-15: what was spent is spent after a restart, in order or by force. A process that was killed may have had units in hand,
/// which are gone with it; never are there more.
#[tokio::test]
async fn a_restart_keeps_counters() {
    let (place, api) = (Place::new(), FakeApi::always(Answer::json(200, json!([]))).await);
    let config = quota(&place, "{ metric = \"requests_per_day\", hard_stop = 6 }");
    let (shop, base_url, state) = (shop(), api.base_url(), state_of(&place).display().to_string());
    let arguments = [&shop, "--base-url", &base_url, "--state-dir", &state, "--config", &config];
    let start = || Server::start(&arguments, &[("SHOP_TOKEN", TOKEN)]);
    let mut first = start();
    first.open().await;
    for _ in 0..3 {
        assert_eq!(read(&mut first).await["success"], true);
    }
    first.finish().await;
    let mut second = start();
    second.open().await;
    assert_eq!(read(&mut second).await["success"], true);
    second.kill().await;
    let mut third = start();
    third.open().await;
    let mut last = json!({});
    for _ in 0..4 {
        last = read(&mut third).await;
    }
    assert_eq!(code(&last), "RATE_LIMIT_QUOTA_EXHAUSTED", "{last}");
    let sent = api.requests().len();
    assert!((4..=6).contains(&sent), "{sent} were sent");
}

/// X-rate-14 X-rate-15: what came back counts although its process asks for nothing more and ends: calls from the terminal are one process each.
#[tokio::test]
async fn calls_from_the_terminal_count() {
    let (place, api) = (Place::new(), FakeApi::always(Answer::json(200, json!(vec!["word"; 100]))).await);
    let config = quota(&place, "{ metric = \"tokens_per_day\", hard_stop = 150 }");
    let (shop, base_url, state) = (shop(), api.base_url(), state_of(&place).display().to_string());
    let call =
        ["call", &shop, "list_products", "--base-url", &base_url, "--state-dir", &state, "--config", &config];
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(place.run(&call, &[("SHOP_TOKEN", TOKEN)], "").await.code);
    }
    assert_eq!((codes[0], codes[3] == 0, api.requests().len()), (0, false, 1), "{codes:?}");
}

/// X-rate-14: while the store is lost nothing is sent to a source with limits, and the failure says why without a path; other sources
/// go on, and everything does when the store is back.
#[tokio::test]
async fn a_lost_store_stops_what_is_limited() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let database = Postgres::start();
    let place = Place::new();
    let limited = adapter(&place, "limited", &api.base_url(), "rate_limits: {requests_per_minute: 1000}\n");
    let free = adapter(&place, "free", &api.base_url(), "");
    let url = database.database();
    let variables = [("AQUEDUCT_STORE_URL", url.as_str()), ("AQUEDUCT_AUDIT_KEY", KEY)];
    let server = HttpServer::start(place, &[&limited, &free, "--state-dir", "state"], &variables).await;
    let read = async |source: &str| {
        let name = format!("{source}__get_thing");
        server.stateless(&[], &call(1, "mcp_aql_read", &name, json!({}))).await.inside()
    };
    for source in ["limited", "free"] {
        let answer = read(source).await;
        assert_eq!(answer["success"], true, "{answer}");
    }
    database.kill();
    // Units that are in hand may be spent: they are counted already.
    let mut refused = read("limited").await;
    for _ in 0..200 {
        if refused["success"] == false {
            break;
        }
        refused = read("limited").await;
    }
    let sent = api.requests().len();
    assert_eq!(refused["success"], false, "{refused}");
    let error = refused["error"].to_string();
    assert!(error.contains("store") && !error.contains('/') && !error.contains("127.0.0.1"), "{error}");
    assert_eq!(code(&read("limited").await), code(&refused));
    assert_eq!(api.requests().len(), sent, "nothing was sent");
    assert_eq!(read("free").await["success"], true);
    let page = server.ask("GET", "/metrics", &[]).await.body;
    for line in [
        "aqueduct_store_lost 1",
        "aqueduct_limit_refused_total{source=\"limited\",reason=\"store_unavailable\"} 2",
    ] {
        assert!(page.lines().any(|each| each == line), "{line}\n{page}");
    }
    assert!(page.contains("aqueduct_store_failures_total{reason="), "{page}");
    database.restart();
    let mut back = read("limited").await;
    for _ in 0..100 {
        if back["success"] == true {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        back = read("limited").await;
    }
    assert_eq!(back["success"], true, "{back}");
}

fn adapter(place: &Place, name: &str, base_url: &str, blocks: &str) -> String {
    let text = format!(
        "---\nname: {name}\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Things\"\n\
         target: {{base_url: \"{base_url}\", transport: http, protocol: rest, serialization: json}}\n{blocks}operations:\n  read:\n\
         \x20   - {{name: get_thing, maps_to: \"GET /{name}\", description: \"Get it\"}}\n---\n\nThings.\n"
    );
    place.write(&format!("{name}-adapter.md"), text)
}

/// What limits did is in the metrics, with the thresholds.
#[tokio::test]
async fn metrics_of_limits() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let config = "[sources.shop.rate_limits]\nrequests_per_hour = 50\n\
                  [sources.shop.rate_limits.quotas]\nlimits = [{ metric = \"requests_per_day\", warn = 1, pause = 2, hard_stop = 9 }]\n";
    let server = HttpServer::shop(&api.base_url(), config).await;
    for _ in 0..3 {
        server.stateless(&[], &call(1, "mcp_aql_read", "list_products", json!({}))).await;
    }
    assert_eq!(api.requests().len(), 2);
    let page = server.ask("GET", "/metrics", &[]).await.body;
    for line in [
        r#"aqueduct_limit_requests_total{source="shop"} 2"#,
        r#"aqueduct_limit_waiting{source="shop"} 0"#,
        r#"aqueduct_limit_refused_total{source="shop",reason="quota_pause"} 1"#,
        r#"aqueduct_limit_max{source="shop",name="global",window="hour"} 50"#,
        r#"aqueduct_quota_warn{source="shop",name="requests_per_day",window="day"} 1"#,
        r#"aqueduct_quota_pause{source="shop",name="requests_per_day",window="day"} 2"#,
        r#"aqueduct_quota_stop{source="shop",name="requests_per_day",window="day"} 9"#,
        r#"aqueduct_limit_used{source="shop",name="requests_per_day",window="day"} 2"#,
    ] {
        assert!(page.lines().any(|each| each == line), "{line}\n{page}");
    }
}

/// The passphrase is asked for by every command that changes something.
#[tokio::test]
async fn nothing_goes_on_without_the_passphrase() {
    let desk = Desk::open(&[]).await;
    let refused = desk.operator_with(&["continue", "shop"], "").await;
    assert_ne!(refused.code, 0, "{refused:?}");
    assert!(!refused.stderr.contains(PASSPHRASE.trim()), "{refused:?}");
}
