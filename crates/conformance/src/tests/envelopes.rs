//! Servers whose answers cannot be read, or leave open what they did: they are judged, and nothing is passed over.

use crate::server::{Boxed, CallFailure, Identity, Server};
use crate::{Level, Settings, StopFlag, SuiteOutcome, run_suite};
use serde_json::{Map, Value, json};

/// A server with the single tool, which answers every request as this says.
struct Answering<F> {
    tools: Vec<Value>,
    answer: F,
}

impl<F: Fn(&str, &Value) -> Value> Server for Answering<F> {
    fn identity(&self) -> Identity {
        Identity { name: "it".to_owned(), version: "1".to_owned() }
    }

    fn tools(&self) -> &[Value] {
        &self.tools
    }

    fn call<'a>(
        &'a self,
        _tool: &'a str,
        arguments: Map<String, Value>,
    ) -> Boxed<'a, Result<Value, CallFailure>> {
        let arguments = Value::Object(arguments);
        let result = (self.answer)(arguments["operation"].as_str().unwrap_or_default(), &arguments["params"]);
        Box::pin(async move { Ok(result) })
    }
}

fn judged(answer: impl Fn(&str, &Value) -> Value) -> SuiteOutcome {
    let schema = json!({"type": "object", "properties": {"operation": {"type": "string"}}});
    let tools = vec![json!({"name": "mcp_aql", "description": "introspect", "inputSchema": schema})];
    let settings = Settings { level: Level::Two, allow_writes: true, most_operations: 40 };
    let server = Answering { tools, answer };
    futures_executor::block_on(run_suite(&server, settings, &StopFlag::default())).unwrap()
}

fn text(result: &Value) -> Value {
    json!({"content": [{"type": "text", "text": result.to_string()}], "isError": false})
}

/// An envelope that cannot be read is a failure with its rule and its answer, not the end of the run.
#[test]
fn broken_envelopes_are_judged() {
    let cases = [
        text(&json!({"success": "true", "data": {"operations": []}})),
        text(&json!([1])),
        text(&Value::Null),
        json!({"isError": false}),
        json!({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}], "isError": false}),
        json!({"content": [{"type": "text", "text": "no json"}], "isError": false}),
    ];
    for case in cases {
        let report = judged(|_, _| case.clone()).report;
        assert_eq!(report.exit_code, 1, "{case}");
        let tests = report.categories.iter().flat_map(|category| &category.tests);
        let findings: Vec<&String> = tests.flat_map(|test| &test.findings).collect();
        assert!(findings.iter().any(|text| text.contains("Sent: mcp_aql")), "{case}");
    }
}

/// A creation that fails in its midst may have made something: that is named, and is no clean pass.
#[test]
fn creations_in_doubt_are_named() {
    let operation = |name: &str, category: &str, parameter: &str| {
        json!({"name": name, "semantic_category": category, "endpoint": category.to_lowercase(), "mcpTool": "mcp_aql", "description": name,
               "permissions": {"readOnly": category == "READ", "destructive": category == "DELETE"},
               "parameters": [{"name": parameter, "type": "string", "required": true}], "returns": {"name": "T", "kind": "object"}})
    };
    let all = [
        operation("create_thing", "CREATE", "title"),
        operation("get_thing", "READ", "thing_id"),
        operation("delete_thing", "DELETE", "thing_id"),
    ];
    let outcome = judged(|name, params| {
        text(&match name {
            "introspect" if params["name"].is_string() => {
                let found = all.iter().find(|each| each["name"] == params["name"]);
                json!({"success": true, "data": {"operation": found}})
            }
            "introspect" => json!({"success": true, "data": {"operations": all}}),
            "create_thing" => {
                json!({"success": false, "error": {"code": "INTERNAL_ERROR", "message": "Server error: disk"}})
            }
            _ => json!({"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "Not found"}}),
        })
    });
    assert!(outcome.left_behind.iter().any(|left| left.contains("what 'create_thing' may have created")));
    let category = outcome.report.categories.iter().find(|each| each.name == "Round-Trip Integrity").unwrap();
    assert_eq!(category.result.word(), "WARN", "{category:?}");
}
