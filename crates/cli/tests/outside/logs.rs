//! What is logged, and above all what is not.

use super::harness::{Place, Server, TOKEN, shop};
use super::http::server::{ANN, HttpServer, TOKENS, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::process::Command;

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
        "/orders/ord-secret-77/recounts" => {
            let words = format!("no recount of {}:\nsecond line", request.path());
            Answer::json(422, json!({"message": words}))
        }
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
        ("execute_recount", json!({"order_id": "ord-secret-77"})),
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
        (calls[9], "execute_recount", "VALIDATION_INVALID_TYPE"),
    ] {
        for part in [
            format!("operation=\"{operation}\""),
            "source=\"shop\"".to_owned(),
            "caller=\"local\"".to_owned(),
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

fn terminate(process: u32) {
    let sent = Command::new("kill").args(["-TERM", &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// X-errors-6: when the upstream fails a call, its status and its words are in the log without being asked for: one line, at `warn`,
/// and nothing in it that is secret or that the client sent.
#[tokio::test]
async fn failures_of_the_upstream() {
    let api = FakeApi::start(|request| match request.path() {
        "/products/1" => {
            let auth = request.header("authorization").unwrap_or_default();
            Answer::json(503, json!({"message": format!("down for repairs,\nsaid to {auth}")}))
        }
        "/search" => Answer::json(422, json!({"message": "'mintleaf' is not a word"})),
        "/products/2" => Answer::drop_connection(),
        _ => Answer::json(200, json!({"id": 3})),
    })
    .await;
    let mut server = Server::shop(&api.base_url(), &["--mode", "single"], &[]).await;
    server.call("mcp_aql", "get_product", json!({"product_id": 1})).await;
    server.call("mcp_aql", "search_products", json!({"q": "mintleaf"})).await;
    server.call("mcp_aql", "get_product", json!({"product_id": 2})).await;
    server.call("mcp_aql", "get_product", json!({"product_id": 3})).await;
    server.call("mcp_aql", "get_product", json!({"product_id": "x"})).await;
    let (exit, log) = server.finish().await;
    assert_eq!(exit, 0);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "what worked, and what never went out, is no failure of the upstream: {log}");
    for (line, parts) in lines.iter().zip([
        ["status=503", "down for repairs, said to", "operation=\"get_product\""],
        ["status=422", "is not a word", "operation=\"search_products\""],
        ["code=\"TRANSPORT_", "words=\"", "source=\"shop\""],
    ]) {
        for part in parts.iter().chain(&["WARN", "aqueduct::upstream", "caller=\"local\""]) {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
    assert!(!log.contains("mintleaf") && !log.contains(TOKEN), "{log}");
}

/// What a limit keeps from being sent is no failure of the API, which never heard of it.
#[tokio::test]
async fn what_was_not_sent_is_told_as_that() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 3}))).await;
    let place = Place::new();
    let limits = "[sources.shop.rate_limits]\nrequests_per_hour = 1\nmax_wait_seconds = 1\n";
    let config = place.write("aqueduct.toml", limits);
    let mut server = Server::shop(&api.base_url(), &["--mode", "single", "--config", &config], &[]).await;
    for _ in 0..2 {
        server.call("mcp_aql", "get_product", json!({"product_id": 1})).await;
    }
    let (_, log) = server.finish().await;
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("RATE_LIMIT_EXCEEDED")).collect();
    assert!(matches!(lines.as_slice(), [line] if line.contains("aqueduct::unsent")), "{log}");
    assert!(!log.contains("aqueduct::upstream"), "{log}");
}

/// Whose call it is stands on its line: the name of the token, which is no secret.
#[tokio::test]
async fn callers_are_named() {
    let api = FakeApi::always(Answer::json(500, json!({"message": "broken"}))).await;
    let place = Place::new();
    place.write("aqueduct.toml", TOKENS);
    let shop = shop();
    let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", "info")];
    let mut server = HttpServer::start(place, &[&shop, "--base-url", &api.base_url()], &variables).await;
    let get = call(1, "mcp_aql_read", "get_product", json!({"product_id": 1}));
    server.stateless(&[ANN], &get).await;
    terminate(server.process_id());
    let mut errors = server.take_errors();
    let mut lines = Vec::new();
    while let Some(line) = errors.next_line().await.unwrap() {
        lines.push(line);
    }
    for target in ["aqueduct::call", "aqueduct::upstream"] {
        let line = lines.iter().find(|line| line.contains(target)).unwrap_or_else(|| panic!("{lines:?}"));
        assert!(line.contains("caller=\"ann\""), "{line}");
    }
}

