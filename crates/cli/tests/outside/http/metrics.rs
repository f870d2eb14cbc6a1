//! What `/metrics` tells, and what it keeps to itself.

use super::server::{HttpServer, call, delete};
use crate::outside::harness::{DEADLINE, TOKEN};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Instant;

/// R1.2-5: calls, errors by code, durations and upstream time by source, sessions; no parameter and no secret.
#[tokio::test]
async fn what_is_counted() {
    let api = FakeApi::start(|request| match request.path() {
        "/products/404" => Answer::json(404, json!({"message": "none"})),
        _ => Answer::json(200, json!({"id": 3})),
    })
    .await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    for id in [3, 3, 404] {
        let get = call(1, "mcp_aql_read", "get_product", json!({"product_id": id}));
        server.in_session(&session, &[], &get).await;
    }
    let search = call(1, "mcp_aql_read", "search_products", json!({"q": "private words"}));
    server.stateless(&[], &search).await;
    server.stateless(&[], &call(1, "mcp_aql_read", "made_up_name", json!({}))).await;
    let page = server.ask("GET", "/metrics", &[]).await;
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="success"} 2"#,
        r#"aqueduct_calls_total{source="shop",operation="get_product",outcome="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_calls_total{source="other",operation="other",outcome="NOT_FOUND_OPERATION"} 1"#,
        r#"aqueduct_errors_total{source="shop",code="NOT_FOUND_RESOURCE"} 1"#,
        r#"aqueduct_call_seconds_count{source="shop"} 4"#,
        r#"aqueduct_upstream_seconds_count{source="shop"} 4"#,
        "aqueduct_sessions 1",
    ] {
        assert!(page.body.lines().any(|each| each == line), "{line}\n{}", page.body);
    }
    // Connections of earlier requests may still be closing, so only our own is certain.
    let connections = page.body.lines().find_map(|line| line.strip_prefix("aqueduct_http_connections "));
    assert!(connections.is_some_and(|count| count != "0"), "{}", page.body);
    for private in ["private", "made_up_name", "404", TOKEN, &session] {
        // The values are times, in which any digits may stand.
        let labels = page.body.lines().filter_map(|line| line.rsplit_once(' ').map(|(labels, _)| labels));
        let mut labels = labels.filter(|labels| labels.contains('{'));
        assert!(labels.all(|labels| !labels.contains(private)), "{private}\n{}", page.body);
    }
}

/// The table of the documentation has every metric that is served, and none besides.
#[tokio::test]
async fn the_table_is_what_is_served() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 3}))).await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    server.stateless(&[], &call(1, "mcp_aql_read", "get_product", json!({"product_id": 3}))).await;
    let page = server.ask("GET", "/metrics", &[]).await.body;
    let served: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let document = std::fs::read_to_string("../../docs/metrics.md").unwrap();
    let documented: BTreeSet<&str> =
        document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(served, documented);
    for (name, labels) in
        page.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('{'))
    {
        let name = ["_bucket", "_sum", "_count"]
            .iter()
            .fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
        let row = document.lines().find(|line| line.starts_with(&format!("| `{name}`"))).unwrap();
        let labels =
            labels.split('}').next().unwrap().split("\",").map(|label| label.split('=').next().unwrap());
        for label in labels.filter(|label| *label != "le") {
            assert!(row.contains(&format!("`{label}`")), "{name} has {label}");
        }
    }
}

/// What the store, the audit and hooks count: a question that waits, and a hook that fails.
#[tokio::test]
async fn what_hangs_on_the_store() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let config = "[confirmation]\nmode = \"operator\"\n[operator]\nhook = [\"/nonexistent/hook\"]\n";
    let server = HttpServer::shop(&api.base_url(), config).await;
    let before = server.ask("GET", "/metrics", &[]).await.body;
    assert!(before.lines().any(|line| line == "aqueduct_store_lost 0"), "{before}");
    server.stateless(&[], &delete(None)).await;
    let wanted = [
        "aqueduct_approvals_waiting 1",
        r#"aqueduct_hooks_total{outcome="failure"} 1"#,
        r#"aqueduct_hooks_total{outcome="success"} 0"#,
        r#"aqueduct_audit_lines_total{event="APPROVAL_REQUESTED"} 1"#,
        r#"aqueduct_audit_lines_total{event="HOOK_FAILED"} 1"#,
        r#"aqueduct_agents{state="blocked"} 0"#,
        "aqueduct_callers 0",
    ];
    let start = Instant::now();
    loop {
        let page = server.ask("GET", "/metrics", &[]).await.body;
        let missing = wanted.iter().find(|line| !page.lines().any(|each| each == **line));
        let Some(missing) = missing else { break };
        assert!(start.elapsed() < DEADLINE, "{missing}\n{page}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
