//! Bundles, held against a JSON Schema written from the rows X-bundle-1 to X-bundle-11.
//!
//! The same servers and listings as in the tests of the import come in. The schema is closed: a field that no one
//! asked for fails as much as one that is missing.

use super::{ConnectedSource, bundle};
use crate::mcp_server::ImportedServer;
use crate::mcp_server::tests::{everything, http, imported, stdio};
use crate::overrides::{Override, OverrideChange, apply};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use serde_json::{Value, json};

const WHEN: &str = "2026-11-15T10:30:00Z";

fn schema() -> Value {
    let text = json!({"type": "string"});
    let flag = json!({"type": "boolean"});
    let closed = |required: &[&str], properties: Value| json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties});
    let inferred = json!({"enum": ["direct_source_metadata", "deterministic_normalization", "heuristic_classification", "manual_override"]});
    let param = closed(
        &["name", "original_name", "type", "required", "source_path"],
        json!({"name": text, "original_name": text, "type": text, "required": flag, "source_path": text,
            "description": text, "default": true, "enum": {"type": "array", "items": text},
            "minimum": {"type": "number"}, "maximum": {"type": "number"}, "pattern": text, "format": text}),
    );
    let provenance = closed(
        &["name", "input_schema_present"],
        json!({"name": text, "input_schema_present": flag, "description": text,
            "annotations": {"type": "array", "items": text},
            "inference_sources": closed(&[], json!({"operation_name": inferred, "description": inferred,
                "endpoint": inferred, "danger_level": inferred, "maps_to": inferred}))}),
    );
    let operation = closed(
        &[
            "source_tool_name",
            "operation_name",
            "description",
            "endpoint",
            "endpoint_confidence",
            "danger_level",
            "needs_review",
            "review_reasons",
            "params",
            "maps_to",
            "returns",
            "provenance",
        ],
        json!({"source_tool_name": text, "operation_name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "description": text, "endpoint": {"enum": ["CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"]},
            "endpoint_confidence": {"enum": ["high", "medium", "low"]},
            "danger_level": {"enum": ["safe", "reversible", "destructive", "dangerous", "forbidden"]},
            "needs_review": flag, "review_reasons": {"type": "array", "items": text},
            "params": {"type": "array", "items": param}, "maps_to": text, "title": text,
            "returns": closed(&["type", "name", "description"],
                json!({"type": {"const": "object"}, "name": text, "description": text})),
            "provenance": provenance}),
    );
    let warning = closed(
        &["code", "severity", "message"],
        json!({"code": text, "severity": {"enum": ["info", "warning", "error"]}, "message": text, "tool": text,
            "field": text, "heuristic": text}),
    );
    let source = closed(
        &["name", "server_url", "transport", "captured_at", "auth", "capture_config_redacted"],
        json!({"name": text, "server_url": {"type": "string", "format": "uri"},
            "transport": {"const": "streamable_http"}, "captured_at": {"type": "string", "format": "date-time"},
            "auth": closed(&["type"], json!({"type": {"enum": ["bearer", "none"]}, "header": text, "prefix": text,
                "token_env": text, "token_command": text})),
            "capture_config_redacted": {"type": "object"},
            "server": closed(&[], json!({"name": text, "version": text, "title": text}))}),
    );
    closed(
        &["schema_version", "source", "raw_capture", "normalized_bundle"],
        json!({"schema_version": {"const": "1.0.0-draft"}, "source": source,
            "raw_capture": {"type": "object", "required": ["tools"],
                "properties": {"tools": {"type": "array", "items": {"type": "object"}}}},
            "normalized_bundle": closed(&["operations", "warnings"],
                json!({"operations": {"type": "array", "items": operation}, "warnings": {"type": "array", "items": warning}}))}),
    )
}

fn problems(value: &Value) -> Vec<String> {
    let validator = jsonschema::options().offline().should_validate_formats(true).build(&schema()).unwrap();
    validator.iter_errors(value).map(|error| format!("{} {error}", error.instance_path())).collect()
}

fn bundle_of(server: &ServerConfig, listing: &ServerListing, imported: &ImportedServer) -> Value {
    let (loaded, report) = (&imported.loaded, &imported.report);
    bundle(&ConnectedSource { server, listing, loaded, report }, WHEN)
}

