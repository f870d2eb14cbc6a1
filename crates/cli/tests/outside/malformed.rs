//! Hundreds of broken adapter files and requests: each gets a structured error that names what to fix, and nothing dies.

use super::harness::{Place, Server, code, inside, shop};
use aqueduct::{Aqueduct, BuildError, SourceSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// What is written instead of a value, and never right for a mapping, a list or a name.
const WRONG: [&str; 7] = ["null", "-1", "\"\"", "[]", "{}", "\"\\u0000\"", "!!binary x"];

/// Breaks one line of a good file in many ways.
fn mutations(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().skip(1).position(|line| *line == "---").unwrap() + 1;
    let mut made = Vec::new();
    let mut put = |index: usize, replacement: Vec<String>| {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        changed.splice(index..=index, replacement);
        made.push(changed.join("\n") + "\n");
    };
    for (index, line) in lines.iter().enumerate().take(end).skip(1) {
        put(index, vec![]);
        put(index, vec![(*line).to_owned(), (*line).to_owned()]);
        put(index, vec![format!("   {line}")]);
        put(index, vec![line.replacen(':', "", 1)]);
        put(index, vec![line.replacen(": ", "_typo: ", 1)]);
        put(index, vec![format!("{line} {{")]);
        put(index, vec![format!("\t{line}")]);
        if let Some((key, _)) = line.split_once(": ") {
            for wrong in WRONG {
                put(index, vec![format!("{key}: {wrong}")]);
            }
        }
    }
    for cut in (0..text.len()).step_by(97) {
        if text.is_char_boundary(cut) {
            made.push(text[..cut].to_owned());
        }
    }
    made
}

/// R1.2-2: whatever is wrong with a file, there is a finding with a place, a code and a message; no panic.
#[test]
fn broken_files() {
    let text = std::fs::read_to_string(shop()).unwrap();
    let made = mutations(&text);
    assert!(made.len() > 900, "{}", made.len());
    let mut refused = 0;
    for broken in &made {
        let built = Aqueduct::builder()
            .adapter_text("shop-adapter.md", broken.as_str(), SourceSettings::default())
            .build();
        let Err(error) = built else { continue };
        let BuildError::Invalid(diagnostics) = error else { panic!("{error:?} for\n{broken}") };
        refused += 1;
        assert!(!diagnostics.is_empty(), "{broken}");
        for diagnostic in diagnostics {
            let shown = diagnostic.to_string();
            assert!(shown.starts_with("shop-adapter.md:"), "{shown}");
            assert!(diagnostic.message.len() > 10, "{shown}");
            for leak in ["serde", "saphyr", "::", "panicked", "unwrap"] {
                assert!(!diagnostic.message.contains(leak), "{shown}");
            }
        }
    }
    assert!(refused > 500, "only {refused} of {} were refused", made.len());
}

/// R1.2-2: the same on the command line: exit code 2, and the message names what to fix.
#[tokio::test]
async fn broken_files_on_the_command_line() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    for (from, to, said) in [
        ("name: shop", "nam: shop", "did you mean 'name'"),
        ("type: adapter", "type: skill", "adapter"),
        ("version: \"1.2.0\"", "version: one", "version"),
        ("https://api.shop.example/v1", "ftp://x", "base_url"),
        ("token_env: SHOP_TOKEN", "token_env: sk-live-1234567890abcdef", "token_env"),
        ("type: bearer", "type: bear", "bearer"),
        ("GET /products/{product_id}", "GET /products/{id}", "{id}"),
        ("GET /search", "SEEK /search", "SEEK"),
        ("name: get_product", "name: list_products", "list_products"),
        ("name: get_product", "name: introspect", "introspect"),
        ("name: get_product", "name: Get-Product", "Get-Product"),
        ("default: 1, minimum: 1", "default: one, minimum: 1", "default"),
        ("type: integer, required: true, minimum: 1", "type: int, required: true, minimum: 1", "integer"),
        ("pattern: \"^[0-9]{12,19}$\"", "pattern: \"([0-9]\"", "pattern"),
        ("level: destructive", "level: scary", "destructive"),
        ("  read:", "  reed:", "did you mean 'read'"),
        ("---\nname", "name", "---"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        place.write("shop-adapter.md", broken);
        for command in ["validate", "introspect"] {
            let ran = place.run(&[command, "shop-adapter.md"], &[], "").await;
            let shown = format!("{}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, 2, "{to}: {shown}");
            assert!(shown.contains(said) && shown.contains("error["), "{to}: {shown}");
            assert!(!shown.contains("sk-live-1234567890abcdef"), "{shown}");
        }
    }
}

fn build(files: &[(&str, &str)]) -> Result<Aqueduct, BuildError> {
    let builder = files.iter().fold(Aqueduct::builder(), |builder, (file, text)| {
        builder.adapter_text(*file, *text, SourceSettings::default())
    });
    builder.build()
}

fn codes(error: &BuildError) -> Vec<&str> {
    match error {
        BuildError::Invalid(diagnostics) => diagnostics.iter().map(|each| each.code).collect(),
        other => panic!("{other:?}"),
    }
}

/// R2.1-1: a file is parsed, then checked, then indexed, and only then can it be called.
#[tokio::test]
async fn order_of_loading() {
    let good = std::fs::read_to_string(shop()).unwrap();
    let unsound = good.replace("type: adapter", "type: skill");
    let unreadable = unsound.replace("tags: [shop, orders]", "tags: [shop, orders");
    assert_eq!(codes(&build(&[("shop-adapter.md", &unreadable)]).unwrap_err()), ["YAML_SYNTAX"]);
    let checked = build(&[("shop-adapter.md", &unsound), ("shop-adapter.md", &unsound)]).unwrap_err();
    assert_eq!(codes(&checked), ["INVALID_VALUE", "INVALID_VALUE"], "not indexed, or they would clash");
    let indexed = build(&[("shop-adapter.md", &good), ("shop-adapter.md", &good)]).unwrap_err();
    assert!(matches!(indexed, BuildError::Clash(_)), "{indexed:?}");
    let reply = build(&[("shop-adapter.md", &good)]).unwrap().call_operation("introspect", query()).await;
    assert!(reply.to_json().contains("get_product"));
}

fn query() -> serde_json::Map<String, Value> {
    json!({"query": "operations"}).as_object().unwrap().clone()
}

/// X-plugins-1 X-plugins-3 X-plugins-13: plugin names are resolved when a file is loaded: built-in ones pass, others do not.
#[test]
fn plugin_names() {
    let good = std::fs::read_to_string(shop()).unwrap();
    let auth = "  type: bearer\n  token_env: SHOP_TOKEN\n";
    for built_in in [auth, "  type: none\n", "  type: api_key\n  key_env: SHOP_TOKEN\n  header_name: X-Key\n"]
    {
        build(&[("shop-adapter.md", &good.replace(auth, built_in))]).unwrap();
    }
    for (name, unknown) in [
        ("transport: http", "transport: pigeon"),
        ("protocol: rest", "protocol: soap"),
        ("serialization: json", "serialization: xml"),
    ] {
        let refused = build(&[("shop-adapter.md", &good.replace(name, unknown))]).unwrap_err();
        assert_eq!(codes(&refused), ["PLUGIN_NOT_FOUND"], "{unknown}");
    }
}

/// Values that stand for everything a confused model may send.
fn strange() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(9_007_199_254_740_993_i64),
        json!(""),
        json!("text"),
        json!("{\"a\":1}"),
        json!("[1"),
        json!("../../etc"),
        json!("%2e%2e"),
        json!("a\u{0}b"),
        json!("\u{202e}evil"),
        json!("x".repeat(5000)),
        json!([]),
        json!([[[1]]]),
        json!({}),
        json!({"__proto__": {"a": 1}}),
        json!({"$ref": "#"}),
    ]
}