/// The last line tells why the process ends.
#[tokio::test]
async fn the_end_is_told() {
    let log = [("SHOP_TOKEN", "x"), ("AQUEDUCT_LOG", "info")];
    let last = |errors: &str| errors.lines().last().unwrap_or_default().to_owned();
    let mut closed = Server::start(&[&shop()], &log);
    closed.open().await;
    let (exit, errors) = closed.finish().await;
    let line = last(&errors);
    assert!(exit == 0 && line.contains("aqueduct::process") && line.contains("stdin closed"), "{errors}");
    let mut stopped = Server::start(&[&shop()], &log);
    stopped.open().await;
    terminate(stopped.process_id());
    let (exit, errors) = stopped.ended().await;
    assert!(exit == 0 && last(&errors).contains("signal SIGTERM"), "{errors}");
    assert_eq!(errors.matches("aqueduct::process").count(), 1, "{errors}");
    let mut http = HttpServer::start(Place::new(), &[&shop()], &log).await;
    terminate(http.process_id());
    let (exit, errors) = http.ended().await;
    assert!(
        exit == 0 && errors.contains("aqueduct::process") && errors.contains("signal SIGTERM"),
        "{errors}"
    );
    let failed = Place::new().run(&["serve", &shop(), "--http", "0.0.0.0:0"], &log, "").await;
    assert_eq!(failed.code, 3);
    let line = last(&failed.stderr);
    assert!(line.contains("aqueduct::process") && line.contains("no bearer tokens are set"), "{failed:?}");
}

/// In JSON every line is an object, with the fields of the line of text; programs find the address where it always was.
#[tokio::test]
async fn lines_of_json() {
    let api = FakeApi::always(Answer::json(500, json!({"message": "broken \u{202e} here"}))).await;
    let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", "info"), ("AQUEDUCT_LOG_FORMAT", "json")];
    let shop = shop();
    let mut server = Server::start(
        &[&shop, "--base-url", &api.base_url(), "--trust", "generated", "--auth-env", "SHOP_TOKEN"],
        &variables,
    );
    server.open().await;
    server.call("mcp_aql_read", "get_product", json!({"product_id": 1})).await;
    let (exit, log) = server.finish().await;
    assert_eq!(exit, 0);
    assert!(!log.contains('\u{202e}'), "{log}");
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    for line in &lines {
        for name in ["timestamp", "level", "target", "message"] {
            assert!(line[name].is_string(), "{name}: {line}");
        }
    }
    let of = |target: &str| {
        lines.iter().find(|line| line["target"] == target).unwrap_or_else(|| panic!("{target}: {log}"))
    };
    let call = of("aqueduct::call");
    assert_eq!((&call["operation"], &call["caller"]), (&json!("get_product"), &json!("local")), "{call}");
    assert!(
        call["duration_ms"].is_number() && call["session"].as_str().unwrap().starts_with("sess_"),
        "{call}"
    );
    let upstream = of("aqueduct::upstream");
    assert_eq!((&upstream["level"], &upstream["status"]), (&json!("warn"), &json!(500)), "{upstream}");
    assert_eq!(of("aqueduct::process")["why"], "stdin closed");
    assert!(of("aqueduct::note")["message"].as_str().unwrap().contains("--trust"), "{log}");
    let mut http = HttpServer::start(Place::new(), &[&shop], &variables).await;
    assert_ne!(http.address.port(), 0, "the first line is as ever");
    terminate(http.process_id());
    assert_eq!(http.ended().await.0, 0);
}

/// A format that there is not ends the start with exit code 3; none, or an empty one, is text.
#[tokio::test]
async fn formats_of_logs() {
    for bad in ["xml", "JSON ", "pretty,json", "1"] {
        let ran = Place::new().run(&["schema"], &[("AQUEDUCT_LOG_FORMAT", bad)], "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{bad}");
        assert!(
            ran.stderr.contains("AQUEDUCT_LOG_FORMAT") && ran.stderr.contains("use text or json"),
            "{ran:?}"
        );
    }
    for good in ["text", "json", ""] {
        let ran = Place::new().run(&["schema"], &[("AQUEDUCT_LOG_FORMAT", good)], "").await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{good}");
    }
}
