//! What is logged, and above all what is not.

use super::harness::{Place, Server, TOKEN, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

/// Words that stand for what a client sends; none may be in a log.
const VALUES: [&str; 6] =
    ["mintleaf", "4111111111111111", "ord-secret-77", "wrapping-words", "unheard_of_value", "guessed-token"];

/// Makes calls that succeed and calls that fail in every stage; gives everything on standard error.
async fn busy_session(level: &str) -> (String, Vec<String>) {
    let api = FakeApi::start(|request| match request.path() {
        "/orders" => {
            Answer::json(500, json!({"echo": request.body_text(), "auth": request.header("authorization")}))
        }
        "/search" => Answer::drop_connection(),
        _ => Answer::json(200, json!({"name": "mintleaf"})),
    })
    .await;
    let mut server = Server::shop(&api.base_url(), &["--mode", "single"], &[("AQUEDUCT_LOG", level)]).await;
    for (operation, params) in [
        ("list_products", json!({"category": "mintleaf"})),
        ("search_products", json!({"q": "unheard_of_value"})),
        ("create_order", json!({"product_id": 1, "card_number": "4111111111111111", "note": "mintleaf"})),
        ("create_order", json!({"product_id": 1, "card_number": "4111111111111111x"})),
        ("create_order", json!({"product_id": "mintleaf", "gift": {"text": "wrapping-words"}})),
        ("get_product", json!({"product_id": 1, "mintleaf": "unheard_of_value"})),
        ("update_order", json!({"order_id": "ord-secret-77", "input": {"state": "mintleaf"}})),
        ("delete_order", json!({"order_id": "ord-secret-77"})),
        ("delete_order", json!({"order_id": "ord-secret-77", "confirmation_token": "guessed-token"})),
        ("execute_refund", json!({"order_id": "ord-secret-77"})),
        ("mintleaf is no operation", json!({})),
    ] {
        server.call("mcp_aql", operation, params).await;
    }
    server
        .send_bytes(
            b"{\"jsonrpc\":\"2.0\",\"id\":\"mintleaf\",\"method\":\"ping\",\"params\":{\"mintleaf\":\xFF}}",
        )
        .await;
    server.next().await;
    server.send_bytes(b"mintleaf").await;
    server.next().await;
    let (exit, errors) = server.finish().await;
    assert_eq!(exit, 0);
    (errors, server.seen)
}

/// R1.2-4 R1.2-6 C2.3.5-4 X-modes-23: one line a call with operation, source, session, outcome and durations.
#[tokio::test]
async fn one_span_a_call() {
    let (log, _) = busy_session("info").await;
    let calls: Vec<&str> = log.lines().filter(|line| line.contains("aqueduct::call")).collect();
    assert_eq!(calls.len(), 11, "{log}");
    for (line, operation, outcome) in [
        (calls[0], "list_products", "success"),
        (calls[1], "search_products", "TRANSPORT_"),
        (calls[2], "create_order", "INTERNAL_ERROR"),
        (calls[3], "create_order", "VALIDATION_INVALID_VALUE"),
        (calls[7], "delete_order", "CONFIRMATION_REQUIRED"),
        (calls[8], "delete_order", "TOKEN_INVALID"),
        (calls[9], "execute_refund", "success"),
    ] {
        for part in [
            format!("operation=\"{operation}\""),
            "source=\"shop\"".to_owned(),
            "session=sess_".to_owned(),
            format!("outcome=\"{outcome}"),
            "duration_ms=".to_owned(),
        ] {
            assert!(line.contains(&part), "{part} is not in {line}");
        }
    }
    assert!(calls[0].contains("upstream_ms="), "{}", calls[0]);
    assert!(!calls[3].contains("upstream_ms="), "{}", calls[3]);
    assert!(calls[10].contains("operation=\"(not a name)\""), "{}", calls[10]);
}

/// R1.2-7: no secret, no sensitive parameter and no value of a parameter is ever logged; stdout has the protocol alone.
#[tokio::test]
async fn nothing_that_a_client_sent() {
    for level in ["trace", "info", "aqueduct=trace,rmcp=trace,hyper=trace,reqwest=trace"] {
        let (log, output) = busy_session(level).await;
        assert!(!log.is_empty(), "{level}");
        for word in VALUES.iter().chain(&[TOKEN]) {
            assert!(!log.contains(word), "{word} is in the log at {level}:\n{log}");
        }
        for line in output {
            assert!(line.starts_with("{\"jsonrpc\":\"2.0\""), "{line}");
            assert!(!line.contains(TOKEN), "{line}");
        }
    }
}

/// R1.2-4: loading, requests and errors are logged too, at finer levels.
#[tokio::test]
async fn finer_levels() {
    let (log, _) = busy_session("trace").await;
    assert!(log.contains("aqueduct::load"), "{log}");
    let (quiet, _) = busy_session("error").await;
    assert!(!quiet.contains("aqueduct::call") || quiet.contains("ERROR"), "{quiet}");
}

/// Without AQUEDUCT_LOG nothing is said while all goes well.
#[tokio::test]
async fn silence_by_default() {
    let mut server = Server::start(&[&shop()], &[("SHOP_TOKEN", "x")]);
    server.open().await;
    server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    assert_eq!(server.finish().await, (0, String::new()));
}

/// A filter that cannot be read ends the start with exit code 3, for every command.
#[tokio::test]
async fn bad_filters() {
    let shop = shop();
    for arguments in [vec!["serve", shop.as_str()], vec!["introspect", shop.as_str()], vec!["schema"]] {
        for filter in ["loud", "aqueduct=loud", "a=b=c", "[", "info,,debug", "=info"] {
            let ran = Place::new().run(&arguments, &[("AQUEDUCT_LOG", filter)], "").await;
            assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{filter}");
            assert!(
                ran.stderr.contains("AQUEDUCT_LOG") && ran.stderr.contains("use a level"),
                "{}",
                ran.stderr
            );
        }
    }
}
