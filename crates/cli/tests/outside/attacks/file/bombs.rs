//! Schemas and patterns that never end, in an adapter file: told when it is loaded, and decided when it is called.

use crate::outside::attacks::bomb::{self, chain, wide};
use crate::outside::harness::{Place, Server, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Map, Value, json};

/// A file with a harmless operation, and one that takes and gives a value of this schema.
fn adapter(base_url: &str, schema: &Value, schemas: &Map<String, Value>) -> String {
    let operations = json!({"read": [
        {"name": "get_things", "maps_to": "GET /things", "description": "Things",
            "params": {"given": {"schema": schema, "required": true}}, "response": {"schema": schema}},
        {"name": "get_small", "maps_to": "GET /small", "description": "One thing"},
    ]});
    format!(
        "---\nname: trap\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A trap for everybody\"\ntarget: {{ base_url: \
         \"{base_url}\", transport: http, protocol: rest, serialization: json }}\nschemas: {}\noperations: {operations}\n---\n",
        Value::Object(schemas.clone())
    )
}

async fn served(schema: &Value, schemas: &Map<String, Value>, config: &str) -> (FakeApi, Server) {
    let api = FakeApi::always(Answer::json(200, json!({"a": "x"}))).await;
    let server = bomb::served("trap-adapter.md", adapter(&api.base_url(), schema, schemas), config).await;
    (api, server)
}

/// Sixty schemas, each made of the next one twice: decided exactly, for what is given and for what is answered.
#[tokio::test]
async fn schemas_of_schemas() {
    let bombs: [fn(Value) -> Value; 3] = [
        |next| json!({"anyOf": [next, next]}),
        |next| json!({"allOf": [next, next]}),
        |next| json!({"oneOf": [next, {"allOf": [next, {"required": ["never"]}]}]}),
    ];
    for bomb in bombs {
        let start = json!({"$ref": "#/schemas/d0"});
        let (_api, mut server) = served(&start, &chain("#/schemas", bomb), "").await;
        let fits = server.call("mcp_aql_read", "get_things", json!({"given": {"a": "x"}})).await;
        assert_eq!(fits["data"]["a"], "x", "{fits}");
        let other = server.call("mcp_aql_read", "get_things", json!({"given": {"a": 1}})).await;
        assert!(code(&other).starts_with("VALIDATION_"), "{other}");
        let small = server.call("mcp_aql_read", "get_small", json!({})).await;
        assert_eq!(small["data"]["a"], "x", "{small}");
    }
}

/// More work than a call may take is told with the limit.
#[tokio::test]
async fn too_much_work_is_told() {
    let config = "[limits]\nmax_work_steps = 1000000\n";
    let (_api, mut server) = served(&wide(1_000), &Map::new(), config).await;
    let told = server.call("mcp_aql_read", "get_things", json!({"given": vec!["x"; 9_000]})).await;
    assert_eq!(told["error"]["details"]["limit_type"], "work", "{told}");
    let small = server.call("mcp_aql_read", "get_small", json!({})).await;
    assert_eq!(small["data"]["a"], "x", "{small}");
}

/// A pattern that no text can be held against is told with its place by `validate` and `doctor`, and by the call; one that
/// can is neither.
#[tokio::test]
async fn patterns_are_told_when_the_file_is_loaded() {
    let api = FakeApi::always(Answer::json(200, json!({"a": "x"}))).await;
    let huge = "a".repeat(20_000);
    for (pattern, is_told) in [(huge.as_str(), true), ("((x{90}){90}){90}", true), ("^[a-z]{3,9}$", false)] {
        let schema = json!({"type": "object", "properties": {"t": {"type": "string", "pattern": pattern}}});
        let place = Place::new();
        let file = place.write("trap-adapter.md", adapter(&api.base_url(), &schema, &Map::new()));
        let at = "params.given.schema.properties.t.pattern";
        let validated = place.run(&["validate", &file], &[], "").await;
        assert_eq!(validated.stdout.contains("UNUSABLE_PATTERN"), is_told, "{}", validated.stdout.len());
        assert_eq!(validated.stdout.contains(at), is_told);
        assert_eq!(validated.code, 0);
        let examined = place.run(&["doctor", &file, "--state-dir", "state"], &[], "").await;
        assert_eq!(examined.stdout.contains(at), is_told, "{}", examined.stdout);
        let words = ["call", &file, "get_things", "given:={\"t\":\"abc\"}", "--state-dir", "state"];
        let called = place.run(&words, &[], "").await;
        assert_eq!(called.stdout.contains("pattern can be decided"), is_told, "{}", called.stdout);
        assert!(
            !called.stderr.contains("UNUSABLE_PATTERN"),
            "a call says nothing of what is only to be known"
        );
    }
}