fn made(config: &ServerConfig, listing: &ServerListing) -> Value {
    bundle_of(config, listing, &imported(config, listing))
}

/// X-bundle-1 X-bundle-2 X-bundle-5 X-bundle-6 X-bundle-7 X-bundle-8 X-bundle-9 X-bundle-11: every shape is the closed one.
#[test]
fn the_shape() {
    let bundle = made(&http(), &everything());
    assert_eq!(problems(&bundle), Vec::<String>::new());
    assert_eq!(bundle["source"]["server"], json!({"name": "everything", "version": "1.0", "title": "All"}));
    assert_eq!(bundle["source"]["captured_at"], WHEN);
    let operations = bundle["normalized_bundle"]["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 6, "one for each tool that is loaded");
    assert_eq!(
        operations[1]["params"][0],
        json!({"name": "user_id", "original_name": "userId", "type": "string", "required": true,
            "source_path": "inputSchema.properties.userId", "description": "Whose.", "format": "uuid"})
    );
    assert_eq!(operations[1]["maps_to"], "TOOL listIssues");
    assert_eq!(operations[0]["title"], "Echo");
}

/// X-bundle-4: the tools stand there exactly as they came.
#[test]
fn the_raw_capture() {
    let listing = everything();
    let bundle = made(&http(), &listing);
    assert_eq!(bundle["raw_capture"]["tools"], Value::Array(listing.tools.clone()));
}

/// X-bundle-4 X-bundle-7 X-bundle-8 X-bundle-9: what a tool says has its field, or stays in the capture.
#[test]
fn what_a_tool_says() {
    let tool = json!({"name": "find", "description": "Finds.", "icons": [{"src": "data:,"}], "_meta": {"a/b": [1]},
        "annotations": {"readOnlyHint": true, "openWorldHint": false}, "inputSchema": {"type": "object", "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "word": {"type": "string", "pattern": "^a"}}}});
    let listing = ServerListing { tools: vec![tool.clone(), json!({"name": "bare"})], ..everything() };
    let bundle = made(&http(), &listing);
    assert_eq!(problems(&bundle), Vec::<String>::new());
    assert_eq!(bundle["raw_capture"]["tools"][0], tool);
    let find = &bundle["normalized_bundle"]["operations"][0];
    assert_eq!(
        find["params"],
        json!([
            {"name": "count", "original_name": "count", "type": "integer", "required": false, "default": 3,
                "source_path": "inputSchema.properties.count", "minimum": 1.0, "maximum": 9.0},
            {"name": "word", "original_name": "word", "type": "string", "required": false,
                "source_path": "inputSchema.properties.word", "pattern": "^a"},
        ])
    );
    let blocks = "A list of content blocks, such as {type: text, text}, or the tool's structured content";
    assert_eq!(find["returns"], json!({"type": "object", "name": "FindResult", "description": blocks}));
    assert_eq!(find["provenance"]["annotations"], json!(["readOnlyHint", "openWorldHint"]));
    let has_schema = |index: usize| &bundle["normalized_bundle"]["operations"][index]["provenance"]["input_schema_present"];
    assert_eq!((has_schema(0), has_schema(1)), (&json!(true), &json!(false)));
}

/// X-bundle-3: how it authenticates is one of two types with the keys of the row and no other, whatever the server is given, and
/// no secret is written.
#[test]
fn no_secrets() {
    let with = |headers: &[(&str, &str)]| {
        let mut server = http();
        let ServerTransport::Http { headers: own, .. } = &mut server.reach else { panic!("over HTTP") };
        *own = headers.iter().map(|(name, value)| NamedSecret::new(*name, *value)).collect();
        let bundle = made(&server, &everything());
        assert!(!bundle.to_string().contains("hunter"), "{bundle}");
        bundle["source"]["auth"].clone()
    };
    let none = json!({"type": "none"});
    for (headers, auth) in [
        (&[][..], none.clone()),
        (&[("X-Team", "hunter1"), ("X-Api-Key", "hunter2")], none.clone()),
        (
            &[("authorization", "Bearer hunter3")],
            json!({"type": "bearer", "header": "authorization", "prefix": "Bearer "}),
        ),
        (
            &[("Authorization", "${TOKEN}")],
            json!({"type": "bearer", "header": "Authorization", "token_env": "TOKEN"}),
        ),
        (
            &[("Authorization", "token ${TOKEN}")],
            json!({"type": "bearer", "header": "Authorization", "prefix": "token ", "token_env": "TOKEN"}),
        ),
    ] {
        assert_eq!(with(headers), auth);
    }
    assert_eq!(made(&stdio(), &everything())["source"]["auth"], none);
    let bundle = made(&http(), &everything());
    assert_eq!(
        bundle["source"]["auth"],
        json!({"type": "bearer", "header": "Authorization", "prefix": "Bearer ", "token_env": "TOKEN"})
    );
    assert_eq!(bundle["source"]["server_url"], "https://example.com/mcp?key=REDACTED");
    for text in [bundle.to_string(), made(&stdio(), &everything()).to_string()] {
        assert!(!text.contains("hunter"), "{text}");
    }
}

/// X-bundle-10: each derived field says where it comes from.
#[test]
fn sources_of_inference() {
    let listing = everything();
    let mut with_override = imported(&http(), &listing);
    let change = OverrideChange {
        danger_level: Some(DangerLevel::Safe),
        category: Some(Category::Read),
        ..OverrideChange::default()
    };
    let override_ = Override::new("sequentialthinking", change);
    let found = apply(&[override_], &mut with_override.loaded, Some(&mut with_override.report));
    assert!(found.is_empty());
    let bundle = bundle_of(&http(), &listing, &with_override);
    assert_eq!(problems(&bundle), Vec::<String>::new());
    let inferred = |tool: &str, field: &str| {
        let operations = bundle["normalized_bundle"]["operations"].as_array().unwrap();
        let operation = operations.iter().find(|each| each["source_tool_name"] == tool).unwrap();
        operation["provenance"]["inference_sources"][field].as_str().unwrap().to_owned()
    };
    assert_eq!(inferred("echo", "operation_name"), "direct_source_metadata");
    assert_eq!(inferred("listIssues", "operation_name"), "deterministic_normalization");
    assert_eq!(inferred("listIssues", "endpoint"), "direct_source_metadata");
    assert_eq!(inferred("delete-it", "endpoint"), "heuristic_classification");
    assert_eq!(inferred("sequentialthinking", "endpoint"), "manual_override");
    assert_eq!(inferred("sequentialthinking", "danger_level"), "manual_override");
    assert_eq!(inferred("sequentialthinking", "description"), "deterministic_normalization");
}

/// X-bundle-12: doubtful ones are flagged, and so is every loss.
#[test]
fn doubts_and_losses() {
    let bundle = made(&http(), &everything());
    let operations = bundle["normalized_bundle"]["operations"].as_array().unwrap();
    let thinking = operations.iter().find(|each| each["operation_name"] == "sequentialthinking").unwrap();
    assert_eq!((&thinking["needs_review"], &thinking["endpoint"]), (&json!(true), &json!("EXECUTE")));
    assert_eq!(thinking["review_reasons"].as_array().unwrap().len(), 1);
    let warnings = bundle["normalized_bundle"]["warnings"].as_array().unwrap();
    let codes: std::collections::BTreeSet<_> =
        warnings.iter().map(|each| each["code"].as_str().unwrap()).collect();
    assert_eq!(
        codes.into_iter().collect::<Vec<_>>(),
        ["ENUM_AS_TEXT", "LEFT_OUT", "NEEDS_REVIEW", "REMARK", "RENAMED"]
    );
}

/// Our extension: a child process differs in its transport and its address, and says so.
#[test]
fn child_processes() {
    let bundle = made(&stdio(), &everything());
    assert_eq!(
        (&bundle["source"]["transport"], &bundle["source"]["server_url"]),
        (&json!("stdio"), &json!("stdio:npx"))
    );
    assert_eq!(bundle["normalized_bundle"]["warnings"][0]["code"], "TRANSPORT_EXTENSION");
    let problems = problems(&bundle);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("/source/transport"), "{problems:?}");
}
