//! Schemas and patterns that never end, in a document that somebody serves unread.

use crate::outside::attacks::bomb::{self, chain, wide};
use crate::outside::harness::{DEADLINE, Place, Server, code, inside};
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use futures::FutureExt;
use serde_json::{Value, json};
use tokio::time::timeout;

/// A document with a harmless operation, and one that takes a parameter of this schema.
fn document(api: &FakeApi, schema: &Value, schemas: &Value) -> Value {
    let answer = json!({"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}});
    json!({
        "openapi": "3.1.0", "info": {"title": "Trap", "version": "1"}, "servers": [{"url": api.base_url()}],
        "paths": {
            "/things": {"get": {"operationId": "get_things", "responses": answer, "parameters": [
                {"name": "given", "in": "query", "required": true, "content": {"application/json": {"schema": schema}}}]}},
            "/small": {"get": {"operationId": "get_small", "responses": answer}},
        },
        "components": {"schemas": schemas},
    })
}

async fn served(schema: &Value, schemas: &Value, config: &str) -> (FakeApi, Server) {
    let api = FakeApi::always(Answer::json(200, json!({"fine": true}))).await;
    let server = bomb::served("trap.json", document(&api, schema, schemas).to_string(), config).await;
    (api, server)
}

/// Alternatives of alternatives, sixty times: decided exactly, and at once.
#[tokio::test]
async fn schemas_of_schemas() {
    let root = "#/components/schemas";
    let bombs: [fn(Value) -> Value; 5] = [
        |next| json!({"anyOf": [next, next]}),
        |next| json!({"allOf": [next, next]}),
        |next| json!({"oneOf": [next, {"allOf": [next, {"required": ["never"]}]}]}),
        |next| json!({"if": next, "then": next, "else": next}),
        |next| json!({"dependentSchemas": {"a": {"anyOf": [next, next]}}, "unevaluatedProperties": {"type": "string"}}),
    ];
    for (number, bomb) in bombs.into_iter().enumerate() {
        let start = json!({"$ref": format!("{root}/d0")});
        let (_api, mut server) = served(&start, &Value::Object(chain(root, bomb)), "").await;
        let fits = server.call("mcp_aql_read", "get_things", json!({"given": {"a": "x"}})).await;
        assert_eq!(fits["data"]["fine"], true, "{number}: {fits}");
        let other = server.call("mcp_aql_read", "get_things", json!({"given": {"a": 1}})).await;
        assert!(code(&other).starts_with("VALIDATION_"), "{number}: {other}");
    }
}

/// Patterns that are too large, or take too long with a text, are told; usual ones go on working.
#[tokio::test]
async fn patterns() {
    let huge = "a".repeat(100_000);
    let long = "ab".repeat(300_000);
    for (pattern, text, is_fine) in [
        (huge.as_str(), "aaa", false),
        ("[ab]{5000}c", long.as_str(), false),
        ("^(?=(?:a|b)+$)(?:a|ab|b)*c$", long.as_str(), false),
        ("((x{90}){90}){90}", "xxx", false),
        ("^[a-z]{3,}$", "abc", true),
        ("[ab]{50}c", &("ab".repeat(25) + "c"), true),
        ("^(?=.*[0-9])[a-z0-9]+$", "abc1", true),
        ("^[ab]+$", long.as_str(), true),
    ] {
        let schema = json!({"type": "object", "properties": {"t": {"type": "string", "pattern": pattern}}});
        let (api, mut server) = served(&schema, &json!({}), "").await;
        let told = server.call("mcp_aql_read", "get_things", json!({"given": {"t": text}})).await;
        let shown = &pattern[..pattern.len().min(40)];
        if is_fine {
            // A text that fits is sent; that it is too long for a URL is for others to say.
            assert!(!told.to_string().contains("its pattern"), "{shown}: {told}");
        } else {
            assert_eq!(code(&told), "VALIDATION_INVALID_VALUE", "{shown}: {told}");
            let said = told.to_string();
            assert!(said.contains("pattern can be decided"), "{shown}: {said}");
            assert!(api.requests().is_empty());
        }
        let small = server.call("mcp_aql_read", "get_small", json!({})).await;
        assert_eq!(small["data"]["fine"], true, "{small}");
    }
}

/// A long list of options, which many values miss, is not copied for each of them.
#[tokio::test]
async fn options_by_the_thousand() {
    let options: Vec<String> = (0..50_000).map(|n| format!("option {n}")).collect();
    let schema = json!({"type": "array", "items": {"enum": options}});
    let (_api, mut server) = served(&schema, &json!({}), ENDLESS).await;
    let told = server.call("mcp_aql_read", "get_things", json!({"given": vec!["x"; 3_000]})).await;
    assert_eq!(code(&told), "VALIDATION_INVALID_VALUE", "{told}");
    let expected = told["error"]["details"]["expected"].as_str().unwrap();
    assert!(expected.ends_with("and 49976 more"), "{expected}");
    if let Some(peak) = most_memory(server.process_id()) {
        assert!(peak < 1_000_000, "{peak} kB for a list of options");
    }
    let one = server.call("mcp_aql_read", "get_things", json!({"given": ["option 49999"]})).await;
    assert_eq!(one["data"]["fine"], true, "{one}");
}

/// The most memory that a process has used so far, in kilobytes, where the system tells.
fn most_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// More work than a call may take is told with the limit, and what the operator can do.
#[tokio::test]
async fn too_much_work_is_told() {
    let (_api, mut server) = served(&wide(1_000), &json!({}), "[limits]\nmax_work_steps = 1000000\n").await;
    let told = server.call("mcp_aql_read", "get_things", json!({"given": vec!["x"; 9_000]})).await;
    assert_eq!(code(&told), "VALIDATION_PAYLOAD_TOO_LARGE", "{told}");
    assert_eq!(told["error"]["details"]["limit_type"], "work", "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("max_work_steps"), "{told}");
    let few = server.call("mcp_aql_read", "get_things", json!({"given": ["x", "y"]})).await;
    assert_eq!(few["data"]["fine"], true, "{few}");
}

const ENDLESS: &str = "[limits]\nmax_work_steps = 10000000000\n";

/// While one call computes, others are answered; and a signal ends the process all the same, within five seconds.
#[tokio::test]
async fn neighbours_and_signals_over_stdio() {
    let (_api, mut server) = served(&wide(4_000), &json!({}), ENDLESS).await;
    let warm = server.call("mcp_aql_read", "get_things", json!({"given": ["x"]})).await;
    assert_eq!(warm["data"]["fine"], true, "{warm}");
    let arguments = json!({"operation": "get_things", "params": {"given": vec!["x"; 10_000]}});
    let bomb = server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await;
    for _ in 0..5 {
        let small = server.call("mcp_aql_read", "get_small", json!({})).await;
        assert_eq!(small["data"]["fine"], true, "{small}");
    }
    let answers: Vec<Value> = server.seen.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(answers.iter().all(|answer| answer["id"] != bomb), "the others did not wait for it");
    signal(server.process_id());
    let ended = timeout(std::time::Duration::from_secs(5), server.ended()).await;
    assert!(ended.is_ok(), "it ends in time");
}

#[tokio::test]
async fn neighbours_and_signals_over_http() {
    let api = FakeApi::always(Answer::json(200, json!({"fine": true}))).await;
    let place = Place::new();
    let file = place.write("trap.json", document(&api, &wide(4_000), &json!({})).to_string());
    place.write("aqueduct.toml", ENDLESS);
    let state = place.path().join("state").display().to_string();
    let mut server = HttpServer::start(place, &[&file, "--state-dir", &state], &[]).await;
    let session = server.open("2025-11-25", &[]).await;
    let ask = |id: i64, given: Value| call(id, "mcp_aql_read", "get_things", json!({"given": given}));
    let warm = server.in_session(&session, &[], &ask(1, json!(["x"]))).await;
    assert_eq!(warm.inside()["data"]["fine"], true, "{warm:?}");
    let messages: Vec<Value> = (0..3).map(|n| ask(10 + n, json!(vec!["x"; 10_000]))).collect();
    let bombs = messages.iter().map(|message| server.in_session(&session, &[], message).boxed_local());
    let mut bombs = futures::future::select_all(bombs);
    let neighbours = async {
        for id in 100..110 {
            let small = call(id, "mcp_aql_read", "get_small", json!({}));
            let small = server.in_session(&session, &[], &small).await;
            assert_eq!(small.inside()["data"]["fine"], true, "{small:?}");
        }
    };
    let first = async {
        tokio::select! { () = neighbours => "neighbours", _ = &mut bombs => "bombs" }
    };
    assert_eq!(timeout(DEADLINE, first).await, Ok("neighbours"), "nobody waits for a bomb");
    drop(bombs);
    signal(server.process_id());
    let ended = timeout(std::time::Duration::from_secs(5), server.ended()).await;
    assert!(ended.is_ok(), "it ends in time");
}

fn signal(process: u32) {
    let sent = std::process::Command::new("kill").arg(process.to_string()).status().unwrap();
    assert!(sent.success());
}

/// What an API declares about its answers is held against them within the same steps, and the answer comes in any case.
#[tokio::test]
async fn schemas_of_answers() {
    let root = "#/components/schemas";
    let api = FakeApi::always(Answer::json(200, json!({"a": "x"}))).await;
    let mut schemas = chain(root, |next| json!({"anyOf": [next, next], "additionalProperties": false}));
    schemas.insert("start".to_owned(), json!({"$ref": format!("{root}/d0")}));
    let mut document = document(&api, &json!({"type": "string"}), &Value::Object(schemas));
    document["paths"]["/small"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] =
        json!({"$ref": format!("{root}/start")});
    let place = Place::new();
    let file = place.write("trap.json", document.to_string());
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    let arguments = json!({"operation": "get_small"});
    let answer = server.call_raw("mcp_aql_read", arguments).await;
    assert_eq!(inside(&answer)["success"], true, "{answer}");
}

/// A pattern that no text can be held against is told with its place when the document is loaded: in the report of an import,
/// and by `doctor`. A document of usual patterns, and examples with a word `pattern` in them, are not spoken of.
#[tokio::test]
async fn patterns_are_told_when_the_document_is_loaded() {
    let huge = "a".repeat(100_000);
    for (pattern, words) in [(huge.as_str(), "too large"), ("(", "no regular expression"), ("^[a-z]+$", "")] {
        let api = FakeApi::always(Answer::json(200, json!({"fine": true}))).await;
        let schemas =
            json!({"Name": {"type": "string", "pattern": pattern, "example": {"pattern": "*.txt"}}});
        let document = document(&api, &json!({"$ref": "#/components/schemas/Name"}), &schemas);
        let place = Place::new();
        let file = place.write("trap.json", document.to_string());
        let imported = place.run(&["import", "openapi", &file, "--report-only"], &[], "").await;
        let examined = place.run(&["doctor", &file, "--state-dir", "state"], &[], "").await;
        for told in [&imported.stdout, &examined.stdout] {
            let line = told
                .lines()
                .find(|line| line.contains("components.schemas.Name.pattern"))
                .unwrap_or_default();
            assert!(line.contains(words) && line.is_empty() == words.is_empty(), "{told}");
            assert!(!told.contains("Name.example"), "{told}");
        }
    }
}