/// R11.4-2 O5.4-7 C4.6-1: every parameter of every operation with every strange value: an answer, structured, and alive.
#[tokio::test]
async fn strange_requests() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let mut server = Server::shop(&api.base_url(), &["--mode", "single"], &[]).await;
    let mut requests = Vec::new();
    for value in strange() {
        requests.push(json!({"operation": value}));
        requests.push(json!({"operation": "get_product", "params": value}));
        requests.push(json!({"operation": "get_product", "params": {"product_id": value}}));
        requests.push(json!({"operation": "get_product", "product_id": value}));
        requests
            .push(json!({"operation": "list_products", "params": {"category": value, "per_page": value}}));
        requests.push(json!({"operation": "search_products", "params": {"q": value}}));
        requests.push(
            json!({"operation": "create_order", "params": {"product_id": 1, "gift": value, "note": value}}),
        );
        requests
            .push(json!({"operation": "create_order", "params": {"product_id": 1, "card_number": value}}));
        requests.push(json!({"operation": "update_order", "params": {"order_id": value, "input": value}}));
        requests.push(
            json!({"operation": "update_order", "params": {"order_id": "o", "input": {"state": value}}}),
        );
        requests.push(
            json!({"operation": "delete_order", "params": {"order_id": "o", "confirmation_token": value}}),
        );
        requests.push(json!({"operation": "introspect", "params": {"query": value, "name": value}}));
        requests.push(json!({"operation": "introspect", "params": {"query": "operations", "name": value}}));
        requests.push(json!({"operation": "get_product", "params": {"product_id": 1}, "_meta": value}));
        requests.push(json!({"operation": "get_product", "params": {"product_id": 1, "more": value}}));
        requests.push(json!({"operations": value}));
    }
    assert!(requests.len() >= 300);
    for arguments in requests {
        let answer = server.call_raw("mcp_aql", arguments.clone()).await;
        let result = inside(&answer);
        if result["success"] == true {
            assert_eq!(arguments["params"].get("more"), None, "{arguments}");
            continue;
        }
        assert!(!code(&result).is_empty());
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.len() > 10 && message.len() < 2000, "{arguments}: {message}");
        assert_ne!(code(&result), "INTERNAL_ERROR", "{arguments}: {result}");
        if result["error"]["details"]["problems"].is_array() {
            let example = result["error"]["details"]["example"].clone();
            let mended = inside(&server.call_raw("mcp_aql", example.clone()).await);
            let asks = mended["error"]["code"] == "CONFIRMATION_REQUIRED";
            assert!(mended["success"] == true || asks, "the example {example} is refused: {mended}");
        }
    }
    assert!(server.is_alive().await);
    for request in api.requests() {
        assert!(!request.target.contains("/..") && !request.target.contains("%2e%2e"), "{}", request.target);
        if let Some(id) = request.path().strip_prefix("/products/") {
            assert!(id.parse::<i64>().is_ok(), "{id} is no integer");
        }
    }
}

/// Whole argument objects that are no requests.
#[tokio::test]
async fn strange_arguments() {
    let mut server = Server::start(&[&shop(), "--mode", "single"], &[]);
    server.open().await;
    for value in strange() {
        let answer = server.request("tools/call", json!({"name": "mcp_aql", "arguments": value})).await;
        let refused = answer["error"]["code"] == -32602;
        assert!(refused || inside(&answer)["success"] == false, "{value}: {answer}");
        let answer = server.request("tools/call", json!({"name": value, "arguments": {}})).await;
        assert_eq!(answer["error"]["code"], -32602, "{value}");
    }
    assert!(server.is_alive().await);
}
