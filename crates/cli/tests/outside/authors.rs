//! What authors of adapter files meet: files of other tools and of later versions, mistakes with their lines, names that
//! collide with controls, and what clients are told of a file.

use super::harness::{Place, Server, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// A whole file with these blocks after its head.
fn file(base_url: &str, blocks: &str, operations: &str) -> String {
    format!(
        "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of a team, for tests\"\ntarget:\n  \
         base_url: {base_url}\n  transport: http\n  protocol: rest\n  serialization: json\n{blocks}operations:\n  \
         read:\n{operations}---\n# Notes\n\nAsk for **drafts** only when you need them.\n"
    )
}

fn listing(more: &str) -> String {
    format!("    - name: list_notes\n      maps_to: GET /notes\n      description: Lists notes\n{more}")
}

const HERE: &str = "http://127.0.0.1:9";

/// Keys of later parts load, with the shapes of the specification and with others; a slip in a key that is applied does not.
#[tokio::test]
async fn keys_of_later_parts_refuse_no_file() {
    let place = Place::new();
    let validate = async |blocks: &str, operations: &str| {
        let file = place.write("notes-adapter.md", file(HERE, blocks, operations));
        place.run(&["validate", &file], &[], "").await
    };
    let blocks = "rate_limits: {shared_pools: [{name: search, limit: 5}]}\n";
    let ran = validate(blocks, &listing("")).await;
    assert_eq!(ran.code, 0, "{blocks}: {ran:?}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("NOT_YET_SUPPORTED"), "{blocks}: {said}");
    for blocks in [
        "safety: {maxAutonomousSteps: 5, agents: {bot: {deny: ['delete_*']}}}\n",
        "rate_limits:\n  cost:\n    model: per_token\n    currency: USD\n    pricing:\n      - {endpoint: '*', cost_per_token: {input: 0.001, output: 0.002}}\n",
        "rate_limits: {api_limits: [{scope: global, limit: 5000, window: hour, remaining_header: X-RateLimit-Remaining}]}\n",
        "rate_limits: {quotas: {enabled: true, limits: [{metric: cost_per_day, warn: 5, pause: 8, hard_stop: 10, currency: USD}]}}\n",
    ] {
        let ran = validate(blocks, &listing("")).await;
        assert_eq!(ran.code, 0, "{blocks}: {ran:?}");
        assert!(!ran.stdout.contains("NOT_YET_SUPPORTED"), "{blocks}: {ran:?}");
    }
    let unknown = "rate_limits: {something_new: [1, 2]}\n";
    assert_eq!(
        validate(unknown, &listing("")).await.code,
        2,
        "limits are applied, so a slip in them is told"
    );
    let lifecycle = "      lifecycle: {id: {path: id}, status: {operation: get_job}, states: {ok: completed}, poll: {initial_ms: 1}}\n";
    assert_eq!(validate("", &listing(lifecycle)).await.code, 2, "a READ starts nothing");
    assert_eq!(validate("rate_limit: {requests_per_minute: 5}\n", &listing("")).await.code, 2, "a slip");
    assert_eq!(validate("concurrency: parallel\n", &listing("")).await.code, 2);
}

/// Mistakes are told with their line and the form that works here.
#[tokio::test]
async fn mistakes_lead_to_the_form_that_works() {
    let place = Place::new();
    let lost = "      params:\n        where:\n          schema: {type: object, properties: {a: {$ref: '#/schemas/Nowhere'}}}\n";
    for (blocks, operations, parts) in [
        (
            "",
            listing(lost),
            &["notes-adapter.md:18:", "UNKNOWN_REFERENCE", "There is no schema 'Nowhere'"][..],
        ),
        (
            "",
            listing("      pagination: {style: cursor, param_name: c, cursor_path: meta.next}\n"),
            &["did you mean 'next_path'?"],
        ),
        (
            "",
            listing("      computed: [{name: age, type: integer, value: created_at}]\n"),
            &["age_days: PATH", "template:", "exists: PATH"],
        ),
        (
            "",
            listing("      params: {where: {type: object, properties: {a: {type: string}}}}\n"),
            &["a parameter takes it in 'schema'"],
        ),
        (
            "auth: {type: bearer, token_env: T, header: X-Token}\n",
            listing(""),
            &["type: api_key, key_env: T and header_name: X-Token"],
        ),
    ] {
        let file = place.write("notes-adapter.md", file(HERE, blocks, &operations));
        let ran = place.run(&["validate", &file], &[], "").await;
        assert_eq!(ran.code, 2, "{ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let custom = file(HERE, "", &listing("")).replace("protocol: rest", "protocol: custom");
    let file =
        place.write("notes-adapter.md", custom.replace("maps_to: GET /notes", "maps_to: 'tool:list_notes'"));
    let ran = place.run(&["validate", &file], &[], "").await;
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(ran.code == 2 && said.contains("write protocol: mcp, and maps_to: TOOL name"), "{said}");
}

/// A format inside a schema is checked before anything is sent; types are named in one way, with a schema and without.
#[tokio::test]
async fn formats_and_types_inside_schemas() {
    let api = FakeApi::always(Answer::json(200, json!([{"id": 1}]))).await;
    let place = Place::new();
    let params = "      params:\n        plain: {type: integer}\n        day: {schema: {type: string, format: date}}\n        \
                  many: {schema: {type: [integer, 'null']}}\n        deep: {schema: {type: object, properties: {n: {type: integer}}}}\n";
    place.write("notes-adapter.md", file(&api.base_url(), "", &listing(params)));
    let mut server = Server::start_in(place, &["notes-adapter.md"], &[]);
    server.open().await;
    let bad = server.call("mcp_aql_read", "list_notes", json!({"day": "tomorrow"})).await;
    assert_eq!(code(&bad), "VALIDATION_INVALID_VALUE", "{bad}");
    assert!(bad["error"]["message"].as_str().unwrap().contains("ISO 8601 date"), "{bad}");
    for (params, name, expected, actual) in [
        (json!({"plain": "x"}), "plain", "integer", "string"),
        (json!({"many": "x"}), "many", "integer | null", "string"),
        (json!({"deep": {"n": 1.5}}), "deep.n", "integer", "number"),
        (json!({"deep": 7}), "deep", "object", "integer"),
    ] {
        let bad = server.call("mcp_aql_read", "list_notes", params).await;
        let details = &bad["error"]["details"];
        assert_eq!(code(&bad), "VALIDATION_INVALID_TYPE", "{bad}");
        assert_eq!(details["param_name"], name, "{bad}");
        let kinds = |text: &Value| {
            let mut kinds: Vec<String> =
                text.as_str().unwrap_or_default().split(" | ").map(str::to_owned).collect();
            kinds.sort();
            kinds.join(" | ")
        };
        assert_eq!(
            (kinds(&details["expected_type"]).as_str(), &details["actual_type"]),
            (expected, &json!(actual)),
            "{bad}"
        );
    }
    assert!(api.requests().is_empty());
    let good = server.call("mcp_aql_read", "list_notes", json!({"day": "2026-02-04", "many": null})).await;
    assert_eq!(good["success"], true, "{good}");
    assert_eq!(api.requests().len(), 1);
}

/// Ruling W14: a parameter named like a control is told of when the file is loaded, and both work.
#[tokio::test]
async fn parameters_named_like_controls() {
    let api =
        FakeApi::always(Answer::json(200, json!([{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]))).await;
    let place = Place::new();
    let file = place.write(
        "notes-adapter.md",
        file(&api.base_url(), "", &listing("      params: {fields: {type: string}}\n")),
    );
    let ran = place.run(&["validate", &file], &[], "").await;
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, 0, "{said}");
    assert!(said.contains("notes-adapter.md:16:") && said.contains("aql_fields"), "{said}");
    let mut server = Server::start_in(place, &["notes-adapter.md"], &[]);
    server.open().await;
    let params = json!({"fields": "theirs", "aql_fields": ["id"]});
    let answer = server.call("mcp_aql_read", "list_notes", params).await;
    assert_eq!(answer["data"]["items"], json!([{"id": 1}, {"id": 2}]), "{answer}");
    assert_eq!(api.requests()[0].query(), Some("fields=theirs"));
    assert!(server.errors().contains("aql_fields"), "{}", server.errors());
}

/// Clients can read what the author wrote for people, and every parameter that is accepted; names work with their source.
#[tokio::test]
async fn what_clients_are_told() {
    let api = FakeApi::always(Answer::json(200, json!([{"id": 1}]))).await;
    let place = Place::new();
    place.write("notes-adapter.md", file(&api.base_url(), "", &listing("")));
    let mut server = Server::start_in(place, &["notes-adapter.md"], &[]);
    server.open().await;
    let info = server.call("mcp_aql_read", "introspect", json!({"query": "adapter_info"})).await;
    assert_eq!(info["data"]["documentation"], "# Notes\n\nAsk for **drafts** only when you need them.");
    let shown =
        server.call("mcp_aql_read", "introspect", json!({"query": "operations", "name": "list_notes"})).await;
    let params = shown["data"]["operation"]["parameters"].as_array().unwrap().clone();
    let find = |name: &str| {
        let found = params.iter().find(|each| each["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("{name}: {params:?}"))
    };
    for (name, default) in [("first", 25), ("limit", 25), ("page", 1), ("page_size", 25)] {
        assert_eq!(find(name)["default"], default, "{name}");
    }
    assert_eq!((&find("preset")["type"], &find("order")["type"]), (&json!("string"), &json!("string")));
    for name in ["list_notes", "notes__list_notes"] {
        let answer = server.call("mcp_aql_read", name, json!({})).await;
        assert_eq!(answer["data"]["items"], json!([{"id": 1}]), "{name}: {answer}");
    }
    let unknown = server.call("mcp_aql_read", "other__list_notes", json!({})).await;
    assert_eq!(code(&unknown), "NOT_FOUND_OPERATION");
}

/// What fields can be asked for is told with the computed ones.
#[tokio::test]
async fn computed_fields_are_among_the_known() {
    let api = FakeApi::always(Answer::json(200, json!([{"id": 1, "text": "abc"}]))).await;
    let place = Place::new();
    let types = "types: {Note: {kind: object, fields: {id: {type: integer}, text: {type: string}}}}\n";
    let more = "      response: {type: 'Note[]'}\n      computed: [{name: length, type: integer, value: {count: text}}]\n";
    place.write("notes-adapter.md", file(&api.base_url(), types, &listing(more)));
    let mut server = Server::start_in(place, &["notes-adapter.md"], &[]);
    server.open().await;
    let bad = server.call("mcp_aql_read", "list_notes", json!({"fields": ["length"]})).await;
    assert_eq!(bad["success"], false, "{bad}");
    assert!(bad.to_string().contains("_computed.length"), "{bad}");
    let good = server.call("mcp_aql_read", "list_notes", json!({"fields": ["_computed.length"]})).await;
    assert_eq!(good["data"]["items"], json!([{"_computed": {"length": 3}}]), "{good}");
    let plain = server.call("mcp_aql_read", "list_notes", json!({})).await;
    assert_eq!(plain["data"]["items"], json!([{"id": 1, "text": "abc"}]), "they come when asked for");
}
